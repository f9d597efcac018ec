import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// What an `ExtVideoPlayer` plays and how, as a value.
///
/// Written in any order, with `if`, `else` and loops:
/// ```swift
/// VideoSettings {
///     SourceName("swipe")
///     Loop()
///     if isQuiet { Mute() }
/// }
/// ```
/// Changing a copy (through a `Binding`, say) and giving it to the player again changes the player:
/// another source is opened, anything else is applied to what plays.
public struct VideoSettings: Equatable, Sendable {
    /// What to play; see `SourceName`. Empty when none was given, which is the error `sourceNotFound`.
    public var name: String
    /// Extension of a resource whose name has none; see `Ext`.
    public var ext: String
    /// The file with subtitles; empty or `Subtitles.embedded`: those of the video itself. See `Subtitles`.
    public var subtitles: String
    /// How subtitles look; nil: as their author has it.
    public var subtitleStyle: SubtitleStyle?
    /// Plays over and over; see `Loop`.
    public var loop: Bool
    /// The picture may float; else commands about that have no effect.
    public var pictureInPicture: Bool
    /// The video may fill the screen; else commands about that have no effect.
    public var fullScreen = false
    /// Begins without sound; see `Mute`.
    public var mute: Bool
    /// Stands at its first picture until told to play.
    public var notAutoPlay: Bool
    /// How often the time is told; nil: never. Shorter than 1 ms counts as 1 ms.
    public var timePublishing: CMTime?
    /// How the picture fits its space; see `Gravity`.
    public var gravity: AVLayerVideoGravity
    /// Vector layers may be drawn over the picture; else commands about them are ignored.
    public var vector: Bool
    /// Which events are told: nil none, empty all, else what any filter matches.
    public var events: [PlayerEventFilter]?
    /// Events are gathered this long, seconds. Negative or NaN counts as 1.
    public var eventsInterval: Double
    /// How many passes a loop has in all; nil: no end. Less than 1 counts as 1.
    public var loopCount: Int?
    /// The part that a loop repeats; nil: all of it. Not of a playlist.
    public var loopRange: CMTimeRange?
    /// More sources, see `Playlist`.
    public var playlist: [String] = []
    /// What is seen before the first picture; nil: what lies behind the player.
    public var poster: Poster?
    /// Headers for requests to the source's server; see `Headers`.
    public var headers: [String: String] = [:]
    /// Cookies to begin with; see `Cookies`.
    public var cookies: [AVURLAssetHTTPCookie] = []
    /// Bit/s; 0: no limit.
    public var preferredPeakBitRate = 0.0
    /// BCP 47 tags, the best first; none: as the source has it.
    public var preferredLanguages: [String] = []
    /// How loud items are to be; see `Loudness`.
    public var loudness: AVLoudness = .asRecorded
    /// How long items overlap, seconds; see `Crossfade`.
    public var crossfade = 0.0
    /// Sources that are made ready ahead of their turn; see `Preload`.
    public var preload: [String] = []
    /// How many of a playlist's next sources are; 0 … 10, clamped.
    public var preloadAhead = 0
    /// The desktop is not told what plays; see `NowPlayingOff`.
    public var nowPlayingOff = false
    /// The colour of the text shown instead of a video that cannot be played.
    public var errorColor: Color
    /// That text's size, points.
    public var errorFontSize: CGFloat
    /// Shows nothing instead of that text.
    public var errorWidgetOff: Bool
    /// No setting was given twice. What was given twice counts as given last, but nothing is played: the
    /// player reports `settingsNotUnique`.
    public var areUnique = true

    /// - Parameters: blanks around `name`, `ext` and `subtitles` do not count.
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

    /// By settings in any order; what is not among them has its default. One that is given twice makes `areUnique`
    /// false.
    public init(@SettingsBuilder builder: () -> [Setting]) {
        self.init(name: "")
        var seen: Set<Setting.Kind> = []
        for setting in builder() {
            if !seen.insert(setting.kind).inserted { areUnique = false }
            set(setting)
        }
    }

    /// The same source, whatever else differs.
    public func isEqual(_ settings: VideoSettings?) -> Bool { name == settings?.name && ext == settings?.ext }

    /// `mp4`.
    public static let defaultExt = "mp4"
    /// One second.
    public static let defaultEventsInterval = 1.0

    /// Blanks around a name do not count, whatever it names.
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
