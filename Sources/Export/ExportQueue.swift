import MediaCore

/// Hands items from one thread to the next, no more than a few at a time, and how it ends.
final class ExportQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var weights = 0
        var outcome: Result<Void, AVError>?
    }
    private let state = Locked(State())
    private let limit: Int
    private let weight: @Sendable (Item) -> Int

    /// - Parameter weight: what counts towards `limit`. One item is always taken, whatever its weight.
    init(limit: Int, weight: @escaping @Sendable (Item) -> Int) {
        self.limit = limit
        self.weight = weight
    }

    /// Waits for space.
    /// - Throws: what `fail` was called with.
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

    /// Waits for an item; nil after the last.
    /// - Throws: what `fail` was called with. The items that are left in the queue are discarded.
    func pop() throws(AVError) -> Item? {
        try state.wait { [weight] state -> Result<Item?, AVError>? in
            if case .failure(let error)? = state.outcome { return .failure(error) }
            guard !state.items.isEmpty else { return state.outcome == nil ? nil : .success(nil) }
            let item = state.items.removeFirst()
            state.weights -= weight(item)
            return .success(item)
        }.get()
    }

    /// After the last item.
    func finish() { end(.success(())) }

    /// Ends it for both sides. The first call counts.
    func fail(_ error: AVError) { end(.failure(error)) }

    private func end(_ result: Result<Void, AVError>) {
        state.withLock { state in
            switch (state.outcome, result) {
            // What went wrong further on ends it also when everything is in the queue already.
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
