import Foundation
import Synchronization
import Testing

@testable import MediaCore

@Suite("Guarded state")
struct GuardedTests {
    private struct Counter: GuardedState {
        enum Waiter: Int, GuardedWaiter { case reader, writer }
        var outbox = GuardedOutbox<Waiter, Int>()
        var value = 0
        var isOver = false
    }

    @Test("concurrent threads lose no changes, and effects keep their order")
    func order() {
        let told = Mutex<[Int]>([])
        let state = Guarded(Counter()) { effect in told.withLock { $0.append(effect) } }
        let threads = (0..<4).map { _ in
            WorkerThread(name: "test") {
                for _ in 0..<2_000 {
                    state.withLock {
                        $0.value += 1
                        $0.outbox.perform($0.value)
                        $0.outbox.wake(.reader)
                    }
                }
            }
        }
        let seen: Int = state.wait(.reader) { $0.value >= 8_000 ? .found($0.value) : .wait }
        for thread in threads { thread.join() }
        #expect(seen == 8_000)
        #expect(told.withLock { $0 } == Array(1...8_000))
    }

    @Test("an effect may request another effect without a deadlock")
    func reentrant() {
        let told = Mutex<[Int]>([])
        let later = Mutex<(@Sendable () -> Void)?>(nil)
        let state = Guarded(Counter()) { effect in
            told.withLock { $0.append(effect) }
            if effect == 1 { later.withLock { $0 }?() }
        }
        later.withLock { later in
            later = {
                state.withLock {
                    $0.outbox.perform(2)
                    $0.isOver = true
                }
            }
        }
        // The effect of this change ends the wait. Nothing else wakes it.
        state.wait(.writer) { counter in
            if counter.isOver { return .found(()) }
            if counter.value == 0 {
                counter.value = 1
                counter.outbox.perform(1)
            }
            return .wait
        }
        #expect(told.withLock { $0 } == [1, 2])
    }

    @Test("a timed wait checks its condition again")
    func limit() {
        let state = Guarded(Counter()) { _ in }
        let looks = Mutex(0)
        state.wait(.reader) { _ in
            let count = looks.withLock { looks in
                looks += 1
                return looks
            }
            return count == 3 ? .found(()) : .waitUntil(.now() + 1_000_000)
        }
        #expect(looks.withLock { $0 } == 3)
    }
}
