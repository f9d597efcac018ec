import Foundation
import Synchronization

/// A queue of calls that run on an operation queue in order and one at a time, even if that queue is concurrent.
final class DelegateMailbox: Sendable {
    private let queue: OperationQueue
    private let waiting = Mutex<(calls: [@Sendable () -> Void], isDue: Bool)>(([], false))

    init(_ queue: OperationQueue) { self.queue = queue }

    /// Appends a call and returns at once. Any thread.
    func post(_ call: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.calls.append(call)
            defer { waiting.isDue = true }
            return !waiting.isDue
        }
        if isFirst { queue.addOperation { self.deliver() } }
    }

    private func deliver() {
        let calls = waiting.withLock { waiting in
            defer { waiting.calls = [] }
            return waiting.calls
        }
        for call in calls { call() }
        // Deliver calls that were posted in the meantime in a new operation, so that other operations of the queue can
        // run first.
        let isMore = waiting.withLock { waiting in
            waiting.isDue = !waiting.calls.isEmpty
            return waiting.isDue
        }
        if isMore { queue.addOperation { self.deliver() } }
    }
}
