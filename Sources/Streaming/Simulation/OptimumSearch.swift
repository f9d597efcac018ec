/// Q(S) of `OfflineOptimum`, for one stream over one trace.
struct OptimumSearch {
    /// All ways to have the segments so far, sorted by the time at which the last is there.
    private struct Layer {
        var times: [Double] = []
        var values: [Double] = []
        var rungs: [Int] = []
        /// The index in the layer before.
        var parents: [Int] = []
    }

    private let simulator: StreamSimulator
    private let values: [Double]
    /// λ |q(a) − q(b)|
    private let switching: [[Double]]
    private let timeStep: Double
    /// How long the lowest rungs alone must wait for each segment, seconds.
    private let lags: [Double]

    init(_ simulator: StreamSimulator, _ quality: QualityOfExperience, timeStep: Double) {
        self.simulator = simulator
        self.timeStep = timeStep
        let values = quality.values
        self.values = values
        switching = values.map { a in values.map { b in QualityOfExperience.switchPenalty * abs(a - b) } }
        var lags: [Double] = []
        var time = 0.0
        for (segment, sizes) in simulator.stream.bits.enumerated() {
            let played = Double(segment) * simulator.stream.segmentSeconds
            if segment > 0 { time = max(time, played + lags[0] - simulator.bufferTarget) }
            time = simulator.trace.end(of: sizes.min() ?? 0, from: time + simulator.latency)
            lags.append(time - played)
        }
        self.lags = lags
    }

    /// No session can wait less than until the quickest first segment is there.
    var leastWait: Double { lags.first ?? 0 }
    /// With this much waiting the lowest rungs are always in time.
    var sufficientWait: Double { lags.max() ?? 0 }

    /// The best sum of quality less switching with `waiting` seconds of waiting; −∞ if nothing is in time.
    func quality(waiting: Double) -> Double {
        layers(waiting: waiting, keepsAll: false).last?.values.max() ?? -.infinity
    }

    /// The rungs of the best way.
    func path(waiting: Double) -> [Int] {
        let all = layers(waiting: waiting, keepsAll: true)
        guard all.count == simulator.stream.segmentCount, let last = all.last,
            var index = last.values.indices.max(by: { last.values[$0] < last.values[$1] }) else { return [] }
        var rungs: [Int] = []
        for layer in all.reversed() {
            rungs.append(layer.rungs[index])
            index = layer.parents[index]
        }
        return rungs.reversed()
    }

    /// Segment by segment. Empty from the segment on that cannot be in time.
    private func layers(waiting: Double, keepsAll: Bool) -> [Layer] {
        let stream = simulator.stream
        var all: [Layer] = []
        var layer = Layer(times: [0], values: [0], rungs: [-1], parents: [0])
        for segment in 0..<stream.segmentCount {
            let played = Double(segment) * stream.segmentSeconds
            let earliest = segment == 0 ? 0 : played + leastWait - simulator.bufferTarget
            let arrivals = stream.bits[segment].indices.map { rung in
                extend(layer, rung: rung, bits: stream.bits[segment][rung], earliest: earliest, deadline: waiting + played + 1e-9)
            }
            layer = merge(arrivals)
            guard !layer.times.isEmpty else { return [] }
            if keepsAll { all.append(layer) } else { all = [layer] }
        }
        return all
    }

    /// Every way continued with one rung: sorted by time as the ways are, without those that are later and no better.
    private func extend(_ layer: Layer, rung: Int, bits: Double, earliest: Double, deadline: Double) -> Layer {
        var result = Layer()
        var walk = simulator.trace.walk(bits: bits)
        var best = -Double.infinity, bucket = -1.0, inBucket = 0
        let gain = values[rung]
        var end = -Double.infinity, lastStart = -1.0
        for index in layer.times.indices {
            let start = max(layer.times[index], earliest) + simulator.latency
            if start != lastStart {
                end = walk.end(from: start)
                lastStart = start
            }
            if end > deadline { break }
            let before = layer.rungs[index]
            let value = layer.values[index] + gain - (before >= 0 ? switching[before][rung] : 0)
            guard value > best else { continue }
            best = value
            let own = (end / timeStep).rounded(.down)
            if own != bucket {
                bucket = own
                inBucket = 0
            }
            if let last = result.times.indices.last, result.times[last] == end || inBucket == 2 {
                result.times[last] = end
                result.values[last] = value
                result.parents[last] = index
            } else {
                result.times.append(end)
                result.values.append(value)
                result.rungs.append(rung)
                result.parents.append(index)
                inBucket += 1
            }
        }
        return result
    }

    /// One layer from the rungs' arrivals, sorted by time, without what another rung's way is earlier than and better even
    /// after the switch.
    private func merge(_ arrivals: [Layer]) -> Layer {
        var result = Layer()
        var next = [Int](repeating: 0, count: arrivals.count)
        var toBeat = [Double](repeating: -.infinity, count: arrivals.count)
        while true {
            var chosen = -1
            var time = Double.infinity
            for rung in arrivals.indices where next[rung] < arrivals[rung].times.count && arrivals[rung].times[next[rung]] < time {
                time = arrivals[rung].times[next[rung]]
                chosen = rung
            }
            guard chosen >= 0 else { return result }
            let index = next[chosen]
            next[chosen] += 1
            let value = arrivals[chosen].values[index]
            guard value > toBeat[chosen] else { continue }
            for rung in arrivals.indices { toBeat[rung] = max(toBeat[rung], value - switching[chosen][rung]) }
            result.times.append(time)
            result.values.append(value)
            result.rungs.append(chosen)
            result.parents.append(arrivals[chosen].parents[index])
        }
    }
}
