/// The best result that any rule could have achieved if it had known the whole trace. It is the bound for comparing
/// rules.
///
/// **Search.** Dynamic programming over (segment, last variant, arrival time). Of two paths that reach the same variant
/// at different times, the earlier one is never worse, because its next segment arrives no later. Requests are
/// therefore never delayed by choice, only while the buffer is full. Transfers are never abandoned, because this can't
/// help when the trace is known.
///
/// **Stalls.** A second of stalling costs as much as a second of waiting at the start (`QualityOfExperience`). Moving
/// all waiting to the start makes no deadline earlier. One number, the total waiting time S, therefore represents all
/// distributions of waiting: segment k must arrive by S + k segment durations. Q(S), the best quality within these
/// deadlines, never decreases with S. Between two values of S, no result is better than Q(later) − μ · earlier.
/// Intervals that can't improve the best result are skipped.
///
/// **Bound.** The search assumes that playback starts as early as possible, so that the limit of the buffer delays
/// requests the least. This can only improve the optimum. S is rounded to `waitStep`. Several paths can deliver the
/// same segment of the same variant within one `timeStep`. Only the earliest and the best of them are kept. Each keeps
/// its exact time, so errors do not accumulate.
package struct OfflineOptimum: Sendable {
    /// The resolution of the waiting time, in seconds. `timeStep` is that of arrival times.
    package var waitStep = 0.05
    package var timeStep = 0.25

    package init() {}

    package struct Result: Sendable, Hashable {
        /// The score per segment, as `QualityOfExperience.score` computes it.
        package var score: Double
        package var chosen: [Int]
        /// The total waiting time in seconds, at the start or later.
        package var waited: Double
    }

    package func solve(_ simulator: StreamSimulator, _ quality: QualityOfExperience) -> Result {
        let search = OptimumSearch(simulator, quality, timeStep: max(1e-3, timeStep))
        let step = max(1e-3, waitStep)
        // The wait can't be shorter than the fastest first segment takes. The time that the lowest variant needs is
        // always enough.
        let least = search.leastWait
        let longest = max(least, search.sufficientWait)
        let penalty = quality.stallPenalty

        var cache: [Double: Double] = [:]
        func best(_ wait: Double) -> Double {
            if let known = cache[wait] { return known }
            let value = search.quality(waiting: wait)
            cache[wait] = value
            return value
        }
        // At `longest`, a result exists. Longer waits may be worthwhile as long as quality can still increase.
        var found = (wait: longest, value: best(longest) - penalty * longest)
        var most = penalty > 0 ? max(longest, (search.ceiling(waiting: .infinity) - found.value) / penalty) : longest
        while most - longest > step, search.ceiling(waiting: most) - penalty * (longest + most) / 2 <= found.value {
            most = (longest + most) / 2
        }
        var open: [(from: Double, to: Double)] = [(least, longest), (longest, most)]
        while let interval = open.popLast() {
            guard search.ceiling(waiting: interval.to) - penalty * interval.from > found.value else { continue }
            let value = best(interval.to) - penalty * interval.to
            if value > found.value { found = (interval.to, value) }
            guard interval.to - interval.from > step, best(interval.to) - penalty * interval.from > found.value else {
                continue
            }
            let middle = (interval.from + interval.to) / 2
            open.append((middle, interval.to))
            open.append((interval.from, middle))
        }
        return Result(
            score: found.value / Double(simulator.stream.segmentCount), chosen: search.path(waiting: found.wait),
            waited: found.wait)
    }
}
