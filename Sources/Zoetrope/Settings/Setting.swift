import Composition
import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine

/// What may stand in `VideoSettings { … }`.
public protocol SettingsConvertible {
    /// What this element sets, in order.
    func asSettings() -> [Setting]
}

/// One setting with its value. Written by the types that have its name (`SourceName`, `Loop`, …).
public enum Setting: Equatable, Sendable, SettingsConvertible {
    /// See `SourceName`.
    case name(String)
    /// See `Ext`.
    case ext(String)
    /// A file's name, or `Subtitles.embedded`; see `Subtitles`.
    case subtitles(String)
    /// How subtitles look; see `Subtitles`.
    case subtitleStyle(SubtitleStyle)
    /// See `Loop`.
    case loop
    /// See `Mute`.
    case mute
    /// See `NotAutoPlay`.
    case notAutoPlay
    /// A positive interval; see `TimePublishing`.
    case timePublishing(CMTime)
    /// See `Gravity`.
    case gravity(AVLayerVideoGravity = .resizeAspect)
    /// See `EnableVector`.
    case vector
    /// See `PictureInPicture`.
    case pictureInPicture
    /// See `FullScreen`.
    case fullScreen
    /// Nil or none: all events.
    case events([PlayerEventFilter]? = nil)
    /// How long events are gathered, seconds.
    case eventsInterval(Double)
    /// How many passes a loop has in all; without it there is no end.
    case loopCount(Int)
    /// The part that a loop repeats; see `Loop`.
    case loopRange(CMTimeRange)
    /// Names of sources; see `Playlist`.
    case playlist([String])
    /// See `Poster`.
    case poster(Poster)
    /// Values by name; see `Headers`.
    case headers([String: String])
    /// See `Cookies`.
    case cookies([AVURLAssetHTTPCookie])
    /// Bit/s; 0: no limit. See `PreferredPeakBitRate`.
    case preferredPeakBitRate(Double)
    /// BCP 47 tags, the best first; see `PreferredLanguages`.
    case preferredLanguages([String])
    /// See `Loudness`.
    case loudness(AVLoudness)
    /// Seconds.
    case crossfade(Double)
    /// Names of sources that are opened ahead; see `Preload`.
    case preload([String])
    /// 0 … 10, clamped.
    case preloadAhead(Int)
    /// The desktop is not told what plays.
    case nowPlayingOff
    /// See `EColor`.
    case errorColor(Color)
    /// Points; see `EFontSize`.
    case errorFontSize(CGFloat)
    /// See `ErrorWidgetOff`.
    case errorWidgetOff

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
