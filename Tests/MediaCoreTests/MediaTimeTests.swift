import CFFmpeg
import Testing

@testable import MediaCore

@Suite("Media time")
struct MediaTimeTests {
    private static let fractions: [(Int32, Int32)] = [
        (1, 1), (1, 90_000), (1001, 30_000), (333_667, 10_000_000), (1, 1_000_000_000), (.max, 1), (1, .max),
        (.max, .max),
    ]
    private static let extremes: [Int64] = [
        .min, .min + 1, .min + 2, -(1 << 61), -1, 0, 1, 90_000, 1 << 32, 1 << 61, .max - 1, .max,
    ]

    @Test("extreme timestamps and time bases never overflow")
    func stamps() {
        for (num, den) in MediaTimeTests.fractions {
            let base = AVRational(num: num, den: den)
            for stamp in MediaTimeTests.extremes {
                guard let time = MediaTime(stamp: stamp, base: base) else {
                    #expect(stamp == .min)  // AV_NOPTS_VALUE
                    continue
                }
                #expect(abs(time.nanoseconds) <= 1 << 61)
                // A sum of three times must fit an Int64.
                _ = time.nanoseconds + time.nanoseconds + time.nanoseconds
                #expect(time < .max || time + time == .max)
                #expect(time - time == 0)
                #expect(time + .min - .max == .min)
                _ = (
                    time * 1000, 4 * time, time / 0, -time, time.magnitude, time.time, time.exactTime,
                    time.samples(at: 768_000), time.stamp(in: base)
                )
            }
        }
        #expect(MediaTime(stamp: 1, base: AVRational(num: 1, den: 0)) == nil)
        #expect(MediaTime(stamp: 1, base: AVRational(num: 0, den: 1)) == nil)
        #expect(MediaTime(stamp: 1, base: AVRational(num: -1, den: 25)) == nil)
        #expect(MediaTime(stamp: 1, base: AVRational(num: 1, den: -25)) == nil)
        #expect(MediaTime.max.stamp(in: AVRational(num: 0, den: 0)) == 0)
    }

    @Test("realistic timestamps are exact to the nanosecond and convert back")
    func exact() throws {
        let ntsc = AVRational(num: 1001, den: 30_000)
        let ticks = AVRational(num: 1, den: 90_000)
        let cases: [(Int64, AVRational, Int64)] = [
            (1, ntsc, 33_366_667), (-1, ntsc, -33_366_667), (90_000, ticks, 1_000_000_000),
            (1 << 33, ticks, 95_443_717_688_889),
            // Counted from 1970, as live encoders will in 2040.
            (2_208_988_800 * 90_000, ticks, 2_208_988_800_000_000_000),
        ]
        for (stamp, base, wanted) in cases {
            let time = try #require(MediaTime(stamp: stamp, base: base))
            #expect(time.nanoseconds == wanted)
            #expect(time.stamp(in: base) == stamp)
            #expect(CMTime(stamp: stamp, base: base)?.value == stamp * Int64(base.num))
        }
    }

    @Test("seconds, microseconds, samples and CMTime saturate")
    func others() {
        let seconds: [(Double, MediaTime)] = [
            (.infinity, .max), (-.infinity, .min), (.nan, 0), (1e300, .max), (1.5, 1_500_000_000),
        ]
        for (given, wanted) in seconds { #expect(MediaTime(seconds: given) == wanted) }
        let microseconds: [(Int64, MediaTime)] = [(.max, .max), (.min, .min), (-3, -3000)]
        for (given, wanted) in microseconds { #expect(MediaTime(microseconds: given) == wanted) }
        let times: [(CMTime, MediaTime?)] = [
            (.positiveInfinity, .max), (.negativeInfinity, .min), (.invalid, nil), (.indefinite, nil),
            (CMTime(value: .max, timescale: 1), .max),
        ]
        for (given, wanted) in times { #expect(MediaTime(given) == wanted) }
        let samples: [(Int64, Int, MediaTime)] = [(.max, 1, .max), (48, 48_000, 1_000_000), (1, 0, 0)]
        for (given, rate, wanted) in samples { #expect(MediaTime(samples: given, rate: rate) == wanted) }
    }

    @Test("conversions and arithmetic of integers saturate")
    func saturating() {
        #expect(Int32(saturating: 1e99) == Int32.max)
        #expect(Int32(saturating: -1e99) == Int32.min)
        #expect(Int(saturating: Double.nan) == 0)
        #expect(Int64(saturating: Double.infinity) == Int64.max)
        #expect(UInt32(saturating: -1) == 0)
        #expect(Int(saturating: -2.9) == -2)
        #expect(Int64.max.addingSaturating(1) == Int64.max)
        #expect(Int64.min.addingSaturating(-1) == Int64.min)
        #expect(Int64.min.subtractingSaturating(1) == Int64.min)
        #expect(Int64.max.subtractingSaturating(-1) == Int64.max)
        #expect(Int64.max.multipliedSaturating(by: -2) == Int64.min)
        #expect(Int64.min.multipliedSaturating(by: -1) == Int64.max)
        #expect(Int64(3).multipliedSaturating(by: 4) == 12)
    }
}
