import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// A type that can appear in `VideoSettings { … }`.
public protocol SettingsConvertible {
    /// Returns the settings that the value stands for: none, one or several.
    func asSettings() -> [Setting]
}

/// A setting with its value. Apps write it with the types of the same name, such as `SourceName` or `Loop`.
public enum Setting: Equatable, Sendable, SettingsConvertible {
    /// The name of the source; see `SourceName`.
    case name(String)
    /// The file name extension of a source whose name has none; see `Ext`.
    case ext(String)
    /// The name of the subtitle file. An empty name or `Subtitles.embedded` means the subtitles of the video itself.
    /// See `Subtitles`.
    case subtitles(String)
    /// The style of the subtitles.
    case subtitleStyle(SubtitleStyle)
    /// Loops seamlessly; see `Loop`.
    case loop
    /// Starts muted; see `Mute`.
    case mute
    /// Shows the first frame and does not play; see `NotAutoPlay`.
    case notAutoPlay
    /// The interval at which the time is reported; see `TimePublishing`.
    case timePublishing(CMTime)
    /// The way in which the video fits its view; see `Gravity`.
    case gravity(AVLayerVideoGravity = .resizeAspect)
    /// Allows vector layers over the video; see `EnableVector`.
    case vector
    /// Allows Picture in Picture; see `PictureInPicture`.
    case pictureInPicture
    /// Allows full screen; see `FullScreen`.
    case fullScreen
    /// The filters of the reported events; nil or empty for all events. See `Events`.
    case events([PlayerEventFilter]? = nil)
    /// The time for which events are collected, in seconds. A negative value or NaN counts as 1.
    case eventsInterval(Double)
    /// The total number of passes of a loop. A value below 1 counts as 1. Without this setting there is no limit.
    case loopCount(Int)
    /// The part that a loop repeats; see `Loop(from:to:)`.
    case loopRange(CMTimeRange)
    /// Several sources that play one after the other; see `Playlist`.
    case playlist([String])
    /// The image before the first frame; see `Poster`.
    case poster(Poster)
    /// The HTTP headers of requests for the source and its subtitles; see `Headers`.
    case headers([String: String])
    /// The initial cookies; see `Cookies`.
    case cookies([AVURLAssetHTTPCookie])
    /// The maximum bit rate in bit/s; 0 means no limit. See `PreferredPeakBitRate`.
    case preferredPeakBitRate(Double)
    /// The preferred languages, as BCP 47 tags, the most preferred one first. See `PreferredLanguages`.
    case preferredLanguages([String])
    /// The loudness of the items; see `Loudness`.
    case loudness(AVLoudness)
    /// The duration of the crossfade, in seconds, clamped to 0…12; see `Crossfade`.
    case crossfade(Double)
    /// The sources to preload; see `Preload`.
    case preload([String])
    /// The number of a playlist's next sources to preload, clamped to 0…10. See `Preload`.
    case preloadAhead(Int)
    /// Keeps the player out of the desktop's media controls; see `NowPlayingOff`.
    case nowPlayingOff
    /// The color of the text that replaces a video that can't be played; see `EColor`.
    case errorColor(Color)
    /// The size of the error text, in points; see `EFontSize`.
    case errorFontSize(CGFloat)
    /// Hides the error text; see `ErrorWidgetOff`.
    case errorWidgetOff

    /// Returns an array with this setting only.
    public func asSettings() -> [Setting] { [self] }

    /// The setting without its value. Each kind may be given once.
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
