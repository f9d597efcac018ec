import MediaCore
import Testing

@Suite("Timeline and host times")
struct ClockTimesTests {
    @Test("timeline times add and subtract without overflow")
    func timeline() {
        let start = TimelineTime(nanoseconds: 7)
        #expect(start + 3 - start == 3 && start - 10 == TimelineTime(nanoseconds: -3) && start < start + 1)
        for moment in [TimelineTime.min, .zero, .max] {
            for length in [MediaTime.min, 0, .max] { _ = (moment + length, moment - length) }
            #expect(moment - TimelineTime.min >= 0 && moment - TimelineTime.max <= 0)
        }
        #expect(TimelineTime.max + MediaTime.max == .max && TimelineTime.min - MediaTime.max == .min)
        #expect(
            TimelineTime(rounding: 1e300) == .max && TimelineTime(rounding: -.infinity) == .min
                && TimelineTime(rounding: .nan) == .zero)
    }

    @Test("host times add and subtract without overflow")
    func host() {
        let now = HostTime(nanoseconds: 5)
        #expect(now + 3 - now == 3 && now - 10 == HostTime(nanoseconds: -5) && now < now + 1)
        #expect(
            HostTime.max + .max == .max && HostTime.min - .max == .min && HostTime.max - HostTime.min == .max
                && HostTime.min - HostTime.max == .min)
        #expect(HostTime(seconds: 1e300) == .max && HostTime(seconds: .nan) == HostTime(nanoseconds: 0))
        let before = HostTime.now()
        #expect(before <= .now() && before.nanoseconds > 0)
    }
}
