/// The type of media in a track. Raw values are AVFoundation's.
public struct AVMediaType: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Video.
    public static let video = AVMediaType(rawValue: "vide")
    /// Audio.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Subtitles, as text or as bitmaps.
    public static let subtitle = AVMediaType(rawValue: "sbtl")
    /// Text, as AVFoundation calls subtitles in some files. No track has this type here: subtitles are `subtitle`.
    public static let text = AVMediaType(rawValue: "text")
    /// Time codes. No track has this type here.
    public static let timecode = AVMediaType(rawValue: "tmcd")
    /// Timed metadata, which is neither visible nor audible.
    public static let metadata = AVMediaType(rawValue: "meta")

    /// The name of the type for display: `video`, `audio`, `subtitle`, or `data` for any other type.
    public var name: String {
        switch self {
        case .video: "video"
        case .audio: "audio"
        case .subtitle: "subtitle"
        default: "data"
        }
    }
}

/// A characteristic of a track or a selectable option. Raw values are AVFoundation's.
public struct AVMediaCharacteristic: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The media is visible.
    public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
    /// The media is audible.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// The media is readable.
    public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
    /// The video has an alpha channel, so that content behind it can be visible.
    public static let containsAlphaChannel = AVMediaCharacteristic(
        rawValue: "AVMediaCharacteristicContainsAlphaChannel")
    /// The subtitles should be shown even if no subtitles are selected.
    public static let containsOnlyForcedSubtitles = AVMediaCharacteristic(rawValue: "public.subtitles.forced-only")
    /// The subtitles transcribe dialog and name sounds and speakers, for deaf people.
    public static let transcribesSpokenDialogForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.transcribes-spoken-dialog")
    /// The audio describes the video, for blind people.
    public static let describesVideoForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.describes-video")
    /// The media is a commentary or other secondary content.
    public static let isAuxiliaryContent = AVMediaCharacteristic(rawValue: "public.auxiliary-content")
    /// The media is in its original language.
    public static let isOriginalContent = AVMediaCharacteristic(rawValue: "public.original-content")
    /// The audio is dubbed in another language than the original.
    public static let dubbedTranslation = AVMediaCharacteristic(rawValue: "public.translation.dubbed")
}
