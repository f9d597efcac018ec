import ArgumentParser
import Downloads
import Foundation
import PlayerControls

/// Parsers for the options of `zoetrope download`. They return nil for an invalid value.
enum DownloadArguments {
    static func quality(_ text: String) -> DownloadOptions.Quality? {
        switch text.lowercased() {
        case "best": return .best
        case "worst": return .worst
        case let text where text.hasSuffix("p"):
            guard let height = Int(text.dropLast()), (1...16384).contains(height) else { return nil }
            return .height(height)
        case let text:
            // No video has a bit rate below 10,000 bit/s: 720 is a mistake for 720p.
            guard let rate = number(text, units: bits), (10_000...1e10).contains(rate) else { return nil }
            return .peakBitRate(Int(rate))
        }
    }

    static func invalidQuality(_ text: String) -> ValidationError {
        if let height = Int(text), (100..<10_000).contains(height) {
            return ValidationError(invalid: "--quality", text, use: "\(height)p for a height, or a bit rate such as 4M")
        }
        return ValidationError(
            invalid: "--quality", text, use: "best, worst, a height (720p) or a bit rate in bit/s (2500k, 4M)")
    }

    static func limit(_ text: String) -> Int64? {
        var text = text
        if text.lowercased().hasSuffix("/s") { text.removeLast(2) }
        guard
            let rate = number(text, units: bytes)
                ?? number(text, units: bits.filter { $0.name.hasSuffix("bit") }).map({ $0 / 8 }),
            (1...1e12).contains(rate)
        else { return nil }
        return Int64(rate)
    }

    static func invalidLimit(_ text: String) -> ValidationError {
        ValidationError(invalid: "--limit", text, use: "a speed such as 2MB/s, 500kB/s, 1.5MiB/s or 8Mbit/s")
    }

    /// Returns the time in seconds, infinite for `forever`.
    static func retryDuration(_ text: String) -> Double? {
        if text.lowercased() == "forever" { return .infinity }
        guard let seconds = TimeArgument(argument: text)?.time.seconds, seconds >= 0 else { return nil }
        return seconds
    }

    /// Returns the languages of a list such as `en,de`; `["*"]` for all languages, and none if `text` is nil.
    static func languages(_ text: String?) -> [String]? {
        guard let text else { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        if ["*", "all"].contains(text.lowercased()) { return ["*"] }
        guard
            parts.allSatisfy({
                !$0.isEmpty && $0.utf8.count <= 35
                    && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            })
        else { return nil }
        return parts
    }

    /// Returns the parts of a header in the form `Name: value` (RFC 9110 §5.1: the name is a token).
    static func header(_ text: String) -> (name: String, value: String)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let name = String(text[..<colon])
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty,
            name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }),
            !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
        return (name, value)
    }

    private typealias Unit = (name: String, factor: Double)
    private static let bits: [Unit] = [
        ("", 1), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("bit", 1), ("kbit", 1e3), ("mbit", 1e6), ("gbit", 1e9),
    ]
    /// The units of download speeds. A number without a unit is rejected: 5 is a mistake for 5MB/s.
    private static let bytes: [Unit] = [
        ("b", 1), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("kib", 1_024),
        ("mib", 1_048_576), ("gib", 1_073_741_824),
    ]

    private static func number(_ text: String, units: [Unit]) -> Double? {
        let lower = text.lowercased()
        let digits = lower.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        // “Mb” is ambiguous: it can mean bits or bytes.
        if text.hasSuffix("Mb") || text.hasSuffix("kb") || text.hasSuffix("Gb") { return nil }
        let rest = lower.dropFirst(digits.count).trimmingCharacters(in: .whitespaces)
        guard let value = Double(digits), value.isFinite, let unit = units.first(where: { $0.name == rest }) else {
            return nil
        }
        return value * unit.factor
    }
}

/// Formatting of sizes, times and texts from servers.
enum Formatting {
    /// Returns a size: `45.6 MB`.
    static func bytes(_ count: Int64) -> String { "\(amount(count, in: scale(count))) \(scale(count).name)" }

    /// Returns the size of a part and of the whole: `12.3 of 45.6 MB`.
    static func bytes(_ count: Int64, of whole: Int64) -> String {
        let unit = scale(max(count, whole))
        return "\(amount(count, in: unit)) of \(amount(whole, in: unit)) \(unit.name)"
    }

    private static func scale(_ count: Int64) -> (name: String, factor: Double) {
        [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)].first { Double(count) >= $0.1 } ?? ("B", 1)
    }
    private static func amount(_ count: Int64, in unit: (name: String, factor: Double)) -> String {
        unit.factor == 1
            ? "\(count)" : String(format: unit.factor == 1e9 ? "%.2f" : "%.1f", Double(count) / unit.factor)
    }

    /// Returns a duration, rounded to seconds: `1:02:03`, `0:45`.
    static func clock(_ seconds: Double) -> String { TimeText.clock(seconds.rounded(), unknown: "–:––") }

    /// Quotes a word for a shell if it has special characters.
    static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:@%".contains($0) }
        return isPlain ? text : "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    /// Returns a text with spaces at its end, so that it has at least `width` characters.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Replaces control characters. Titles come from files and servers and must not control the terminal.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    // Joiners, direction marks and the tags of flags are parts of names. They are harmless.
                    case .format
                    where (0x200C...0x200F).contains(scalar.value) || (0xE0020...0xE007F).contains(scalar.value):
                        scalar
                    case .control, .format, .lineSeparator, .paragraphSeparator: "·"
                    default: scalar
                    }
                }))
    }
}
