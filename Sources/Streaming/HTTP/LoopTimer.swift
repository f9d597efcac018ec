import MediaCore
import Synchronization

/// A call that the loop makes at a given time. Releasing the timer does not cancel the call.
final class LoopTimer: NetworkTimer {
    let time: HostTime
    private let work: Mutex<Work>
    /// The call, in a structure. If the lock held the closure itself, each access would wrap the closure once more, so
    /// that it would grow with every turn of the loop until its release overflowed the stack.
    private struct Work {
        var call: (@NetworkActor () -> Void)?
    }

    init(time: HostTime, work: @escaping @NetworkActor () -> Void) {
        self.time = time
        self.work = Mutex(Work(call: work))
    }

    /// Cancels the call, and immediately releases its closure.
    func cancel() { work.withLock { $0.call = nil } }

    var isCancelled: Bool { work.withLock { $0.call == nil } }

    @NetworkActor func fire() {
        let due = work.withLock { work in
            defer { work.call = nil }
            return work.call
        }
        due?()
    }
}

/// A priority queue of timers, ordered by due time and then by the order of insertion. Implemented as a binary heap.
struct TimerQueue {
    private var heap: [(time: HostTime, serial: UInt64, timer: LoopTimer)] = []
    private var serial: UInt64 = 0

    /// Adds a timer.
    /// - Returns: Whether the timer is now the next one.
    mutating func insert(_ timer: LoopTimer) -> Bool {
        serial += 1
        heap.append((timer.time, serial, timer))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(child, parent) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
        return child == 0
    }

    /// Returns the time of the next call, and removes canceled timers before it.
    mutating func nextTime() -> HostTime? {
        while let first = heap.first, first.timer.isCancelled { removeFirst() }
        return heap.first?.time
    }

    mutating func popDue(at now: HostTime) -> LoopTimer? {
        guard let time = nextTime(), time <= now, let first = heap.first else { return nil }
        removeFirst()
        return first.timer
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        (heap[a].time, heap[a].serial) < (heap[b].time, heap[b].serial)
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
