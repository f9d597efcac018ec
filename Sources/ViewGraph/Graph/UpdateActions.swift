/// The actions of a graph's update. They run in rounds: those that one evaluation adds run after that evaluation.
struct UpdateActions {
    /// The actions that one evaluation has added, with its transaction.
    typealias Batch = (transaction: Transaction, actions: [() -> Void])
    private var added: [() -> Void] = []
    /// The actions that wait for the next round of the current update.
    private var waiting: [Batch] = []

    /// Whether actions were added that do not wait for a round yet.
    var hasAdded: Bool { !added.isEmpty }
    /// Whether actions wait for the next round.
    var hasRound: Bool { !waiting.isEmpty }

    mutating func add(_ action: @escaping () -> Void) { added.append(action) }

    /// Lets the added actions wait for the next round, after an evaluation with `transaction`.
    mutating func evaluationDidEnd(_ transaction: Transaction) {
        guard !added.isEmpty else { return }
        waiting.append((transaction, added))
        added = []
    }

    /// Removes and returns the actions of the next round.
    mutating func takeRound() -> [Batch] {
        defer { waiting = [] }
        return waiting
    }

    /// Removes and returns all actions. The caller releases them: a deinitializer may add others.
    mutating func takeAll() -> UpdateActions {
        defer { self = UpdateActions() }
        return self
    }
}
