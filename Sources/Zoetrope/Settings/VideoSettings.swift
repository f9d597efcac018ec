import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// The settings of an `ExtVideoPlayer`: what it plays, and how.
///
/// Settings can be written in any order, with `if`, `else` and loops:
/// ```swift
/// VideoSettings {
///     SourceName("swipe")
///     Loop()
///     if isQuiet { Mute() }
/// }
/// ```
/// To change the player, change a copy (for example through a `Binding`) and give it to the player. If the source, its
/// headers or its cookies have changed, the player opens the source from its start. Any other change applies to the
/// current item.
public struct VideoSettings: Equatable, Sendable {
    /// The name of the source; see `SourceName`. An empty name without a playlist causes the error `sourceNotFound`.
    public var name: String
    /// The file name extension of a source whose name has none; see `Ext`.
    public var ext: String
    /// The name of the subtitle file. An empty name or `Subtitles.embedded` means the subtitles of the video itself.
    /// See `Subtitles`.
    public var subtitles: String
    /// The style of the subtitles; nil for the style that their author chose.
    public var subtitleStyle: SubtitleStyle?
    /// Whether the source or the playlist loops seamlessly; see `Loop`.
    public var loop: Bool
    /// Whether Picture in Picture is allowed. If not, commands about it have no effect.
    public var pictureInPicture: Bool
    /// Whether full screen is allowed. If not, commands about it have no effect.
    public var fullScreen = false
    /// Whether the player starts muted; see `Mute`.
    public var mute: Bool
    /// Whether the player shows the first frame and waits for the command `play`.
    public var notAutoPlay: Bool
    /// The interval at which the time is reported; nil for never. Less than 1 ms counts as 1 ms.
    public var timePublishing: CMTime?
    /// The way in which the video fits its view; see `Gravity`.
    public var gravity: AVLayerVideoGravity
    /// Whether vector layers are allowed over the video. If not, commands about them are ignored.
    public var vector: Bool
    /// The filters of the reported events. Nil reports none, an empty array reports all.
    public var events: [PlayerEventFilter]?
    /// The time for which events are collected, in seconds. A negative value or NaN counts as 1.
    public var eventsInterval: Double
    /// The total number of passes of a loop; nil for no limit. A value below 1 counts as 1.
    public var loopCount: Int?
    /// The part that a loop repeats; nil for the whole source. A playlist ignores it.
    public var loopRange: CMTimeRange?
    /// The names of the sources that play one after the other; see `Playlist`.
    public var playlist: [String] = []
    /// The image before the first frame; see `Poster`. With nil, the view behind the player is visible.
    public var poster: Poster?
    /// The HTTP headers of requests for the source and its subtitles; see `Headers`.
    public var headers: [String: String] = [:]
    /// The initial cookies; see `Cookies`.
    public var cookies: [AVURLAssetHTTPCookie] = []
    /// The maximum bit rate in bit/s; 0 means no limit. See `PreferredPeakBitRate`.
    public var preferredPeakBitRate = 0.0
    /// The preferred languages, as BCP 47 tags, the most preferred one first. If it is empty, the source decides.
    public var preferredLanguages: [String] = []
    /// The loudness of the items; see `Loudness`.
    public var loudness: AVLoudness = .asRecorded
    /// The duration of the crossfade between items, in seconds, clamped to 0…12; see `Crossfade`.
    public var crossfade = 0.0
    /// The names of the sources to preload; see `Preload`.
    public var preload: [String] = []
    /// The number of the playlist's next sources to preload, clamped to 0…10. See `Preload`.
    public var preloadAhead = 0
    /// Whether the player is kept out of the desktop's media controls; see `NowPlayingOff`.
    public var nowPlayingOff = false
    /// The color of the text that replaces a video that can't be played; see `EColor`.
    public var errorColor: Color
    /// The size of the error text, in points; see `EFontSize`.
    public var errorFontSize: CGFloat
    /// Whether the error text is hidden; see `ErrorWidgetOff`.
    public var errorWidgetOff: Bool
    /// Whether no setting was given twice. If it is false, the player reports `settingsNotUnique` and plays nothing.
    ///
    /// If a setting was given twice, its last value is stored.
    public var areUnique = true

