/// An exact fraction of seconds, used to compute a `CMTime`. It can hold every sum of two times, and every product of a
/// time with an `Int32` or with a ratio of two.
struct RationalTime {
    let numerator: Int128
    /// The denominator, above 0 and below 2⁹⁶, so that a remainder multiplied by any timescale fits.
    let denominator: Int128

    /// Returns the value at `timescale` and whether it is exact, or nil if an `Int64` cannot hold it.
    func value(at timescale: Int32, method: CMTimeRoundingMethod = .default) -> (value: Int64, exact: Bool)? {
        let whole = numerator / denominator
        let rest = numerator % denominator
        let (scaledWhole, overflow) = whole.multipliedReportingOverflow(by: Int128(timescale))
        if overflow { return nil }
        let scaledRest = rest * Int128(timescale)
        let quotient = scaledRest / denominator
        let remainder = scaledRest % denominator
        var result = scaledWhole + quotient
        if remainder != 0 {
            let away: Int128 = remainder < 0 ? -1 : 1
            switch method {
            case .roundHalfAwayFromZero:
                if remainder.magnitude * 2 >= denominator.magnitude { result += away }
            case .roundTowardZero: break
            case .roundAwayFromZero: result += away
            case .roundTowardPositiveInfinity: if remainder > 0 { result += 1 }
            case .roundTowardNegativeInfinity: if remainder < 0 { result -= 1 }
            case .quickTime:
                if Int128(timescale) > denominator { result += away }
                if result == 0, numerator < 0 { result = -1 }
            }
        }
        guard let value = Int64(exactly: result) else { return nil }
        return (value, remainder == 0)
    }

    /// Returns the nearest time at `timescale`. The timescale is halved as long as the value overflows. If it overflows
    /// at timescale 1, the time is infinite.
    func time(at timescale: Int32, flags: CMTimeFlags, epoch: Int64) -> CMTime {
        var scale = max(1, timescale)
        while true {
            if let (value, exact) = value(at: scale) {
                return CMTime(
                    value: value, timescale: scale, flags: exact ? flags : flags.union(.hasBeenRounded), epoch: epoch)
            }
            guard scale > 1 else { break }
            scale /= 2
        }
        return numerator < 0 ? .negativeInfinity : .positiveInfinity
    }

    /// Returns the exact time at a multiple of `timescale` if possible, or else at another exact timescale. If no
    /// timescale is exact, the result is the nearest time at the largest multiple of `timescale`.
    func time(preferring timescale: Int32, flags: CMTimeFlags, epoch: Int64) -> CMTime {
        let reduced = denominator / RationalTime.gcd(numerator.magnitude, denominator.magnitude)
        let common = reduced / RationalTime.gcd(reduced.magnitude, UInt128(timescale))
        if common <= Int128(Int32.max), common * Int128(timescale) <= Int128(Int32.max),
            let (value, _) = value(at: Int32(common) * timescale)
        {
            return CMTime(value: value, timescale: Int32(common) * timescale, flags: flags, epoch: epoch)
        }
        if reduced <= Int128(Int32.max), let (value, _) = value(at: Int32(reduced)) {
            return CMTime(value: value, timescale: Int32(reduced), flags: flags, epoch: epoch)
        }
        return time(at: Int32.max / timescale * timescale, flags: flags, epoch: epoch)
    }

    static func gcd(_ a: UInt128, _ b: UInt128) -> Int128 {
        var a = a
        var b = b
        while b != 0 { (a, b) = (b, a % b) }
        return Int128(max(1, a))
    }
}

