/// A type of data with a type identifier of Apple's platforms, such as `public.mpeg-4`.
///
/// ```swift
/// let isVideo = UTType(filenameExtension: url.pathExtension)?.conforms(to: .movie) ?? false
/// ```
/// Types that video apps use are known, with their file extensions and MIME types. A type with another identifier
/// conforms only to itself. Modeled on the type in UniformTypeIdentifiers.
public struct UTType: Hashable, Sendable, CustomStringConvertible {
    /// The type identifier, such as `public.movie`.
    public let identifier: String
    /// The type identifier.
    public var description: String { identifier }

    /// Creates a known type. Returns nil for an unknown identifier.
    public init?(_ identifier: String) {
        guard UTType.entries[identifier] != nil else { return nil }
        self.identifier = identifier
    }
    /// Creates a type that another app defines. The parameter `parent` has no effect.
    public init(importedAs identifier: String, conformingTo parent: UTType? = nil) { self.identifier = identifier }
    /// Creates a type that this app defines. Same as `init(importedAs:conformingTo:)`; `parent` has no effect.
    public init(exportedAs identifier: String, conformingTo parent: UTType? = nil) { self.identifier = identifier }
    /// Creates the first known type that has a file extension and conforms to `supertype`. Returns nil if there is
    /// none.
    /// - Parameters:
    ///   - filenameExtension: The extension without the dot, in upper or lower case.
    ///   - supertype: The type to which the result must conform.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let name = filenameExtension.lowercased()
        guard
            let found = UTType.order.first(where: {
                UTType.entries[$0]?.extensions.contains(name) == true && UTType(known: $0).conforms(to: supertype)
            })
        else { return nil }
        identifier = found
    }
    /// Creates the first known type that has a MIME type and conforms to `supertype`. Returns nil if there is none.
    /// - Parameters:
    ///   - mimeType: The MIME type, such as `video/mp4`, in upper or lower case.
    ///   - supertype: The type to which the result must conform.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let name = mimeType.lowercased()
        guard
            let found = UTType.order.first(where: {
                UTType.entries[$0]?.mime == name && UTType(known: $0).conforms(to: supertype)
            })
        else { return nil }
        identifier = found
    }
    private init(known identifier: String) { self.identifier = identifier }

    /// The first file extension of this type, without the dot, or nil if the type has none.
    public var preferredFilenameExtension: String? { UTType.entries[identifier]?.extensions.first }
    /// The MIME type, or nil if the type has none.
    public var preferredMIMEType: String? { UTType.entries[identifier]?.mime }
    /// The file extensions of this type and of all known types that conform to it.
    var allExtensions: [String] {
        UTType.order.filter { UTType(known: $0).conforms(to: self) }.flatMap { UTType.entries[$0]?.extensions ?? [] }
    }

    /// Returns whether this type is `type` or conforms to it.
    public func conforms(to type: UTType) -> Bool {
        identifier == type.identifier
            || UTType.entries[identifier]?.parents.contains { UTType(known: $0).conforms(to: type) } == true
    }
    /// Returns whether this type conforms to `type` and is not the same type.
    public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }
    /// Returns whether `type` conforms to this type and is not the same type.
    public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

    private struct Entry {
        var parents: [String] = []
        var extensions: [String] = []
        var mime: String?
    }
    private static let all: [(String, Entry)] = [
        ("public.item", Entry()), ("public.content", Entry()), ("public.data", Entry(parents: ["public.item"])),
        ("public.directory", Entry(parents: ["public.item"])), ("public.folder", Entry(parents: ["public.directory"])),
        ("public.url", Entry(parents: ["public.data"])), ("public.file-url", Entry(parents: ["public.url"])),
        ("public.text", Entry(parents: ["public.data", "public.content"])),
        ("public.plain-text", Entry(parents: ["public.text"], extensions: ["txt", "text"], mime: "text/plain")),
        ("public.utf8-plain-text", Entry(parents: ["public.plain-text"])),
        ("public.json", Entry(parents: ["public.text"], extensions: ["json"], mime: "application/json")),
        ("public.xml", Entry(parents: ["public.text"], extensions: ["xml"], mime: "application/xml")),
        ("public.html", Entry(parents: ["public.text"], extensions: ["html", "htm"], mime: "text/html")),
        (
            "com.adobe.pdf",
            Entry(parents: ["public.data", "public.content"], extensions: ["pdf"], mime: "application/pdf")
        ),
        ("public.archive", Entry(parents: ["public.data"])),
        ("public.zip-archive", Entry(parents: ["public.archive"], extensions: ["zip"], mime: "application/zip")),
        ("public.image", Entry(parents: ["public.data", "public.content"])),
        ("public.png", Entry(parents: ["public.image"], extensions: ["png"], mime: "image/png")),
        ("public.jpeg", Entry(parents: ["public.image"], extensions: ["jpg", "jpeg", "jpe"], mime: "image/jpeg")),
        ("public.tiff", Entry(parents: ["public.image"], extensions: ["tiff", "tif"], mime: "image/tiff")),
        ("com.compuserve.gif", Entry(parents: ["public.image"], extensions: ["gif"], mime: "image/gif")),
        ("com.microsoft.bmp", Entry(parents: ["public.image"], extensions: ["bmp"], mime: "image/bmp")),
        ("org.webmproject.webp", Entry(parents: ["public.image"], extensions: ["webp"], mime: "image/webp")),
        ("public.heic", Entry(parents: ["public.image"], extensions: ["heic"], mime: "image/heic")),
        ("public.svg-image", Entry(parents: ["public.image"], extensions: ["svg"], mime: "image/svg+xml")),
        ("public.audiovisual-content", Entry(parents: ["public.data", "public.content"])),
        ("public.movie", Entry(parents: ["public.audiovisual-content"])),
        ("public.video", Entry(parents: ["public.movie"])),
        ("public.audio", Entry(parents: ["public.audiovisual-content"])),
        (
            "com.apple.quicktime-movie",
            Entry(parents: ["public.movie"], extensions: ["mov", "qt"], mime: "video/quicktime")
        ),
        ("public.mpeg-4", Entry(parents: ["public.movie"], extensions: ["mp4", "mpg4"], mime: "video/mp4")),
        ("com.apple.m4v-video", Entry(parents: ["public.movie"], extensions: ["m4v"], mime: "video/x-m4v")),
        ("public.mpeg", Entry(parents: ["public.movie"], extensions: ["mpg", "mpeg"], mime: "video/mpeg")),
        (
            "public.mpeg-2-transport-stream",
            Entry(parents: ["public.movie"], extensions: ["ts", "m2ts", "mts"], mime: "video/mp2t")
        ),
        ("public.avi", Entry(parents: ["public.movie"], extensions: ["avi"], mime: "video/avi")),
        ("org.matroska.mkv", Entry(parents: ["public.movie"], extensions: ["mkv"], mime: "video/x-matroska")),
        ("org.webmproject.webm", Entry(parents: ["public.movie"], extensions: ["webm"], mime: "video/webm")),
        ("public.3gpp", Entry(parents: ["public.movie"], extensions: ["3gp", "3gpp"], mime: "video/3gpp")),
        ("com.adobe.flash.video", Entry(parents: ["public.movie"], extensions: ["flv"], mime: "video/x-flv")),
        (
            "com.microsoft.windows-media-wmv",
            Entry(parents: ["public.movie"], extensions: ["wmv"], mime: "video/x-ms-wmv")
        ),
        ("org.xiph.ogg-video", Entry(parents: ["public.movie"], extensions: ["ogv"], mime: "video/ogg")),
        ("public.mp3", Entry(parents: ["public.audio"], extensions: ["mp3"], mime: "audio/mpeg")),
        ("public.mpeg-4-audio", Entry(parents: ["public.audio"], extensions: ["m4a"], mime: "audio/mp4")),
        ("com.microsoft.waveform-audio", Entry(parents: ["public.audio"], extensions: ["wav"], mime: "audio/wav")),
        ("public.aiff-audio", Entry(parents: ["public.audio"], extensions: ["aiff", "aif"], mime: "audio/aiff")),
        ("org.xiph.flac", Entry(parents: ["public.audio"], extensions: ["flac"], mime: "audio/flac")),
        (
            "org.xiph.ogg-audio",
            Entry(parents: ["public.audio"], extensions: ["ogg", "oga", "opus"], mime: "audio/ogg")
        ),
        ("public.playlist", Entry(parents: ["public.data"])),
        (
            "public.m3u-playlist",
            Entry(
                parents: ["public.playlist", "public.text"], extensions: ["m3u8", "m3u"],
                mime: "application/vnd.apple.mpegurl")
        ),
        ("public.subtitle", Entry(parents: ["public.text"], extensions: ["srt", "vtt", "ass", "ssa"])),
    ]
    private static let entries = Dictionary(all, uniquingKeysWith: { first, _ in first })
    private static let order = all.map(\.0)

    /// Any item, any content that can be shown or played, and any sequence of bytes.
    public static let item = UTType(known: "public.item"), content = UTType(known: "public.content"),
        data = UTType(known: "public.data")
    /// Any directory, and a directory that is shown as a folder.
    public static let directory = UTType(known: "public.directory"), folder = UTType(known: "public.folder")
    /// A URL, and the URL of a file.
    public static let url = UTType(known: "public.url"), fileURL = UTType(known: "public.file-url")
    /// Any text, text without markup, and such text in UTF-8.
    public static let text = UTType(known: "public.text"), plainText = UTType(known: "public.plain-text"),
        utf8PlainText = UTType(known: "public.utf8-plain-text")
    /// JSON, XML, HTML and PDF.
    public static let json = UTType(known: "public.json"), xml = UTType(known: "public.xml"),
        html = UTType(known: "public.html"), pdf = UTType(known: "com.adobe.pdf")
    /// Any archive, and a ZIP archive.
    public static let archive = UTType(known: "public.archive"), zip = UTType(known: "public.zip-archive")
    /// Any image, and PNG, JPEG and TIFF images.
    public static let image = UTType(known: "public.image"), png = UTType(known: "public.png"),
        jpeg = UTType(known: "public.jpeg"), tiff = UTType(known: "public.tiff")
    /// GIF, BMP and WebP images.
    public static let gif = UTType(known: "com.compuserve.gif"), bmp = UTType(known: "com.microsoft.bmp"),
        webP = UTType(known: "org.webmproject.webp")
    /// HEIC and SVG images.
    public static let heic = UTType(known: "public.heic"), svg = UTType(known: "public.svg-image")
    /// Any audio or video, video with or without audio, and video without audio.
    public static let audiovisualContent = UTType(known: "public.audiovisual-content"),
        movie = UTType(known: "public.movie"), video = UTType(known: "public.video")
    /// Any audio, QuickTime videos, and MPEG-4 videos.
    public static let audio = UTType(known: "public.audio"),
        quickTimeMovie = UTType(known: "com.apple.quicktime-movie"), mpeg4Movie = UTType(known: "public.mpeg-4")
    /// M4V videos of iTunes, MPEG videos, and AVI videos.
    public static let appleProtectedMPEG4Video = UTType(known: "com.apple.m4v-video"),
        mpeg = UTType(known: "public.mpeg"), avi = UTType(known: "public.avi")
    /// MPEG-2 transport streams with the extensions ts, m2ts and mts.
    public static let mpeg2TransportStream = UTType(known: "public.mpeg-2-transport-stream")
    /// MP3, MPEG-4 (m4a) and WAVE audio.
    public static let mp3 = UTType(known: "public.mp3"), mpeg4Audio = UTType(known: "public.mpeg-4-audio"),
        wav = UTType(known: "com.microsoft.waveform-audio")
    /// AIFF audio, any playlist, and M3U playlists, including those of HLS.
    public static let aiff = UTType(known: "public.aiff-audio"), playlist = UTType(known: "public.playlist"),
        m3uPlaylist = UTType(known: "public.m3u-playlist")
}
