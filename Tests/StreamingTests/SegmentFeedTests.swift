import Foundation
import Synchronization
import Testing

@testable import Streaming

@Suite("Segment feed")
struct SegmentFeedTests {
    @Test("a feed stops waiting as soon as its segment arrives", .timeLimit(.minutes(5)))
    func asks() {
        // Up to 300 repetitions, fewer on a busy machine.
        let deadline = ContinuousClock.now + .seconds(20)
        for number in 0..<300 where number == 0 || ContinuousClock.now < deadline {
            let gate = StreamGate()
            let feed = SegmentFeed(gate: gate)
            let waits = Mutex(0)
            let isDone = Mutex(false)
            feed.setOnWait { waits.withLock { $0 += 1 } }
            Thread.detachNewThread {
                if case .segment(let segment) = feed.next(), segment.mediaSequence == number {
                    isDone.withLock { $0 = true }
                }
            }
            while !feed.isAwaited { sched_yield() }
            feed.append(
                StreamSegment(
                    run: .init(source: "s", discontinuity: 0, map: ""), variant: 0, mediaSequence: number, start: 0,
                    duration: 1, discontinuity: 0,
                    initialization: nil, buffer: SegmentBuffer(gate: gate), name: "s", sampleKey: nil))
            #expect(!feed.isAwaited)
            while !isDone.withLock({ $0 }) { sched_yield() }
            #expect(!feed.isAwaited && waits.withLock { $0 } == 1)
        }
    }
}
