import Foundation
import MediaCore
import Synchronization
import TestSupport

/// A measurement of the delay with which this machine wakes a thread that has the priority of an audio thread.
package final class DelayWatch: @unchecked Sendable {
    // `longest` is written by the thread, and read after the thread was joined.
    private var longest: Int64 = 0
    private let isStopped = Flag()
    private var thread: WorkerThread?

    package init() {
        thread = WorkerThread(name: "test-delay", isUrgent: true) { [self] in
            while !isStopped.isSet {
                let begin = HostClock.now()
                blockWhileTimePasses(0.002, because: "how late the machine wakes a thread is measured")
                longest = max(longest, HostClock.now() - begin - 2_000_000)
            }
        }
    }

    /// Stops the measurement.
    /// - Returns: The longest delay in seconds.
    package func stop() -> Double {
        isStopped.set()
        thread?.join()
        thread = nil
        return Double(longest) / 1e9
    }
}

/// A flag that one thread sets and another reads.
package final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    package init() {}
    package var isSet: Bool { value.load(ordering: .acquiring) }
    package func set() { value.store(true, ordering: .releasing) }
}
