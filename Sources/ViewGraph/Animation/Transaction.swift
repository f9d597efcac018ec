import Foundation
import MediaCore

/// The context of a state change: whether and how the change is animated. Mirrors SwiftUI's type.
public struct Transaction: Sendable {
    /// The animation of the change. If nil, views change at once.
    public var animation: Animation?
    /// Whether the change is not animated, regardless of `animation` and of the views' `animation` modifiers.
    public var disablesAnimations = false
    /// Creates a transaction.
    /// - Parameter animation: The animation of the change. If nil, views change at once.
    nonisolated public init(animation: Animation? = nil) { self.animation = animation }
    /// The transactions around the bodies of `animation(_:body:)` that contain the view, the innermost last.
    var outer: [Transaction] = []
    func isSame(as other: Transaction) -> Bool {
        animation == other.animation && disablesAnimations == other.disablesAnimations
    }
    /// The animation to use. Nil if animations are disabled or the user prefers reduced motion.
    @MainActor package var effective: Animation? { disablesAnimations ? nil : Motion.honoured(animation) }

    /// All graphs that exist. `withTransaction` updates them before and after its body, to separate the body's changes
    /// from earlier ones.
    @MainActor static var graphs: [WeakGraph] = []
    struct WeakGraph { weak var graph: ViewGraph? }

    /// The transaction of the innermost `withTransaction` whose body is running.
    @MainActor static var current = Transaction()

    /// Runs `body` and updates the views that it changes with `transaction`, and those that were changed before with
    /// the transaction around. Returns the result of `body` and the graphs that it changed.
    @MainActor static func run<Result>(
        _ transaction: Transaction, _ body: () throws -> Result
    ) rethrows -> (result: Result, changed: [ViewGraph]) {
        guard MainActorQueue.isCurrent else { return (try runElsewhere(transaction, body), []) }
        graphs.removeAll { $0.graph == nil }
        let known = graphs.compactMap(\.graph)
        let outer = current
        for graph in known { graph.flush(outer) }
        current = transaction
        defer { current = outer }
        let result = try body()
        let changed = known.filter(\.needsUpdate)
        for graph in known { graph.flush(transaction) }
        return (result, changed)
    }

    /// Runs `body` on a thread other than the main thread. The states that it sets change later, with `transaction`.
    @MainActor private static func runElsewhere<Result>(
        _ transaction: Transaction, _ body: () throws -> Result
    ) rethrows -> Result {
        let known = Thread.current.threadDictionary
        let outer = known[elsewhereKey]
        known[elsewhereKey] = transaction
        defer { known[elsewhereKey] = outer }
        return try body()
    }
    private static let elsewhereKey = "zoetrope.transaction"
    /// The transaction of the innermost `withTransaction` whose body is running on the current thread. Only for threads
    /// other than the main thread.
    static var elsewhere: Transaction? { Thread.current.threadDictionary[elsewhereKey] as? Transaction }
}

/// Runs `body` and animates the changes it makes. Earlier changes are not animated.
///
/// ```swift
/// Button("Details") {
///     withAnimation { showsDetails.toggle() }
/// }
/// ```
/// - Parameters:
///   - animation: The animation. If nil, views change at once.
///   - body: The closure that makes the changes. On the main thread, all views are updated before this function
///     returns.
/// - Returns: The result of `body`.
/// - Throws: The error that `body` throws.
@MainActor @preconcurrency
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try withTransaction(Transaction(animation: animation), body)
}

/// The condition under which an animation counts as complete. Mirrors SwiftUI's type.
public struct AnimationCompletionCriteria: Hashable, Sendable {
    let isRemoved: Bool
    /// The animation has reached its target, apart from the last small swings of a spring.
    public static let logicallyComplete = AnimationCompletionCriteria(isRemoved: false)
    /// The animation has ended, including the last small swings of a spring.
    public static let removed = AnimationCompletionCriteria(isRemoved: true)
}

/// Runs `body`, animates the changes it makes, and calls `completion` when the animation is complete.
///
/// If no view changes or the user prefers reduced motion, `completion` is called before this function returns. For an
/// animation that repeats forever, it is never called. A later animation of the same values does not delay the call. On
/// a thread other than the main thread, the call does not wait for the animation.
/// - Parameters:
///   - animation: The animation.
///   - completionCriteria: The condition under which the animation counts as complete.
///   - body: The closure that makes the changes. On the main thread, all views are updated before this function
///     returns.
///   - completion: The closure to call after the animation, on the main actor.
/// - Returns: The result of `body`.
/// - Throws: The error that `body` throws. `completion` is not called then.
@MainActor @preconcurrency
public func withAnimation<Result>(
    _ animation: Animation = .default, completionCriteria: AnimationCompletionCriteria = .logicallyComplete,
    _ body: () throws -> Result, completion: @escaping @MainActor () -> Void
) rethrows -> Result {
    let transaction = Transaction(animation: animation)
    guard MainActorQueue.isCurrent else {
        let result = try Transaction.run(transaction, body).result
        OnMain.later(completion)
        return result
    }
    let (result, changed) = try Transaction.run(transaction, body)
    guard let graph = changed.first, let animation = transaction.effective else {
        completion()
        return result
    }
    let seconds = animation.seconds(until: completionCriteria)
    if seconds.isFinite { graph.wake(seconds, completion) }
    return result
}

/// Runs `body` and applies `transaction` to the changes it makes. Earlier changes are not affected.
/// - Parameters:
///   - transaction: The context of the changes.
///   - body: The closure that makes the changes. On the main thread, all views are updated before this function
///     returns.
/// - Returns: The result of `body`.
/// - Throws: The error that `body` throws.
@MainActor @preconcurrency
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try Transaction.run(transaction, body).result
}
