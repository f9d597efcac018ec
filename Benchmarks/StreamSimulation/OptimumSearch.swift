/// The computation of Q(S) of `OfflineOptimum`, for one stream over one trace.
struct OptimumSearch {
    /// All paths, which are sequences of variants for the segments so far, sorted by the arrival time of the last
    /// segment.
    private struct Layer {
        var times: [Double] = []
        var values: [Double] = []
        var variants: [Int] = []
        /// The index of each path's predecessor in the previous layer.
        var parents: [Int] = []
    }

    private let simulator: StreamSimulator
    private let values: [Double]
    /// The cost of each switch between two variants, λ |q(a) − q(b)|.
    private let switching: [[Double]]
    private let timeStep: Double
    /// Pairs of a price per bit and a bound: the maximum of all segments' quality minus the price of their bits.
    private let duals: [(price: Double, value: Double)]
    /// The delay of each segment if only the lowest variants are loaded, in seconds.
    private let lags: [Double]

    init(_ simulator: StreamSimulator, _ quality: QualityOfExperience, timeStep: Double) {
        self.simulator = simulator
        self.timeStep = timeStep
        let values = quality.values
        self.values = values
        switching = values.map { a in values.map { b in QualityOfExperience.switchPenalty * abs(a - b) } }
        let means = values.indices.map { variant in
            simulator.stream.bits.reduce(0) { $0 + $1[variant] } / Double(max(1, simulator.stream.segmentCount))
        }
        let slopes = values.indices.dropFirst().map { (values[$0] - values[$0 - 1]) / (means[$0] - means[$0 - 1]) }
        duals = ([0] + slopes.filter { $0.isFinite && $0 > 0 }).map { price in
            (
                price,
                simulator.stream.bits.reduce(0) { sum, sizes in
                    sum + (sizes.indices.map { values[$0] - price * sizes[$0] }.max() ?? 0)
                }
            )
        }
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

    /// The minimum wait in seconds: no session can start before its fastest first segment has arrived.
    var leastWait: Double { lags.first ?? 0 }
    /// The wait in seconds with which the lowest variants always arrive in time.
    var sufficientWait: Double { lags.max() ?? 0 }

    /// Returns an upper bound of `quality(waiting:)` that depends only on the bits that arrive by the last deadline
    /// (weak duality). The bound is fast to compute, and reduces the search.
    func ceiling(waiting: Double) -> Double {
        let played = Double(simulator.stream.segmentCount - 1) * simulator.stream.segmentSeconds
        let bits = waiting.isFinite ? simulator.trace.bits(until: waiting + played) : .infinity
        return duals.reduce(.infinity) { least, dual in
            min(least, dual.price > 0 ? dual.value + dual.price * bits : dual.value)
        }
    }

    /// Returns the best sum of quality minus switching costs with `waiting` seconds of waiting; −∞ if nothing arrives
    /// in time.
    func quality(waiting: Double) -> Double {
        layers(waiting: waiting, keepsAll: false).last?.values.max() ?? -.infinity
    }

    /// Returns the variants of the best path.
    func path(waiting: Double) -> [Int] {
        let all = layers(waiting: waiting, keepsAll: true)
        guard all.count == simulator.stream.segmentCount, let last = all.last,
            var index = last.values.indices.max(by: { last.values[$0] < last.values[$1] })
        else { return [] }
        var variants: [Int] = []
        for layer in all.reversed() {
            variants.append(layer.variants[index])
            index = layer.parents[index]
        }
        return variants.reversed()
    }

    /// Returns the layers of all segments, or only the last one. Empty if some segment can't arrive in time.
    private func layers(waiting: Double, keepsAll: Bool) -> [Layer] {
        let stream = simulator.stream
        var all: [Layer] = []
        var layer = Layer(times: [0], values: [0], variants: [-1], parents: [0])
        for segment in 0..<stream.segmentCount {
            let played = Double(segment) * stream.segmentSeconds
            let earliest = segment == 0 ? 0 : played + leastWait - simulator.bufferTarget
            let arrivals = stream.bits[segment].indices.map { variant in
                extend(
                    layer, variant: variant, bits: stream.bits[segment][variant], earliest: earliest,
                    deadline: waiting + played + 1e-9)
            }
            layer = merge(arrivals)
            guard !layer.times.isEmpty else { return [] }
            if keepsAll { all.append(layer) } else { all = [layer] }
        }
        return all
    }

    /// Returns all paths extended by a segment of one variant. They stay sorted by time; later paths that are not
    /// better are omitted.
    private func extend(_ layer: Layer, variant: Int, bits: Double, earliest: Double, deadline: Double) -> Layer {
        var result = Layer()
        var walk = simulator.trace.walk(bits: bits)
        var best = -Double.infinity
        var bucket = -1.0
        var inBucket = 0
        let gain = values[variant]
        let price = switching[variant]
        var end = -Double.infinity
        var lastStart = -1.0
        var index = -1
        let (times, variants, paths) = (layer.times, layer.variants, layer.values)
        let (count, latency) = (times.count, simulator.latency)
        // A `while` loop is faster here, where almost all of the time is spent.
        while index + 1 < count {
            index += 1
            let start = max(times[index], earliest) + latency
            if start != lastStart {
                end = walk.end(from: start)
                lastStart = start
            }
            if end > deadline { break }
            let before = variants[index]
            let value = paths[index] + gain - (before >= 0 ? price[before] : 0)
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
                result.variants.append(variant)
                result.parents.append(index)
                inBucket += 1
            }
        }
        return result
    }

    /// Merges the arrivals of all variants into one layer, sorted by time. An earlier path of another variant can be at
    /// least as good, even after the cost of the switch. In this case, the later path is omitted.
    private func merge(_ arrivals: [Layer]) -> Layer {
        let count = arrivals.count
        var result = Layer()
        var next = [Int](repeating: 0, count: count)
        /// The time of the next arrival of each variant.
        var heads = arrivals.map { $0.times.first ?? .infinity }
        /// The value that a path of each variant must exceed.
        var toBeat = [Double](repeating: -.infinity, count: count)
        while true {
            var chosen = 0
            var time = Double.infinity
            var variant = 0
            while variant < count {
                if heads[variant] < time {
                    time = heads[variant]
                    chosen = variant
                }
                variant += 1
            }
            guard time < .infinity else { return result }
            let index = next[chosen]
            let value = arrivals[chosen].values[index]
            next[chosen] = index + 1
            heads[chosen] = index + 1 < arrivals[chosen].times.count ? arrivals[chosen].times[index + 1] : .infinity
            guard value > toBeat[chosen] else { continue }
            let price = switching[chosen]
            variant = 0
            while variant < count {
                let left = value - price[variant]
                if left > toBeat[variant] { toBeat[variant] = left }
                variant += 1
            }
            result.times.append(time)
            result.values.append(value)
            result.variants.append(chosen)
            result.parents.append(arrivals[chosen].parents[index])
        }
    }
}
