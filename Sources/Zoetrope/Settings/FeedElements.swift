import Foundation
import MediaEngine

/// The loudness to which all sources are adjusted, so that the user need not change the volume between two videos.
///
/// `Loudness(.r128())` uses the default level, and `Loudness(.r128(-16))` another one. `AVLoudness.r128(_:)` describes
/// the measurement and its limits.
public struct Loudness: SettingsConvertible {
    private let loudness: AVLoudness
    /// Creates the setting.
    /// - Parameter loudness: `.r128()`, or `.asRecorded`, which is the default without this setting.
    public init(_ loudness: AVLoudness) { self.loudness = loudness }
    /// Returns `Setting.loudness`.
    public func asSettings() -> [Setting] { [.loudness(loudness)] }
}

/// The duration for which the end of a source overlaps the beginning of the next one.
///
/// ```swift
/// VideoSettings {
///     Playlist(["verse.flac", "chorus.flac"])
///     Crossfade(3)
/// }
/// ```
/// The audio is crossfaded with equal power, exact to the sample. This applies to the sources of a `Playlist` and to
/// the passes of a `Loop()`. See `AVPlayer.crossfadeDuration`.
public struct Crossfade: SettingsConvertible {
    private let seconds: Double
    /// Creates the setting.
    /// - Parameter seconds: The duration in seconds, clamped to 0…12 and to half of the shorter source. NaN counts as
    ///   0.
    public init(_ seconds: Double) { self.seconds = seconds.isNaN ? 0 : min(max(seconds, 0), 12) }
    /// Returns `Setting.crossfade`.
    public func asSettings() -> [Setting] { [.crossfade(seconds)] }
}

/// The sources that are preloaded before they play, so that their first frame appears at once.
///
/// In a feed, the next two videos start at once:
/// ```swift
/// VideoSettings {
///     Playlist(clips)
///     Preload(ahead: 2)
/// }
/// ```
/// Lists of short videos use this setting for the command `next`, or for a change of `SourceName`. A preloaded source
/// is open; its first frame and the next 2 s, at most 4 MiB, are kept. At most 10 sources are preloaded. A source is
/// released when it is no longer in the list, and when the system is short of memory. See `AVPlayerItem.preload()`.
public struct Preload: SettingsConvertible {
    private let setting: Setting
    /// Creates the setting from URLs.
    /// - Parameter urls: URLs with the scheme `file`, `http` or `https`, in the order in which they will play.
    public init(_ urls: [URL]) { setting = .preload(urls.map(\.absoluteString)) }
    /// Creates the setting from names.
    /// - Parameter names: The names of sources, as in `SourceName`. A name that is not found is ignored.
    public init(_ names: [String]) { setting = .preload(names) }
    /// Creates the setting for the next sources of a `Playlist`.
    /// - Parameter count: The number of sources, clamped to 0…10.
    public init(ahead count: Int) { setting = .preloadAhead(min(max(count, 0), 10)) }
    /// Returns `Setting.preload` or `Setting.preloadAhead`.
    public func asSettings() -> [Setting] { [setting] }
}

/// A setting that keeps the player out of the desktop's media controls (`AVPlayer.updatesNowPlayingInfoCenter`).
///
/// A muted video does not appear there anyway, unless it has played unmuted before.
public struct NowPlayingOff: SettingsConvertible {
    /// Creates the setting.
    public init() {}
    /// Returns `Setting.nowPlayingOff`.
    public func asSettings() -> [Setting] { [.nowPlayingOff] }
}
