import Foundation
import MediaCore
import MediaEngine

/// Something that happened to the player. Times are seconds of the current item.
public enum PlayerEvent: Equatable, Sendable {
    /// A seek was answered: true when its picture is there, false when it could not be or another one took its place.
    case seek(Bool, currentTime: Double)
    /// It stands: it was told to, or the item has ended.
    case paused
    /// Asked to play, and not ready yet (or nothing to play).
    case waitingToPlayAtSpecifiedRate
    /// Time passes.
    case playing
    /// Another item; of a loop also the same one, at each pass. `AVPlayerItem.loopCount` tells which.
    case currentItemChanged(newItem: AVPlayerItem?)
    /// There is no item any more.
    case currentItemRemoved
    /// 0…1. Muting is no change of volume.
    case volumeChanged(newVolume: Float)
    /// The video is not played, a command not carried out, or something of it left out.
    case error(VPErrors)
    /// The video's size changed, points; never empty. Its origin is zero.
    case boundsChanged(CGRect)
    /// The picture floats now.
    case startedPiP
    /// The picture is back in its view.
    case stoppedPiP
    /// The video fills the screen now (true), or does no longer, whoever saw to it.
    case fullScreenChanged(Bool)
    /// What became of opening the current item; also said once when an item becomes the current one.
    case itemStatusChanged(AVPlayerItem.Status)
    /// The item's length became known, or another.
    case duration(CMTime)
    /// The item has played to its end. Of a loop's passes only the last one ends, and of a playlist's that is looped so
    /// the last one's last item.
    case ended
    /// How far it is loaded without a gap from where it plays. Told when that has grown by half a second or more, has
    /// reached the end, or has shrunk (after a seek).
    case bufferChanged(loadedTo: Double)
}

extension PlayerEvent: CustomStringConvertible {
    /// One line for a log.
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
