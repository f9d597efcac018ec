import Foundation

/// The update frequency that is requested from a schedule, which is always `.normal` here. Mirrors SwiftUI's type.
public enum TimelineScheduleMode: Sendable {
    /// Updates as often as the schedule defines.
    case normal
    /// Updates less often. Never requested here.
    case lowFrequency
}

/// The dates at which a `TimelineView` is evaluated. Mirrors SwiftUI's protocol.
public protocol TimelineSchedule {
    /// The update frequency.
    typealias Mode = TimelineScheduleMode
    /// The type of the sequence of dates.
    associatedtype Entries: Sequence where Entries.Element == Date
    /// Returns dates in ascending order. The first is not later than `startDate`, if the schedule has such a date.
    func entries(from startDate: Date, mode: Mode) -> Entries
}

/// A schedule with a start date and a constant interval. Mirrors SwiftUI's type.
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
    let start: Date
    let interval: TimeInterval
    /// Creates a schedule.
    /// - Parameters:
    ///   - startDate: The first date.
    ///   - interval: The interval in seconds, clamped to 0.01…10¹¹. NaN counts as 1.
    public init(from startDate: Date, by interval: TimeInterval) {
        start = startDate
        self.interval = interval.isNaN ? 1 : min(1e11, max(0.01, interval))
    }
    /// Returns an infinite sequence of dates. It begins with the latest date of the schedule that is not after
    /// `startDate`, or with the schedule's first date if all dates are later.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries {
        let passed = startDate.timeIntervalSince(start)
        return Entries(
            start: start, interval: interval, number: passed.isFinite ? max(0, (passed / interval).rounded(.down)) : 0)
    }
    /// An infinite sequence of dates.
    public struct Entries: Sequence, IteratorProtocol, Sendable {
        let start: Date
        let interval: TimeInterval
        var number: Double
        /// Returns the next date, which is never nil.
        public mutating func next() -> Date? {
            defer { number += 1 }
            return start.addingTimeInterval(interval * number)
        }
    }
}

/// A schedule with a date at the start of every minute. Mirrors SwiftUI's type.
public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
    /// Creates the schedule. `.everyMinute` is shorter.
    public init() {}
    /// Returns an infinite sequence of the starts of minutes. It begins with the minute that contains `startDate`.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> PeriodicTimelineSchedule.Entries {
        // Minutes start at multiples of 60 s after the reference date.
        PeriodicTimelineSchedule(
            from: Date(
                timeIntervalSinceReferenceDate: (startDate.timeIntervalSinceReferenceDate / 60).rounded(.down) * 60),
            by: 60
        ).entries(from: startDate, mode: mode)
    }
}

/// A schedule with dates that the app sets, in ascending order. Mirrors SwiftUI's type.
public struct ExplicitTimelineSchedule<Entries: Sequence>: TimelineSchedule where Entries.Element == Date {
    let dates: Entries
    /// Creates a schedule from dates.
    public init(_ dates: Entries) { self.dates = dates }
    /// Returns the dates of the schedule, regardless of `startDate`.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries { dates }
}
extension ExplicitTimelineSchedule: Sendable where Entries: Sendable {}

/// A schedule that evaluates a view at every display refresh, unless it is paused. Mirrors SwiftUI's type.
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {
    let interval: Double
    let isPaused: Bool
    /// Creates a schedule.
    /// - Parameters:
    ///   - minimumInterval: The minimum interval in seconds. Nil, a negative value and a value that is not finite
    ///     evaluate at every display refresh.
    ///   - paused: Whether the schedule is paused.
    public init(minimumInterval: Double? = nil, paused: Bool = false) {
        interval = minimumInterval.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
        isPaused = paused
    }
    /// Returns dates from `start` on, at least a sixtieth of a second apart. A paused schedule has one date.
    ///
    /// A `TimelineView` does not use these dates but follows the display.
    public func entries(from start: Date, mode: TimelineScheduleMode) -> Entries {
        Entries(
            isPaused: isPaused,
            inner: PeriodicTimelineSchedule(from: start, by: max(1 / 60, interval)).entries(from: start, mode: mode))
    }
    /// A sequence of dates, which is infinite unless the schedule is paused. A paused schedule has one date.
    public struct Entries: Sequence, IteratorProtocol, Sendable {
        let isPaused: Bool
        var inner: PeriodicTimelineSchedule.Entries
        /// Returns the next date. For a paused schedule, nil after the first date.
        public mutating func next() -> Date? { isPaused && inner.number > 0 ? nil : inner.next() }
    }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    /// Returns a schedule with a start date and a constant interval.
    /// - Parameters:
    ///   - startDate: The first date.
    ///   - interval: The interval in seconds, clamped to 0.01…10¹¹. NaN counts as 1.
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule(from: startDate, by: interval)
    }
}
extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    /// A schedule with a date at the start of every minute.
    public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}
extension TimelineSchedule where Self == AnimationTimelineSchedule {
    /// A schedule that evaluates a view at every display refresh.
    public static var animation: AnimationTimelineSchedule { AnimationTimelineSchedule() }
    /// Returns a schedule that evaluates a view at display refreshes.
    /// - Parameters:
    ///   - minimumInterval: The minimum interval in seconds. Nil, a negative value and a value that is not finite
    ///     evaluate at every display refresh.
    ///   - paused: Whether the schedule is paused.
    public static func animation(minimumInterval: Double? = nil, paused: Bool = false) -> AnimationTimelineSchedule {
        AnimationTimelineSchedule(minimumInterval: minimumInterval, paused: paused)
    }
}
extension TimelineSchedule {
    /// Returns a schedule with some dates.
    /// - Parameter dates: The dates, in ascending order.
    public static func explicit<S: Sequence>(_ dates: S) -> ExplicitTimelineSchedule<S>
    where Self == ExplicitTimelineSchedule<S>, S.Element == Date { ExplicitTimelineSchedule(dates) }
}
