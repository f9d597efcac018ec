import Foundation
import PlayerControls

extension Text {
    /// The way in which a text shows a date. Same API as in SwiftUI.
    public struct DateStyle: Hashable, Codable, Sendable {
        enum Kind: String, Codable { case time, date, relative, offset, timer }
        let kind: Kind
        /// The time of day: "11:23 PM".
        public static let time = DateStyle(kind: .time)
        /// The day: "June 3, 2019".
        public static let date = DateStyle(kind: .date)
        /// The distance from now: "2 hours, 23 minutes". The text is updated while visible.
        public static let relative = DateStyle(kind: .relative)
        /// The distance from now with a sign: "+2 hours". The text is updated while visible.
        public static let offset = DateStyle(kind: .offset)
        /// The time until the date, or since it: "36:59:01". The text is updated while visible.
        public static let timer = DateStyle(kind: .timer)
    }

    /// Creates a text view that shows a date. Styles that depend on the current time are updated while the text is
    /// visible.
    nonisolated public init(_ date: Date, style: DateStyle) { self.init(time: .date(date, style.kind)) }
    /// Creates a text view that shows two times of day: "9:30 AM – 3:30 PM".
    nonisolated public init(_ dates: ClosedRange<Date>) {
        self.init(verbatim: "\(DateText.timeOfDay(dates.lowerBound)) – \(DateText.timeOfDay(dates.upperBound))")
    }
    /// Creates a text view that shows the start and the end of an interval as times of day.
    nonisolated public init(_ interval: DateInterval) { self.init(interval.start...interval.end) }
    /// Creates a text view with a timer that runs during an interval and stops before and after it.
    /// - Parameters:
    ///   - pauseTime: The time at which the timer stops. Nil lets it run.
    ///   - countsDown: Whether the timer shows the remaining time, not the elapsed time.
    ///   - showsHours: Whether the timer shows hours. If false, it shows 60 minutes and more as minutes.
    nonisolated public init(
        timerInterval: ClosedRange<Date>, pauseTime: Date? = nil, countsDown: Bool = true, showsHours: Bool = true
    ) {
        self.init(time: .interval(timerInterval, pauseTime: pauseTime, countsDown: countsDown, showsHours: showsHours))
    }

    nonisolated private init(time: DateText) { runs = [Run(text: time.text(at: Date()), time: time)] }
}

/// A text that depends on the time.
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
            case .relative: DateText.text(distance, 2)
            case .offset: (distance < 0 ? "-" : "+") + DateText.text(distance, 1)
            // Remaining time is rounded up to full seconds, elapsed time down.
            case .timer: DateText.clock(distance > 0 ? distance.rounded(.up) : -distance, showsHours: true)
            }
        case .interval(let range, let pauseTime, let countsDown, let showsHours):
            let time = pauseTime.map { min($0, now) } ?? now
            let displayedTime = min(range.upperBound, max(range.lowerBound, time))
            return DateText.clock(
                countsDown
                    ? range.upperBound.timeIntervalSince(displayedTime).rounded(.up)
                    : displayedTime.timeIntervalSince(range.lowerBound),
                showsHours: showsHours)
        }
    }

    /// Returns the time of the next change after `now`, or nil if the text does not change.
    func nextChange(after now: Date) -> Date? {
        switch self {
        case .date(_, .time), .date(_, .date): return nil
        case .date(let date, let kind):
            let distance = abs(date.timeIntervalSince(now))
            // Beyond an hour, the text shows no seconds.
            return DateText.next(kind == .timer || distance < 3600 + 60 ? 1 : 60, of: date, after: now)
        case .interval(let range, let pauseTime, let countsDown, _):
            let end = pauseTime.map { min($0, range.upperBound) } ?? range.upperBound
            guard now < end else { return nil }
            let next = DateText.next(1, of: countsDown ? range.upperBound : range.lowerBound, after: now)
            return min(end, max(range.lowerBound, next))
        }
    }

    /// Returns the next time after `now` whose distance from `date` is a multiple of `seconds`.
    private static func next(_ seconds: Double, of date: Date, after now: Date) -> Date {
        let passed = now.timeIntervalSince(date) / seconds
        guard passed.isFinite, abs(passed) < 1e12 else { return now.addingTimeInterval(seconds) }
        return date.addingTimeInterval((passed.rounded(.down) + 1) * seconds)
    }

    static func timeOfDay(_ date: Date) -> String { date.formatted(date: .omitted, time: .shortened) }

    /// Returns a duration such as `0:05` or `36:59:01`, or `2219:01` without hours. `seconds` is clamped to 0…1e12.
    static func clock(_ seconds: Double, showsHours: Bool) -> String {
        let seconds = max(0, min(1e12, seconds.isNaN ? 0 : seconds))
        guard !showsHours, seconds >= 3600 else { return TimeText.clock(seconds) }
        let minutes = Int(seconds) / 60
        return "\(minutes)" + TimeText.clock(seconds - Double(minutes * 60)).dropFirst()
    }

    /// Returns the largest units of a duration: "2 hours, 23 minutes". A month has 30 days, a year 365.
    /// - Parameter most: The maximum number of units.
    static func text(_ seconds: Double, _ most: Int) -> String {
        var rest = Int(min(1e14, abs(seconds.isNaN ? 0 : seconds)).rounded(seconds > 0 ? .up : .down))
        var parts: [String] = []
        for (unit, length) in [
            ("year", 31_536_000), ("month", 2_592_000), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1),
        ] {
            let count = rest / length
            rest %= length
            // Only adjacent units are shown together.
            if count == 0 { if parts.isEmpty { continue } else { break } }
            parts.append("\(count) \(unit)\(count == 1 ? "" : "s")")
            if parts.count == most { break }
        }
        return parts.isEmpty ? "0 seconds" : parts.joined(separator: ", ")
    }
}
