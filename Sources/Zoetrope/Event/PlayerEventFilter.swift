/// A filter that matches all events of one kind, whatever their values.
public enum PlayerEventFilter: Sendable {
    /// Matches `seek` with any result.
    case seekAny
    /// Matches `paused`.
    case paused
    /// Matches `waitingToPlayAtSpecifiedRate`.
    case waitingToPlayAtSpecifiedRate
    /// Matches `playing`.
    case playing
    /// Matches `currentItemChanged` with any item.
    case currentItemChangedAny
    /// Matches `currentItemRemoved`.
    case currentItemRemoved
    /// Matches `volumeChanged` with any volume.
    case volumeChangedAny
    /// Matches `error` with any error.
    case errorAny
    /// Matches `boundsChanged` with any size.
    case boundsChangedAny
    /// Matches `startedPiP`.
    case startedPiP
    /// Matches `stoppedPiP`.
    case stoppedPiP
    /// Matches `fullScreenChanged` with either value.
    case fullScreenChangedAny
    /// Matches `itemStatusChanged` with any status.
    case itemStatusChangedAny
    /// Matches `duration` with any value.
    case durationAny
    /// Matches `ended`.
    case ended
    /// Matches `bufferChanged` with any position.
    case bufferChangedAny

    /// Returns whether `event` is of this kind.
    public func matches(_ event: PlayerEvent) -> Bool { self == event.filter }
}

extension PlayerEvent {
    /// The filter that matches the event.
    var filter: PlayerEventFilter {
        switch self {
        case .seek: .seekAny
        case .paused: .paused
        case .waitingToPlayAtSpecifiedRate: .waitingToPlayAtSpecifiedRate
        case .playing: .playing
        case .currentItemChanged: .currentItemChangedAny
        case .currentItemRemoved: .currentItemRemoved
        case .volumeChanged: .volumeChangedAny
        case .error: .errorAny
        case .boundsChanged: .boundsChangedAny
        case .startedPiP: .startedPiP
        case .stoppedPiP: .stoppedPiP
        case .fullScreenChanged: .fullScreenChangedAny
        case .itemStatusChanged: .itemStatusChangedAny
        case .duration: .durationAny
        case .ended: .ended
        case .bufferChanged: .bufferChangedAny
        }
    }
}

extension [PlayerEventFilter]? {
    /// Returns whether the event is reported. Nil reports none, an empty array reports all.
    func passes(_ event: PlayerEvent) -> Bool {
        guard let filters = self else { return false }
        return filters.isEmpty || filters.contains { $0.matches(event) }
    }
}
