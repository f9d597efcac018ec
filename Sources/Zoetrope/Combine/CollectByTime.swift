import Foundation
import OpenCombine

extension Publishers {
    /// The rule by which `collect(_:options:)` delivers the collected values. Combine's type.
    public enum TimeGroupingStrategy<Context: Scheduler> {
        /// Delivers the values after each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// Delivers the values after each interval, and as soon as their number reaches the given count.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }

    /// A publisher that delivers the values of each interval as an array. Combine's type.
    ///
    /// `collect(_:options:)` returns this publisher.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values of an interval, in order; never empty.
        public typealias Output = [Upstream.Output]
        /// The failure of the upstream publisher.
        public typealias Failure = Upstream.Failure
        /// The publisher whose values are collected.
        public let upstream: Upstream
        /// The rule by which arrays are delivered.
        public let strategy: TimeGroupingStrategy<Context>
        /// The options of the scheduler; nil for its defaults.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher that collects the values of `upstream`.
        public init(
            upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
        ) {
            (self.upstream, self.strategy, self.options) = (upstream, strategy, options)
        }
        /// Starts to collect values for one subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(TimedCollection<S, Upstream.Output, Context>(subscriber, strategy, options))
        }
    }
}

extension Publisher {
    /// Collects values, and delivers them as an array after each interval with at least one value.
    ///
    /// ```swift
    /// times
    ///     .collect(.byTime(DispatchQueue.main, .seconds(1)))
    ///     .sink { values in print("\(values.count) values in the last second") }
    ///     .store(in: &subscriptions)
    /// ```
    /// An array at the end of an interval is delivered on the scheduler. When the upstream publisher finishes, or sends
    /// the value that reaches the count, the array is delivered on that publisher's thread.
    ///
    /// When the upstream publisher finishes, the last array is delivered before the completion. A failure is delivered
    /// at once, and the collected values are dropped. While the subscriber has no demand, values are collected until it
    /// has; an array may then have more values than the count. If the upstream publisher finishes before that, the
    /// collected values are dropped too.
    /// - Parameters:
    ///   - strategy: The scheduler, the interval and, optionally, the number of values that ends an interval early. A
    ///     count below 1 counts as 1.
    ///   - options: The options of the scheduler; nil for its defaults.
    /// - Returns: A publisher of arrays.
    public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
    }
}

/// The subscription that collects the values of the current interval. Any thread.
private final class TimedCollection<Downstream: Subscriber, Input, Context: Scheduler>: Subscriber, Subscription
where Downstream.Input == [Input] {
    typealias Failure = Downstream.Failure
    // The lock is recursive, because a subscriber that receives an array may cancel or request more inside that call.
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
            self?.deliverValues()
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
        if isFull { deliverValues() }
        return .none
    }

    /// Delivers the collected values, if there are any and the subscriber has a demand.
    private func deliverValues() {
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
            if case .finished = completion { deliverValues() }
            let last = downstream
            cancel()
            last?.receive(completion: completion)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            self.demand += demand
            if values.count >= limit { deliverValues() }
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
