import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// What may stand in `VideoSettings { … }`.
public protocol SettingsConvertible {
    /// What it stands for: one setting or several, or none.
    func asSettings() -> [Setting]
}

/// One setting with its value. Written by the types that have its name (`SourceName`, `Loop`, …).
public enum Setting: Equatable, Sendable, SettingsConvertible {
    /// What to play; see `SourceName`.
    case name(String)
    /// The extension of a source whose name has none; see `Ext`.
    case ext(String)
    /// The file with subtitles; empty or `Subtitles.embedded`: those of the video itself. See `Subtitles`.
    case subtitles(String)
    /// How subtitles look.
    case subtitleStyle(SubtitleStyle)
    /// Plays over and over; see `Loop`.
    case loop
    /// Begins without sound; see `Mute`.
    case mute
    /// Stands at the first picture; see `NotAutoPlay`.
    case notAutoPlay
    /// How often the time is told; see `TimePublishing`.
    case timePublishing(CMTime)
    /// How the picture fits its space; see `Gravity`.
    case gravity(AVLayerVideoGravity = .resizeAspect)
    /// Vector layers may be drawn over the picture; see `EnableVector`.
    case vector
    /// The picture may float; see `PictureInPicture`.
    case pictureInPicture
    /// The video may fill the screen; see `FullScreen`.
    case fullScreen
    /// Nil or none: all events.
    case events([PlayerEventFilter]? = nil)
    /// How long events are gathered, seconds.
    case eventsInterval(Double)
    /// How many passes a loop has in all; without it there is no end.
    case loopCount(Int)
    /// The part that a loop repeats; see `Loop(from:to:)`.
    case loopRange(CMTimeRange)
    /// Several sources, one after the other; see `Playlist`.
    case playlist([String])
    /// What is seen before the first picture; see `Poster`.
    case poster(Poster)
    /// Sent with every request; see `Headers`.
    case headers([String: String])
    /// Cookies to begin with; see `Cookies`.
    case cookies([AVURLAssetHTTPCookie])
    /// Bit/s; 0: no limit. See `PreferredPeakBitRate`.
    case preferredPeakBitRate(Double)
    /// BCP 47 tags, the best first; see `PreferredLanguages`.
    case preferredLanguages([String])
    /// How loud items are to be; see `Loudness`.
    case loudness(AVLoudness)
    /// Seconds.
    case crossfade(Double)
    /// Sources that are made ready ahead of their turn; see `Preload`.
    case preload([String])
    /// 0 … 10, clamped.
    case preloadAhead(Int)
    /// The desktop is not told what plays.
    case nowPlayingOff
    /// The colour of the text shown instead of a video that cannot be played; see `EColor`.
    case errorColor(Color)
    /// That text's size, points; see `EFontSize`.
    case errorFontSize(CGFloat)
    /// That text is not shown; see `ErrorWidgetOff`.
    case errorWidgetOff

    /// Itself alone.
    public func asSettings() -> [Setting] { [self] }

    /// The setting without its value: each may be given once.
    enum Kind: Hashable {
        case name, ext, subtitles, subtitleStyle, loop, mute, notAutoPlay, timePublishing, gravity, vector,
            pictureInPicture, fullScreen
        case events, eventsInterval, loopCount, loopRange, playlist, poster, headers, cookies, preferredPeakBitRate,
            preferredLanguages
        case loudness, crossfade, preload, preloadAhead, nowPlayingOff
        case errorColor, errorFontSize, errorWidgetOff
    }

    var kind: Kind {
        switch self {
        case .name: .name
        case .ext: .ext
        case .subtitles: .subtitles
        case .subtitleStyle: .subtitleStyle
        case .loop: .loop
        case .mute: .mute
        case .notAutoPlay: .notAutoPlay
        case .timePublishing: .timePublishing
        case .gravity: .gravity
        case .vector: .vector
        case .pictureInPicture: .pictureInPicture
        case .fullScreen: .fullScreen
        case .events: .events
        case .eventsInterval: .eventsInterval
        case .loopCount: .loopCount
        case .loopRange: .loopRange
        case .playlist: .playlist
        case .poster: .poster
        case .headers: .headers
        case .cookies: .cookies
        case .preferredPeakBitRate: .preferredPeakBitRate
        case .preferredLanguages: .preferredLanguages
        case .loudness: .loudness
        case .crossfade: .crossfade
        case .preload: .preload
        case .preloadAhead: .preloadAhead
        case .nowPlayingOff: .nowPlayingOff
        case .errorColor: .errorColor
        case .errorFontSize: .errorFontSize
        case .errorWidgetOff: .errorWidgetOff
        }
    }
}
