import Foundation
import MediaCore
import MediaEngine

/// Something that happened to the player. Times are seconds of the current item.
public enum PlayerEvent: Equatable, Sendable {
    /// A seek was answered: true when its picture is there, false when it could not be or another one took its place.
    case seek(Bool, currentTime: Double)
    case paused(currentTime: Double)
    /// Asked to play, and not ready yet (or nothing to play).
    case waitingToPlayAtSpecifiedRate
    case playing
    case currentItemChanged(newItem: AVPlayerItem?)
    /// There is no item any more.
    case currentItemRemoved
    case error(VPErrors)
    /// 0…1. Muting is no change of volume.
    case volumeChanged(newVolume: Float)
    /// Where the video is now, points; never empty.
    case boundsChanged(CGRect)
    case startedPiP
    case stoppedPiP
    case itemStatusChanged(AVPlayerItem.Status)
    /// The item's length became known, or another.
    case duration(CMTime)
}

extension PlayerEvent: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch self {
        case .seek(true, let time): "Seek done at \(seconds(time))"
        case .seek(false, let time): "Seek not done, at \(seconds(time))"
        case .paused(let time): "Paused at \(seconds(time))"
        case .waitingToPlayAtSpecifiedRate: "Waiting to play"
        case .playing: "Playing"
        case .currentItemChanged(let item?): "Item changed to \(item.asset.url.location)"
        case .currentItemChanged(nil): "Item changed to none"
        case .currentItemRemoved: "Item removed"
        case .error(let error): "Error: \(error)"
        case .volumeChanged(let volume): "Volume changed to \(String(format: "%.2f", Double(volume)))"
        case .boundsChanged(let rect):
            String(format: "Bounds changed to %g × %g at (%g, %g)", rect.width, rect.height, rect.minX, rect.minY)
        case .startedPiP: "Picture in picture started"
        case .stoppedPiP: "Picture in picture stopped"
        case .itemStatusChanged(.unknown): "Item's status changed to unknown"
        case .itemStatusChanged(.readyToPlay): "Item's status changed to ready to play"
        case .itemStatusChanged(.failed): "Item's status changed to failed"
        case .duration(let time): time.isNumeric ? "Duration \(seconds(time.seconds))" : "Duration \(time)"
        }
    }

    private func seconds(_ time: Double) -> String { String(format: "%.3f s", time) }
}