    /// Creates settings from values.
    /// - Parameters:
    ///   - name: The name of the source. White space around it is removed.
    ///   - ext: The file name extension of a source whose name has none. White space around it is removed.
    ///   - subtitles: The name of the subtitle file. White space around it is removed. An empty name means the
    ///     subtitles of the video itself.
    ///   - loop: Whether the source loops.
    ///   - pictureInPicture: Whether Picture in Picture is allowed.
    ///   - mute: Whether the player starts muted.
    ///   - notAutoPlay: Whether the player waits for the command `play`.
    ///   - timePublishing: The interval at which the time is reported; nil for never.
    ///   - gravity: The way in which the video fits its view.
    ///   - enableVector: Whether vector layers are allowed over the video.
    ///   - events: The filters of the reported events. Nil reports none, an empty array reports all.
    ///   - eventsInterval: The time for which events are collected, in seconds.
    ///   - subtitleStyle: The style of the subtitles; nil for the style that their author chose.
    ///   - errorColor: The color of the error text.
    ///   - errorFontSize: The size of the error text, in points.
    ///   - errorWidgetOff: Whether the error text is hidden.
    public init(
        name: String, ext: String = VideoSettings.defaultExt, subtitles: String = "", loop: Bool = false,
        pictureInPicture: Bool = false,
        mute: Bool = false, notAutoPlay: Bool = false, timePublishing: CMTime? = nil,
        gravity: AVLayerVideoGravity = .resizeAspect,
        enableVector: Bool = false, events: [PlayerEventFilter]? = nil,
        eventsInterval: Double = VideoSettings.defaultEventsInterval,
        subtitleStyle: SubtitleStyle? = nil, errorColor: Color = .red, errorFontSize: CGFloat = 17,
        errorWidgetOff: Bool = false
    ) {
        self.name = VideoSettings.trimmed(name)
        self.ext = VideoSettings.trimmed(ext)
        self.subtitles = VideoSettings.trimmed(subtitles)
        self.subtitleStyle = subtitleStyle
        self.loop = loop
        self.mute = mute
        self.notAutoPlay = notAutoPlay
        self.timePublishing = timePublishing
        self.gravity = gravity
        vector = enableVector
        self.pictureInPicture = pictureInPicture
        self.events = events
        self.eventsInterval = eventsInterval
        self.errorColor = errorColor
        self.errorFontSize = errorFontSize
        self.errorWidgetOff = errorWidgetOff
    }

    /// Creates settings from a list in any order. Settings that are missing have their defaults.
    ///
    /// A setting that is given twice makes `areUnique` false.
    /// - Parameter builder: A list of settings, such as `SourceName` and `Loop`.
    public init(@SettingsBuilder builder: () -> [Setting]) {
        self.init(name: "")
        var kinds: Set<Setting.Kind> = []
        for setting in builder() {
            if !kinds.insert(setting.kind).inserted { areUnique = false }
            set(setting)
        }
    }

    /// Returns whether the other settings have the same source name and extension; false for nil.
    public func isEqual(_ settings: VideoSettings?) -> Bool { name == settings?.name && ext == settings?.ext }

    /// The default file name extension, `mp4`.
    public static let defaultExt = "mp4"
    /// The default time for which events are collected, one second.
    public static let defaultEventsInterval = 1.0

    /// Removes the white space around a name.
    private static func trimmed(_ name: String) -> String { name.trimmingCharacters(in: .whitespacesAndNewlines) }

    private mutating func set(_ setting: Setting) {
        switch setting {
        case .name(let value): name = VideoSettings.trimmed(value)
        case .ext(let value): ext = VideoSettings.trimmed(value)
        case .subtitles(let value): subtitles = VideoSettings.trimmed(value)
        case .subtitleStyle(let value): subtitleStyle = value
        case .loop: loop = true
        case .mute: mute = true
        case .notAutoPlay: notAutoPlay = true
        case .timePublishing(let value): timePublishing = value
        case .gravity(let value): gravity = value
        case .vector: vector = true
        case .pictureInPicture: pictureInPicture = true
        case .fullScreen: fullScreen = true
        case .events(let filters): events = filters ?? []
        case .eventsInterval(let value): eventsInterval = value
        case .loopCount(let value): loopCount = value
        case .loopRange(let value): loopRange = value
        case .playlist(let value): playlist = value.map { VideoSettings.trimmed($0) }
        case .poster(let value): poster = value
        case .headers(let value): headers = value
        case .cookies(let value): cookies = value
        case .preferredPeakBitRate(let value): preferredPeakBitRate = value
        case .preferredLanguages(let value): preferredLanguages = value
        case .loudness(let value): loudness = value
        case .crossfade(let value): crossfade = value
        case .preload(let value): preload = value.map { VideoSettings.trimmed($0) }
        case .preloadAhead(let value): preloadAhead = value
        case .nowPlayingOff: nowPlayingOff = true
        case .errorColor(let value): errorColor = value
        case .errorFontSize(let value): errorFontSize = value
        case .errorWidgetOff: errorWidgetOff = true
        }
    }
}
