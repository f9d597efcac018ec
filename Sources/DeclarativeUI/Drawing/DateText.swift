import Foundation
import PlayerControls

extension Text {
    /// How a text shows a date. SwiftUI's type.
    public struct DateStyle: Hashable, Codable, Sendable {
        enum Kind: String, Codable { case time, date, relative, offset, timer }
        let kind: Kind
        /// The time of day: "11:23 PM".
        public static let time = DateStyle(kind: .time)
        /// The day: "June 3, 2019".
        public static let date = DateStyle(kind: .date)
        /// How far from now: "2 hours, 23 minutes". Kept up to date.
        public static let relative = DateStyle(kind: .relative)
        /// How far from now, and on which side: "+2 hours". Kept up to date.
        public static let offset = DateStyle(kind: .offset)
        /// The time until then, or since: "36:59:01". Kept up to date.
        public static let timer = DateStyle(kind: .timer)
    }

    /// A date; styles that tell how far it is from now are kept up to date while the text is seen.
    nonisolated public init(_ date: Date, style: DateStyle) { self.init(time: .date(date, style.kind)) }
    /// From one time of day to another: "9:30 AM – 3:30 PM".
    nonisolated public init(_ dates: ClosedRange<Date>) {
        self.init(verbatim: "\(DateText.timeOfDay(dates.lowerBound)) – \(DateText.timeOfDay(dates.upperBound))")
    }
    /// The same.
    nonisolated public init(_ interval: DateInterval) { self.init(interval.start...interval.end) }
    /// A clock that runs through an interval, and stands still before and after it.
    /// - Parameters:
    ///   - pauseTime: where it stands; nil lets it run.
    ///   - countsDown: it shows what is left rather than what has passed.
    ///   - showsHours: an hour and more is shown as hours; else as minutes.
    nonisolated public init(
        timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true, showsHours: Bool = true
    ) {
        self.init(time: .interval(timerInterval, pauseTime: pauseTime, countsDown: countsDown, showsHours: showsHours))
    }

    nonisolated private init(time: DateText) { runs = [Run(text: time.text(at: Date()), time: time)] }
}

/// Words that depend on the time.
enum DateText: Equatable, Sendable {
    case date(Date, Text.DateStyle.Kind)
    case interval(ClosedRange<Date>, pauseTime: Date?, countsDown: Bool, showsHours: Bool)

    func text(at now: Date) -> String {
        switch self {
        case .date(let date, let kind):
            let distance = date.timeIntervalSince(now)
            return switch kind {
            case .time: DateText.timeOfDay(date)
            case .date: date.formatted(date: .long, time: .omitted)
            case .relative: DateText.words(distance, 2)
            case .offset: (distance < 0 ? "-" : "+") + DateText.words(distance, 1)
            // What is left is full seconds that have not passed, what has passed full ones that have.
            case .timer: DateText.clock(distance > 0 ? distance.rounded(.up) : -distance, showsHours: true)
            }
        case .interval(let range, let pauseTime, let countsDown, let showsHours):
            let at = min(range.upperBound, max(range.lowerBound, pauseTime ?? now))
            return DateText.clock(
                countsDown
                    ? range.upperBound.timeIntervalSince(at).rounded(.up) : at.timeIntervalSince(range.lowerBound),
                showsHours: showsHours)
        }
    }

    /// Nil when it stays.
    func nextChange(after now: Date) -> Date? {
        switch self {
        case .date(_, .time), .date(_, .date): return nil
        case .date(let date, let kind):
            let distance = abs(date.timeIntervalSince(now))
            // Beyond an hour only minutes are told.
            return DateText.next(kind == .timer || distance < 3600 + 60 ? 1 : 60, of: date, after: now)
        case .interval(let range, let pauseTime, let countsDown, _):
            guard pauseTime == nil, now < range.upperBound else { return nil }
            return max(
                range.lowerBound, DateText.next(1, of: countsDown ? range.upperBound : range.lowerBound, after: now))
        }
    }

    /// When next a whole number of `seconds` lies between `date` and then.
    private static func next(_ seconds: Double, of date: Date, after now: Date) -> Date {
        let passed = now.timeIntervalSince(date) / seconds
        guard passed.isFinite, abs(passed) < 1e12 else { return now.addingTimeInterval(seconds) }
        return date.addingTimeInterval((passed.rounded(.down) + 1) * seconds)
    }

    static func timeOfDay(_ date: Date) -> String { date.formatted(date: .omitted, time: .shortened) }

    /// `0:05`, `36:59:01`; without hours, `2219:01`. Values are clamped to 0…1e12.
    static func clock(_ seconds: Double, showsHours: Bool) -> String {
        let seconds = max(0, min(1e12, seconds.isNaN ? 0 : seconds))
        guard !showsHours, seconds >= 3600 else { return TimeText.clock(seconds) }
        let minutes = Int(seconds) / 60
        return "\(minutes)" + TimeText.clock(seconds - Double(minutes * 60)).dropFirst()
    }

    /// The largest units of a length of time: "2 hours, 23 minutes". A month is 30 days, a year 365.
    static func words(_ seconds: Double, _ most: Int) -> String {
        var rest = Int(min(1e14, abs(seconds.isNaN ? 0 : seconds)).rounded(seconds > 0 ? .up : .down))
        var parts: [String] = []
        for (unit, length) in [
            ("year", 31_536_000), ("month", 2_592_000), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1),
        ] {
            let count = rest / length
            rest %= length
            // Units next to each other only.
            if count == 0 { if parts.isEmpty { continue } else { break } }
            parts.append("\(count) \(unit)\(count == 1 ? "" : "s")")
            if parts.count == most { break }
        }
        return parts.isEmpty ? "0 seconds" : parts.joined(separator: ", ")
    }
}
