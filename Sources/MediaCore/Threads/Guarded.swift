/// What several threads share: a value that is reached only with its lock held, and the waits of those threads.
///
/// Because the lock owns the state, what is guarded is told by the type; because it owns the waits, a predicate is
/// always looked at again after one.
///
/// **Effects.** What a change has for others to do (a listener to be told, a display to be woken) is put into the
/// state's `outbox` and carried out after the lock has been let go: nothing that is called then can meet the lock.
/// They are carried out in the order in which they were asked for, whichever threads asked, one after the other; who
/// asks while another thread is at it leaves its own to that thread.
package final class Guarded<State: GuardedState>: @unchecked Sendable {
    // `state` and `isDelivering` are touched with `monitor` locked only.
    private let monitor = Monitor()
    private let conditions: [Monitor.Condition]
    private let state: UnsafeMutablePointer<State>
    private var isDelivering = false
    private let perform: @Sendable (State.Effect) -> Void

    /// - Parameter perform: carries out an effect: on the thread that asked for it or on another that was at it, with
    ///   nothing locked.
    package init(_ state: State, perform: @escaping @Sendable (State.Effect) -> Void) {
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
        self.perform = perform
        conditions = State.Waiter.allCases.map { [monitor] _ in Monitor.Condition(monitor) }
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Not within another one's body.
    package func withLock<T>(_ body: (inout State) throws -> T) rethrows -> T {
        monitor.lock()
        defer { leave() }
        return try body(&state.pointee)
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
        monitor.lock()
        while true {
            let answer = look(&state.pointee)
            if case .found(let result) = answer {
                leave()
                return result
            }
            let isWoken = state.pointee.outbox.woken & waiter.bit != 0
            if signal() {
                // What it left for others to do comes before it sleeps; meanwhile the answer may have changed.
                monitor.unlock()
                deliver()
                monitor.lock()
                continue
            }
            // It has changed what it waits for itself.
            if isWoken { continue }
            let condition = conditions[waiter.index]
            if case .waitUntil(let time) = answer { condition.wait(until: time) } else { condition.wait() }
        }
    }

    /// Unlocks.
    private func leave() {
        let delivers = signal()
        monitor.unlock()
        if delivers { deliver() }
    }

    /// Wakes who is to be woken. With the monitor locked. - Returns: whether this thread is the one to carry out what
    /// is in the outbox.
    private func signal() -> Bool {
        let woken = state.pointee.outbox.woken
        if woken != 0 {
            state.pointee.outbox.woken = 0
            for waiter in State.Waiter.allCases where woken & waiter.bit != 0 { conditions[waiter.index].broadcast() }
        }
        guard !isDelivering, !state.pointee.outbox.effects.isEmpty else { return false }
        isDelivering = true
        return true
    }

    private func deliver() {
        var effects: [State.Effect] = []
        while true {
            monitor.lock()
            effects.removeAll(keepingCapacity: true)
            swap(&effects, &state.pointee.outbox.effects)
            if effects.isEmpty {
                isDelivering = false
                monitor.unlock()
                return
            }
            monitor.unlock()
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
