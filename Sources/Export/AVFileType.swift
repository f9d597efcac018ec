/// A file type. An export can write the types in `allWritable`.
///
/// The constants name the usual codecs of an export. `AVAssetExportSession` says when it copies the audio or uses
/// another codec.
///
/// Only WebM keeps transparency; in the other types, transparent pixels are composed over black. Raw values are uniform
/// type identifiers, with AVFoundation's value where AVFoundation has the type.
public struct AVFileType: RawRepresentable, Sendable, Hashable, Codable {
    /// The uniform type identifier.
    public let rawValue: String
    /// Creates a file type from a uniform type identifier. Only the types of the constants can be written.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// MPEG-4 with H.264 and AAC.
    public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
    /// QuickTime with H.264 and AAC.
    public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
    /// MPEG-4 with the path extension that iTunes uses, otherwise the same as `mp4`.
    public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
    /// Matroska with H.264 and AAC. Timestamps are whole milliseconds.
    public static let mkv = AVFileType(rawValue: "org.matroska.mkv")
    /// WebM with VP9 and Opus, and with alpha if the frames have alpha. Timestamps are whole milliseconds.
    public static let webm = AVFileType(rawValue: "org.webmproject.webm")
    /// An animated GIF with 256 colors and without audio that loops forever. Timestamps are hundredths of a second.
    public static let gif = AVFileType(rawValue: "com.compuserve.gif")

    // Types that can be read, for example as the hint of an `AVAudioPlayer`. An export can't write them.

    /// MPEG layer 3 audio.
    public static let mp3 = AVFileType(rawValue: "public.mp3")
    /// Audio in MPEG-4.
    public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
    /// WAVE audio.
    public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
    /// AIFF audio.
    public static let aiff = AVFileType(rawValue: "public.aiff-audio")
    /// AIFF-C audio.
    public static let aifc = AVFileType(rawValue: "public.aifc-audio")
    /// Core Audio Format.
    public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
    /// Sun's and NeXT's audio format.
    public static let au = AVFileType(rawValue: "public.au-audio")
    /// Dolby Digital audio.
    public static let ac3 = AVFileType(rawValue: "public.ac3-audio")
    /// Dolby Digital Plus audio.
    public static let eac3 = AVFileType(rawValue: "public.enhanced-ac3-audio")
    /// Adaptive multi-rate audio.
    public static let amr = AVFileType(rawValue: "org.3gpp.adaptive-multi-rate-audio")
    /// Video or audio of mobile phones, by 3GPP.
    public static let mobile3GPP = AVFileType(rawValue: "public.3gpp")
    /// Video or audio of mobile phones, by 3GPP2.
    public static let mobile3GPP2 = AVFileType(rawValue: "public.3gpp2")

    /// All types that can be written if their encoders are installed.
    public static let allWritable: [AVFileType] = [.mp4, .mov, .m4v, .mkv, .webm, .gif]

    /// Creates the file type for a path extension, in uppercase or lowercase. Returns nil if no type that can be
    /// written has this extension.
    ///
    /// ```swift
    /// guard let type = AVFileType(pathExtension: url.pathExtension) else {
    ///     print("“\(url.lastPathComponent)” is not a supported file type.")
    ///     return
    /// }
    /// try await session.export(to: url, as: type)
    /// ```
    public init?(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "mp4": self = .mp4
        case "mov", "qt": self = .mov
        case "m4v": self = .m4v
        case "mkv": self = .mkv
        case "webm": self = .webm
        case "gif": self = .gif
        default: return nil
        }
    }

    /// The path extension of the type, without the dot. Empty for a type that can't be written.
    public var preferredPathExtension: String {
        switch self {
        case .mp4: "mp4"
        case .mov: "mov"
        case .m4v: "m4v"
        case .mkv: "mkv"
        case .webm: "webm"
        case .gif: "gif"
        default: ""
        }
    }

    /// The name of libavformat's muxer. Nil for a type that can't be written.
    var muxer: String? {
        switch self {
        case .mp4, .m4v: "mp4"
        case .mov: "mov"
        case .mkv: "matroska"
        case .webm: "webm"
        case .gif: "gif"
        default: nil
        }
    }

    /// The name of libavformat's muxer for a part. MP4 and WebM can't hold uncompressed audio, so a part of an MP4 file
    /// is a QuickTime file, and a part of a WebM file is a Matroska file.
    var partMuxer: String? {
        if isMovieFamily { return "mov" }
        return self == .webm ? "matroska" : muxer
    }

    /// Whether the type is based on ISO/IEC 14496-12 (MPEG-4) or on QuickTime, the origin of that standard.
    ///
    /// These types have exact timestamps, edit lists, and an index that can be at the front.
    var isMovieFamily: Bool { self == .mp4 || self == .m4v || self == .mov }
}
