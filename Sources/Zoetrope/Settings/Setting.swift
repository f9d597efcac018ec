import Composition
import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine

/// What may stand in `VideoSettings { … }`.
public protocol SettingsConvertible {
    func asSettings() -> [Setting]
}

/// One setting with its value. Written by the types that have its name (`SourceName`, `Loop`, …).
public enum Setting: Equatable, Sendable, SettingsConvertible {
    case name(String)
    case ext(String)
    case subtitles(String)
    case subtitleStyle(SubtitleStyle)
    case loop
    case mute
    case notAutoPlay
    case timePublishing(CMTime)
    case gravity(AVLayerVideoGravity = .resizeAspect)
    case vector
    case pictureInPicture
    case fullScreen
    /// Nil or none: all events.
    case events([PlayerEventFilter]? = nil)
    /// How long events are gathered, seconds.
    case eventsInterval(Double)
    /// How many passes a loop has in all; without it there is no end.
    case loopCount(Int)
    case loopRange(CMTimeRange)
    case playlist([String])
    case poster(Poster)
    case headers([String: String])
    case cookies([AVURLAssetHTTPCookie])
    case preferredPeakBitRate(Double)
    case preferredLanguages([String])
    case loudness(AVLoudness)
    /// Seconds.
    case crossfade(Double)
    case preload([String])
    /// 0 … 10, clamped.
    case preloadAhead(Int)
    /// The desktop is not told what plays.
    case nowPlayingOff
    case errorColor(Color)
    case errorFontSize(CGFloat)
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
