import Foundation
import Testing

@testable import MediaCore

@Suite("CMTime")
struct CMTimeTests {
    private func time(_ value: Int64, _ scale: Int32) -> CMTime { CMTime(value: value, timescale: scale) }

    @Test("special values report their kind")
    func specialValues() {
        #expect(!CMTime.invalid.isValid && !CMTime.invalid.isNumeric && CMTime.invalid.seconds.isNaN)
        #expect(CMTime.indefinite.isValid && CMTime.indefinite.isIndefinite && !CMTime.indefinite.isNumeric)
        #expect(CMTime.indefinite.seconds.isNaN)
        #expect(CMTime.positiveInfinity.isPositiveInfinity && CMTime.positiveInfinity.seconds == .infinity)
        #expect(CMTime.negativeInfinity.isNegativeInfinity && CMTime.negativeInfinity.seconds == -.infinity)
        #expect(!CMTime.positiveInfinity.isNumeric && !CMTime.positiveInfinity.isNegativeInfinity)
        #expect(CMTime.zero.isNumeric && CMTime.zero.seconds == 0 && !CMTime.zero.hasBeenRounded)
        #expect(!time(1, 0).isValid && !time(1, -5).isValid && !CMTime().isValid)
    }

    @Test("seconds are rounded to the preferred timescale")
    func fromSeconds() {
        let half = CMTime(seconds: 0.5, preferredTimescale: 600)
        #expect(half.value == 300 && half.timescale == 600 && !half.hasBeenRounded)
        let third = CMTime(seconds: 1.0 / 3, preferredTimescale: 600)
        #expect(third.value == 200)
        #expect(CMTime(seconds: 2.5, preferredTimescale: 1).value == 3)
        #expect(CMTime(seconds: -2.5, preferredTimescale: 1).value == -3)
        #expect(CMTime(seconds: 2.5, preferredTimescale: 1).hasBeenRounded)
        #expect(CMTime(seconds: 0.1, preferredTimescale: 1000).seconds == 0.1)
    }

    @Test("seconds that overflow reduce the timescale, then become infinite")
    func fromHugeSeconds() {
        let large = CMTime(seconds: 1e15, preferredTimescale: 1_000_000)
        #expect(large.isNumeric && large.timescale < 1_000_000 && large.seconds == 1e15)
        #expect(CMTime(seconds: 1e30, preferredTimescale: 600) == .positiveInfinity)
        #expect(CMTime(seconds: -1e30, preferredTimescale: 600) == .negativeInfinity)
        #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
    }

    @Test("a sum uses the least common multiple of the timescales")
    func sums() {
        let same = time(100, 600) + time(50, 600)
        #expect(same.value == 150 && same.timescale == 600)
        let mixed = time(1, 4) + time(1, 6)
        #expect(mixed.value == 5 && mixed.timescale == 12 && !mixed.hasBeenRounded)
        let media = time(1001, 30000) + time(1024, 44100)
        #expect(media.value == 1001 * 147 + 1024 * 100 && media.timescale == 4_410_000)
        #expect(time(1, 2) - time(1, 3) == time(1, 6))
    }

    @Test("a too large common multiple is replaced by the maximum timescale")
    func sumAtLargestTimescale() {
        let sum = time(1, 2_147_483_647) + time(1, 2_147_483_629)
        #expect(sum.timescale == kCMTimeMaxTimescale && sum.hasBeenRounded && sum.value == 2)
        #expect((sum + time(0, 1)).hasBeenRounded, "rounding is remembered")
    }

    @Test("a sum that overflows halves its timescale")
    func sumOverflow() {
        let sum = time(.max, 1000) + time(.max, 1000)
        #expect(sum.timescale == 500 && sum.isNumeric && sum.hasBeenRounded == false, "2·max/1000 = max/500, exactly")
        #expect(sum.value == .max)
        let odd = time(.max, 1001) + time(.max - 1, 1001)
        #expect(odd.timescale == 500 && odd.hasBeenRounded)
        #expect(time(.max, 1) + time(1, 1) == .positiveInfinity)
        #expect(time(.min, 1) - time(1, 1) == .negativeInfinity)
        #expect(time(.min, 1) + time(.min, .max) == .negativeInfinity)
    }

