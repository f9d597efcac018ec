/// A point in time or a duration as a fraction, `value / timescale` seconds, like Core Media's `CMTime`.
///
/// ```swift
/// let start = CMTime(seconds: 1.5, preferredTimescale: 600)
/// let frame = CMTime(value: 1, timescale: 24)
/// print((start + frame).seconds)  // 1.5416…
/// print(start > frame)  // true
/// ```
/// A fraction represents times such as 1001/30000 s or 1024/44100 s exactly. Arithmetic follows `CMTime.h`: it never
/// traps, and a result that does not fit is rounded (shown in `flags`) or becomes infinite. Besides numbers, there are
/// `invalid`, `indefinite` (such as the duration of a live stream) and both infinities. `epoch` distinguishes
/// timelines, such as the iterations of a loop; it is 0 for ordinary times.
public struct CMTime: Sendable, Codable {
    /// The numerator. `value / timescale` is the time in seconds.
    public var value: CMTimeValue
    /// The number of units per second, above 0 for a numeric time.
    public var timescale: CMTimeScale
    /// The flags: whether the time is valid, rounded, infinite or indefinite.
    public var flags: CMTimeFlags
    /// The timeline of the time. If two epochs are different and neither is 0, the sum and the difference of the times
    /// are invalid.
    public var epoch: CMTimeEpoch

    /// Creates a time from its four fields, without checks.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Creates the invalid time.
    public init() { self = .invalid }

    /// Creates a time of `value / timescale` seconds. The time is invalid if `timescale` is not positive.
    ///
    /// ```swift
    /// let halfASecond = CMTime(value: 1, timescale: 2)
    /// ```
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// Creates the multiple of `1 / preferredTimescale` that is nearest to `seconds`. Halves are rounded away from
    /// zero.
    ///
    /// ```swift
    /// let time = CMTime(seconds: 12.34, preferredTimescale: 600)
    /// print(time)  // {7404/600 = 12.340}
    /// ```
    /// If the value would overflow, the timescale is halved as often as needed; if it overflows at timescale 1, the
    /// time is infinite. `hasBeenRounded` is set if the result is not exactly `seconds`. NaN or a timescale below 1
    /// result in `.invalid`, and infinite seconds in an infinite time.
    /// - Parameters:
    ///   - seconds: The time, in seconds.
    ///   - preferredTimescale: The preferred number of units per second.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard preferredTimescale > 0, !seconds.isNaN else {
            self = .invalid
            return
        }
        guard seconds.isFinite else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
            return
        }
        var scale = preferredTimescale
        while true {
            if let value = Int64(exactly: (seconds * Double(scale)).rounded(.toNearestOrAwayFromZero)) {
                self.init(value: value, timescale: scale)
                if Double(value) / Double(scale) != seconds { flags.insert(.hasBeenRounded) }
                return
            }
            guard scale > 1 else { break }
            scale /= 2
        }
        self = seconds > 0 ? .positiveInfinity : .negativeInfinity
    }

    /// The invalid time. It is the result of arithmetic with an invalid operand, or without a defined result, such as
    /// ∞ − ∞. An overflow results in an infinite time instead.
    public static let invalid = CMTime(value: 0, timescale: 0, flags: [], epoch: 0)
    /// An unknown time, such as the duration of a live stream.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// The time that is later than every other time.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// The time that is earlier than every other time.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// The time 0/1.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

    /// The time in seconds: NaN for invalid and indefinite times, ±infinity for infinite ones.
    public var seconds: Double {
        guard isValid, !isIndefinite else { return .nan }
        if isPositiveInfinity { return .infinity }
        if isNegativeInfinity { return -.infinity }
        return timescale > 0 ? Double(value) / Double(timescale) : .nan
    }

    /// Whether the time has the flag `.valid`: it is numeric, infinite or indefinite.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is valid and a number, so neither infinite nor indefinite.
    ///
    /// For example, the duration of a live stream is not numeric:
    /// ```swift
    /// if item.duration.isNumeric {
    ///     remaining = item.duration.seconds - position
    /// }
    /// ```
    public var isNumeric: Bool {
        flags.contains(.valid) && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0
    }
    /// Whether the time is valid and unknown.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether the time is valid and later than every number.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether the time is valid and earlier than every number.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether a step of the computation of this time lost precision.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}

/// The numerator of a `CMTime`, in units of its timescale.
public typealias CMTimeValue = Int64
/// The number of units per second: the denominator of a `CMTime`.
public typealias CMTimeScale = Int32
/// The number of a timeline, which distinguishes timelines that restart. It is 0 for ordinary times.
public typealias CMTimeEpoch = Int64

/// The largest timescale, 2³¹ − 1.
public let kCMTimeMaxTimescale: CMTimeScale = .max

/// The flags of a `CMTime`. The bits are those of Core Media.
public struct CMTimeFlags: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid. Without this flag it is invalid, whatever its other fields are.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// A conversion or an operation could not keep the exact value.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is positive infinity.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is negative infinity.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time is unknown.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// The flags that imply the time, so that `value` has no meaning.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// The rounding of a conversion to another timescale.
public enum CMTimeRoundingMethod: UInt32, Sendable, Hashable, CaseIterable {
    /// Rounds to the nearest value, and halves away from zero. The default.
    case roundHalfAwayFromZero = 1
    /// Rounds toward zero.
    case roundTowardZero = 2
    /// Rounds away from zero.
    case roundAwayFromZero = 3
    /// Rounds toward zero for a smaller timescale, and away from zero for a larger one. A negative time that would
    /// become 0 becomes −1 unit instead.
    case quickTime = 4
    /// Rounds to the next value that is not earlier.
    case roundTowardPositiveInfinity = 5
    /// Rounds to the next value that is not later.
    case roundTowardNegativeInfinity = 6

    /// The default method, which rounds halves away from zero.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTime: CustomStringConvertible {
    /// The text that `CMTimeShow` prints, such as `{300/600 = 0.500}` or `{INDEFINITE}`.
    public var description: String {
        if !isValid { return "{INVALID}" }
        if isPositiveInfinity { return "{+INFINITY}" }
        if isNegativeInfinity { return "{-INFINITY}" }
        if isIndefinite { return "{INDEFINITE}" }
        if timescale <= 0 { return "{INVALID}" }
        let thousandths = convertScale(1000, method: .default).value.magnitude
        let fraction = String(thousandths % 1000)
        let sign = value < 0 ? "-" : ""
        var text = "{\(value)/\(timescale) = \(sign)\(thousandths / 1000)."
        text += String(repeating: "0", count: 3 - fraction.count) + fraction
        if hasBeenRounded { text += ", rounded" }
        if epoch != 0 { text += ", epoch = \(epoch)" }
        return text + "}"
    }
}

extension CMTime {
    /// Creates a time of exactly `ns` nanoseconds.
    package init(nanoseconds ns: Int64) {
        self.init(value: ns, timescale: 1_000_000_000)
    }

    /// The time in nanoseconds, with halves rounded away from zero, clamped to the range of an `Int64` (±292 years).
    /// Nil if the time is not a number.
    package var nanoseconds: Int64? {
        guard isNumeric else { return nil }
        let scaled = RationalTime(numerator: Int128(value), denominator: Int128(timescale)).value(at: 1_000_000_000)
        guard let scaled else { return value < 0 ? .min : .max }
        return scaled.value
    }
}
