import CFFmpeg

/// A moment or a length of media time in nanoseconds, as everything past the door reckons with it.
///
/// **The door.** What a file, a server or a person says enters only through the initialisers here: each checks and
/// saturates. From there on arithmetic cannot overflow, because it saturates too, and there is no other way to an
/// amount.
///
/// **The bound** is ±2⁶¹ ns, 73 years: stamps that count from 1970, as live encoders write them, fit until 2043, and
/// the sum of three bounded times still fits an `Int64`, where timeline time, which fills one, meets media time. A
/// whole-number literal stands for nanoseconds.
package struct MediaTime: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// Within ±2⁶¹.
    package let nanoseconds: Int64

    private static let bound: Int64 = 1 << 61
    package static let max = MediaTime(bounded: bound)
    package static let min = MediaTime(bounded: -bound)
    package static let zero = MediaTime(bounded: 0)

    private init(bounded: Int64) { nanoseconds = bounded }

    /// Saturates.
    package init(nanoseconds: Int64) {
        self.init(bounded: Swift.min(MediaTime.bound, Swift.max(-MediaTime.bound, nanoseconds)))
    }

    package init(integerLiteral value: Int64) { self.init(nanoseconds: value) }

    /// Saturates; NaN is zero.
    package init(seconds: Double) { self.init(nanoseconds: Int64(saturating: (seconds * 1e9).rounded())) }

    /// libavformat's clock for whole files (`AV_TIME_BASE`). Saturates.
    package init(microseconds: Int64) { self.init(nanoseconds: microseconds.multipliedSaturating(by: 1000)) }

    /// A time stamp or duration of libav's, halves away from zero. Saturates.
    /// Nil for none (`AV_NOPTS_VALUE`) and where the time base is no positive fraction.
    package init?(stamp: Int64, base: AVRational) {
        guard stamp != zt_nopts(), base.num > 0, base.den > 0 else { return nil }
        let scaled = Int128(stamp) * Int128(base.num) * 1_000_000_000
        let half = Int128(base.den) / 2
        self.init(nanoseconds: Int64(clamping: (scaled < 0 ? scaled - half : scaled + half) / Int128(base.den)))
    }

    /// How long so many samples last. Saturates; zero where the rate is none.
    package init(samples: Int64, rate: Int) {
        guard rate > 0 else {
            self = .zero
            return
        }
        self.init(nanoseconds: Int64(clamping: Int128(samples) * 1_000_000_000 / Int128(rate)))
    }

    /// Saturates, infinities too; nil for what is not a time.
    package init?(_ time: CMTime) {
        if time.isPositiveInfinity {
            self = .max
            return
        }
        if time.isNegativeInfinity {
            self = .min
            return
        }
        guard let ns = time.nanoseconds else { return nil }
        self.init(nanoseconds: ns)
    }

    /// In ticks of `base`, halves away from zero; 0 where that is no positive fraction.
    package func stamp(in base: AVRational) -> Int64 {
        guard base.num > 0, base.den > 0 else { return 0 }
        let divisor = Int128(base.num) * 1_000_000_000
        let scaled = Int128(nanoseconds) * Int128(base.den)
        return Int64(clamping: (scaled < 0 ? scaled - divisor / 2 : scaled + divisor / 2) / divisor)
    }

    /// Whole microseconds, towards zero.
    package var microseconds: Int64 { nanoseconds / 1000 }
    package var seconds: Double { Double(nanoseconds) / 1e9 }
    package var time: CMTime { CMTime(nanoseconds: nanoseconds) }

    /// How many samples of `rate` lie between zero and here, to the nearest: within ±2⁶², so that a difference of two
    /// cannot overflow.
    package func samples(at rate: Int) -> Int64 {
        let limit: Int64 = 1 << 62
        let scaled = Int128(nanoseconds) * Int128(rate)
        let half: Int128 = 500_000_000
        return Swift.min(
            limit, Swift.max(-limit, Int64(clamping: (scaled < 0 ? scaled - half : scaled + half) / 1_000_000_000)))
    }

    package static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }
    // Two bounded times add up within an Int64.
    package static func + (a: MediaTime, b: MediaTime) -> MediaTime {
        MediaTime(nanoseconds: a.nanoseconds + b.nanoseconds)
    }
    package static func - (a: MediaTime, b: MediaTime) -> MediaTime {
        MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
    }
    package static func += (a: inout MediaTime, b: MediaTime) { a = a + b }
    package static func -= (a: inout MediaTime, b: MediaTime) { a = a - b }
    package static prefix func - (a: MediaTime) -> MediaTime { MediaTime(bounded: -a.nanoseconds) }
    package static func * (a: MediaTime, factor: Int) -> MediaTime {
        MediaTime(nanoseconds: a.nanoseconds.multipliedSaturating(by: Int64(factor)))
    }
    package static func * (factor: Int, a: MediaTime) -> MediaTime { a * factor }
    /// Zero for a divisor of zero.
    package static func / (a: MediaTime, divisor: Int) -> MediaTime {
        divisor == 0 ? .zero : MediaTime(bounded: a.nanoseconds / Int64(divisor))
    }

    package var magnitude: MediaTime { MediaTime(bounded: abs(nanoseconds)) }
}

extension MediaTime: CustomStringConvertible {
    package var description: String { "\(seconds) s" }
}

extension CMTime {
    /// A time stamp or duration of libav's, exact where it lies within a `MediaTime`'s bound. Nil as for `MediaTime`.
    package init?(stamp: Int64, base: AVRational) {
        guard let time = MediaTime(stamp: stamp, base: base) else { return nil }
        let (value, overflow) = stamp.multipliedReportingOverflow(by: Int64(base.num))
        self = overflow || time == .max || time == .min ? time.time : CMTime(value: value, timescale: base.den)
    }
}

extension MediaTime {
    /// In the coarsest of libavformat's own clock and nanoseconds that holds it: whole files are told in microseconds.
    package var exactTime: CMTime {
        nanoseconds % 1000 == 0 ? CMTime(value: nanoseconds / 1000, timescale: Int32(AV_TIME_BASE)) : time
    }
}