    @Test("special values propagate through sums")
    func specialSums() {
        let inf = CMTime.positiveInfinity
        let neg = CMTime.negativeInfinity
        let one = time(1, 1)
        #expect(one + inf == inf && inf + inf == inf && one - inf == neg && neg - inf == neg && inf - neg == inf)
        #expect(!(inf + neg).isValid && !(inf - inf).isValid)
        #expect((one + .indefinite).isIndefinite && (.indefinite - one).isIndefinite)
        #expect(.indefinite + inf == inf)
        #expect(!(one + .invalid).isValid && !(CMTime.invalid - inf).isValid)
    }

    @Test("times of different epochs cannot be added; durations can")
    func epochs() {
        let first = CMTimeMakeWithEpoch(value: 5, timescale: 1, epoch: 1)
        let second = CMTimeMakeWithEpoch(value: 3, timescale: 1, epoch: 2)
        #expect(!(first + second).isValid && !(first - second).isValid)
        #expect((first + time(1, 1)).epoch == 1 && (first - time(1, 1)).epoch == 1)
        let length = first - CMTimeMakeWithEpoch(value: 3, timescale: 1, epoch: 1)
        #expect(length.epoch == 0 && length.value == 2)
        #expect(second > first && second > time(100, 1))
    }

    @Test("comparison orders -inf, numbers, indefinite, +inf, invalid")
    func order() {
        let sorted: [CMTime] = [
            .negativeInfinity, time(-1, 3), .zero, time(1, 3), time(1, 2), .indefinite, .positiveInfinity, .invalid,
        ]
        #expect(sorted.shuffled().sorted() == sorted)
        for (i, a) in sorted.enumerated() {
            for (j, b) in sorted.enumerated() {
                #expect(CMTimeCompare(a, b) == Int32((i - j).signum()))
            }
        }
        #expect(CMTimeMinimum(time(1, 2), time(1, 3)) == time(1, 3))
        #expect(CMTimeMaximum(time(1, 2), .positiveInfinity) == .positiveInfinity)
        #expect(time(.max, 1) > time(.max, 2) && time(.min, 1) < time(.min, 2))
    }

    @Test("equal times have equal hashes in any timescale")
    func hashing() {
        #expect(time(1, 2) == time(300, 600))
        #expect(Set([time(1, 2), time(300, 600), time(45000, 90000)]).count == 1)
        #expect(Set([CMTime.zero, time(0, 600), time(0, 1)]).count == 1)
        #expect(Set([time(1, 2), CMTimeMakeWithEpoch(value: 1, timescale: 2, epoch: 1)]).count == 2)
    }

    @Test(
        "every rounding method works as named",
        arguments: [
            (CMTimeRoundingMethod.roundHalfAwayFromZero, [-3, -2, -1, 1, 2, 3] as [Int64]),
            (.roundTowardZero, [-2, -1, 0, 0, 1, 2]), (.roundAwayFromZero, [-3, -2, -1, 1, 2, 3]),
            (.roundTowardPositiveInfinity, [-2, -1, 0, 1, 2, 3]),
            (.roundTowardNegativeInfinity, [-3, -2, -1, 0, 1, 2]),
            (.quickTime, [-2, -1, -1, 0, 1, 2]),
        ])
    func rounding(method: CMTimeRoundingMethod, expected: [Int64]) {
        let halves: [Int64] = [-5, -3, -1, 1, 3, 5]
        for (value, wanted) in zip(halves, expected) {
            let got = time(value, 2).convertScale(1, method: method)
            #expect(got.value == wanted && got.timescale == 1 && got.hasBeenRounded)
        }
    }

