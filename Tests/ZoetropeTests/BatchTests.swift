import Dispatch
import Testing

@testable import Zoetrope

/// A clock that a test advances by hand.
@MainActor
final class ManualClock {
    private var waiting: [Int: (due: Double, fire: @MainActor () -> Void)] = [:]
    private var next = 0
    private(set) var now = 0.0
    private(set) var started: [Double] = []
    var isIdle: Bool { waiting.isEmpty }

    var timer: BatchTimer {
        BatchTimer { [self] seconds, fire in
            next += 1
            let id = next
            started.append(seconds)
            waiting[id] = (now + seconds, fire)
            return { [self] in waiting[id] = nil }
        }
    }

    func advance(_ seconds: Double) {
        now += seconds
        for (id, wait) in waiting.sorted(by: { $0.value.due < $1.value.due }) where wait.due <= now {
            waiting[id] = nil
            wait.fire()
        }
    }
}

@Suite("Batches of events")
@MainActor
struct BatchTests {
    let clock = ManualClock()
    final class Inbox { var batches: [[PlayerEvent]] = [] }
    let inbox = Inbox()

    private func batcher(filters: [PlayerEventFilter]? = [], interval: Double = 1) -> PlayerEventBatcher {
        let inbox = inbox
        let batcher = PlayerEventBatcher(timer: clock.timer) { inbox.batches.append($0) }
        batcher.configure(filters: filters, interval: interval)
        return batcher
    }

    @Test("events arrive in batches, one per interval, in order and complete")
    func together() {
        let batcher = batcher(interval: 0.5)
        batcher.post(.playing)
        clock.advance(0.3)
        batcher.post(.paused)
        #expect(inbox.batches.isEmpty)
        clock.advance(0.2)
        #expect(inbox.batches == [[.playing, .paused]])
        batcher.post(.startedPiP)
        batcher.post(.startedPiP)
        clock.advance(0.5)
        #expect(inbox.batches == [[.playing, .paused], [.startedPiP, .startedPiP]])
    }

    @Test("no timer waits while there are no events")
    func idle() {
        let batcher = batcher()
        #expect(clock.isIdle)
        batcher.post(.playing)
        #expect(!clock.isIdle)
        batcher.post(.stoppedPiP)
        #expect(clock.started == [1])
        clock.advance(1)
        #expect(clock.isIdle)
        clock.advance(100)
        #expect(inbox.batches.count == 1)
    }

    @Test("without the setting events are discarded, and no timer starts")
    func off() {
        let batcher = batcher(filters: nil)
        for event in Samples.events { batcher.post(event) }
        #expect(clock.isIdle)
        batcher.close()
        #expect(inbox.batches.isEmpty)
    }

    @Test("filters pass only matching events; no filters pass all events")
    func filtered() {
        let all = batcher()
        for event in Samples.events { all.post(event) }
        clock.advance(1)
        #expect(inbox.batches == [Samples.events])
        let some = batcher(filters: [.paused, .seekAny])
        some.post(.playing)
        some.post(.startedPiP)
        #expect(clock.isIdle)
        some.post(.seek(false, currentTime: 1))
        some.post(.paused)
        clock.advance(1)
        #expect(inbox.batches.last == [.seek(false, currentTime: 1), .paused])
    }

    @Test("closing delivers pending events at once and stops the timer")
    func closing() {
        let batcher = batcher()
        batcher.post(.playing)
        batcher.close()
        #expect(inbox.batches == [[.playing]])
        #expect(clock.isIdle)
        batcher.post(.playing)
        batcher.close()
        clock.advance(2)
        #expect(inbox.batches == [[.playing]])
    }

    @Test("a new interval or turning events off delivers pending events at once")
    func changes() {
        let batcher = batcher()
        batcher.post(.playing)
        batcher.configure(filters: [], interval: 3)
        #expect(inbox.batches == [[.playing]])
        batcher.post(.startedPiP)
        batcher.configure(filters: [.playing], interval: 3)
        #expect(inbox.batches.count == 1)
        batcher.configure(filters: nil, interval: 3)
        #expect(inbox.batches == [[.playing], [.startedPiP]])
        #expect(clock.isIdle)
        #expect(clock.started == [1, 3])
    }

    @Test("an invalid interval becomes one second", arguments: [-1.0, -Double.infinity, Double.nan])
    func noInterval(interval: Double) {
        let batcher = batcher(interval: interval)
        batcher.post(.playing)
        #expect(clock.started == [1])
        batcher.close()
    }

    @Test("an event posted during delivery arrives in the next batch")
    func reentrant() {
        var batcher: PlayerEventBatcher?
        var batches: [[PlayerEvent]] = []
        batcher = PlayerEventBatcher(timer: clock.timer) {
            batches.append($0)
            if batches.count == 1 { batcher?.post(.stoppedPiP) }
        }
        batcher?.configure(filters: [], interval: 1)
        batcher?.post(.startedPiP)
        clock.advance(1)
        #expect(batches == [[.startedPiP]])
        clock.advance(1)
        #expect(batches == [[.startedPiP], [.stoppedPiP]])
        batcher = nil
    }

    @Test("the main queue timer fires once, and never after cancellation")
    func mainQueue() async {
        var fired = 0
        let giveUp = BatchTimer.mainQueue.start(0) { fired += 100 }
        giveUp()
        await withCheckedContinuation { continuation in
            _ = BatchTimer.mainQueue.start(0.01) {
                fired += 1
                continuation.resume()
            }
        }
        #expect(fired == 1)
    }
}