extension CMTime {
    /// Returns the time at another timescale.
    ///
    /// ```swift
    /// let time = CMTime(seconds: 2.5, preferredTimescale: 600)
    /// let frames = time.convertScale(24, method: .roundTowardZero)
    /// print(frames.value)  // 60
    /// ```
    /// `hasBeenRounded` is set if the value was rounded. A result that overflows is infinite, and a time that is not a
    /// number does not change. A timescale below 1 results in `.invalid`.
    /// - Parameters:
    ///   - newTimescale: The number of units per second.
    ///   - method: The rounding method.
    public func convertScale(_ newTimescale: CMTimeScale, method: CMTimeRoundingMethod) -> CMTime {
        guard isNumeric else { return self }
        guard newTimescale > 0 else { return .invalid }
        let exactTime = RationalTime(numerator: Int128(value), denominator: Int128(timescale))
        guard let (scaled, exact) = exactTime.value(at: newTimescale, method: method) else {
            return value < 0 ? .negativeInfinity : .positiveInfinity
        }
        return CMTime(
            value: scaled, timescale: newTimescale, flags: exact ? flags : flags.union(.hasBeenRounded), epoch: epoch)
    }

    /// Returns the sum.
    ///
    /// If both operands have the same timescale, the sum has it too. Otherwise, the timescale of the sum is their least
    /// common multiple, or `kCMTimeMaxTimescale` if that is too large (`CMTime.h`, CMTimeAdd).
    public static func + (lhs: CMTime, rhs: CMTime) -> CMTime {
        sum(lhs, rhs, sign: 1)
    }
    /// Returns the difference. For two times in the same epoch, it is a duration with epoch 0.
    public static func - (lhs: CMTime, rhs: CMTime) -> CMTime {
        sum(lhs, rhs, sign: -1)
    }
    /// Adds `rhs` to `lhs`, like `lhs = lhs + rhs`.
    public static func += (lhs: inout CMTime, rhs: CMTime) { lhs = lhs + rhs }
    /// Subtracts `rhs` from `lhs`, like `lhs = lhs - rhs`.
    public static func -= (lhs: inout CMTime, rhs: CMTime) { lhs = lhs - rhs }

    private static func sum(_ a: CMTime, _ b: CMTime, sign: Int128) -> CMTime {
        guard a.isValid, b.isValid else { return .invalid }
        let signA = a.infinitySign
        let signB = b.infinitySign * Int(sign)
        if signA != 0 || signB != 0 {
            if signA * signB < 0 { return .invalid }  // ∞ − ∞
            return signA + signB > 0 ? .positiveInfinity : .negativeInfinity
        }
        if a.isIndefinite || b.isIndefinite { return .indefinite }
        guard a.isNumeric, b.isNumeric else { return .invalid }
        let epoch: Int64
        if a.epoch == b.epoch {
            epoch = sign > 0 ? a.epoch : 0
        } else if a.epoch == 0 || b.epoch == 0 {
            epoch = a.epoch == 0 ? b.epoch : a.epoch
        } else {
            return .invalid  // The duration of an epoch is unknown.
        }
        let flags = CMTimeFlags.valid.union(a.flags.union(b.flags).intersection(.hasBeenRounded))
        if a.timescale == b.timescale {
            let exact = RationalTime(
                numerator: Int128(a.value) + sign * Int128(b.value), denominator: Int128(a.timescale))
            return exact.time(at: a.timescale, flags: flags, epoch: epoch)
        }
        let scaleA = Int128(a.timescale)
        let scaleB = Int128(b.timescale)
        let common = scaleA / RationalTime.gcd(scaleA.magnitude, scaleB.magnitude) * scaleB
        let exact = RationalTime(
            numerator: Int128(a.value) * (common / scaleA) + sign * Int128(b.value) * (common / scaleB),
            denominator: common)
        return exact.time(at: Int32(clamping: common), flags: flags, epoch: epoch)
    }

    /// The sign of an infinite time (1 or −1), or 0 for other times.
    var infinitySign: Int { isPositiveInfinity ? 1 : isNegativeInfinity ? -1 : 0 }

    func multiplied(by multiplier: Int32) -> CMTime {
        if let special = specialProduct(negative: multiplier < 0) { return special }
        return RationalTime(numerator: Int128(value) * Int128(multiplier), denominator: Int128(timescale))
            .time(at: timescale, flags: flags, epoch: epoch)
    }