    @Test("default rounding goes to the nearest; QuickTime rounds up to finer scales")
    func roundingDetails() {
        #expect(time(4, 10).convertScale(1, method: .default).value == 0)
        #expect(time(-4, 10).convertScale(1, method: .default).value == 0)
        #expect(time(1, 3).convertScale(10, method: .quickTime).value == 4)
        #expect(time(1, 3).convertScale(10, method: .roundTowardZero).value == 3)
        let exact = time(300, 600).convertScale(90000, method: .default)
        #expect(exact.value == 45000 && !exact.hasBeenRounded)
        #expect(CMTime.indefinite.convertScale(5, method: .default).isIndefinite)
        #expect(!time(1, 1).convertScale(0, method: .default).isValid)
        #expect(time(.max, 1).convertScale(1000, method: .default) == .positiveInfinity)
    }

    @Test("multiplication by an integer keeps the timescale until it overflows")
    func multiply() {
        let three = CMTimeMultiply(time(100, 600), multiplier: 3)
        #expect(three.value == 300 && three.timescale == 600)
        let halved = CMTimeMultiply(time(.max, 600), multiplier: 2)
        #expect(halved.timescale == 300 && halved.value == .max)
        #expect(CMTimeMultiply(time(.max, 1), multiplier: -2) == .negativeInfinity)
        #expect(CMTimeMultiply(.positiveInfinity, multiplier: -2) == .negativeInfinity)
        #expect(CMTimeMultiply(.indefinite, multiplier: 2).isIndefinite)
        #expect(!CMTimeMultiply(.invalid, multiplier: 2).isValid)
    }

    @Test("a product is infinite only if no timescale can hold it")
    func multiplyByLargeDouble() {
        let fine = Int32(1 << 30)
        #expect(CMTimeMultiplyByFloat64(time(1, fine), multiplier: 0x1p64) == time(1 << 34, 1))
        #expect(CMTimeMultiplyByFloat64(time(-3, fine), multiplier: 0x1p90) == time(-3 << 60, 1))
        #expect(CMTimeMultiplyByFloat64(time(1, fine), multiplier: 0x1p93) == .positiveInfinity)
        #expect(CMTimeMultiplyByFloat64(time(-1, fine), multiplier: 0x1p126) == .negativeInfinity)
    }

    @Test("multiplication by a double is exact if a timescale allows it")
    func multiplyByDouble() {
        let half = CMTimeMultiplyByFloat64(time(300, 600), multiplier: 0.5)
        #expect(half.value == 150 && half.timescale == 600 && !half.hasBeenRounded)
        let quarter = CMTimeMultiplyByFloat64(time(1, 1), multiplier: -0.25)
        #expect(quarter == time(-1, 4) && !quarter.hasBeenRounded)
        let tenth = CMTimeMultiplyByFloat64(time(1, 1), multiplier: 0.1)
        #expect(abs(tenth.seconds - 0.1) < 1e-9 && tenth.hasBeenRounded)
        let large = CMTimeMultiplyByFloat64(time(7, 1), multiplier: 1e6)
        #expect(large.value == 7_000_000 && large.timescale == 1)
        #expect(CMTimeMultiplyByFloat64(time(1, 1), multiplier: 1e300) == .positiveInfinity)
        #expect(CMTimeMultiplyByFloat64(time(-1, 1), multiplier: .infinity) == .negativeInfinity)
        #expect(CMTimeMultiplyByFloat64(time(1, 1), multiplier: 1e-300) == .zero)
        #expect(!CMTimeMultiplyByFloat64(time(1, 1), multiplier: .nan).isValid)
        for m in [0.1, 1.0 / 3, 0.7, 1.25, 3.999, 1e-8, 123456.789, -2.2] {
            let product = CMTimeMultiplyByFloat64(time(90_001, 90_000), multiplier: m).seconds
            #expect(abs(product - 90_001.0 / 90_000 * m) < 1e-8)
        }
    }

