import MediaCore

/// Hands items from one thread to the next, no more than a few at a time, and how it ends.
final class ExportQueue<Item: Sendable>: @unchecked Sendable {
    // Everything is guarded by the monitor.
    private let monitor = Monitor()
    private let changed: Monitor.Condition
    private var items: [Item] = []
    private var weights = 0
    private var outcome: Result<Void, AVError>?
    private let limit: Int
    private let weight: @Sendable (Item) -> Int

    /// - Parameter weight: what counts towards `limit`. One item is always taken, whatever its weight.
    init(limit: Int, weight: @escaping @Sendable (Item) -> Int) {
        self.limit = limit
        self.weight = weight
        changed = Monitor.Condition(monitor)
    }

    /// Waits for room.
    /// - Throws: what `fail` was called with.
    func push(_ item: Item) throws(AVError) {
        monitor.lock()
        defer { monitor.unlock() }
        let own = weight(item)
        while outcome == nil, !items.isEmpty, weights + own > limit { changed.wait() }
        if case .failure(let error)? = outcome { throw error }
        guard outcome == nil else { return }
        items.append(item)
        weights += own
        changed.broadcast()
    }

    /// Waits for an item; nil after the last.
    /// - Throws: what `fail` was called with; what lies in the queue then is void.
    func pop() throws(AVError) -> Item? {
        monitor.lock()
        defer { monitor.unlock() }
        while items.isEmpty, outcome == nil { changed.wait() }
        if case .failure(let error)? = outcome { throw error }
        guard !items.isEmpty else { return nil }
        let item = items.removeFirst()
        weights -= weight(item)
        changed.broadcast()
        return item
    }

    /// After the last item.
    func finish() { end(.success(())) }

    /// Ends it for both sides. The first word counts.
    func fail(_ error: AVError) { end(.failure(error)) }

    private func end(_ result: Result<Void, AVError>) {
        monitor.withLock {
            switch (outcome, result) {
            // What went wrong further on ends it also when everything is in the queue already.
            case (nil, _), (.success?, .failure): outcome = result
            default: return
            }
            if case .failure = result {
                items = []
                weights = 0
            }
            changed.broadcast()
        }
    }
}
