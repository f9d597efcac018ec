import Foundation

/// Whether a schedule should spare itself. Always `.normal` here. SwiftUI's type.
public enum TimelineScheduleMode: Sendable {
    /// As often as the schedule says.
    case normal
    /// Less often; never asked for here.
    case lowFrequency
}

/// The times at which a `TimelineView` is evaluated. SwiftUI's protocol.
public protocol TimelineSchedule {
    /// Whether the schedule should spare itself.
    typealias Mode = TimelineScheduleMode
    /// The dates, one after the other.
    associatedtype Entries: Sequence where Entries.Element == Date
    /// Dates that only grow, the first not later than `startDate` where there is such a one.
    func entries(from startDate: Date, mode: Mode) -> Entries
}

/// At one moment and then again and again.
public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
    let start: Date
    let interval: TimeInterval
    /// - Parameter interval: seconds; at least a hundredth, at most some thousand years.
    public init(from startDate: Date, by interval: TimeInterval) {
        start = startDate
        self.interval = interval.isNaN ? 1 : min(1e11, max(0.01, interval))
    }
    /// The dates from the last one that is not after `startDate` on, without end; all of them where there is none.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries {
        let passed = startDate.timeIntervalSince(start)
        return Entries(
            start: start, interval: interval, number: passed.isFinite ? max(0, (passed / interval).rounded(.down)) : 0)
    }
    /// The dates, without end.
    public struct Entries: Sequence, IteratorProtocol, Sendable {
        let start: Date
        let interval: TimeInterval
        var number: Double
        /// The next date; never nil.
        public mutating func next() -> Date? {
            defer { number += 1 }
            return start.addingTimeInterval(interval * number)
        }
    }
}

/// At the beginning of every minute.
public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
    /// Makes the schedule; `.everyMinute` is shorter.
    public init() {}
    /// The beginnings of minutes, from that of `startDate` on, without end.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> PeriodicTimelineSchedule.Entries {
        // Minutes begin with the reference date's.
        PeriodicTimelineSchedule(
            from: Date(
                timeIntervalSinceReferenceDate: (startDate.timeIntervalSinceReferenceDate / 60).rounded(.down) * 60),
            by: 60
        ).entries(from: startDate, mode: mode)
    }
}

/// At dates that are given. They must only grow.
public struct ExplicitTimelineSchedule<Entries: Sequence>: TimelineSchedule where Entries.Element == Date {
    let dates: Entries
    /// Makes a schedule of dates.
    public init(_ dates: Entries) { self.dates = dates }
    /// The dates as they were given, whatever `startDate`.
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries { dates }
}
extension ExplicitTimelineSchedule: Sendable where Entries: Sendable {}

/// At each turn of the display, while it is not paused.
public struct AnimationTimelineSchedule: TimelineSchedule, Sendable {
    let interval: Double
    let isPaused: Bool
    /// - Parameter minimumInterval: seconds between two; nil: as the display turns.
    public init(minimumInterval: Double? = nil, paused: Bool = false) {
        interval = minimumInterval.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
        isPaused = paused
    }
    /// Dates from `start` on, at least a sixtieth of a second apart; one only while paused. (A `TimelineView` goes by
    /// the display instead.)
    public func entries(from start: Date, mode: TimelineScheduleMode) -> Entries {
        Entries(
            isPaused: isPaused,
            inner: PeriodicTimelineSchedule(from: start, by: max(1 / 60, interval)).entries(from: start, mode: mode))
    }
    /// The dates; one only while paused.
    public struct Entries: Sequence, IteratorProtocol, Sendable {
        let isPaused: Bool
        var inner: PeriodicTimelineSchedule.Entries
        /// The next date; nil after the first while paused.
        public mutating func next() -> Date? { isPaused && inner.number > 0 ? nil : inner.next() }
    }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    /// - Parameter interval: seconds; at least a hundredth.
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule(from: startDate, by: interval)
    }
}
extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    /// At the beginning of every minute.
    public static var everyMinute: EveryMinuteTimelineSchedule { EveryMinuteTimelineSchedule() }
}
extension TimelineSchedule where Self == AnimationTimelineSchedule {
    /// At each turn of the display.
    public static var animation: AnimationTimelineSchedule { AnimationTimelineSchedule() }
    /// - Parameter minimumInterval: seconds between two; nil: as the display turns.
    public static func animation(minimumInterval: Double? = nil, paused: Bool = false) -> AnimationTimelineSchedule {
        AnimationTimelineSchedule(minimumInterval: minimumInterval, paused: paused)
    }
}
extension TimelineSchedule {
    /// At dates that are given. They must only grow.
    public static func explicit<S: Sequence>(_ dates: S) -> ExplicitTimelineSchedule<S>
    where Self == ExplicitTimelineSchedule<S>, S.Element == Date { ExplicitTimelineSchedule(dates) }
}
