import Testing

@testable import MediaCore

@Suite("CMTimeRange")
struct CMTimeRangeTests {
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: CMTime(value: start, timescale: 10), end: CMTime(value: end, timescale: 10))
    }
    private func at(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 10) }

    @Test("a range does not contain its end")
    func contains() {
        let r = range(10, 20)
        #expect(r.containsTime(at(10)) && r.containsTime(at(19)) && !r.containsTime(at(20)) && !r.containsTime(at(9)))
        #expect(!r.containsTime(.indefinite) && !CMTimeRange.invalid.containsTime(at(1)))
        #expect(
            r.containsTimeRange(range(10, 20)) && r.containsTimeRange(range(12, 13))
                && !r.containsTimeRange(range(12, 21)))
        #expect(r.end == at(20) && CMTimeRangeGetEnd(r) == at(20))
    }

    @Test("two ranges have an intersection and a union")
    func sets() {
        #expect(range(0, 20).intersection(range(10, 30)) == range(10, 20))
        #expect(range(0, 10).intersection(range(10, 30)) == .zero)
        #expect(range(0, 10).union(range(20, 30)) == range(0, 30))
        #expect(!range(0, 10).union(.invalid).isValid && !CMTimeRange.invalid.intersection(range(0, 1)).isValid)
    }

    @Test("ranges can be invalid, empty or unbounded")
    func kinds() {
        #expect(range(5, 5).isEmpty && !range(5, 6).isEmpty && CMTimeRange.zero.isEmpty && !CMTimeRange.invalid.isEmpty)
        #expect(!range(6, 5).isValid)
        let live = CMTimeRange(start: .zero, duration: .indefinite)
        #expect(live.isIndefinite && live.isValid && !live.isEmpty)
        let forever = CMTimeRange(start: .zero, duration: .positiveInfinity)
        #expect(forever.isValid && forever.containsTime(at(1_000_000)))
        #expect(CMTimeRange(start: .negativeInfinity, end: .positiveInfinity).containsTime(at(-5)))
    }

    @Test("times are clamped and mapped between ranges")
    func mapping() {
        #expect(CMTimeClampToRange(at(5), range: range(10, 20)) == at(10))
        #expect(CMTimeClampToRange(at(25), range: range(10, 20)) == at(20))
        #expect(CMTimeMapTimeFromRangeToRange(at(15), fromRange: range(10, 20), toRange: range(0, 20)) == at(10))
        #expect(CMTimeMapTimeFromRangeToRange(at(15), fromRange: range(10, 20), toRange: range(100, 110)) == at(105))
        #expect(!CMTimeMapTimeFromRangeToRange(at(15), fromRange: range(10, 10), toRange: range(0, 1)).isValid)
        #expect(CMTimeMapping(source: .invalid, target: range(0, 1)).isEmpty)
    }
}
