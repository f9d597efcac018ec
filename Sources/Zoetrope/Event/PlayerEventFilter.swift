/// Which events to tell: all of a kind, whatever their value.
public enum PlayerEventFilter: Sendable {
    /// `seek`, whatever came of it.
    case seekAny
    /// `paused`.
    case paused
    /// `waitingToPlayAtSpecifiedRate`.
    case waitingToPlayAtSpecifiedRate
    /// `playing`.
    case playing
    /// `currentItemChanged`, whatever the item.
    case currentItemChangedAny
    /// `currentItemRemoved`.
    case currentItemRemoved
    /// `volumeChanged`, whatever the volume.
    case volumeChangedAny
    /// `error`, whatever went wrong.
    case errorAny
    /// `boundsChanged`, whatever the size.
    case boundsChangedAny
    /// `startedPiP`.
    case startedPiP
    /// `stoppedPiP`.
    case stoppedPiP
    /// `fullScreenChanged`, whichever way.
    case fullScreenChangedAny
    /// `itemStatusChanged`, whatever the status.
    case itemStatusChangedAny
    /// `duration`, whatever the length.
    case durationAny
    /// `ended`.
    case ended
    /// `bufferChanged`, however far.
    case bufferChangedAny

    /// Whether the event is of this kind.
    public func matches(_ event: PlayerEvent) -> Bool { self == event.filter }
}

extension PlayerEvent {
    /// The one that lets it pass.
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
    /// Nil lets nothing pass, none everything, else what any of them matches.
    func passes(_ event: PlayerEvent) -> Bool {
        guard let filters = self else { return false }
        return filters.isEmpty || filters.contains { $0.matches(event) }
    }
}
