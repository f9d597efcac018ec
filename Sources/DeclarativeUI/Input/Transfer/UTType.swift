import Foundation

/// A kind of data, by its name in Apple's system ("public.mpeg-4"). The types that video apps meet are known, with
/// their names in files and on the network; another name is a type without relations. UniformTypeIdentifiers' type.
public struct UTType: Hashable, Sendable, CustomStringConvertible {
    /// The type's name, as "public.movie".
    public let identifier: String
    /// The same as `identifier`.
    public var description: String { identifier }

    /// Nil for an identifier that is not known.
    public init?(_ identifier: String) {
        guard UTType.entries[identifier] != nil else { return nil }
        self.identifier = identifier
    }
    /// A type that the app says there is.
    public init(importedAs identifier: String, conformingTo parent: UTType? = nil) { self.identifier = identifier }
    /// A type that the app says it has made; here the same as `init(importedAs:)`, and `parent` has no effect.
    public init(exportedAs identifier: String, conformingTo parent: UTType? = nil) { self.identifier = identifier }
    /// - Parameter filenameExtension: without the dot, in any case. Nil when no known type has it.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let name = filenameExtension.lowercased()
        guard
            let found = UTType.order.first(where: {
                UTType.entries[$0]?.extensions.contains(name) == true && UTType(known: $0).conforms(to: supertype)
            })
        else { return nil }
        identifier = found
    }
    /// The type of a name on the network, as "video/mp4", in any case. Nil when no known type has it.
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

    /// The first ending of files of this type, without the dot; nil where it has none.
    public var preferredFilenameExtension: String? { UTType.entries[identifier]?.extensions.first }
    /// The type's name on the network; nil where it has none.
    public var preferredMIMEType: String? { UTType.entries[identifier]?.mime }
    /// Every ending of files of this type and of those that are one of it.
    var allExtensions: [String] {
        UTType.order.filter { UTType(known: $0).conforms(to: self) }.flatMap { UTType.entries[$0]?.extensions ?? [] }
    }

    /// Whether this is that type, or a kind of it.
    public func conforms(to type: UTType) -> Bool {
        identifier == type.identifier
            || UTType.entries[identifier]?.parents.contains { UTType(known: $0).conforms(to: type) } == true
    }
    /// Whether this is a kind of that type, and not that type itself.
    public func isSubtype(of type: UTType) -> Bool { self != type && conforms(to: type) }
    /// Whether that type is a kind of this one, and not this type itself.
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

    /// Anything; what is shown or played; what is a run of bytes.
    public static let item = UTType(known: "public.item"), content = UTType(known: "public.content"),
        data = UTType(known: "public.data")
    /// A directory; one that is shown as a folder.
    public static let directory = UTType(known: "public.directory"), folder = UTType(known: "public.folder")
    /// An address; the address of a file.
    public static let url = UTType(known: "public.url"), fileURL = UTType(known: "public.file-url")
    /// Any text; text without markup; such text in UTF-8.
    public static let text = UTType(known: "public.text"), plainText = UTType(known: "public.plain-text"),
        utf8PlainText = UTType(known: "public.utf8-plain-text")
    /// JSON, XML, HTML and PDF.
    public static let json = UTType(known: "public.json"), xml = UTType(known: "public.xml"),
        html = UTType(known: "public.html"), pdf = UTType(known: "com.adobe.pdf")
    /// Any archive; a zip archive.
    public static let archive = UTType(known: "public.archive"), zip = UTType(known: "public.zip-archive")
    /// Any picture; PNG, JPEG and TIFF.
    public static let image = UTType(known: "public.image"), png = UTType(known: "public.png"),
        jpeg = UTType(known: "public.jpeg"), tiff = UTType(known: "public.tiff")
    /// GIF, BMP and WebP pictures.
    public static let gif = UTType(known: "com.compuserve.gif"), bmp = UTType(known: "com.microsoft.bmp"),
        webP = UTType(known: "org.webmproject.webp")
    /// HEIC and SVG pictures.
    public static let heic = UTType(known: "public.heic"), svg = UTType(known: "public.svg-image")
    /// Sound or pictures that move; films, with sound or without; films without.
    public static let audiovisualContent = UTType(known: "public.audiovisual-content"),
        movie = UTType(known: "public.movie"), video = UTType(known: "public.video")
    /// Any sound; QuickTime films; MPEG-4 films.
    public static let audio = UTType(known: "public.audio"),
        quickTimeMovie = UTType(known: "com.apple.quicktime-movie"), mpeg4Movie = UTType(known: "public.mpeg-4")
    /// iTunes' films (m4v), MPEG films and AVI films.
    public static let appleProtectedMPEG4Video = UTType(known: "com.apple.m4v-video"),
        mpeg = UTType(known: "public.mpeg"), avi = UTType(known: "public.avi")
    /// Films as they are broadcast: ts, m2ts, mts.
    public static let mpeg2TransportStream = UTType(known: "public.mpeg-2-transport-stream")
    /// MP3, MPEG-4 sound (m4a) and WAVE sound.
    public static let mp3 = UTType(known: "public.mp3"), mpeg4Audio = UTType(known: "public.mpeg-4-audio"),
        wav = UTType(known: "com.microsoft.waveform-audio")
    /// AIFF sound; any playlist; M3U playlists, HLS' among them.
    public static let aiff = UTType(known: "public.aiff-audio"), playlist = UTType(known: "public.playlist"),
        m3uPlaylist = UTType(known: "public.m3u-playlist")
}
