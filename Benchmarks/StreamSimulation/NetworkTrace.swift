/// A recording of a network's bit rates over time. It repeats from the beginning after its end.
package struct NetworkTrace: Sendable, Hashable {
    /// The name for reports, taken from the file's name.
    package let name: String
    /// The steps, in order. The first starts at 0.
    let steps: [Step]
    /// The number of bits that the whole trace carries.
    let total: Double
    /// The seconds until the trace repeats.
    package let duration: Double

    /// Creates a trace; nil if there is no step, a step is invalid, or all rates are 0, so that transfers would never
    /// end.
    /// - Parameter steps: The duration of each rate in seconds, greater than 0, and the rate in bit/s, at least 0.
    package init?(name: String, steps: [(seconds: Double, bitRate: Double)]) {
        guard steps.allSatisfy({ $0.seconds.isFinite && $0.seconds > 0 && $0.bitRate.isFinite && $0.bitRate >= 0 })
        else { return nil }
        var all: [Step] = []
        var time = 0.0
        var sum = 0.0
        for step in steps {
            let (start, carried) = (time, sum)
            time += step.seconds
            sum += step.seconds * step.bitRate
            all.append(Step(start: start, end: time, rate: step.bitRate, carried: carried, carriedAtEnd: sum))
        }
        guard sum > 0, sum.isFinite, time.isFinite else { return nil }
        self.name = name
        self.steps = all
        total = sum
        duration = time
    }

    /// A time during which the bit rate does not change.
    struct Step: Sendable, Hashable {
        /// The times at which the step starts and ends, in seconds from the beginning of the trace.
        let start: Double, end: Double
        /// The bit rate in bit/s.
        let rate: Double
        /// The number of bits carried before the start and before the end.
        let carried: Double, carriedAtEnd: Double
    }

    /// The mean bit rate of the whole trace, in bit/s.
    package var meanBitRate: Double { total / duration }

    /// Returns the number of bits carried from the beginning to `time`, in seconds.
    package func bits(until time: Double) -> Double {
        let (round, within) = place(max(0, time), in: duration)
        let step = firstStep { $0.end > within }
        return round * total + step.carried + (within - step.start) * step.rate
    }

    /// Returns the time, in seconds, at which `bits` that begin to flow at `start` have all arrived.
    package func end(of bits: Double, from start: Double) -> Double {
        guard bits > 0 else { return start }
        let (round, within) = place(self.bits(until: start) + bits, in: total)
        guard within > 0 else {
            // The bits end exactly at the end of a round: when the last step that carries anything ends.
            let end = steps.last { $0.rate > 0 }?.end ?? duration
            return max(start, (round - 1) * duration + end)
        }
        let step = firstStep { $0.carriedAtEnd >= within }
        return max(start, round * duration + step.start + (within - step.carried) / step.rate)
    }

    private func place(_ value: Double, in whole: Double) -> (round: Double, within: Double) {
        let round = (value / whole).rounded(.down)
        return (round, min(max(0, value - round * whole), whole))
    }

    /// Returns the first step for which `condition` holds; the last step if it holds for none. If it holds for a step,
    /// it holds for all later ones.
    private func firstStep(_ condition: (Step) -> Bool) -> Step {
        var low = 0
        var high = steps.count - 1
        while low < high {
            let middle = (low + high) / 2
            if condition(steps[middle]) { high = middle } else { low = middle + 1 }
        }
        return steps[low]
    }
}
