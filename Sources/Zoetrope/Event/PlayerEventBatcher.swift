/// Gathers events and delivers them together, in order, none lost.
///
/// The first event after a delivery starts a timer, and when it fires everything gathered meanwhile is
/// delivered. While nothing is gathered there is no timer: an idle player costs no wake-ups. Main actor.
@MainActor
final class PlayerEventBatcher {
    private let timer: BatchTimer
    private let deliver: ([PlayerEvent]) -> Void
    private var filters: [PlayerEventFilter]?
    private var interval = VideoSettings.defaultEventsInterval
    private var gathered: [PlayerEvent] = []
    private var giveUp: (() -> Void)?
    private var isClosed = false

    /// - Parameter deliver: called on the main actor with at least one event, never from within `post(_:)`.
    init(timer: BatchTimer = .mainQueue, deliver: @escaping ([PlayerEvent]) -> Void) {
        self.timer = timer
        self.deliver = deliver
    }

    /// What is told from now on: see `VideoSettings.events` and `.eventsInterval`. What was gathered before
    /// is told still; at once, if the new interval is another or nothing is to be told from now on.
    func configure(filters: [PlayerEventFilter]?, interval: Double) {
        let wait = interval >= 0 ? interval : VideoSettings.defaultEventsInterval
        if filters == nil || wait != self.interval { flush() }
        self.filters = filters
        self.interval = wait
    }

    func post(_ event: PlayerEvent) {
        guard !isClosed, filters.passes(event) else { return }
        gathered.append(event)
        guard giveUp == nil else { return }
        giveUp = timer.start(interval) { [weak self] in self?.flush() }
    }

    /// Delivers what is gathered without waiting.
    func flush() {
        giveUp?()
        giveUp = nil
        guard !gathered.isEmpty else { return }
        let batch = gathered
        gathered = []
        deliver(batch)
    }

    /// Delivers what is gathered; takes nothing more.
    func close() {
        isClosed = true
        flush()
    }
}
