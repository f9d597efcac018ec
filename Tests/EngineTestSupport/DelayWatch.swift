import Foundation
import MediaCore
import Synchronization
import TestSupport

/// How long this machine keeps a thread waiting that is due, and as urgent as sound is.
package final class DelayWatch: @unchecked Sendable {
    // Written by the thread, read after it was joined.
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

    /// Ends it; seconds.
    package func stop() -> Double {
        isStopped.set()
        thread?.join()
        thread = nil
        return Double(longest) / 1e9
    }
}

/// A word from one thread to another.
package final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    package init() {}
    package var isSet: Bool { value.load(ordering: .acquiring) }
    package func set() { value.store(true, ordering: .releasing) }
}
