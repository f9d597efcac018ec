// Core Media's C functions for `CMTime`, so that code written for them compiles without changes.

/// Returns a time of `value / timescale` seconds. It is invalid if `timescale` is below 1.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTime(value: value, timescale: timescale)
}

/// Returns a time of `value / timescale` seconds in the timeline `epoch`. It is invalid if `timescale` is below 1.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    CMTime(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: epoch)
}

/// Returns the time nearest to `seconds`. See `CMTime.init(seconds:preferredTimescale:)`.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the time in seconds: NaN for invalid and indefinite times, ±infinity for infinite ones.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Returns the time at another timescale. See `CMTime.convertScale(_:method:)`.
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
}

/// Returns `lhs + rhs`.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }
/// Returns `lhs - rhs`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// Returns the product at the time's own timescale. If the value overflows, the timescale is halved as often as needed;
/// if it overflows at timescale 1, the result is infinite.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    time.multiplied(by: multiplier)
}

/// Returns the product. It is exact if any timescale can represent it, or else rounded at a large timescale. It is
/// invalid if `multiplier` is NaN, or if `multiplier` is infinite and `time` is zero.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
    time.multiplied(by: multiplier)
}

/// Returns `time · multiplier / divisor`. The result is exact if any timescale can represent it, or else rounded at a
/// large timescale. It is invalid if `divisor` is 0.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    time.multiplied(by: multiplier, over: divisor)
}

/// Compares two times, and returns −1, 0 or 1. The order is −∞, numbers (by epoch, then value), indefinite, +∞,
/// invalid.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1.compare(time2) }

/// Returns the lesser of two times in the order of `CMTimeCompare`.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }
/// Returns the greater of two times in the order of `CMTimeCompare`.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time1 < time2 ? time2 : time1 }

/// Returns the time without its sign. −∞ becomes +∞; invalid and indefinite times do not change.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    if time.isNegativeInfinity { return .positiveInfinity }
    return time.isNumeric && time.value < 0 ? CMTimeMultiply(time, multiplier: -1) : time
}
