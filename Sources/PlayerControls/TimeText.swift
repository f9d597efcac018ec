/// Functions that format positions and durations for the user.
///
/// ```swift
/// Text("\(TimeText.clock(seconds)) of \(TimeText.clock(duration, unknown: "–:––"))")
///     .monospacedDigit()
/// ```
public enum TimeText {
    /// Returns a time as `2:03`, or `1:02:03` from one hour on. Fractions of a second are dropped; negative values are
    /// shown as 0.
    /// - Parameters:
    ///   - seconds: The time, in seconds. A value above 1e12 is shown as 1e12.
    ///   - unknown: The text for a value that is not finite.
    ///   - padsMinutes: Whether minutes always have two digits: `02:03`.
    public static func clock(_ seconds: Double, unknown: String = "0:00", padsMinutes: Bool = false) -> String {
        guard seconds.isFinite else { return unknown }
        let total = Int(min(max(0, seconds), 1e12))
        let (hours, minutes) = (total / 3600, total / 60 % 60)
        let tail = ":" + twoDigits(total % 60)
        if hours > 0 { return "\(hours):" + twoDigits(minutes) + tail }
        return (padsMinutes ? twoDigits(minutes) : "\(minutes)") + tail
    }

    /// Returns a time like ``clock(_:unknown:padsMinutes:)``, with rounded milliseconds: `2:03.250`.
    /// - Parameters:
    ///   - seconds: The time, in seconds. A negative value is shown as 0, a value above 1e9 as 1e9.
    ///   - unknown: The text for a value that is not finite.
    public static func milliseconds(_ seconds: Double, unknown: String = "0:00.000") -> String {
        guard seconds.isFinite else { return unknown }
        let total = Int((min(max(0, seconds), 1e9) * 1000).rounded())
        let rest = String(total % 1000)
        return clock(Double(total / 1000)) + "." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
