import MediaCore

/// The format of times in UPnP: `H+:MM:SS[.F+]` or `H+:MM:SS[.F0/F1]` (AVTransport:1 §2.2.13). The optional plus sign
/// is ignored.
enum UPnPTime {
    /// Parses a time. Returns nil for other texts (such as `NOT_IMPLEMENTED`), and for a million hours or more.
    static func parse(_ text: String) -> MediaTime? {
        var text = Substring(text)
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        if text.first == "+" { text.removeFirst() }
        guard text.utf8.count <= 64 else { return nil }
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = (halves.first ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = number(parts[0]), let minutes = number(parts[1]),
            let seconds = number(parts[2]),
            hours < 1_000_000, minutes < 60, seconds < 60
        else { return nil }
        var fraction = 0.0
        if halves.count == 2 {
            let ends = halves[1].split(separator: "/", omittingEmptySubsequences: false)
            guard let first = ends.first, let over = number(first), ends.count <= 2 else { return nil }
            if ends.count == 2 {
                guard let under = number(ends[1]), under > 0, over < under else { return nil }
                fraction = Double(over) / Double(under)
            } else {
                fraction = Double("0." + first) ?? 0
            }
        }
        return MediaTime(seconds: Double(hours * 3600 + minutes * 60 + seconds) + fraction)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Formats a time as `H:MM:SS` or `H:MM:SS.mmm`. Negative times become zero.
    static func text(_ time: MediaTime) -> String {
        let milliseconds = max(0, time.nanoseconds / 1_000_000)
        let seconds = milliseconds / 1000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = milliseconds % 1000
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
            + (rest == 0 ? "" : "." + String(String(1000 + rest).dropFirst()))
    }
}
