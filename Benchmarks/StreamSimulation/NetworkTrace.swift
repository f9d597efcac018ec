/// A recording of a network's bit rates over time. It repeats from the beginning after its end.
package struct NetworkTrace: Sendable, Hashable {
    /// The name for reports, taken from the file's name.
    package let name: String
    /// The times at which the rates begin, in seconds from the beginning. The first is 0.
    let starts: [Double]
    /// The rates in bit/s.
    let rates: [Double]
    /// The number of bits carried before each start, and by the whole trace.
    let carried: [Double]
    /// The seconds until the trace repeats.
    package let duration: Double

    /// Creates a trace; nil if there is no step, a step is invalid, or all rates are 0, so that transfers would never
    /// end.
    /// - Parameter steps: The duration of each rate in seconds, greater than 0, and the rate in bit/s, at least 0.
    package init?(name: String, steps: [(seconds: Double, bitRate: Double)]) {
        guard steps.allSatisfy({ $0.seconds.isFinite && $0.seconds > 0 && $0.bitRate.isFinite && $0.bitRate >= 0 })
        else { return nil }
        var starts: [Double] = []
        var rates: [Double] = []
        var carried: [Double] = [0]
        var time = 0.0
        var sum = 0.0
        for step in steps {
            starts.append(time)
            rates.append(step.bitRate)
            time += step.seconds
            sum += step.seconds * step.bitRate
            carried.append(sum)
        }
        guard sum > 0, sum.isFinite, time.isFinite else { return nil }
        self.name = name
        self.starts = starts
        self.rates = rates
        self.carried = carried
        duration = time
    }

    /// The mean bit rate of the whole trace, in bit/s.
    package var meanBitRate: Double { (carried.last ?? 0) / duration }

    /// Returns the number of bits carried from the beginning to `time`, in seconds.
    package func bits(until time: Double) -> Double {
        let (round, within) = place(max(0, time), in: duration)
        let step = last(of: starts, notAbove: within)
        return round * (carried.last ?? 0) + carried[step] + (within - starts[step]) * rates[step]
    }

    /// Returns the time, in seconds, at which `bits` that begin to flow at `start` have all arrived.
    package func end(of bits: Double, from start: Double) -> Double {
        guard bits > 0 else { return start }
        let total = carried.last ?? 0
        let (round, within) = place(self.bits(until: start) + bits, in: total)
        guard within > 0 else {
            // The bits end exactly at the end of a round: when the last step that carries anything ends.
            let step = rates.lastIndex { $0 > 0 } ?? 0
            return max(start, (round - 1) * duration + starts[step] + (total - carried[step]) / rates[step])
        }
        // Find the first step by whose end this many bits are carried.
        var low = 0
        var high = rates.count - 1
        while low < high {
            let middle = (low + high) / 2
            if carried[middle + 1] < within { low = middle + 1 } else { high = middle }
        }
        return max(start, round * duration + starts[low] + (within - carried[low]) / rates[low])
    }

    private func place(_ value: Double, in whole: Double) -> (round: Double, within: Double) {
        let round = (value / whole).rounded(.down)
        return (round, min(max(0, value - round * whole), whole))
    }

    private func last(of sorted: [Double], notAbove value: Double) -> Int {
        var low = 0
        var high = sorted.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if sorted[middle] <= value { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
