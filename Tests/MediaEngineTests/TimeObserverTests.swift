import MediaCore
import Testing

@testable import MediaEngine

/// Tests the calculations of time observers with simulated times.
@Suite("Time observers")
@MainActor
struct TimeObserverTests {
    private let ms: MediaTime = 1_000_000

    private func observer(_ kind: TimeObserver.Kind) -> (TimeObserver, Calls) {
        let calls = Calls()
        return (TimeObserver(kind, .main { calls.all.append(Int64(($0.seconds * 1000).rounded())) }), calls)
    }

    @Test("a periodic observer is called once per period and after jumps")
    func periodic() {
        let (observer, calls) = observer(.periodic((250 * ms).time))
        #expect(observer.nextDue(after: 0) == 250 * ms)
        #expect(observer.nextDue(after: 250 * ms) == 500 * ms)
        observer.didJump(to: 0)
        for now in stride(from: 0, through: 1000, by: 10) { observer.didPass(from: (now - 10) * ms, to: now * ms) }
        #expect(calls.all == [0, 250, 500, 750, 1000])
        observer.didPass(from: 1000 * ms, to: 1730 * ms)
        #expect(calls.all.last == 1730 && calls.all.count == 6)
        observer.didJump(to: 400 * ms)
        observer.didPass(from: 400 * ms, to: 490 * ms)
        observer.didPass(from: 490 * ms, to: 500 * ms)
        #expect(calls.all.suffix(2) == [400, 500])
    }

    @Test("a boundary observer is called for passed boundaries, again each pass")
    func boundary() {
        let (observer, calls) = observer(.boundary([0, 1200 * ms, 300 * ms].map(\.time) + [.invalid]))
        observer.didPass(from: nil, to: 0)
        #expect(calls.all == [0])
        observer.didPass(from: 0, to: 299 * ms)
        observer.didPass(from: 299 * ms, to: 301 * ms)
        #expect(calls.all == [0, 300])
        observer.didJump(to: 1300 * ms)
        observer.didPass(from: 1300 * ms, to: 1400 * ms)
        #expect(calls.all == [0, 300])
        observer.didRestart()
        observer.didPass(from: nil, to: 5 * ms)
        #expect(calls.all == [0, 300, 0])
        observer.remove()
        observer.didPass(from: 5 * ms, to: 2000 * ms)
        #expect(calls.all == [0, 300, 0])
    }

    @Test("an invalid interval counts as one second", arguments: [CMTime.invalid, .indefinite])
    func interval(_ interval: CMTime) {
        let (observer, _) = observer(.periodic(interval))
        #expect(observer.nextDue(after: 0) == 1000 * ms)
    }

    @MainActor
    private final class Calls {
        var all: [Int64] = []
    }
}
