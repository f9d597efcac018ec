import Foundation
import MediaCore
import MediaEngine

/// Which events to tell: each with any value (`…Any`), or with exactly this one.
public enum PlayerEventFilter: Equatable, Sendable {
    case seekAny
    /// Seeks that were done (true) or not (false), to anywhere.
    case seek(Bool)
    case pausedAny
    case paused(currentTime: Double)
    case waitingToPlayAtSpecifiedRate
    case playing
    case currentItemChangedAny
    case currentItemChanged(newItem: AVPlayerItem?)
    case currentItemRemoved
    case errorAny
    case error(VPErrors)
    case volumeChangedAny
    case volumeChanged(newVolume: Float)
    case boundsChangedAny
    case boundsChanged(CGRect)
    case startedPiP
    case stoppedPiP
    case itemStatusChangedAny
    case itemStatusChanged(AVPlayerItem.Status)
    case durationAny
    case duration(CMTime)

    public func matches(_ event: PlayerEvent) -> Bool {
        switch (self, event) {
        case (.seekAny, .seek), (.pausedAny, .paused), (.currentItemChangedAny, .currentItemChanged), (.errorAny, .error),
             (.volumeChangedAny, .volumeChanged), (.boundsChangedAny, .boundsChanged),
             (.itemStatusChangedAny, .itemStatusChanged), (.durationAny, .duration): true
        case (.waitingToPlayAtSpecifiedRate, .waitingToPlayAtSpecifiedRate), (.playing, .playing),
             (.currentItemRemoved, .currentItemRemoved), (.startedPiP, .startedPiP), (.stoppedPiP, .stoppedPiP): true
        case (.seek(let wanted), .seek(let done, _)): wanted == done
        case (.paused(let wanted), .paused(let time)): wanted == time
        case (.currentItemChanged(let wanted), .currentItemChanged(let item)): wanted == item
        case (.error(let wanted), .error(let error)): wanted == error
        case (.volumeChanged(let wanted), .volumeChanged(let volume)): wanted == volume
        case (.boundsChanged(let wanted), .boundsChanged(let bounds)): wanted == bounds
        case (.itemStatusChanged(let wanted), .itemStatusChanged(let status)): wanted == status
        case (.duration(let wanted), .duration(let time)): wanted == time
        default: false
        }
    }
}

extension [PlayerEventFilter]? {
    /// Nil lets nothing pass, none everything, else what any of them matches.
    func passes(_ event: PlayerEvent) -> Bool {
        guard let filters = self else { return false }
        return filters.isEmpty || filters.contains { $0.matches(event) }
    }
}
