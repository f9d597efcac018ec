/// Which events to tell: all of a kind, whatever their value.
public enum PlayerEventFilter: Sendable {
    /// Every `seek`, answered well or not.
    case seekAny
    /// `paused`.
    case paused
    /// `waitingToPlayAtSpecifiedRate`.
    case waitingToPlayAtSpecifiedRate
    /// `playing`.
    case playing
    /// Every `currentItemChanged`.
    case currentItemChangedAny
    /// `currentItemRemoved`.
    case currentItemRemoved
    /// Every `volumeChanged`.
    case volumeChangedAny
    /// Every `error`.
    case errorAny
    /// Every `boundsChanged`.
    case boundsChangedAny
    /// `startedPiP`.
    case startedPiP
    /// `stoppedPiP`.
    case stoppedPiP
    /// Every `fullScreenChanged`, to and from.
    case fullScreenChangedAny
    /// Every `itemStatusChanged`.
    case itemStatusChangedAny
    /// Every `duration`.
    case durationAny
    /// `ended`.
    case ended
    /// Every `bufferChanged`.
    case bufferChangedAny

    /// The event is of this kind, whatever it carries.
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
