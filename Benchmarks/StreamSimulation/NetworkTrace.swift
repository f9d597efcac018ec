/// What a network carried over time: bit rates in force one after the other, from the beginning again when they end.
package struct NetworkTrace: Sendable, Hashable {
    /// For people; a file's name.
    package let name: String
    /// Seconds from the beginning at which each rate comes into force; the first is 0.
    let starts: [Double]
    /// Bit/s.
    let rates: [Double]
    /// Bits carried before each start, and in the whole trace.
    let carried: [Double]
    /// Seconds until it begins again.
    package let duration: Double

    /// - Parameters:
    ///   - steps: seconds each rate lasts (above 0) and the rate, bit/s (0 or more).
    /// - Returns: nil if there is no step, a step makes no sense, or nothing is carried at all: a transfer would never
    ///   end.
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

    /// Bit/s over the whole trace.
    package var meanBitRate: Double { (carried.last ?? 0) / duration }

    /// Bits carried from the beginning to `time` seconds.
    package func bits(until time: Double) -> Double {
        let (round, within) = place(max(0, time), in: duration)
        let step = last(of: starts, notAbove: within)
        return round * (carried.last ?? 0) + carried[step] + (within - starts[step]) * rates[step]
    }

    /// When `bits` that begin to flow at `start` have all come, seconds.
    package func end(of bits: Double, from start: Double) -> Double {
        guard bits > 0 else { return start }
        let total = carried.last ?? 0
        let (round, within) = place(self.bits(until: start) + bits, in: total)
        guard within > 0 else {
            // To the bit the end of a round: the moment the last step that carries anything ends.
            let step = rates.lastIndex { $0 > 0 } ?? 0
            return max(start, (round - 1) * duration + starts[step] + (total - carried[step]) / rates[step])
        }
        // The first step by whose end that much is carried.
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
