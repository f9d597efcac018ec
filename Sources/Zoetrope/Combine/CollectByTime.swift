import Foundation
import OpenCombine

extension Publishers {
    /// When `collect(_:options:)` gives what has come. Combine's type.
    public enum TimeGroupingStrategy<Context: Scheduler> {
        /// After each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// After each interval, and as soon as there are so many values.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }

    /// What `collect(_:options:)` gives: arrays of the values of an interval. Combine's type.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values of an interval, in order; never none.
        public typealias Output = [Upstream.Output]
        /// That of the publisher whose values are collected.
        public typealias Failure = Upstream.Failure
        /// Whose values are collected.
        public let upstream: Upstream
        /// When arrays are given.
        public let strategy: TimeGroupingStrategy<Context>
        /// How the scheduler does it.
        public let options: Context.SchedulerOptions?

        /// Collects the values of `upstream`.
        public init(
            upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
        ) {
            (self.upstream, self.strategy, self.options) = (upstream, strategy, options)
        }
        /// Begins to collect for one subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(TimedCollection<S, Upstream.Output, Context>(subscriber, strategy, options))
        }
    }
}

extension Publisher {
    /// Collects values, and gives them as an array after each interval in which there were some. The end comes after
    /// the last array; a failure comes at once, and what was collected is dropped. What a subscriber has no demand for
    /// is collected on.
    public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
    }
}

/// The values of the present interval. Any thread.
private final class TimedCollection<Downstream: Subscriber, Input, Context: Scheduler>: Subscriber, Subscription
where Downstream.Input == [Input] {
    typealias Failure = Downstream.Failure
    // Recursive: whoever gets an array may cancel, or demand more.
    private let lock = NSRecursiveLock()
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private var timer: (any Cancellable)?
    private var values: [Input] = []
    private var demand = Subscribers.Demand.none
    private let context: Context
    private let interval: Context.SchedulerTimeType.Stride
    private let limit: Int
    private let options: Context.SchedulerOptions?

    init(
        _ downstream: Downstream, _ strategy: Publishers.TimeGroupingStrategy<Context>,
        _ options: Context.SchedulerOptions?
    ) {
        self.downstream = downstream
        self.options = options
        switch strategy {
        case .byTime(let context, let interval): (self.context, self.interval, limit) = (context, interval, .max)
        case .byTimeOrCount(let context, let interval, let count):
            (self.context, self.interval, limit) = (context, interval, max(1, count))
        }
    }

    func receive(subscription: any Subscription) {
        let downstream = lock.withLock {
            upstream = subscription
            return self.downstream
        }
        downstream?.receive(subscription: self)
        subscription.request(.unlimited)
        let timer = context.schedule(
            after: context.now.advanced(by: interval), interval: interval, tolerance: context.minimumTolerance,
            options: options
        ) { [weak self] in
            self?.give()
        }
        let isOver = lock.withLock {
            self.timer = timer
            return self.downstream == nil
        }
        if isOver { timer.cancel() }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let isFull = lock.withLock {
            if downstream != nil { values.append(input) }
            return values.count >= limit
        }
        if isFull { give() }
        return .none
    }

    /// The interval is over.
    private func give() {
        lock.withLock {
            guard let downstream, demand > 0, !values.isEmpty else { return }
            let all = values
            values = []
            demand -= 1
            demand += downstream.receive(all)
        }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        lock.withLock {
            if case .finished = completion { give() }
            let last = downstream
            cancel()
            last?.receive(completion: completion)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            self.demand += demand
            if values.count >= limit { give() }
        }
    }

    func cancel() {
        let (upstream, timer) = lock.withLock {
            defer { (self.upstream, self.timer, downstream, values) = (nil, nil, nil, []) }
            return (self.upstream, self.timer)
        }
        timer?.cancel()
        upstream?.cancel()
    }
}
