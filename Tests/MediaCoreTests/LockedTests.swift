import Testing

@testable import MediaCore

@Suite("State in a lock with waits")
struct LockedTests {
    @Test("concurrent threads lose no changes, and a waiter sees the last")
    func counting() {
        let count = Locked(0)
        let threads = (0..<4).map { _ in
            WorkerThread(name: "test") { for _ in 0..<2_000 { count.withLock { $0 += 1 } } }
        }
        let seen = count.wait { $0 == 8_000 ? $0 : nil }
        for thread in threads { thread.join() }
        #expect(seen == 8_000)
    }

    @Test("a wait ends without a result at its deadline")
    func deadline() {
        let state = Locked(0)
        let seen: Int? = state.wait(until: .now()) { $0 > 0 ? $0 : nil }
        #expect(seen == nil)
    }

    @Test("a wait that has its result at once does not sleep")
    func atOnce() {
        let state = Locked(7)
        #expect(state.wait { $0 } == 7)
        #expect(state.wait(until: .min) { $0 } == 7)
    }
}
