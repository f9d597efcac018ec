/// A queue that collects events and delivers them together, in order and without loss.
///
/// The first event after a delivery starts a timer. When the timer fires, all events so far are delivered. Without
/// events there is no timer, so an idle player causes no wake-ups. Main actor.
@MainActor
final class PlayerEventBatcher {
    private let timer: BatchTimer
    private let deliver: ([PlayerEvent]) -> Void
    private var filters: [PlayerEventFilter]?
    private var interval = VideoSettings.defaultEventsInterval
    private var collected: [PlayerEvent] = []
    private var cancelTimer: (() -> Void)?
    private var isClosed = false

    /// - Parameter deliver: Called on the main actor with at least one event, never from within `post(_:)`.
    init(timer: BatchTimer = .mainQueue, deliver: @escaping ([PlayerEvent]) -> Void) {
        self.timer = timer
        self.deliver = deliver
    }

    /// Sets which events are delivered from now on, and how often: see `VideoSettings.events` and
    /// `VideoSettings.eventsInterval`.
    ///
    /// Events that were collected before are still delivered. They are delivered at once if the interval changes or
    /// `filters` is nil.
    func configure(filters: [PlayerEventFilter]?, interval: Double) {
        let newInterval = interval >= 0 ? interval : VideoSettings.defaultEventsInterval
        if filters == nil || newInterval != self.interval { flush() }
        self.filters = filters
        self.interval = newInterval
    }

    func post(_ event: PlayerEvent) {
        guard !isClosed, filters.passes(event) else { return }
        collected.append(event)
        guard cancelTimer == nil else { return }
        cancelTimer = timer.start(interval) { [weak self] in self?.flush() }
    }

    /// Delivers the collected events without waiting.
    func flush() {
        cancelTimer?()
        cancelTimer = nil
        guard !collected.isEmpty else { return }
        let batch = collected
        collected = []
        deliver(batch)
    }

    /// Delivers the collected events. Later events are ignored.
    func close() {
        isClosed = true
        flush()
    }
}
