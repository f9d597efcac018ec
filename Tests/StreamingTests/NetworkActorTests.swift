import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Streaming

@Suite("Isolation to the network loop")
struct NetworkActorTests {
    @NetworkActor private static var isOnLoop: Bool { NetworkActor.isCurrent && HTTPClient.shared.isOnLoop }

    @Test("An awaited call runs on the network thread")
    func awaits() async {
        #expect(await Self.isOnLoop)
    }

    @Test("Performed work is isolated and keeps its order")
    func performs() async {
        #expect(!NetworkActor.isCurrent)
        let order = Locked<[Int]>([])
        await withCheckedContinuation { done in
            for number in 0..<100 {
                HTTPClient.shared.perform {
                    NetworkActor.assumeIsolated { order.withLock { $0.append(number) } }
                }
            }
            HTTPClient.shared.perform { done.resume() }
        }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test("A timer can be checked very often before it fires")
    @NetworkActor func checks() {
        var queue = TimerQueue()
        let calls = Mutex(0)
        let time = HostTime(nanoseconds: 1)
        for _ in 0..<2 { _ = queue.insert(LoopTimer(time: time) { calls.withLock { $0 += 1 } }) }
        for _ in 0..<300_000 { _ = queue.nextTime() }
        while let timer = queue.popDue(at: time) { timer.fire() }
        #expect(calls.withLock { $0 } == 2)
    }

    @Test("libcurl can't keep the loop busy without a ready socket")
    @NetworkActor func repeatedCalls() {
        let sockets = CurlSockets(wakeDescriptor: -1)
        for _ in 0..<20 { #expect(sockets.delay(for: 0) == 0) }
        for _ in 0..<3 { #expect(sockets.delay(for: 0) > 0) }
        #expect(sockets.delay(for: 7) == 7 && sockets.delay(for: 0) == 0)
    }

    @Test("A virtual loop runs its work isolated on the test's thread")
    func virtual() {
        let network = VirtualNetwork { _, _ in .whole(Data()) }
        let isCurrent = Mutex(false)
        network.schedule(at: network.time + 1_000_000_000) {
            NetworkActor.assumeIsolated { isCurrent.withLock { $0 = true } }
        }
        #expect(network.run() == 1)
        #expect(isCurrent.withLock { $0 } && !NetworkActor.isCurrent)
    }
}

@Suite("Silence of servers")
struct SilenceWatchTests {
    private func time(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

    @Test("Response headers may take the connection time plus the idle time")
    func head() {
        var watch = SilenceWatch(HTTPTimeouts())
        watch.begins(at: time(0))
        #expect(watch.check(at: time(10), isAnswered: false) == .checkAgain(at: time(25)))
        watch.isSent(at: time(3))
        #expect(watch.check(at: time(17.9), isAnswered: false) == .checkAgain(at: time(18)))
        #expect(watch.check(at: time(18), isAnswered: false) == .isUnanswered)
    }

    @Test("A body may pause for the idle time, not longer")
    func body() {
        var watch = SilenceWatch(HTTPTimeouts())
        #expect(watch.bodyGoesOn(at: time(0)) == time(15))
        watch.received(10_000, at: time(10))
        #expect(watch.check(at: time(15), isAnswered: true) == .checkAgain(at: time(25)))
        #expect(watch.check(at: time(25), isAnswered: true) == .isSilent)
    }

    @Test("a trickle of bytes does not reset the timeout")
    func slow() {
        var watch = SilenceWatch(HTTPTimeouts())
        watch.bodyGoesOn(at: time(0))
        for second in 1...15 { watch.received(1, at: time(Double(second))) }
        #expect(watch.check(at: time(15), isAnswered: true) == .isSlow(bytes: 15))
    }

    @Test("A pause by the receiver does not count")
    func pause() {
        var watch = SilenceWatch(HTTPTimeouts())
        watch.bodyGoesOn(at: time(0))
        watch.bodyGoesOn(at: time(100))
        #expect(watch.check(at: time(101), isAnswered: true) == .checkAgain(at: time(115)))
    }
}
