/// Times as they are read out, for `accessibilityValue`: "1 minute 5 seconds of 3 minutes".
public enum SpokenTime {
    /// - Parameters: seconds, rounded down to whole ones, less than 0 as 0. What is not finite is "unknown" as a time,
    ///   and left out as a duration; so is a duration of 0.
    public static func text(_ seconds: Double, of duration: Double? = nil) -> String {
        let time = words(seconds) ?? "unknown"
        guard let duration, duration > 0, let whole = words(duration) else { return time }
        return "\(time) of \(whole)"
    }

    private static func words(_ seconds: Double) -> String? {
        guard seconds.isFinite else { return nil }
        let all = Int(min(max(0, seconds), 1e9))
        let parts = [(all / 3600, "hour"), (all / 60 % 60, "minute"), (all % 60, "second")].filter { $0.0 > 0 }
        return parts.isEmpty
            ? "0 seconds" : parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " ")
    }
}
