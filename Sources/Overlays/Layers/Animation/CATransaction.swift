import Foundation
import Synchronization

/// Groups changes of layers. Core Animation's type, as far as it has a meaning without implicit animations:
/// changes of properties never animate by themselves here, so that disabling actions changes nothing. What counts is
/// the duration and pace of animations that name none, and the block called when all animations added have ended.
///
/// A stack for each thread, as Apple's.
public enum CATransaction {
    final class Level {
        var duration: Double?
        var pace: CAMediaTimingFunction?
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

    /// Begins one on this thread, within the one that is under way there; `commit()` ends it.
    public static func begin() { stack.levels.append(Level()) }
    /// Ends what the last `begin()` began; without one nothing happens.
    public static func commit() { stack.levels.popLast()?.completion?.close() }
    /// Nothing waits here: what is drawn is up to date whenever it is drawn.
    public static func flush() {}

    /// Kept for `disableActions()`, without effect on layers: nothing animates by itself here.
    public static func setDisableActions(_ flag: Bool) { stack.levels.last?.isDisabled = flag }
    /// What the innermost transaction that set it has; false where none did.
    public static func disableActions() -> Bool { stack.levels.last { $0.isDisabled != nil }?.isDisabled ?? false }
    /// Of animations added in this transaction without one; seconds. Outside of `begin()` … `commit()` ignored, as are
    /// the next two.
    public static func setAnimationDuration(_ duration: Double) {
        if duration >= 0, duration.isFinite { stack.levels.last?.duration = duration }
    }
    /// 0.25 unless set.
    public static func animationDuration() -> Double { stack.levels.last { $0.duration != nil }?.duration ?? 0.25 }
    /// The pace of animations added in this transaction that have none; springs keep their own. Nil: the outer
    /// transaction's.
    public static func setAnimationTimingFunction(_ function: CAMediaTimingFunction?) {
        stack.levels.last?.pace = function
    }
    /// Nil, which is linear, unless set.
    public static func animationTimingFunction() -> CAMediaTimingFunction? {
        stack.levels.last { $0.pace != nil }?.pace
    }
    /// Called once, on the main actor, when all animations added in this transaction after it have ended or were taken
    /// away; soon after `commit()` when there are none. Animations of layers that are never shown never end.
    public static func setCompletionBlock(_ block: (@MainActor @Sendable () -> Void)?) {
        stack.levels.last?.completion = block.map { TransactionCompletion($0) }
    }
    static var completion: TransactionCompletion? { stack.levels.last { $0.completion != nil }?.completion }
}

/// Counts what a transaction's block waits for.
final class TransactionCompletion: Sendable {
    private struct State {
        var waiting = 1
        var block: (@MainActor @Sendable () -> Void)?
    }
    /// One of what is waited for is the commit itself.
    private let state: Mutex<State>
    init(_ block: @escaping @MainActor @Sendable () -> Void) { state = Mutex(State(block: block)) }

    func enter() { state.withLock { $0.waiting += 1 } }
    func leave() {
        let block = state.withLock { s -> (@MainActor @Sendable () -> Void)? in
            s.waiting -= 1
            guard s.waiting == 0 else { return nil }
            defer { s.block = nil }
            return s.block
        }
        if let block { Task { @MainActor in block() } }
    }
    func close() { leave() }
}
