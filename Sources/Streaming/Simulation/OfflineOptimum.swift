/// The best any rule could have done, knowing the whole trace beforehand: the bound to measure rules against.
///
/// **Search.** Dynamic programming over (segment, last rung, time at which it is there). Of two ways to the same rung that
/// are there at different times, the earlier one is never worse: what it does next is there no later. So fetching is
/// never put off by choice (only while the buffer is full), and nothing is ever abandoned: with the trace known, neither
/// can help.
///
/// **Stalls.** A second of stalling costs as much as a second of waiting at the start (`QualityOfExperience`), and all
/// waiting moved to the start leaves every deadline as late as it was. So one number, the whole waiting time S, stands
/// for all ways to wait: segment k must be there by S + k segments' length. Q(S), the best quality within these deadlines,
/// only grows with S; so between two values of S nothing is better than Q(later) − μ · earlier, and intervals that
/// cannot beat the best found are not looked into.
///
/// **Bound.** “The buffer is full” is taken as generously as any placing of the waiting allows, which can only help the
/// optimum. What is rounded: S to `waitStep` and, for each segment and rung, one way kept per `timeStep` of arrival
/// (the best and the earliest, each with its exact time: nothing drifts).
package struct OfflineOptimum: Sendable {
    /// Seconds.
    package var waitStep = 0.02
    package var timeStep = 0.1

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
        var longest = least
        for segment in 0..<simulator.stream.segmentCount { longest = max(longest, search.lowestRungWait(segment)) }
        let penalty = quality.stallPenalty
        let ceiling = Double(simulator.stream.segmentCount) * (quality.values.max() ?? 0)

        var cache: [Double: Double] = [:]
        func best(_ wait: Double) -> Double {
            if let known = cache[wait] { return known }
            let value = search.quality(waiting: wait)
            cache[wait] = value
            return value
        }
        // From `longest` on there is a way; more waiting may pay as long as quality is still to be gained.
        var found = (wait: longest, value: best(longest) - penalty * longest)
        let most = penalty > 0 ? max(longest, (ceiling - found.value) / penalty) : longest
        var open: [(from: Double, to: Double)] = [(least, longest), (longest, most)]
        while let interval = open.popLast() {
            let value = best(interval.to) - penalty * interval.to
            if value > found.value { found = (interval.to, value) }
            guard interval.to - interval.from > step, best(interval.to) - penalty * interval.from > found.value else { continue }
            let middle = (interval.from + interval.to) / 2
            open.append((middle, interval.to))
            open.append((interval.from, middle))
        }
        return Result(
            score: found.value / Double(simulator.stream.segmentCount), chosen: search.path(waiting: found.wait), waited: found.wait)
    }
}

/// Q(S) for one stream over one trace.
struct OptimumSearch {
    private struct Way {
        var time: Double
        var value: Double
        /// Where it came from: the index in the layer before.
        var from: Int32
        var rung: Int32
    }

    private let simulator: StreamSimulator
    private let quality: QualityOfExperience
    private let timeStep: Double
    private let lowest: Int

    init(_ simulator: StreamSimulator, _ quality: QualityOfExperience, timeStep: Double) {
        self.simulator = simulator
        self.quality = quality
        self.timeStep = timeStep
        let first = simulator.stream.bits[0]
        lowest = first.indices.min { first[$0] < first[$1] } ?? 0
        var lags: [Double] = []
        var time = 0.0
        // How long the lowest rung alone must wait for each segment. Full buffers are as `quality` has them.
        for segment in 0..<simulator.stream.segmentCount {
            let least = simulator.stream.bits[segment].min() ?? 0
            if segment > 0 { time = max(time, Double(segment) * simulator.stream.segmentSeconds + lags[0] - simulator.bufferTarget) }
            time = simulator.trace.end(of: least, from: time + simulator.latency)
            lags.append(time - Double(segment) * simulator.stream.segmentSeconds)
        }
        self.lags = lags
    }

    private let lags: [Double]
    var leastWait: Double { lags[0] }
    func lowestRungWait(_ segment: Int) -> Double { lags[segment] }

    /// The best sum of quality less switching with S seconds of waiting; −∞ if nothing is in time.
    func quality(waiting: Double) -> Double {
        layers(waiting: waiting, keepsAll: false).last?.map(\.value).max() ?? -.infinity
    }

    /// The rungs of the best way.
    func path(waiting: Double) -> [Int] {
        let all = layers(waiting: waiting, keepsAll: true)
        guard let last = all.last, all.count == simulator.stream.segmentCount,
            var index = last.indices.max(by: { last[$0].value < last[$1].value }) else { return [] }
        var rungs: [Int] = []
        for layer in all.reversed() {
            rungs.append(Int(layer[index].rung))
            index = Int(layer[index].from)
        }
        return rungs.reversed()
    }

    private func layers(waiting: Double, keepsAll: Bool) -> [[Way]] {
        let stream = simulator.stream
        let rungCount = stream.rungs.count
        var all: [[Way]] = []
        var layer: [Way] = [Way(time: 0, value: 0, from: 0, rung: -1)]
        for segment in 0..<stream.segmentCount {
            let played = Double(segment) * stream.segmentSeconds
            let deadline = waiting + played + 1e-9
            let earliest = segment == 0 ? 0 : played + leastWait - simulator.bufferTarget
            var next: [Way] = []
            var buckets = [[Int: (best: Way, first: Way)]](repeating: [:], count: rungCount)
            for (index, way) in layer.enumerated() {
                let start = max(way.time, earliest) + simulator.latency
                for rung in 0..<rungCount {
                    let end = simulator.trace.end(of: stream.bits[segment][rung], from: start)
                    guard end <= deadline else { continue }
                    var value = way.value + quality.values[rung]
                    if way.rung >= 0 { value -= QualityOfExperience.switchPenalty * abs(quality.values[rung] - quality.values[Int(way.rung)]) }
                    let new = Way(time: end, value: value, from: Int32(index), rung: Int32(rung))
                    let bucket = Int(end / timeStep)
                    if var held = buckets[rung][bucket] {
                        if value > held.best.value || (value == held.best.value && end < held.best.time) { held.best = new }
                        if end < held.first.time || (end == held.first.time && value > held.first.value) { held.first = new }
                        buckets[rung][bucket] = held
                    } else {
                        buckets[rung][bucket] = (new, new)
                    }
                }
            }
            for held in buckets {
                var ways: [Way] = []
                for (best, first) in held.values {
                    ways.append(first)
                    if best.time != first.time { ways.append(best) }
                }
                next += front(ways)
            }
            layer = next
            if keepsAll { all.append(layer) } else { all = [layer] }
            if layer.isEmpty { return [] }
        }
        return all
    }

    /// Only what is earlier or better than all the others.
    private func front(_ ways: [Way]) -> [Way] {
        var kept: [Way] = []
        for way in ways.sorted(by: { ($0.time, -$0.value) < ($1.time, -$1.value) }) {
            if let last = kept.last, way.value <= last.value { continue }
            kept.append(way)
        }
        return kept
    }
}
