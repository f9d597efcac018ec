import CFFmpeg

/// A media time or duration in nanoseconds, as used throughout the engine.
///
/// **Validation.** Values from files, servers and people enter only through the initializers of this type, which check
/// and saturate. All arithmetic also saturates, so it cannot overflow later.
///
/// **Limits.** Values are within ±2⁶¹ ns, 73 years. Timestamps that count from 1970, which live encoders write, fit
/// until 2043. The sum of three values fits an `Int64`, so timeline times and media times can be added. An integer
/// literal is in nanoseconds.
package struct MediaTime: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// The time in nanoseconds, within ±2⁶¹.
    package let nanoseconds: Int64

    private static let bound: Int64 = 1 << 61
    package static let max = MediaTime(bounded: bound)
    package static let min = MediaTime(bounded: -bound)
    package static let zero = MediaTime(bounded: 0)

    private init(bounded: Int64) { nanoseconds = bounded }

    /// Creates a time from nanoseconds. Saturates.
    package init(nanoseconds: Int64) {
        self.init(bounded: Swift.min(MediaTime.bound, Swift.max(-MediaTime.bound, nanoseconds)))
    }

    package init(integerLiteral value: Int64) { self.init(nanoseconds: value) }

    /// Creates a time from seconds. Saturates; NaN becomes zero.
    package init(seconds: Double) { self.init(nanoseconds: Int64(saturating: (seconds * 1e9).rounded())) }

    /// Creates a time from microseconds, the unit of libavformat for whole files (`AV_TIME_BASE`). Saturates.
    package init(microseconds: Int64) { self.init(nanoseconds: microseconds.multipliedSaturating(by: 1000)) }

    /// Creates a time from one of FFmpeg's timestamps or durations, with halves rounded away from zero. Saturates.
    /// Returns nil if there is no timestamp (`AV_NOPTS_VALUE`), or if the time base is not a positive fraction.
    package init?(stamp: Int64, base: AVRational) {
        guard stamp != zt_nopts(), base.num > 0, base.den > 0 else { return nil }
        let scaled = Int128(stamp) * Int128(base.num) * 1_000_000_000
        let half = Int128(base.den) / 2
        self.init(nanoseconds: Int64(clamping: (scaled < 0 ? scaled - half : scaled + half) / Int128(base.den)))
    }

    /// Creates the duration of a number of samples. Saturates. The result is zero if the rate is not positive.
    package init(samples: Int64, rate: Int) {
        guard rate > 0 else {
            self = .zero
            return
        }
        self.init(nanoseconds: Int64(clamping: Int128(samples) * 1_000_000_000 / Int128(rate)))
    }

    /// Creates a time from a `CMTime`. Saturates, also for infinite times. Returns nil if the time is invalid or
    /// indefinite.
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

    /// Returns the time in units of `base`, with halves rounded away from zero, or 0 if `base` is not a positive
    /// fraction.
    package func stamp(in base: AVRational) -> Int64 {
        guard base.num > 0, base.den > 0 else { return 0 }
        let divisor = Int128(base.num) * 1_000_000_000
        let scaled = Int128(nanoseconds) * Int128(base.den)
        return Int64(clamping: (scaled < 0 ? scaled - divisor / 2 : scaled + divisor / 2) / divisor)
    }

    /// The time in whole microseconds, rounded toward zero.
    package var microseconds: Int64 { nanoseconds / 1000 }
    package var seconds: Double { Double(nanoseconds) / 1e9 }
    package var time: CMTime { CMTime(nanoseconds: nanoseconds) }

    /// Returns the number of samples from zero to this time, rounded to the nearest. It is clamped to ±2⁶², so that the
    /// difference of two numbers cannot overflow.
    package func samples(at rate: Int) -> Int64 {
        let limit: Int64 = 1 << 62
        let scaled = Int128(nanoseconds) * Int128(rate)
        let half: Int128 = 500_000_000
        return Swift.min(
            limit, Swift.max(-limit, Int64(clamping: (scaled < 0 ? scaled - half : scaled + half) / 1_000_000_000)))
    }

    package static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }
    // The sum of two bounded times fits an Int64.
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
    /// Returns the quotient, or zero if the divisor is zero.
    package static func / (a: MediaTime, divisor: Int) -> MediaTime {
        divisor == 0 ? .zero : MediaTime(bounded: a.nanoseconds / Int64(divisor))
    }

    package var magnitude: MediaTime { MediaTime(bounded: abs(nanoseconds)) }
}

extension MediaTime: CustomStringConvertible {
    package var description: String { "\(seconds) s" }
}

extension CMTime {
    /// Creates a time from one of FFmpeg's timestamps or durations. It is exact if it is within the limits of
    /// `MediaTime`. Returns nil in the same cases as `MediaTime`.
    package init?(stamp: Int64, base: AVRational) {
        guard let time = MediaTime(stamp: stamp, base: base) else { return nil }
        let (value, overflow) = stamp.multipliedReportingOverflow(by: Int64(base.num))
        self = overflow || time == .max || time == .min ? time.time : CMTime(value: value, timescale: base.den)
    }
}

extension MediaTime {
    /// The time in microseconds if that is exact, or else in nanoseconds. libavformat states times of whole files in
    /// microseconds.
    package var exactTime: CMTime {
        nanoseconds % 1000 == 0 ? CMTime(value: nanoseconds / 1000, timescale: Int32(AV_TIME_BASE)) : time
    }
}
