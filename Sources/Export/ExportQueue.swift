import MediaCore

/// A bounded queue that passes items, and the end or an error, from one thread to the next.
final class ExportQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var weights = 0
        var outcome: Result<Void, AVError>?
    }
    private let state = Locked(State())
    private let limit: Int
    private let weight: @Sendable (Item) -> Int

    /// - Parameters:
    ///   - limit: The maximum total weight of the waiting items. An empty queue accepts any item.
    ///   - weight: Returns the share of `limit` that an item uses.
    init(limit: Int, weight: @escaping @Sendable (Item) -> Int) {
        self.limit = limit
        self.weight = weight
    }

    /// Appends `item`. Blocks until there is space for it.
    /// - Throws: The error that `fail` was called with.
    func push(_ item: Item) throws(AVError) {
        let own = weight(item)
        try state.wait { [limit] state -> Result<Void, AVError>? in
            if let outcome = state.outcome { return outcome }
            guard state.items.isEmpty || state.weights + own <= limit else { return nil }
            state.items.append(item)
            state.weights += own
            return .success(())
        }.get()
    }

    /// Removes and returns the next item. Blocks until there is one. Returns nil after the last item.
    /// - Throws: The error that `fail` was called with. The items that are left in the queue are discarded.
    func pop() throws(AVError) -> Item? {
        try state.wait { [weight] state -> Result<Item?, AVError>? in
            if case .failure(let error)? = state.outcome { return .failure(error) }
            guard !state.items.isEmpty else { return state.outcome == nil ? nil : .success(nil) }
            let item = state.items.removeFirst()
            state.weights -= weight(item)
            return .success(item)
        }.get()
    }

    /// Marks the end of the items. Call it after the last `push`.
    func finish() { end(.success(())) }

    /// Ends the queue with `error` for both threads. Later errors have no effect.
    func fail(_ error: AVError) { end(.failure(error)) }

    private func end(_ result: Result<Void, AVError>) {
        state.withLock { state in
            switch (state.outcome, result) {
            // A later stage can still fail after the last item is in the queue.
            case (nil, _), (.success?, .failure): state.outcome = result
            default: return
            }
            if case .failure = result {
                state.items = []
                state.weights = 0
            }
        }
    }
}
