import Glibc

/// A mutex with as many condition variables as there are kinds of waiter.
///
/// The pipeline's threads share little, long-lived state and wait for each other by predicate;
/// `Synchronization.Mutex` has no condition to wait on, so this is pthread's pair, on the monotonic clock.
package final class Monitor: @unchecked Sendable {
    // Guarded by pthread itself: the mutex is only touched through pthread's calls.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inline(__always) package func lock() { pthread_mutex_lock(mutex) }
    @inline(__always) package func unlock() { pthread_mutex_unlock(mutex) }

    @inline(__always) package func withLock<T>(_ body: () throws -> T) rethrows -> T {
        lock()
        defer { unlock() }
        return try body()
    }

    /// One condition of a monitor. Wait only with the monitor locked, always in a loop over the predicate.
    package final class Condition: @unchecked Sendable {
        // Guarded by the monitor's mutex, as pthread demands.
        private let condition: UnsafeMutablePointer<pthread_cond_t>
        private let monitor: Monitor

        package init(_ monitor: Monitor) {
            self.monitor = monitor
            condition = .allocate(capacity: 1)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        }

        deinit {
            pthread_cond_destroy(condition)
            condition.deallocate()
        }

        package func wait() { pthread_cond_wait(condition, monitor.mutex) }

        /// Waits until signalled or until `deadline` (CLOCK_MONOTONIC nanoseconds).
        package func wait(until deadline: Int64) {
            let time = max(0, HostClock.machineTime(deadline))
            var t = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
            pthread_cond_timedwait(condition, monitor.mutex, &t)
        }

        package func wait(until deadline: HostTime) { wait(until: deadline.nanoseconds) }

        package func signal() { pthread_cond_signal(condition) }
        package func broadcast() { pthread_cond_broadcast(condition) }
    }
}
