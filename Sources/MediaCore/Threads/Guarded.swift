/// What several threads share: a value that is reached only with its lock held, and the waits of those threads.
///
/// A `Locked` with kinds of waiters, each of which is woken by name, and with effects.
///
/// **Effects.** What a change has for others to do (a listener to be told, a display to be woken) is put into the
/// state's `outbox` and carried out after the lock has been let go: nothing that is called then can meet the lock.
/// They are carried out in the order in which they were asked for, whichever threads asked, one after the other; who
/// asks while another thread is at it leaves its own to that thread.
package final class Guarded<State: GuardedState>: Sendable {
    private struct Content {
        var state: State
        /// A thread is carrying out effects.
        var isDelivering = false

        /// The waiters to be woken now.
        mutating func takeWakes() -> UInt64 {
            defer { state.outbox.woken = 0 }
            return state.outbox.woken
        }

        /// Whether the thread that asks is the one to carry out what is in the outbox.
        mutating func beginsDelivery() -> Bool {
            guard !isDelivering, !state.outbox.effects.isEmpty else { return false }
            isDelivering = true
            return true
        }
    }
    private let content: Locked<Content>
    private let perform: @Sendable (State.Effect) -> Void

    /// - Parameter perform: carries out an effect: on the thread that asked for it or on another that was at it, with
    ///   nothing locked.
    package init(_ state: sending State, perform: @escaping @Sendable (State.Effect) -> Void) {
        content = Locked(Content(state: state), kindsOfWaiter: State.Waiter.allCases.count)
        self.perform = perform
    }

    /// Not within another one's body.
    package func withLock<T>(_ body: (inout State) throws -> T) rethrows -> T {
        var delivers = false
        defer { if delivers { deliver() } }
        return try content.withLock(
            wakes: {
                delivers = $0.beginsDelivery()
                return $0.takeWakes()
            }, { try body(&$0.state) })
    }

    /// What a thread finds when it looks whether it still has to wait.
    package enum Look<T> {
        case found(T)
        /// Nothing yet: it is looked again when somebody wakes this waiter.
        case wait
        /// The same, and at this time at the latest.
        case waitUntil(HostTime)
    }

    /// Looks, with the lock held, until there is something. - Parameter waiter: who is woken to look again.
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
            // What it left for others to do comes before it sleeps; meanwhile the answer may have changed.
            if begins { return (.unlock, wakes) }
            // It has changed what it waits for itself.
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

/// State for `Guarded`.
package protocol GuardedState {
    /// The kinds of thread that wait for it to change.
    associatedtype Waiter: GuardedWaiter
    /// What a change has for others to do.
    associatedtype Effect
    var outbox: GuardedOutbox<Waiter, Effect> { get set }
}

/// At most 64 of them.
package protocol GuardedWaiter: CaseIterable, Sendable {
    /// From 0 on, in the order of `allCases`.
    var index: Int { get }
}

extension GuardedWaiter where Self: RawRepresentable<Int> {
    package var index: Int { rawValue }
}

extension GuardedWaiter {
    fileprivate var bit: UInt64 { 1 << UInt64(index) }
}

/// What has been asked for since the lock was taken.
package struct GuardedOutbox<Waiter: GuardedWaiter, Effect> {
    /// In the order in which they were asked for.
    package fileprivate(set) var effects: [Effect] = []
    fileprivate var woken: UInt64 = 0

    package init() {}
    package mutating func perform(_ effect: Effect) { effects.append(effect) }
    package mutating func wake(_ waiter: Waiter) { woken |= waiter.bit }
    package mutating func wakeAll() { for waiter in Waiter.allCases { wake(waiter) } }
}
