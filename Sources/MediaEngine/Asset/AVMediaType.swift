/// What a track carries. Raw values are AVFoundation's.
public struct AVMediaType: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pictures.
    public static let video = AVMediaType(rawValue: "vide")
    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Text or pictures of text, timed, to be read over the pictures.
    public static let subtitle = AVMediaType(rawValue: "sbtl")
    /// Timed data that is neither seen nor heard.
    public static let metadata = AVMediaType(rawValue: "meta")

    /// For people: `video`, `audio`, `subtitle`, `data`.
    public var name: String {
        switch self {
        case .video: "video"
        case .audio: "audio"
        case .subtitle: "subtitle"
        default: "data"
        }
    }
}

/// What a track or a selectable option is good for. Raw values are AVFoundation's.
public struct AVMediaCharacteristic: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is seen.
    public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
    /// It is heard.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// It is read.
    public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
    /// Parts of its pictures may be transparent: what lies behind the video is seen there.
    public static let containsAlphaChannel = AVMediaCharacteristic(
        rawValue: "AVMediaCharacteristicContainsAlphaChannel")
    /// Subtitles meant to be shown even when none were chosen.
    public static let containsOnlyForcedSubtitles = AVMediaCharacteristic(rawValue: "public.subtitles.forced-only")
    /// Subtitles that also tell sounds and speakers, for the deaf.
    public static let transcribesSpokenDialogForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.transcribes-spoken-dialog")
    /// Sound that tells what is seen, for the blind.
    public static let describesVideoForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.describes-video")
    /// A commentary or other secondary programme.
    public static let isAuxiliaryContent = AVMediaCharacteristic(rawValue: "public.auxiliary-content")
    /// In the language it was made in.
    public static let isOriginalContent = AVMediaCharacteristic(rawValue: "public.original-content")
    /// Sound in another language than it was made in.
    public static let dubbedTranslation = AVMediaCharacteristic(rawValue: "public.translation.dubbed")
}
