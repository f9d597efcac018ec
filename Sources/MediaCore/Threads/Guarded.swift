/// A value that several threads share: it can only be accessed with its lock held, and threads can wait for changes.
///
/// The class is a `Locked` with several kinds of waiters, which are woken separately, and with effects.
///
/// **Effects.** A change can have effects outside the state, such as notifying a listener or waking a display. They are
/// added to the state's `outbox` and performed after the lock is released, so the called code can take the lock itself.
/// Effects are performed one after the other, in the order in which they were added, whichever threads added them.
/// While a thread performs effects, it also performs those that other threads add.
package final class Guarded<State: GuardedState>: Sendable {
    private struct Content {
        var state: State
        /// Whether a thread is performing effects.
        var isDelivering = false

        /// Returns the waiters to wake now, and clears them.
        mutating func takeWakes() -> UInt64 {
            defer { state.outbox.woken = 0 }
            return state.outbox.woken
        }

        /// Returns whether the calling thread must perform the effects in the outbox.
        mutating func beginsDelivery() -> Bool {
            guard !isDelivering, !state.outbox.effects.isEmpty else { return false }
            isDelivering = true
            return true
        }
    }
    private let content: Locked<Content>
    private let perform: @Sendable (State.Effect) -> Void

    /// Creates a guarded value.
    /// - Parameter perform: Performs an effect. It is called without any lock, on the thread that added the effect or
    ///   on another thread that is performing effects.
    package init(_ state: sending State, perform: @escaping @Sendable (State.Effect) -> Void) {
        content = Locked(Content(state: state), kindsOfWaiter: State.Waiter.allCases.count)
        self.perform = perform
    }

    /// Calls `body` with the lock held, then wakes waiters and performs effects. Must not be called within another
    /// `body`.
    package func withLock<T>(_ body: (inout State) throws -> T) rethrows -> T {
        var delivers = false
        defer { if delivers { deliver() } }
        return try content.withLock(
            wakes: {
                delivers = $0.beginsDelivery()
                return $0.takeWakes()
            }, { try body(&$0.state) })
    }

    /// The result of checking a wait's condition.
    package enum Look<T> {
        case found(T)
        /// The condition is not met. It is checked again when this waiter is woken.
        case wait
        /// The condition is not met. It is checked again when this waiter is woken, and at this time at the latest.
        case waitUntil(HostTime)
    }

    /// Waits until `look` returns a result. `look` is called with the lock held.
    /// - Parameter waiter: The kind of waiter, which is woken to check again.
    package func wait<T>(_ waiter: State.Waiter, for look: (inout State) -> Look<T>) -> T {
        var delivers = false
        defer { if delivers { deliver() } }
        return content.wait(waiter.index, whileUnlocked: deliver) { content in
            let answer = look(&content.state)
            let wakes = content.takeWakes()
            let begins = content.beginsDelivery()
            if case .found(let result) = answer {
                delivers = begins
                return (.found(result), wakes)
            }
            // Effects that `look` added are performed before the thread sleeps. Meanwhile, the condition may change.
            if begins { return (.unlock, wakes) }
            // `look` itself has made a change that this kind of waiter waits for.
            if wakes & waiter.bit != 0 { return (.lookAgain, wakes) }
            if case .waitUntil(let time) = answer { return (.sleep(until: time), wakes) }
            return (.sleep(until: nil), wakes)
        }
    }

    private func deliver() {
        var effects: [State.Effect] = []
        while true {
            effects.removeAll(keepingCapacity: true)
            content.withLock(wakes: { _ in 0 }) { content in
                swap(&effects, &content.state.outbox.effects)
                if effects.isEmpty { content.isDelivering = false }
            }
            if effects.isEmpty { return }
            for effect in effects { perform(effect) }
        }
    }
}

/// The state of a `Guarded`.
package protocol GuardedState {
    /// The kinds of threads that wait for a change.
    associatedtype Waiter: GuardedWaiter
    /// The effects of changes outside the state.
    associatedtype Effect
    var outbox: GuardedOutbox<Waiter, Effect> { get set }
}

/// A kind of waiter. There may be at most 64.
package protocol GuardedWaiter: CaseIterable, Sendable {
    /// The index in `allCases`.
    var index: Int { get }
}

extension GuardedWaiter where Self: RawRepresentable<Int> {
    package var index: Int { rawValue }
}

extension GuardedWaiter {
    fileprivate var bit: UInt64 { 1 << UInt64(index) }
}

/// The waiters to wake and the effects to perform after the lock is released.
package struct GuardedOutbox<Waiter: GuardedWaiter, Effect> {
    /// The effects, in the order in which they were added.
    package fileprivate(set) var effects: [Effect] = []
    fileprivate var woken: UInt64 = 0

    package init() {}
    package mutating func perform(_ effect: Effect) { effects.append(effect) }
    package mutating func wake(_ waiter: Waiter) { woken |= waiter.bit }
    package mutating func wakeAll() { for waiter in Waiter.allCases { wake(waiter) } }
}
