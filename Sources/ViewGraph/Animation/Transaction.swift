/// What goes with a change of state: whether and how it is animated. SwiftUI's type.
public struct Transaction: Sendable {
    /// How what changes is animated; nil changes it at once.
    public var animation: Animation?
    /// Wins over `animation(_:value:)` of the views.
    public var disablesAnimations = false
    /// Makes a transaction that animates by `animation`; nil changes at once. On any thread.
    nonisolated public init(animation: Animation? = nil) { self.animation = animation }
    func isSame(as other: Transaction) -> Bool {
        animation == other.animation && disablesAnimations == other.disablesAnimations
    }
    /// What moves: nothing where the user wants nothing to.
    @MainActor package var effective: Animation? { disablesAnimations ? nil : Motion.honoured(animation) }

    /// Every graph that lives, so that a change in one turn can be told from the next.
    @MainActor static var graphs: [WeakGraph] = []
    struct WeakGraph { weak var graph: ViewGraph? }
}

/// Changes what `body` changes, animated. What changed before in the same turn is not. Main actor.
@MainActor @preconcurrency
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try withTransaction(Transaction(animation: animation), body)
}

/// Changes what `body` changes with `transaction`. Main actor.
@MainActor @preconcurrency
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    Transaction.graphs.removeAll { $0.graph == nil }
    let graphs = Transaction.graphs.compactMap(\.graph)
    for graph in graphs { graph.flush() }
    let result = try body()
    for graph in graphs { graph.flush(transaction) }
    return result
}
