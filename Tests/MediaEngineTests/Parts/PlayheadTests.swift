import Foundation
import MediaCore
import Testing

@testable import MediaEngine

@Suite("Playhead")
@MainActor
struct PlayheadTests {
    private let playhead = Playhead()
    private let calls = Calls()
    private let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/playhead.mp4"))

    @MainActor
    private final class Calls {
        var all: [Int64] = []
        var then: () -> Void = {}
    }

    private func add(_ kind: TimeObserver.Kind, from start: MediaTime? = nil) -> TimeObserver {
        let observer = TimeObserver(
            kind,
            .main { [calls] in
                calls.all.append($0.nanoseconds ?? -1)
                calls.then()
            }, from: start)
        playhead.add(observer)
        return observer
    }
    private func boundary(_ times: MediaTime...) -> TimeObserver { add(.boundary(times.map(\.time))) }

    private func move(to media: MediaTime, pass: Int = 0, loopNumber: Int = 0) {
        playhead.move(
            to: PlaybackPosition(entry: entry, media: media, pass: pass, loopNumber: loopNumber, isAtEnd: false),
            at: media)
    }

    @Test("each boundary is passed once")
    func boundaries() {
        _ = boundary(10, 20, 30)
        move(to: 0)
        move(to: 20)
        move(to: 25)
        #expect(calls.all == [10, 20] && playhead.media == 25)
        playhead.finishPass(at: 40)
        #expect(calls.all == [10, 20, 30] && playhead.media == 40)
    }

    @Test("no boundary is passed at an unknown end")
    func unknownEnd() {
        _ = boundary(10)
        move(to: 5)
        playhead.finishPass(at: nil)
        #expect(calls.all.isEmpty && playhead.media == 5)
    }

    @Test("times that passed before an observer was added do not count")
    func addedLater() {
        move(to: 5)
        // Playback has reached 25 since the last check.
        _ = add(.boundary([10, 20, 30].map { (time: MediaTime) in time.time }), from: 25)
        #expect(playhead.nextDue(after: 5) { HostTime(nanoseconds: $0.nanoseconds) }?.nanoseconds == 30)
        playhead.report(26)
        move(to: 31)
        #expect(calls.all == [30])
        // In another pass, after a jump and in another item, all times count again.
        playhead.beginPass(at: 0)
        move(to: 10, pass: 1, loopNumber: 1)
        #expect(calls.all == [30, 10])
        let resets: [@MainActor () -> Void] = [{ playhead.jump(to: 0) }, playhead.itemDidChange]
        for reset in resets {
            playhead.removeObservers()
            calls.all = []
            _ = add(.boundary([(10 as MediaTime).time]), from: 25)
            reset()
            move(to: 12)
            #expect(calls.all == [10])
        }
    }

    @Test("another pass begins at its start and passes boundaries again")
    func passes() {
        _ = boundary(10)
        move(to: 15, pass: 3, loopNumber: 4)
        playhead.beginPass(at: 10)
        #expect(playhead.pass == 4 && playhead.loopNumber == 5)
        move(to: 12, pass: 4, loopNumber: 5)
        #expect(calls.all == [10, 10])
    }

    @Test("a jump calls periodic observers and passes no boundary")
    func jump() {
        _ = boundary(10)
        _ = add(.periodic(CMTime(seconds: 1, preferredTimescale: 1)))
        playhead.jump(to: 15)
        #expect(calls.all == [15] && playhead.media == 15)
        playhead.report(16)
        #expect(calls.all == [15, 16] && playhead.media == 15)
    }

    @Test("after an observer's seek, only boundary observers are called")
    func generation() {
        calls.then = { [playhead] in if playhead.generation == 0 { playhead.seekDidBegin() } }
        for _ in 0..<5 {
            _ = add(.periodic(CMTime(seconds: 1, preferredTimescale: 1)))
            _ = boundary(10)
        }
        move(to: 10)
        // The order of the calls is undefined. All boundary observers are called, but at most one periodic observer is.
        #expect(playhead.generation == 1 && (5...6).contains(calls.all.count))
    }

    @Test("an observer that is removed during a call isn't called again")
    func removal() {
        let observers = (0..<4).map { _ in boundary(10) }
        calls.then = { [playhead] in for observer in observers { playhead.remove(observer) } }
        move(to: 10)
        #expect(calls.all == [10])
    }

    @Test("an observer of another player stays")
    func foreign() {
        let observer = boundary(10)
        Playhead().remove(observer)
        move(to: 10)
        #expect(calls.all == [10])
        playhead.close()
        playhead.finishPass(at: 20)
        observer.didPass(from: 0, to: 20)
        #expect(calls.all == [10])
    }

    @Test("the earliest observer is the next due")
    func due() {
        _ = boundary(10, 50)
        _ = boundary(30)
        func next(after media: MediaTime) -> HostTime? {
            playhead.nextDue(after: media) { HostTime(nanoseconds: $0.nanoseconds + 100) }
        }
        #expect(next(after: 0)?.nanoseconds == 110 && next(after: 10)?.nanoseconds == 130)
        #expect(next(after: 50) == nil)
        // The time does not advance.
        #expect(playhead.nextDue(after: 0) { _ in nil } == nil)
    }

    @Test("the end is reported once until the item plays on")
    func end() {
        #expect(playhead.reportEnd() && !playhead.reportEnd())
        playhead.rateDidChange()
        #expect(!playhead.reportEnd())
        playhead.handleEnd()
        playhead.rateDidChange()
        #expect(!playhead.endIsHandled)
        for reset in [playhead.seekDidBegin, playhead.itemDidChange, playhead.stepDidFinish] {
            playhead.handleEnd()
            reset()
            #expect(!playhead.endIsHandled && playhead.reportEnd())
        }
        playhead.endOfNextPass()
        #expect(playhead.reportEnd())
    }

    @Test("an item change resets the position, a seek resets the pass")
    func reset() {
        move(to: 10, pass: 2, loopNumber: 3)
        playhead.seekDidBegin()
        playhead.seekDidFinish()
        #expect(playhead.pass == 0 && playhead.loopNumber == 3 && playhead.generation == 1)
        playhead.itemDidChange()
        #expect(playhead.media == nil && playhead.loopNumber == 0 && playhead.generation == 2)
        _ = boundary(0)
        playhead.itemDidFollow()
        move(to: 0)
        #expect(calls.all == [0])
    }
}
