/// State that several threads share, in one lock, and the waits for it to change.
///
/// The state can only be reached through the lock, so the compiler checks what a comment would have to promise. Where
/// nobody waits, `Synchronization.Mutex` does the same. `Guarded` adds kinds of waiters and effects after unlocking.
package final class Locked<State>: @unchecked Sendable {
    // Unchecked because of `state` and `waiting`, which are private and only used while `monitor` is locked.
    private let monitor = Monitor()
    private let changed: Monitor.Condition
    private let state: UnsafeMutablePointer<State>
    private var waiting = 0

    package init(_ initial: sending State) {
        changed = Monitor.Condition(monitor)
        state = .allocate(capacity: 1)
        state.initialize(to: initial)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Calls `body` with the lock held, then lets every waiting thread look again. Any thread. Must not be called from
    /// the body of the same lock.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        monitor.lock()
        defer { leave() }
        return try body(&state.pointee)
    }

    /// Calls `body` with the lock held. It changes nothing, so that no waiting thread has to look again. Any thread.
    package func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
        monitor.lock()
        defer { monitor.unlock() }
        return body(state.pointee)
    }

    /// Waits until `look` returns a value. `look` is called with the lock held, at first and after every change; while
    /// it returns nil, it must not change what other threads wait for.
    package func wait<Result>(for look: (inout sending State) -> sending Result?) -> sending Result {
        monitor.lock()
        defer { leave() }
        while true {
            if let found = look(&state.pointee) { return found }
            waiting += 1
            changed.wait()
            waiting -= 1
        }
    }

    /// The same, but returns nil once `deadline` has passed.
    package func wait<Result>(
        until deadline: HostTime, for look: (inout sending State) -> sending Result?
    ) -> sending Result? {
        monitor.lock()
        defer { leave() }
        while true {
            if let found = look(&state.pointee) { return found }
            guard HostTime.now() < deadline else { return nil }
            waiting += 1
            changed.wait(until: deadline)
            waiting -= 1
        }
    }

    private func leave() {
        if waiting > 0 { changed.broadcast() }
        monitor.unlock()
    }
}
