import Foundation

/// A view that is evaluated at the times of a schedule. SwiftUI's view.
public struct TimelineView<Schedule: TimelineSchedule, Content> {
    let schedule: Schedule
    let content: (TimelineViewDefaultContext) -> Content

    /// What the content is made of.
    public struct Context: Sendable {
        /// How often the view is evaluated.
        public enum Cadence: Comparable, Sendable {
            /// With the display, or more than once a second.
            case live
            /// More than once a minute.
            case seconds
            /// Once a minute or less often.
            case minutes
        }
        /// The schedule's latest.
        public let date: Date
        /// How often the view is evaluated now: `live` with the display or more than once a second, `seconds` more than
        /// once a minute, else `minutes`.
        public let cadence: Cadence
    }
}

/// What every timeline view's content is made of.
public typealias TimelineViewDefaultContext = TimelineView<EveryMinuteTimelineSchedule, Never>.Context

extension TimelineView: View where Content: View {
    /// The view has no body: its content is evaluated by the clock.
    public typealias Body = Never
    public var body: Never { preconditionFailure("TimelineView has no body; only the graph evaluates views") }
    /// A view whose content is made anew at each of the schedule's times.
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
    /// The schedule's latest, and the one after it.
    private var date = Date.distantPast
    private var next: Date?
    /// Which of the wakings is awaited.
    private var turn = 0

    override init(_ view: TimelineView<Schedule, Content>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        reads.whenChanged { [weak self] in
            if let self, !isRemoved { graph.invalidate(self) }
        }
        element.onTurn = { [weak self] in self?.turned() }
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
    /// A schedule that has fallen further behind is asked anew; one that does not go by the date it is asked from is
    /// told no more.
    private static var mostSkipped: Int { 1_000_000 }

    private func begin() {
        let now = graph.date()
        turn += 1
        entries = nil
        next = nil
        if let animation {
            date = now
            element.isLive = !animation.isPaused
            return
        }
        element.isLive = false
        var all = view.schedule.entries(from: now, mode: .normal).makeIterator()
        // The first stands from now on, whenever it is.
        date = all.next() ?? now
        next = all.next()
        entries = all
        if !advance(now) { next = nil }
        waitForNext()
    }

    /// Goes on to the latest that is not in the future. - Returns: whether it came there.
    private func advance(_ now: Date) -> Bool {
        var skipped = 0
        while let due = next, due <= now, skipped < Self.mostSkipped {
            date = due
            next = entries?.next()
            skipped += 1
        }
        return skipped < Self.mostSkipped
    }

    private func waitForNext() {
        guard let next else { return }
        let mine = turn
        // Far dates in steps: clocks are set.
        graph.wake(min(3600, max(0, next.timeIntervalSince(graph.date())))) { [weak self] in
            guard let self, !isRemoved, turn == mine else { return }
            let before = date
            let isOn = advance(graph.date())
            if !isOn { begin() }
            if date != before { graph.invalidate(self) }
            if isOn { waitForNext() }
        }
    }

    /// The display turns.
    private func turned() {
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
        reads.cover {
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
        turn += 1
        reads.forget()
        element.onTurn = nil
        element.isLive = false
    }
}

/// Several views one over the other, told when the display turns.
final class TimelineElement: LayersElement {
    var onTurn: (() -> Void)?
    /// It wants to be told.
    var isLive = false { didSet { if isLive { host?.animate() } } }
    override func attached(to host: any ElementHost) { if isLive { host.animate() } }
    override func isAnimatingItself(_ now: Double) -> Bool {
        if isLive { onTurn?() }
        return isLive
    }
}
