import Foundation
import Synchronization

/// Calls on an operation queue, in order and never two at once, also where the queue is a concurrent one.
final class DelegateMailbox: Sendable {
    private let queue: OperationQueue
    private let waiting = Mutex<(calls: [@Sendable () -> Void], isDue: Bool)>(([], false))

    init(_ queue: OperationQueue) { self.queue = queue }

    /// Any thread; at once.
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
        // What has come meanwhile takes its turn behind what else the queue has to do.
        let isMore = waiting.withLock { waiting in
            waiting.isDue = !waiting.calls.isEmpty
            return waiting.isDue
        }
        if isMore { queue.addOperation { self.deliver() } }
    }
}
