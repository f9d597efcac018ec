import Foundation

/// A view that is evaluated at the dates of a schedule. Mirrors SwiftUI's view.
///
/// ```swift
/// TimelineView(.periodic(from: .now, by: 1)) { context in
///     Text(context.date, style: .time)
/// }
/// ```
public struct TimelineView<Schedule: TimelineSchedule, Content> {
    let schedule: Schedule
    let content: (TimelineViewDefaultContext) -> Content

    /// The values from which the content is created.
    public struct Context: Sendable {
        /// The frequency of the evaluations.
        public enum Cadence: Comparable, Sendable {
            /// Evaluated at every display refresh, or more than once per second.
            case live
            /// Evaluated more than once per minute.
            case seconds
            /// Evaluated once per minute or less often.
            case minutes
        }
        /// The latest date of the schedule.
        public let date: Date
        /// The current frequency of the evaluations.
        public let cadence: Cadence
    }
}

/// The type of the context that the content of any timeline view receives.
public typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context

extension TimelineView: View where Content: View {
    /// `Never`, because the graph evaluates the content at the dates of the schedule.
    public typealias Body = Never
    public var body: Never { preconditionFailure("TimelineView has no body; only the graph evaluates views") }
    /// Creates a view whose content is evaluated at each date of a schedule.
    /// - Parameters:
    ///   - schedule: The schedule.
    ///   - content: Returns the content for a date.
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (TimelineViewDefaultContext) -> Content) {
        self.schedule = schedule
        self.content = content
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        TimelineFiber(view, inputs)
    }
}

final class TimelineFiber<Schedule: TimelineSchedule, Content: View>: _ViewFiber<TimelineView<Schedule, Content>> {
    private let element = TimelineElement()
    private var content: _ViewFiber<Content>?
    private let reads = TrackedReads()
    private var entries: Schedule.Entries.Iterator?
    /// The latest date of the schedule. `next` is the date after it.
    private var date = Date.distantPast
    private var next: Date?
    /// Incremented when the schedule starts or ends, so that earlier wake-ups are ignored.
    private var generation = 0

    override init(_ view: TimelineView<Schedule, Content>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        reads.whenChanged { [weak self] in
            if let self, !isRemoved { graph.invalidate(self) }
        }
        element.onDisplayRefresh = { [weak self] in self?.displayDidRefresh() }
        begin()
        show()
    }

    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { [element] }

    override func update(_ view: TimelineView<Schedule, Content>, _ environment: EnvironmentValues) {
        let isSame = ViewComparison.areSame(self.view.schedule, view.schedule)
        super.update(view, environment)
        if !isSame { begin() }
        show()
    }

    override func reevaluate() { show() }

    // MARK: time

    private var animation: AnimationTimelineSchedule? { view.schedule as? AnimationTimelineSchedule }
    /// The maximum number of dates to skip.
    ///
    /// A schedule that is further behind is queried again from the current date. If it does not depend on that date and
    /// is still behind, it gets no more evaluations.
    private static var maximumSkipped: Int { 1_000_000 }

    private func begin() {
        let now = graph.date()
        generation += 1
        entries = nil
        next = nil
        if let animation {
            date = now
            element.isLive = !animation.isPaused
            return
        }
        element.isLive = false
        var all = view.schedule.entries(from: now, mode: .normal).makeIterator()
        // The first date applies at once, even if it is in the future.
        date = all.next() ?? now
        next = all.next()
        entries = all
        if !advance(now) { next = nil }
        waitForNext()
    }

    /// Advances to the latest date that is not in the future.
    /// - Returns: Whether that date was reached within `maximumSkipped` steps.
    private func advance(_ now: Date) -> Bool {
        var skipped = 0
        while let due = next, due <= now, skipped < Self.maximumSkipped {
            date = due
            next = entries?.next()
            skipped += 1
        }
        return skipped < Self.maximumSkipped
    }

    private func waitForNext() {
        guard let next else { return }
        let startedGeneration = generation
        // Waits for at most an hour at once, because the clock may be changed.
        graph.wake(min(3600, max(0, next.timeIntervalSince(graph.date())))) { [weak self] in
            guard let self, !isRemoved, generation == startedGeneration else { return }
            let before = date
            let isUpToDate = advance(graph.date())
            if !isUpToDate { begin() }
            if date != before { graph.invalidate(self) }
            if isUpToDate { waitForNext() }
        }
    }

    /// Invalidates the content at a display refresh, if the minimum interval has passed.
    private func displayDidRefresh() {
        guard let animation, !animation.isPaused, !isRemoved else { return }
        let now = graph.date()
        guard now.timeIntervalSince(date) >= animation.interval || now < date else { return }
        date = now
        graph.invalidate(self)
    }

    private var cadence: TimelineViewDefaultContext.Cadence {
        if animation != nil { return .live }
        guard let next else { return .minutes }
        let step = next.timeIntervalSince(date)
        return step < 1 ? .live : step < 60 ? .seconds : .minutes
    }

    // MARK: content

    private func show() {
        guard !isRemoved else { return }
        graph.validated(self)
        graph.evaluations += 1
        let body = reads.evaluate { view.content(TimelineViewDefaultContext(date: date, cadence: cadence)) }
        reads.trackDescendants {
            if let content {
                content.update(body, environment)
            } else {
                content = Content._makeFiber(body, inputs())
                structureChanged()
            }
        }
    }

    override func structureChanged() { element.setChildren(content?.elements ?? []) }

    override func removed() {
        generation += 1
        reads.removeAll()
        element.onDisplayRefresh = nil
        element.isLive = false
    }
}

/// An element of views on top of each other that is notified of display refreshes.
final class TimelineElement: LayersElement {
    var onDisplayRefresh: (() -> Void)?
    /// Whether the element requests notifications of display refreshes.
    var isLive = false { didSet { if isLive { host?.animate() } } }
    override func attached(to host: any ElementHost) { if isLive { host.animate() } }
    override func isAnimatingItself(_ now: Double) -> Bool {
        if isLive { onDisplayRefresh?() }
        return isLive
    }
}
