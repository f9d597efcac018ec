import Foundation
import Synchronization

/// A group of changes to layers. Mirrors Core Animation's type of the same name.
///
/// In Zoetrope, changes of properties animate only in the closures of `UIView.animate`, and only in the layers of
/// views. Disabling actions prevents that. A transaction sets the duration and timing curve of animations that have
/// none, and a block to call when all of its animations have ended.
///
/// As in Core Animation, each thread has its own stack of transactions.
public enum CATransaction {
    final class Level {
        var duration: Double?
        var timingFunction: CAMediaTimingFunction?
        var isDisabled: Bool?
        var completion: TransactionCompletion?
    }
    private final class Stack: NSObject { var levels: [Level] = [] }
    private static var stack: Stack {
        let key = "zoetrope.CATransaction"
        if let stack = Thread.current.threadDictionary[key] as? Stack { return stack }
        let stack = Stack()
        Thread.current.threadDictionary[key] = stack
        return stack
    }

    /// Begins a transaction on this thread, nested in the current one. `commit()` ends it.
    public static func begin() { stack.levels.append(Level()) }
    /// Ends the transaction of the last `begin()` on this thread. Does nothing if there is none.
    public static func commit() { stack.levels.popLast()?.completion?.close() }
    /// Does nothing, because layers are always drawn in their current state.
    public static func flush() {}

    /// Sets whether changes in this transaction are shown at once, even in the closures of `UIView.animate`.
    public static func setDisableActions(_ flag: Bool) { stack.levels.last?.isDisabled = flag }
    /// Returns the value of the innermost transaction that has set one, or false.
    public static func disableActions() -> Bool { stack.levels.last { $0.isDisabled != nil }?.isDisabled ?? false }
    /// Sets the duration of animations that are added in this transaction without one, in seconds.
    ///
    /// Negative and infinite values are ignored. Outside of a transaction, this method has no effect; the same holds
    /// for the other methods whose names begin with `set`.
    public static func setAnimationDuration(_ duration: Double) {
        if duration >= 0, duration.isFinite { stack.levels.last?.duration = duration }
    }
    /// Returns the duration of animations that have none, in seconds. The default is 0.25.
    public static func animationDuration() -> Double { stack.levels.last { $0.duration != nil }?.duration ?? 0.25 }
    /// Sets the timing curve of animations that are added in this transaction without one. Springs keep their own. Nil
    /// uses the outer transaction's.
    public static func setAnimationTimingFunction(_ function: CAMediaTimingFunction?) {
        stack.levels.last?.timingFunction = function
    }
    /// Returns the timing curve of animations that have none. Nil, the default, is linear.
    public static func animationTimingFunction() -> CAMediaTimingFunction? {
        stack.levels.last { $0.timingFunction != nil }?.timingFunction
    }
    /// Sets a block that is called once, on the main actor, when the animations of this transaction have ended.
    ///
    /// The block waits for animations that are added after this call, and also counts removed animations as ended. If
    /// there are none, it is called soon after `commit()`. Animations of layers that are never shown never end.
    ///
    /// Another call in the same transaction, even with nil, does not cancel the first block. The first block then waits
    /// only for the animations that were added before that call.
    ///
    /// ```swift
    /// CATransaction.begin()
    /// CATransaction.setCompletionBlock { badge.removeFromSuperlayer() }
    /// badge.add(fadeOut, forKey: "fadeOut")
    /// CATransaction.commit()
    /// ```
    public static func setCompletionBlock(_ block: (@MainActor @Sendable () -> Void)?) {
        guard let level = stack.levels.last else { return }
        level.completion?.close()
        level.completion = block.map { TransactionCompletion($0) }
    }
    static var completion: TransactionCompletion? { stack.levels.last { $0.completion != nil }?.completion }
}

/// The number of animations that a transaction's block waits for, and the block.
final class TransactionCompletion: Sendable {
    private struct State {
        /// Whether animations can be added: until the commit or the next block.
        var isOpen = true
        /// The animations that have neither ended nor been removed, by token.
        var running: Set<UInt64> = []
        var block: (@MainActor @Sendable () -> Void)?
    }
    private let state: Mutex<State>
    init(_ block: @escaping @MainActor @Sendable () -> Void) { state = Mutex(State(block: block)) }

    func enter(_ token: UInt64) { state.withLock { _ = $0.running.insert(token) } }
    /// Records that an animation has ended or was removed. An animation can do both, but counts once.
    func leave(_ token: UInt64) { update { _ = $0.running.remove(token) } }
    func close() { update { $0.isOpen = false } }
    private func update(_ change: (inout State) -> Void) {
        let block = state.withLock { s -> (@MainActor @Sendable () -> Void)? in
            change(&s)
            guard !s.isOpen, s.running.isEmpty else { return nil }
            defer { s.block = nil }
            return s.block
        }
        if let block { Task { @MainActor in block() } }
    }
}
