/// The best any rule could have done, knowing the whole trace beforehand: the bound to measure rules against.
///
/// **Search.** Dynamic programming over (segment, last rung, time at which it is there). Of two ways to the same rung
/// that are there at different times, the earlier one is never worse: what it does next is there no later. So fetching
/// is never put off by choice (only while the buffer is full), and nothing is ever abandoned: with the trace known,
/// neither can help.
///
/// **Stalls.** A second of stalling costs as much as a second of waiting at the start (`QualityOfExperience`), and all
/// waiting moved to the start leaves every deadline as late as it was. So one number, the whole waiting time S, stands
/// for all ways to wait: segment k must be there by S + k segments' length. Q(S), the best quality within these
/// deadlines, only grows with S; so between two values of S nothing is better than Q(later) − μ · earlier, and
/// intervals that cannot beat the best found are not looked into.
///
/// **Bound.** “The buffer is full” is taken as generously as any placing of the waiting allows, which can only help the
/// optimum. What is rounded: S to `waitStep`, and for each segment and rung of the ways that arrive within the same
/// `timeStep` only the earliest and the best are kept, each with its exact time: nothing drifts.
package struct OfflineOptimum: Sendable {
    /// Seconds.
    package var waitStep = 0.05
    package var timeStep = 0.25

    package init() {}

    package struct Result: Sendable, Hashable {
        /// Per segment, as `QualityOfExperience.score`.
        package var score: Double
        package var chosen: [Int]
        /// Seconds waited in all, at the start or later.
        package var waited: Double
    }

    package func solve(_ simulator: StreamSimulator, _ quality: QualityOfExperience) -> Result {
        let search = OptimumSearch(simulator, quality, timeStep: max(1e-3, timeStep))
        let step = max(1e-3, waitStep)
        // Less than the quickest first segment cannot be waited; as long as the lowest rung needs is always enough.
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
        // From `longest` on there is a way; more waiting may pay as long as quality is still to be gained.
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