    @Test("multiplication by a ratio is exact if a timescale allows it")
    func multiplyByRatio() {
        let third = CMTimeMultiplyByRatio(time(1, 1), multiplier: 1, divisor: 3)
        #expect(third == time(1, 3) && !third.hasBeenRounded)
        let kept = CMTimeMultiplyByRatio(time(300, 600), multiplier: 2, divisor: -3)
        #expect(kept.value == -200 && kept.timescale == 600)
        #expect(!CMTimeMultiplyByRatio(time(1, 1), multiplier: 1, divisor: 0).isValid)
        let rounded = CMTimeMultiplyByRatio(time(1, 2_147_483_647), multiplier: 1, divisor: 3)
        #expect(rounded.hasBeenRounded && rounded.value == 0)
    }

    @Test("the absolute value never traps")
    func absolute() {
        #expect(CMTimeAbsoluteValue(time(-5, 2)) == time(5, 2))
        #expect(CMTimeAbsoluteValue(.negativeInfinity) == .positiveInfinity)
        #expect(CMTimeAbsoluteValue(.indefinite).isIndefinite)
        #expect(CMTimeAbsoluteValue(time(.min, 2)).isNumeric, "the one value without an opposite does not trap")
    }

    @Test("descriptions have the format of CMTimeShow")
    func descriptions() {
        #expect(time(300, 600).description == "{300/600 = 0.500}")
        #expect(time(-1, 3).description == "{-1/3 = -0.333}")
        #expect(CMTime.invalid.description == "{INVALID}" && CMTime.indefinite.description == "{INDEFINITE}")
        #expect(CMTime(seconds: 2.5, preferredTimescale: 1).description == "{3/1 = 3.000, rounded}")
    }

    @Test("coding keeps every field")
    func coding() throws {
        for t in [
            time(1001, 30000), .indefinite, .negativeInfinity, CMTimeMakeWithEpoch(value: 1, timescale: 2, epoch: 3),
        ] {
            let back = try JSONDecoder().decode(CMTime.self, from: JSONEncoder().encode(t))
            #expect(
                back.value == t.value && back.timescale == t.timescale && back.flags == t.flags && back.epoch == t.epoch
            )
        }
    }

    @Test("nanoseconds are rounded or clamped, and nil for non-numbers")
    func nanoseconds() {
        #expect(CMTime(nanoseconds: 1_500_000_000) == time(3, 2))
        #expect(time(1, 3).nanoseconds == 333_333_333 && time(-2, 3).nanoseconds == -666_666_667)
        #expect(time(.max, 1).nanoseconds == .max && time(.min, 1).nanoseconds == .min)
        #expect(CMTime.indefinite.nanoseconds == nil && CMTime.invalid.nanoseconds == nil)
    }

    @Test("arithmetic on extreme values never traps")
    func extremes() {
        let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        let scales: [Int32] = [1, 2, 600, 90_000, .max - 1, .max]
        let times = values.flatMap { v in scales.map { time(v, $0) } }
        var finite = 0
        for a in times {
            for b in times {
                for r in [a + b, a - b] where r.isNumeric {
                    finite += 1
                    let expected = r == a + b ? a.seconds + b.seconds : a.seconds - b.seconds
                    #expect(
                        abs(r.seconds - expected) <= max(abs(a.seconds), abs(b.seconds)) * 1e-9 + 0.5, "\(a) \(b) \(r)")
                }
            }
            for m in [Int32.min, -1, 0, 3, .max] {
                _ = CMTimeMultiply(a, multiplier: m)
                for d in [Int32.min, -1, 1, .max] { _ = CMTimeMultiplyByRatio(a, multiplier: m, divisor: d) }
            }
            for m in [Double.leastNonzeroMagnitude, -1e-200, 0x1p-63, 0x1p63, 1e19, -.greatestFiniteMagnitude] {
                _ = CMTimeMultiplyByFloat64(a, multiplier: m)
            }
        }
        #expect(finite > 1000)
    }
}
