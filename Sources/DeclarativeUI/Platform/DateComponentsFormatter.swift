import Foundation

/// A formatter of durations as numbers or words: `1:15`, `1m 15s`, `1 minute, 15 seconds`.
///
/// Foundation's type of this name does not exist on Linux, so this type replaces it. Words are in English. A formatter
/// must not be used by several threads at the same time.
public final class DateComponentsFormatter {
    /// The style of a duration: numbers, or words of a certain length.
    public enum UnitsStyle: Int, Sendable {
        /// Numbers: `1:15:00`, `1d 2:03:04`.
        case positional = 0
        /// Words: `1h 15m`; `1 hr, 15 min`; `1 hour, 15 minutes`; `one hour, fifteen minutes`; `1hr 15min`.
        case abbreviated, short, full, spellOut, brief
    }

    /// The way in which units with the value 0 are formatted.
    public struct ZeroFormattingBehavior: OptionSet, Sendable, Hashable {
        /// The bit mask of rules.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The default rules: `dropLeading` for numbers, and `dropAll` for words.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1)
        /// The rule that omits zeros before the first unit with another value.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)
        /// The rule that omits zeros between units with other values.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)
        /// The rule that omits zeros after the last unit with another value.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)
        /// The rules that omit all zeros. If all units are 0, the smallest unit remains.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        /// The rule that keeps all units. In the positional style, hours, minutes and seconds have at least two digits
        /// each.
        public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
    }

    /// The style. The default is `positional`, which formats numbers.
    public var unitsStyle = UnitsStyle.positional
    /// The units to use, from years to seconds. Other units have no effect. An empty set means all units.
    public var allowedUnits: NSCalendar.Unit = []
    /// The way in which units with the value 0 are formatted.
    public var zeroFormattingBehavior = ZeroFormattingBehavior.default
    /// The maximum number of units, or 0 for all. Smaller units are cut off without rounding.
    public var maximumUnitCount = 0
    /// Whether the text begins with “About”.
    public var includesApproximationPhrase = false
    /// Whether the text ends with “remaining”.
    public var includesTimeRemainingPhrase = false
    /// The calendar for months and years, or nil for the Gregorian calendar.
    public var calendar: Calendar?

    /// Creates a formatter that formats all units from years to seconds as numbers.
    public init() {}

    private struct Part {
        let unit: Unit
        var value: Int
    }
    private struct Unit {
        let kind: NSCalendar.Unit, component: Calendar.Component
        let letter: String, short: String, word: String
    }
    private static let units = [
        Unit(kind: .year, component: .year, letter: "y", short: "yr", word: "year"),
        Unit(kind: .month, component: .month, letter: "mo", short: "mth", word: "month"),
        Unit(kind: .weekOfMonth, component: .weekOfMonth, letter: "w", short: "wk", word: "week"),
        Unit(kind: .day, component: .day, letter: "d", short: "day", word: "day"),
        Unit(kind: .hour, component: .hour, letter: "h", short: "hr", word: "hour"),
        Unit(kind: .minute, component: .minute, letter: "m", short: "min", word: "minute"),
        Unit(kind: .second, component: .second, letter: "s", short: "sec", word: "second"),
    ]
    private var allowed: [Unit] {
        DateComponentsFormatter.units.filter { allowedUnits.isEmpty || allowedUnits.contains($0.kind) }
    }

    /// Returns the text of a duration.
    /// - Parameter interval: The duration in seconds, rounded toward zero.
    /// - Returns: The text, or nil if the interval is not finite, is longer than a million years, or no unit is
    ///   allowed.
    public func string(from interval: TimeInterval) -> String? {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        return string(from: start, to: start.addingTimeInterval(interval.rounded(.towardZero)))
    }

