import MediaCore

/// The events and the current error of a player, and the handlers that receive them. Main actor.
@MainActor
final class EventReports {
    var onEvents: (([PlayerEvent]) -> Void)?
    var onErrorChange: ((VPErrors?) -> Void)?
    /// The reason why there is no video; nil while the video can be played.
    var error: VPErrors? {
        didSet { if error != oldValue { ObservationScope.callOut { onErrorChange?(error) } } }
    }
    private let batcher: PlayerEventBatcher

    init(timer: BatchTimer) {
        let outlet = Outlet()
        batcher = PlayerEventBatcher(timer: timer) { outlet.reports?.onEvents?($0) }
        outlet.reports = self
    }

    func configure(filters: [PlayerEventFilter]?, interval: Double) {
        batcher.configure(filters: filters, interval: interval)
    }

    func post(_ event: PlayerEvent) { batcher.post(event) }

    /// Reports an error that prevents playback.
    func fail(_ reason: VPErrors) {
        post(.error(reason))
        error = reason
    }

    /// Delivers the collected events. Later ones are ignored.
    func close() { batcher.close() }

    /// A weak reference to the reports, which avoids a reference cycle with their batcher.
    @MainActor
    private final class Outlet {
        weak var reports: EventReports?
    }
}
