import Foundation
import MediaCore
import MediaEngine

/// An event of a player. Times are seconds of the current item.
///
/// ```swift
/// .onPlayerEventChange { events in
///     for event in events {
///         switch event {
///         case .duration(let time): duration = time.seconds
///         case .ended: isFinished = true
///         default: break
///         }
///     }
/// }
/// ```
public enum PlayerEvent: Equatable, Sendable {
    /// A seek has ended: true if its frame is displayed, false if it failed or another seek replaced it.
    case seek(Bool, currentTime: Double)
    /// The player has paused, because of a command or at the end of the item.
    case paused
    /// Playback was requested, but the player has no item or is waiting for data.
    case waitingToPlayAtSpecifiedRate
    /// The player plays.
    case playing
    /// Another item has become the current one. In a loop, each pass is reported with the same item;
    /// `AVPlayerItem.loopCount` is the number of completed passes. The item is never nil: without an item,
    /// `currentItemRemoved` is reported instead.
    case currentItemChanged(newItem: AVPlayerItem?)
    /// The player has no item any more.
    case currentItemRemoved
    /// The volume has changed, 0…1. Muting does not change the volume.
    case volumeChanged(newVolume: Float)
    /// The video can't be played, a command failed, or a part of the video such as its subtitles is left out.
    case error(VPErrors)
    /// The size of the video in its view has changed, in points. The size is never empty, and the origin is zero.
    case boundsChanged(CGRect)
    /// Picture in Picture has started.
    case startedPiP
    /// Picture in Picture has ended, and the video is back in its view.
    case stoppedPiP
    /// Full screen has started (true) or ended (false), whether the app, the user or the desktop changed it.
    case fullScreenChanged(Bool)
    /// The status of the current item has changed. It is also reported when an item becomes the current one.
    case itemStatusChanged(AVPlayerItem.Status)
    /// The duration of the item has become known or has changed.
    case duration(CMTime)
    /// The item has played to its end. In a loop, only the end of the last pass is reported. In a looped playlist, that
    /// is the end of the last item in the last pass.
    case ended
    /// The position up to which the item is loaded without a gap, in seconds.
    ///
    /// The event is posted when the position has grown by half a second or more, has reached the end, or has shrunk
    /// after a seek.
    case bufferChanged(loadedTo: Double)
}

extension PlayerEvent: CustomStringConvertible {
    /// A line of text for a log.
    public var description: String {
        switch self {
        case .seek(let done, _): done ? "SeekSuccess" : "SeekFail"
        case .paused: "Paused"
        case .waitingToPlayAtSpecifiedRate: "Waiting"
        case .playing: "Playing"
        case .currentItemChanged: "ItemChanged"
        case .currentItemRemoved: "ItemRemoved"
        case .volumeChanged: "VolumeChanged"
        case .error(let error): error.description
        case .boundsChanged(let rect): String(format: "Bounds changed %g × %g", rect.width, rect.height)
        case .startedPiP: "Started PiP"
        case .stoppedPiP: "Stopped PiP"
        case .fullScreenChanged(let isOn): isOn ? "Entered full screen" : "Exited full screen"
        case .itemStatusChanged(let status):
            switch status {
            case .unknown: "Status: Unknown"
            case .readyToPlay: "Status: ReadyToPlay"
            case .failed: "Status: FailedToLoad"
            }
        case .duration(let time):
            time.isNumeric ? String(format: "Duration %.0f sec", time.seconds.rounded()) : "Duration \(time)"
        case .ended: "Ended"
        case .bufferChanged(let seconds): String(format: "Loaded to %.1f sec", seconds)
        }
    }
}