    /// Returns the text of the duration between two dates. A minus sign precedes a negative duration.
    /// - Returns: The text, or nil if a date is not finite, is more than a million years from 2001, or no unit is
    ///   allowed.
    public func string(from start: Date, to end: Date) -> String? {
        // NaN is rejected here, because the comparison below is false for it in both orders of the dates.
        guard [start, end].allSatisfy({ abs($0.timeIntervalSinceReferenceDate) < 3.2e13 }) else { return nil }
        // One sign for all units, such as “-1:15”.
        guard end.timeIntervalSince(start) > -1 else { return string(from: end, to: start).map { "-" + $0 } }
        let units = allowed
        guard !units.isEmpty else { return nil }
        var calendar = calendar ?? Calendar(identifier: .gregorian)
        if let utc = TimeZone(secondsFromGMT: 0) { calendar.timeZone = utc }
        return string(from: calendar.dateComponents(Set(units.map(\.component)), from: start, to: end))
    }

    /// Returns the text of date components, or nil if no unit is allowed. Components that are not set count as 0.
    public func string(from components: DateComponents) -> String? {
        let parts = allowed.map { Part(unit: $0, value: components.value(for: $0.component) ?? 0) }
        guard !parts.isEmpty else { return nil }
        let shown = limited(withoutZeros(parts))
        let text = unitsStyle == .positional ? positionalText(shown) : shown.map(text).joined(separator: separator)
        return (includesApproximationPhrase ? "About " : "") + text + (includesTimeRemainingPhrase ? " remaining" : "")
    }

    /// Returns the text of date components in a style, with all units from years to seconds. Never returns nil.
    public static func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = unitsStyle
        return formatter.string(from: components)
    }

    private func withoutZeros(_ parts: [Part]) -> [Part] {
        var behavior = zeroFormattingBehavior
        guard !behavior.contains(.pad), let last = parts.last else { return parts }
        if behavior.contains(.default) { behavior = unitsStyle == .positional ? .dropLeading : .dropAll }
        guard let first = parts.firstIndex(where: { $0.value != 0 }),
            let end = parts.lastIndex(where: { $0.value != 0 })
        else { return [last] }
        return parts.enumerated().filter { index, part in
            part.value != 0
                || !behavior.contains(index < first ? .dropLeading : index > end ? .dropTrailing : .dropMiddle)
        }.map(\.element)
    }

    private func limited(_ parts: [Part]) -> [Part] {
        maximumUnitCount > 0 ? Array(parts.prefix(maximumUnitCount)) : parts
    }

    /// Returns numbers such as `1d 2:03:04`.
    private func positionalText(_ parts: [Part]) -> String {
        var text = ""
        for (index, part) in parts.enumerated() {
            let isTime = [.hour, .minute, .second].contains(part.unit.kind)
            let followsTime = index > 0 && [.hour, .minute].contains(parts[index - 1].unit.kind)
            if index > 0 { text += followsTime ? ":" : " " }
            let isWide = isTime && (followsTime || zeroFormattingBehavior.contains(.pad))
            text += isWide && (0..<10).contains(part.value) ? "0\(part.value)" : "\(part.value)"
            if !isTime { text += part.unit.letter }
        }
        return text
    }

    private var separator: String { unitsStyle == .abbreviated || unitsStyle == .brief ? " " : ", " }

    private func text(_ part: Part) -> String {
        let (value, unit) = (part.value, part.unit)
        let plural = abs(value) == 1 ? "" : "s"
        switch unitsStyle {
        case .positional, .abbreviated: return "\(value)\(unit.letter)"
        case .brief: return "\(value)\(unit.short)"
        case .short:
            return
                "\(value) \(unit.short)\(unit.short == "day" || unit.short == "yr" || unit.short == "wk" || unit.short == "mth" ? plural : "")"
        case .full: return "\(value) \(unit.word)\(plural)"
        case .spellOut:
            let formatter = NumberFormatter()
            formatter.numberStyle = .spellOut
            formatter.locale = Locale(identifier: "en")
            return "\(formatter.string(from: NSNumber(value: value)) ?? "\(value)") \(unit.word)\(plural)"
        }
    }
}
