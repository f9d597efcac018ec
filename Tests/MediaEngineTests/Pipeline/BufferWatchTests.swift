import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Buffering of a remote source")
struct BufferWatchTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)
    private func status(ahead: MediaTime, surplus: Double? = nil, complete: Bool = false) -> BufferStatus {
        var status = BufferStatus()
        (status.ahead, status.surplus, status.isComplete) = (ahead, surplus, complete)
        return status
    }

    @Test("playback starves only after the due time, waiting for the source")
    func dry() {
        var watch = BufferWatch()
        let poor = status(ahead: 0)
        var asked = 0
        let early = watch.dry(at: start, due: start + 1, isWaitedFor: true) {
            asked += 1
            return poor
        }
        #expect(early == .until(start + 1) && asked == 0)
        #expect(watch.dry(at: start, due: start, isWaitedFor: false) { poor } == .until(start + 10_000_000))
        #expect(watch.dry(at: start, due: start, isWaitedFor: true) { poor } == .starved)
    }

    // Only time spent waiting counts, not time spent reading.
    @Test("promised data that does not arrive starves playback after 250 ms")
    func saidToBeThere() {
        var watch = BufferWatch()
        let rich = status(ahead: 9_000_000_000)
        #expect(watch.dry(at: start, due: start, isWaitedFor: true) { rich } == .until(start + 10_000_000))
        #expect(watch.dry(at: start + 200_000_000, due: start, isWaitedFor: true) { rich } != .starved)
        // The reader read in between, which restarts the wait.
        #expect(watch.dry(at: start + 240_000_000, due: start, isWaitedFor: false) { rich } != .starved)
        #expect(watch.dry(at: start + 260_000_000, due: start, isWaitedFor: true) { rich } != .starved)
        #expect(watch.dry(at: start + 509_999_999, due: start, isWaitedFor: true) { rich } != .starved)
        #expect(watch.dry(at: start + 510_000_000, due: start, isWaitedFor: true) { rich } == .starved)
    }

    @Test("after starving, the reported buffer is corrected until the next serial")
    func corrected() {
        var watch = BufferWatch()
        watch.starve(at: start, serial: 3, ahead: 2_000_000_000)
        #expect(watch.isStarved && watch.isAwaited(in: 3) && !watch.isAwaited(in: 4))
        #expect(watch.corrected(status(ahead: 2_500_000_000), in: 3).ahead == 500_000_000)
        #expect(watch.corrected(status(ahead: 1_500_000_000), in: 3).ahead == 0)
        #expect(watch.corrected(status(ahead: 2_500_000_000), in: 4).ahead == 2_500_000_000)
        #expect(watch.starved(at: start + 7) == 7)
        let ended = (watch.endStarving(at: start + 9), watch.endStarving(at: start + 10))
        #expect(ended == (9, nil))
        #expect(watch.corrected(status(ahead: 2_500_000_000), in: 3).ahead == 2_500_000_000)
    }

    @Test("waiting players start when playback can continue, others after 0.1 s")
    func enough() {
        var watch = BufferWatch()
        #expect(!watch.isEnough(status(ahead: 3_999_999_999)) && watch.isEnough(status(ahead: 4_000_000_000)))
        #expect(watch.isEnough(status(ahead: 300_000_000, surplus: 2)))
        #expect(watch.isEnough(status(ahead: 0, complete: true)))
        watch.beginsAtOnce = true
        #expect(watch.isEnough(status(ahead: 100_000_001)) && !watch.isEnough(status(ahead: 100_000_000)))
        watch.beginsAtOnce = false
        watch.waits = false
        #expect(watch.isEnough(status(ahead: 100_000_001)))
    }

    @Test("random event orders count starved time exactly once")
    func interleavings() {
        for seed in SeededRuns.of(4_000) {
            var numbers = SeededNumbers(seed: UInt64(seed))
            var watch = BufferWatch()
            var now = start
            var serial = 0
            var stands: HostTime?
            for _ in 0..<60 {
                now = now + (numbers.below(200_000_000) as Int64)
                switch numbers.below(6) as Int {
                case 0: serial += 1
                case 1:
                    let ended = watch.endStarving(at: now)
                    #expect(ended == stands.map { now - $0 })
                    stands = nil
                case 2 where !watch.isStarved:
                    watch.starve(at: now, serial: serial, ahead: MediaTime(nanoseconds: numbers.below(5_000_000_000)))
                    stands = now
                default:
                    let due = now + (numbers.below(50_000_000) as Int64) - 25_000_000
                    let rich = numbers.below(2) == 0
                    let answer = watch.dry(at: now, due: due, isWaitedFor: numbers.below(2) == 0) {
                        status(ahead: rich ? 9_000_000_000 : 0)
                    }
                    if case .until(let time) = answer { #expect(time > now) } else { #expect(now >= due) }
                }
                #expect(watch.isStarved == (stands != nil))
                #expect(watch.starved(at: now) == (stands.map { now - $0 } ?? 0))
                #expect(watch.corrected(status(ahead: 1_000_000_000), in: serial).ahead <= 1_000_000_000)
            }
        }
    }
}
