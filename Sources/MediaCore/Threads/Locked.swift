import Glibc

/// A state that several threads share behind one lock. Threads can wait until it changes.
///
/// The state can only be accessed through the lock, so the compiler verifies correct use. If no thread waits,
/// `Synchronization.Mutex` is sufficient. `Guarded` adds kinds of waiters, and effects after unlocking.
///
/// For all three, a state that is a closure must be in a structure. Otherwise the compiler wraps the closure once more at
/// each access, because generic code calls closures in another way.
package final class Locked<State>: @unchecked Sendable {
    // Unchecked because of the pointers and `waiting`. They are private and only used while `mutex` is locked.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// The condition variables, one for each kind of waiter.
    private let conditions: UnsafeMutablePointer<pthread_cond_t>
    private let kinds: Int
    private let state: UnsafeMutablePointer<State>
    private var waiting = 0

    package convenience init(_ initial: sending State) { self.init(initial, kindsOfWaiter: 1) }

    init(_ initial: sending State, kindsOfWaiter: Int) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        kinds = kindsOfWaiter
        conditions = .allocate(capacity: kinds)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        for kind in 0..<kinds { pthread_cond_init(conditions + kind, &attributes) }
        pthread_condattr_destroy(&attributes)
        state = .allocate(capacity: 1)
        state.initialize(to: initial)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        for kind in 0..<kinds { pthread_cond_destroy(conditions + kind) }
        conditions.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls `body` with the lock held, then makes every waiting thread check its condition again. Any thread. Must not
    /// be called within `body` of the same lock.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { leave() }
        return try body(&state.pointee)
    }

    /// Calls `body` with the lock held. `body` changes nothing, so no waiting thread checks its condition. Any thread.
    package func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(state.pointee)
    }

    /// Waits until `look` returns a value. `look` is called with the lock held, first immediately and then after every
    /// change. If it returns nil, it must not have changed anything that other threads wait for.
    package func wait<Result>(for look: (inout sending State) -> sending Result?) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { leave() }
        while true {
            if let found = look(&state.pointee) { return found }
            sleep(0, until: nil)
        }
    }

    /// Waits until `look` returns a value, or returns nil after `deadline`. `look` is called as in `wait(for:)`.
    package func wait<Result>(
        until deadline: HostTime, for look: (inout sending State) -> sending Result?
    ) -> sending Result? {
        pthread_mutex_lock(mutex)
        defer { leave() }
        while true {
            if let found = look(&state.pointee) { return found }
            guard HostTime.now() < deadline else { return nil }
            sleep(0, until: deadline)
        }
    }

    private func leave() {
        if waiting > 0 { pthread_cond_broadcast(conditions) }
        pthread_mutex_unlock(mutex)
    }

    // MARK: kinds of waiters, for `Guarded`

    /// The next step of a waiting thread after checking its condition.
    enum Step<Result> {
        case found(Result)
        case lookAgain
        /// Sleeps until the thread's kind of waiter is woken, or until the given time.
        case sleep(until: HostTime?)
        /// Runs `whileUnlocked`, then checks again.
        case unlock
    }

    /// Calls `look` with the lock held until `look` returns a result. Each time, wakes the kinds of waiters whose bits
    /// `look` returns.
    func wait<Result>(
        _ kind: Int, whileUnlocked: () -> Void, look: (inout State) -> (step: Step<Result>, wakes: UInt64)
    ) -> Result {
        pthread_mutex_lock(mutex)
        while true {
            let (step, wakes) = look(&state.pointee)
            wake(wakes)
            switch step {
            case .found(let result):
                pthread_mutex_unlock(mutex)
                return result
            case .lookAgain: continue
            case .sleep(let time): sleep(kind, until: time)
            case .unlock:
                pthread_mutex_unlock(mutex)
                whileUnlocked()
                pthread_mutex_lock(mutex)
            }
        }
    }

    /// Calls `body` with the lock held, then wakes the kinds of waiters whose bits `wakes` returns.
    func withLock<Result>(
        wakes: (inout State) -> UInt64, _ body: (inout State) throws -> Result
    ) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            wake(wakes(&state.pointee))
            pthread_mutex_unlock(mutex)
        }
        return try body(&state.pointee)
    }

    // MARK: with the lock held

    private func wake(_ kindBits: UInt64) {
        guard kindBits != 0, waiting > 0 else { return }
        for kind in 0..<kinds where kindBits & 1 << UInt64(kind) != 0 { pthread_cond_broadcast(conditions + kind) }
    }

    private func sleep(_ kind: Int, until deadline: HostTime?) {
        waiting += 1
        defer { waiting -= 1 }
        guard let deadline, deadline != .max else {
            pthread_cond_wait(conditions + kind, mutex)
            return
        }
        let time = max(0, HostClock.machineTime(deadline.nanoseconds))
        var limit = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        pthread_cond_timedwait(conditions + kind, mutex, &limit)
    }
}
