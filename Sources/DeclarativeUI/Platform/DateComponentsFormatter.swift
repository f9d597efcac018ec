import Foundation

/// Lengths of time in words or figures: `1:15`, `1m 15s`, `1 minute, 15 seconds`. Foundation's type of that name, which
/// has no Linux version: this one is found in its place. Words are English ones. Not for several threads at once.
public final class DateComponentsFormatter {
    /// Figures or words.
    public enum UnitsStyle: Int, Sendable {
        /// Figures: `1:15:00`, `1d 2:03:04`.
        case positional = 0
        /// From the shortest words to the longest: `1h 15m`; `1 hr, 15 min`; `1 hour, 15 minutes`; `one hour, fifteen
        /// minutes`; and, last, `1hr 15min`.
        case abbreviated, short, full, spellOut, brief
    }

    /// What is done with units of which there are none.
    public struct ZeroFormattingBehavior: OptionSet, Sendable, Hashable {
        /// One bit a rule.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// In figures as `dropLeading`, in words as `dropAll`.
        public static let `default` = ZeroFormattingBehavior(rawValue: 1)
        /// Leaves out those before the first unit of which there are some.
        public static let dropLeading = ZeroFormattingBehavior(rawValue: 2)
        /// Leaves out those between two units of which there are some.
        public static let dropMiddle = ZeroFormattingBehavior(rawValue: 4)
        /// Leaves out those after the last unit of which there are some.
        public static let dropTrailing = ZeroFormattingBehavior(rawValue: 8)
        /// Leaves out all of them; the smallest unit stays where there are none at all.
        public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
        /// All units, in figures with two digits each.
        public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
    }

    /// Figures or words; figures if not said.
    public var unitsStyle = UnitsStyle.positional
    /// Years to seconds count; others are passed over. None: all of them.
    public var allowedUnits: NSCalendar.Unit = []
    /// What is done with units of which there are none.
    public var zeroFormattingBehavior = ZeroFormattingBehavior.default
    /// The greatest ones only, the rest is cut off; 0: all.
    public var maximumUnitCount = 0
    /// “About” before it.
    public var includesApproximationPhrase = false
    /// “remaining” after it.
    public var includesTimeRemainingPhrase = false
    /// In what months and years are counted; nil: the Gregorian one.
    public var calendar: Calendar?

    /// Makes a formatter that writes all units from years to seconds in figures.
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
    private var used: [Unit] {
        DateComponentsFormatter.units.filter { allowedUnits.isEmpty || allowedUnits.contains($0.kind) }
    }

    /// - Parameter interval: seconds, fractions cut off. Nil for what is no number, and beyond a million years.
    public func string(from interval: TimeInterval) -> String? {
        guard interval.isFinite, abs(interval) < 3.2e13 else { return nil }
        let start = Date(timeIntervalSinceReferenceDate: 0)
        guard let text = string(from: start, to: start.addingTimeInterval(abs(interval).rounded(.down))) else {
            return nil
        }
        return interval <= -1 ? "-" + text : text
    }

    /// From one moment to a later one; nil when no unit is allowed.
    public func string(from start: Date, to end: Date) -> String? {
        let units = used
        guard !units.isEmpty else { return nil }
        var calendar = calendar ?? Calendar(identifier: .gregorian)
        if let utc = TimeZone(secondsFromGMT: 0) { calendar.timeZone = utc }
        return string(from: calendar.dateComponents(Set(units.map(\.component)), from: start, to: end))
    }

    /// Components in words or figures; those not set are 0. Nil when no unit is allowed.
    public func string(from components: DateComponents) -> String? {
        let parts = used.map { Part(unit: $0, value: components.value(for: $0.component) ?? 0) }
        guard !parts.isEmpty else { return nil }
        let shown = limited(withoutZeros(parts))
        let text = unitsStyle == .positional ? figures(shown) : shown.map(words).joined(separator: separator)
        return (includesApproximationPhrase ? "About " : "") + text + (includesTimeRemainingPhrase ? " remaining" : "")
    }

    /// Components in the words or figures of a style, with all units from years to seconds. Never nil.
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

    /// `1d 2:03:04`.
    private func figures(_ parts: [Part]) -> String {
        var text = ""
        for (index, part) in parts.enumerated() {
            let isTime = [.hour, .minute, .second].contains(part.unit.kind)
            let follows = index > 0 && [.hour, .minute].contains(parts[index - 1].unit.kind)
            if index > 0 { text += follows ? ":" : " " }
            let isWide = isTime && (follows || zeroFormattingBehavior.contains(.pad))
            text += isWide && (0..<10).contains(part.value) ? "0\(part.value)" : "\(part.value)"
            if !isTime { text += part.unit.letter }
        }
        return text
    }

    private var separator: String { unitsStyle == .abbreviated || unitsStyle == .brief ? " " : ", " }

    private func words(_ part: Part) -> String {
        let (value, unit) = (part.value, part.unit)
        let ending = abs(value) == 1 ? "" : "s"
        switch unitsStyle {
        case .positional, .abbreviated: return "\(value)\(unit.letter)"
        case .brief: return "\(value)\(unit.short)"
        case .short:
            return
                "\(value) \(unit.short)\(unit.short == "day" || unit.short == "yr" || unit.short == "wk" || unit.short == "mth" ? ending : "")"
        case .full: return "\(value) \(unit.word)\(ending)"
        case .spellOut:
            let formatter = NumberFormatter()
            formatter.numberStyle = .spellOut
            formatter.locale = Locale(identifier: "en")
            return "\(formatter.string(from: NSNumber(value: value)) ?? "\(value)") \(unit.word)\(ending)"
        }
    }
}
