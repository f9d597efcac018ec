import Presentation

/// A formatter of times for screen readers, used for `accessibilityValue`: "1 minute 5 seconds of 3 minutes".
public enum SpokenTime {
    /// Returns a time, optionally with the duration it belongs to, in the user's language.
    /// - Parameters:
    ///   - seconds: The time in seconds, rounded down. A negative time counts as 0. A time that is not finite is read
    ///     as "unknown".
    ///   - duration: The duration in seconds. A duration that is not greater than 0, or not finite, is left out.
    public static func text(_ seconds: Double, of duration: Double? = nil) -> String {
        let time = text(seconds) ?? PlayerWords.localized("unknown")
        guard let duration, duration > 0, let whole = text(duration) else { return time }
        return PlayerWords.localized("%@ of %@", time, whole)
    }

    private static func text(_ seconds: Double) -> String? {
        guard seconds.isFinite else { return nil }
        let all = Int(min(max(0, seconds), 1e9))
        let (hours, minutes, rest) = (all / 3600, all / 60 % 60, all % 60)
        var parts: [String] = []
        if hours > 0 { parts.append("\(hours) \(PlayerWords.localized(hours == 1 ? "hour" : "hours"))") }
        if minutes > 0 { parts.append("\(minutes) \(PlayerWords.localized(minutes == 1 ? "minute" : "minutes"))") }
        if rest > 0 || parts.isEmpty {
            parts.append("\(rest) \(PlayerWords.localized(rest == 1 ? "second" : "seconds"))")
        }
        return parts.joined(separator: " ")
    }
}
