import Foundation
import MediaCore
import MediaEngine
import Testing

@Suite("Casts of NSValue to times")
struct TimeCastTests {
    private let time = CMTime(value: 3, timescale: 2)
    private var range: CMTimeRange { CMTimeRange(start: .zero, duration: time) }

    @Test("a value can be cast to the time or range inside")
    func casts() {
        let values: [NSValue] = [NSValue(timeRange: range), NSValue(time: time)]
        #expect(values.first as? CMTimeRange == range && values.last as? CMTime == time)
        #expect(values.last as? CMTimeRange == nil && values.first as? CMTime == nil)
        #expect(values.compactMap { $0 as? CMTimeRange } == [range])
        let any: Any? = values.first
        #expect(any as? CMTimeRange == range)
        #expect(NSNumber(value: 1) as NSValue as? CMTime == nil)
    }

    @Test("a time or range can be cast to a value")
    func values() {
        #expect((time as NSValue).timeValue == time && (range as NSValue).timeRangeValue == range)
        let any: Any = range
        #expect((any as? NSValue)?.timeRangeValue == range && any as? CMTimeRange == range)
        #expect((CMTimeRange.invalid as NSValue) as? CMTimeRange == .invalid)
    }
}
