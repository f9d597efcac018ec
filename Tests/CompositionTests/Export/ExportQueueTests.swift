import MediaCore
import Synchronization
import Testing

@testable import Export

@Suite("Queue between the threads of an export", .timeLimit(.minutes(1)))
struct ExportQueueTests {
    private let failure = AVError(.unknown, at: "", reason: "it failed")

    @Test("items keep their order and pass to the end")
    func order() throws {
        let queue = ExportQueue<Int>(limit: 4) { _ in 1 }
        let writer = WorkerThread(name: "test-push") {
            for item in 0..<100 { try? queue.push(item) }
            queue.finish()
        }
        var taken: [Int] = []
        while let item = try queue.pop() { taken.append(item) }
        writer.join()
        #expect(taken == Array(0..<100))
        #expect(try queue.pop() == nil)
    }

    @Test("a queue waits at its limit, but accepts one larger item")
    func limit() throws {
        let queue = ExportQueue<Int>(limit: 10) { $0 }
        try queue.push(50)
        let pushed = Mutex(false)
        let writer = WorkerThread(name: "test-push") {
            try? queue.push(1)
            pushed.withLock { $0 = true }
        }
        #expect(!pushed.withLock { $0 })
        #expect(try queue.pop() == 50)
        writer.join()
        #expect(try queue.pop() == 1 && pushed.withLock { $0 })
    }

    @Test("a failure wakes both sides, also after the last item")
    func failing() throws {
        let queue = ExportQueue<Int>(limit: 1) { _ in 1 }
        try queue.push(1)
        let thrown = Mutex<AVError?>(nil)
        let writer = WorkerThread(name: "test-push") {
            do throws(AVError) { try queue.push(2) } catch { thrown.withLock { $0 = error } }
        }
        queue.finish()
        queue.fail(failure)
        queue.fail(AVError(.unknown, at: "", reason: "a later failure"))
        writer.join()
        #expect(throws: failure) { try queue.pop() }
        #expect(throws: failure) { try queue.push(3) }
        // The blocked writer gets the end or the failure, whichever came first.
        #expect(thrown.withLock { $0 == nil || $0 == failure })
    }
}
