import Foundation

/// A command that a key, a menu or a button sends to a player or its window.
///
/// ```swift
/// var keys = KeyMap.videoPlayer
/// keys[PlayerKey("r")] = .start
/// keys[PlayerKey("]")] = .multiplySpeed(1.1)
/// ```
/// ``PlaybackControl`` performs the actions of the player. The actions of the window (``toggleFullScreen``,
/// ``exitFullScreen``, ``toggleLoop``, ``toggleSubtitles`` and ``close``) are performed by the view or window that
/// shows the player.
public enum PlaybackAction: Hashable, Sendable {
    /// Plays a paused player, from the start if the item is at its end. Pauses a playing player.
    case playPause
    /// Seeks relative to the current position, in seconds. Negative values seek backwards.
    case seek(TimeInterval)
    /// Seeks to a fraction of the duration, from 0 to 1. Other values are clamped.
    case jump(Double)
    /// Seeks to the start.
    case start
    /// Seeks to the end.
    case end
    /// Changes the volume by a fraction of 1. The result is clamped to 0…1. Increasing the volume also unmutes.
    case volume(Double)
    /// Mutes or unmutes.
    case mute
    /// Changes to the next faster (+1) or slower (−1) speed in ``PlaybackControl/speeds``; 0 resets the speed to 1.
    case speed(Int)
    /// Multiplies the speed. The result is clamped to 0.05…16.
    case multiplySpeed(Double)
    /// Pauses and steps by frames; negative values step backwards.
    case step(Int)
    /// Shows or hides the subtitles.
    case toggleSubtitles
    /// Enters or exits full screen.
    case toggleFullScreen
    /// Exits full screen.
    case exitFullScreen
    /// Starts or stops looping.
    case toggleLoop
    /// Closes the window.
    case close

    /// Whether the action is performed again while its key is held down.
    public var repeats: Bool {
        switch self {
        case .seek, .volume, .step: true
        default: false
        }
    }
}