    func multiplied(by multiplier: Int32, over divisor: Int32) -> CMTime {
        guard divisor != 0 else { return .invalid }
        if let special = specialProduct(negative: (multiplier < 0) != (divisor < 0)) { return special }
        let sign: Int128 = divisor < 0 ? -1 : 1
        return RationalTime(
            numerator: sign * Int128(value) * Int128(multiplier),
            denominator: Int128(timescale) * Int128(divisor.magnitude)
        )
        .time(preferring: timescale, flags: flags, epoch: epoch)
    }

    func multiplied(by multiplier: Double) -> CMTime {
        guard !multiplier.isNaN else { return .invalid }
        if let special = specialProduct(negative: multiplier < 0) { return special }
        guard multiplier.isFinite else {
            if value == 0 { return .invalid }
            return (value < 0) == (multiplier < 0) ? .positiveInfinity : .negativeInfinity
        }
        if value == 0 || multiplier == 0 { return CMTime(value: 0, timescale: timescale, flags: flags, epoch: epoch) }
        // A Double is an integer multiplied by a power of two. The product stays exact as long as it fits.
        let power = Int(multiplier.exponent) - 52
        let signed = Int128(multiplier.significand * 0x1p52) * (multiplier < 0 ? -1 : 1)
        let zeros = signed.trailingZeroBitCount
        let odd = signed >> Int128(zeros)
        let exponent = power + zeros
        if exponent >= 0 {
            // With a larger exponent, even the smallest product does not fit.
            guard exponent < 126 else { return (value < 0) == (multiplier < 0) ? .positiveInfinity : .negativeInfinity }
            let (shifted, overflow) = (Int128(value) * odd).multipliedReportingOverflow(
                by: Int128(1) << Int128(exponent))
            guard !overflow else { return (value < 0) == (multiplier < 0) ? .positiveInfinity : .negativeInfinity }
            return RationalTime(numerator: shifted, denominator: Int128(timescale))
                .time(at: timescale, flags: flags, epoch: epoch)
        }
        if exponent >= -64 {
            return RationalTime(numerator: Int128(value) * odd, denominator: Int128(timescale) << Int128(-exponent))
                .time(preferring: timescale, flags: flags, epoch: epoch)
        }
        var small = CMTime(seconds: seconds * multiplier, preferredTimescale: Int32.max / timescale * timescale)
        small.flags.formUnion(flags.union(.hasBeenRounded))
        small.epoch = epoch
        return small
    }

    /// Returns the product for a time that is not a number, or nil for a numeric time.
    private func specialProduct(negative: Bool) -> CMTime? {
        guard isValid else { return .invalid }
        if infinitySign != 0 { return (infinitySign < 0) == negative ? .positiveInfinity : .negativeInfinity }
        if isIndefinite { return .indefinite }
        return isNumeric ? nil : .invalid
    }
}

extension CMTime: Comparable, Hashable {
    /// The position in the order −∞, numbers, indefinite, +∞, invalid. Numbers are ordered by epoch first (`CMTime.h`,
    /// CMTimeCompare).
    private var rank: Int {
        if isNumeric { return 1 }
        if isNegativeInfinity { return 0 }
        if isIndefinite { return 2 }
        if isPositiveInfinity { return 3 }
        return 4
    }

    func compare(_ other: CMTime) -> Int32 {
        let mine = rank
        let theirs = other.rank
        if mine != theirs { return mine < theirs ? -1 : 1 }
        guard mine == 1 else { return 0 }
        if epoch != other.epoch { return epoch < other.epoch ? -1 : 1 }
        let left = Int128(value) * Int128(other.timescale)
        let right = Int128(other.value) * Int128(timescale)
        return left < right ? -1 : left > right ? 1 : 0
    }

    public static func == (lhs: CMTime, rhs: CMTime) -> Bool { lhs.compare(rhs) == 0 }
    public static func < (lhs: CMTime, rhs: CMTime) -> Bool { lhs.compare(rhs) < 0 }

    /// Hashes the reduced fraction, so that equal times such as 1/2 and 300/600 have the same hash value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        guard isNumeric else { return }
        let divisor = RationalTime.gcd(UInt128(value.magnitude), UInt128(timescale))
        hasher.combine(epoch)
        hasher.combine(Int128(value) / divisor)
        hasher.combine(Int128(timescale) / divisor)
    }
}
