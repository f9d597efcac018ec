import Foundation
import MediaEngine

/// Brings all sources to one loudness, so that nobody reaches for the volume between two videos: `Loudness(.r128())`,
/// or `Loudness(.r128(-16))`. How it is done, and where it is not: `AVLoudness.r128(_:)`.
public struct Loudness: SettingsConvertible {
    private let loudness: AVLoudness
    /// - Parameter loudness: `.r128()`, or `.asRecorded`, the default without this setting.
    public init(_ loudness: AVLoudness) { self.loudness = loudness }
    /// `Setting.loudness`.
    public func asSettings() -> [Setting] { [.loudness(loudness)] }
}

/// Lets the end of a source sound together with the beginning of the next, at equal power and to the sample: in a
/// `Playlist`, and over the seam of a `Loop()`. See `AVPlayer.crossfadeDuration`.
public struct Crossfade: SettingsConvertible {
    private let seconds: Double
    /// - Parameter seconds: 0 … 12, clamped, and half of the shorter source at most; one that is no number is 0.
    public init(_ seconds: Double) { self.seconds = seconds.isNaN ? 0 : min(max(seconds, 0), 12) }
    /// `Setting.crossfade`.
    public func asSettings() -> [Setting] { [.crossfade(seconds)] }
}

/// Makes sources ready ahead of their turn, so that the command `next`, or another `SourceName`, shows the first
/// picture at once, as lists of short videos want it: they are opened, and of each the first picture and 2 s (4 MiB at
/// most) are kept. At most 10 sources are; they are let go of when they are no longer in the list, and when the system
/// is short of memory. See `AVPlayerItem.preload()`.
public struct Preload: SettingsConvertible {
    private let setting: Setting
    /// - Parameter urls: `file`, `http` or `https`, the next one first.
    public init(_ urls: [URL]) { setting = .preload(urls.map(\.absoluteString)) }
    /// - Parameter names: as `SourceName` names one.
    public init(_ names: [String]) { setting = .preload(names) }
    /// - Parameter count: how many of a `Playlist`'s next sources; 0 … 10, clamped.
    public init(ahead count: Int) { setting = .preloadAhead(min(max(count, 0), 10)) }
    /// `Setting.preload` or `Setting.preloadAhead`.
    public func asSettings() -> [Setting] { [setting] }
}

/// Keeps what plays to the app: the desktop's media controls are not told of it
/// (`AVPlayer.updatesNowPlayingInfoCenter`). What is muted and loops is not told of in any case.
public struct NowPlayingOff: SettingsConvertible {
    /// Turns telling off.
    public init() {}
    /// `Setting.nowPlayingOff`.
    public func asSettings() -> [Setting] { [.nowPlayingOff] }
}
