/// A point in time or a length of time as a fraction, `value / timescale` seconds, after Core Media's `CMTime`.
///
/// Rational, so that 1001/30000 s or 1024/44100 s are exact. Arithmetic follows `CMTime.h`: it never
/// traps; what does not fit is rounded (and says so in `flags`) or becomes infinite. Besides numbers
/// there are `invalid`, `indefinite` (for instance a live stream's duration) and both infinities.
/// `epoch` tells different timelines apart (the rounds of a loop); zero for ordinary times.
public struct CMTime: Sendable, Codable {
    /// The numerator; `value / timescale` is the time in seconds.
    public var value: CMTimeValue
    /// Units per second, more than 0 for a numeric time.
    public var timescale: CMTimeScale
    /// Whether the time is valid, rounded, infinite or indefinite.
    public var flags: CMTimeFlags
    /// Which timeline the time lies in; times of different epochs that are not 0 cannot be added.
    public var epoch: CMTimeEpoch

    /// Sets the four fields as they are.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// The invalid time.
    public init() { self = .invalid }

    /// `value / timescale` seconds. Invalid when `timescale` is 0 or negative.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// The multiple of `1 / preferredTimescale` nearest to `seconds`, halves away from zero.
    ///
    /// The timescale is halved as often as the value would overflow; at timescale 1 the result is
    /// infinite. `hasBeenRounded` is set when the result is not exactly `seconds`. NaN or a timescale
    /// below 1 give `.invalid`, infinite seconds an infinite time.
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

    /// No time at all: what arithmetic with an invalid operand, or an overflow that nothing can hold, gives.
    public static let invalid = CMTime(value: 0, timescale: 0, flags: [], epoch: 0)
    /// A time that is not known, such as a live stream's duration.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Later than every other time.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Earlier than every other time.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// 0/1.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)

    /// Seconds as a floating-point number: NaN for invalid and indefinite times, ±infinity for infinite ones.
    public var seconds: Double {
        guard isValid, !isIndefinite else { return .nan }
        if isPositiveInfinity { return .infinity }
        if isNegativeInfinity { return -.infinity }
        return timescale > 0 ? Double(value) / Double(timescale) : .nan
    }

    /// Has the flag `.valid`: numeric, infinite or indefinite.
    public var isValid: Bool { flags.contains(.valid) }
    /// Valid and a number: neither infinite nor indefinite.
    public var isNumeric: Bool {
        flags.contains(.valid) && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0
    }
    /// Valid, and not known.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Valid, and later than every number.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Valid, and earlier than every number.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Some step on the way to this time lost precision.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }
}

/// The numerator of a `CMTime`, in units of its timescale.
public typealias CMTimeValue = Int64
/// Units a second: the denominator of a `CMTime`.
public typealias CMTimeScale = Int32
/// Tells timelines apart that begin anew; 0 for every time that is no more than a place or a length.
public typealias CMTimeEpoch = Int64

/// The largest timescale, 2³¹ − 1.
public let kCMTimeMaxTimescale: CMTimeScale = .max

/// What a `CMTime` is besides a number. The bits are Core Media's.
public struct CMTimeFlags: OptionSet, Sendable, Hashable, Codable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Without it the time is `CMTime.invalid`, whatever else it says.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// Set where a conversion or an operation could not keep the exact value.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// The time is positive infinity.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// The time is negative infinity.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// The time is not known.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// Any of these: the value is implied and `value` means nothing.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// How a conversion to a coarser (or foreign) timescale picks its value.
public enum CMTimeRoundingMethod: UInt32, Sendable, Hashable, CaseIterable {
    /// To the nearest value; what lies in the middle goes away from zero. The default.
    case roundHalfAwayFromZero = 1
    /// Cuts off what is less than a unit.
    case roundTowardZero = 2
    /// To the next value that is not smaller in magnitude.
    case roundAwayFromZero = 3
    /// Toward zero when going to a smaller timescale, away from zero when going to a larger one;
    /// a negative time never becomes 0 but −1 unit.
    case quickTime = 4
    /// To the next value that is not earlier.
    case roundTowardPositiveInfinity = 5
    /// To the next value that is not later.
    case roundTowardNegativeInfinity = 6

    /// Halves away from zero.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

extension CMTime: CustomStringConvertible {
    /// As `CMTimeShow` prints it: `{300/600 = 0.500}`, `{INDEFINITE}`.
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
    /// `ns` nanoseconds, exactly.
    package init(nanoseconds ns: Int64) {
        self.init(value: ns, timescale: 1_000_000_000)
    }

    /// Nanoseconds, halves away from zero, clamped to what an `Int64` holds (±292 years).
    /// Nil when the time is not a number.
    package var nanoseconds: Int64? {
        guard isNumeric else { return nil }
        let scaled = RationalTime(numerator: Int128(value), denominator: Int128(timescale)).value(at: 1_000_000_000)
        guard let scaled else { return value < 0 ? .min : .max }
        return scaled.value
    }
}
