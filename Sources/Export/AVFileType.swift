/// The kind of a file that is written. Of them WebM keeps transparency; in the others what is transparent is over
/// black. Raw values are uniform type identifiers, AVFoundation's where it has them.
public struct AVFileType: RawRepresentable, Sendable, Hashable, Codable {
    /// The uniform type identifier.
    public let rawValue: String
    /// By a uniform type identifier; one that is none of the constants cannot be written.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// MPEG-4: H.264 and AAC.
    public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
    /// QuickTime: H.264, and AAC or whatever sound is copied.
    public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
    /// As `mp4`, under the name iTunes gave it.
    public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
    /// Matroska: H.264 and AAC. Its time stamps are whole milliseconds.
    public static let mkv = AVFileType(rawValue: "org.matroska.mkv")
    /// WebM: VP9 and Opus, with alpha if the pictures have it. Its time stamps are whole milliseconds.
    public static let webm = AVFileType(rawValue: "org.webmproject.webm")
    /// An animation without sound, in 256 colours, that loops for ever. Its time stamps are hundredths of a second.
    public static let gif = AVFileType(rawValue: "com.compuserve.gif")

    /// All that can be written, given their encoders.
    public static let allWritable: [AVFileType] = [.mp4, .mov, .m4v, .mkv, .webm, .gif]

    /// By a file's name, whatever its case; nil for one that is not written here.
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

    /// What a file's name ends in, without the dot; empty for one that is not written here.
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

    /// libavformat's name of the muxer; nil for one that is not written here.
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

    /// libavformat's name of the muxer of a part: MP4 holds no uncompressed audio, QuickTime does.
    var partMuxer: String? { isMovieFamily ? "mov" : muxer }

    /// ISO/IEC 14496-12 and what it came from: exact time stamps, edit lists, an index that can stand at the front.
    var isMovieFamily: Bool { self == .mp4 || self == .m4v || self == .mov }
}
