extension NetworkTrace {
    /// A faster form of `end(of:from:)` for many starts in ascending order. It moves forward with the starts instead of
    /// searching each time.
    struct Walk {
        private let bits: Double
        private var start: Position, end: Position

        init(_ trace: NetworkTrace, bits: Double) {
            self.bits = bits
            start = Position(trace)
            end = start
        }

        /// Returns the time, in seconds, at which all bits have arrived.
        /// - Parameter time: The start in seconds, not before the start of the previous call.
        mutating func end(from time: Double) -> Double {
            while time >= start.roundTime + start.step.end { start.advance() }
            let flowed =
                start.roundBits + start.step.carried + (time - start.roundTime - start.step.start) * start.step.rate
                + bits
            while flowed > end.roundBits + end.step.carriedAtEnd { end.advance() }
            let left = flowed - end.roundBits - end.step.carried
            // The loop above has skipped steps that carry nothing, because the remaining bits are more than zero.
            let within = end.step.rate > 0 ? left / end.step.rate : 0
            return max(time, end.roundTime + end.step.start + within)
        }
    }

    /// A step in a round of the trace. Keeps copies of its numbers, because each access to the trace's array is slow in
    /// debug builds, in which tests search for the optimum.
    private struct Position {
        private let trace: NetworkTrace
        private var index = 0
        private var round = 0.0
        private(set) var step: Step
        /// The time and the bits of all rounds before this one.
        private(set) var roundTime = 0.0, roundBits = 0.0

        init(_ trace: NetworkTrace) {
            self.trace = trace
            step = trace.steps[0]
        }

        mutating func advance() {
            index += 1
            if index == trace.steps.count {
                index = 0
                round += 1
                roundTime = round * trace.duration
                roundBits = round * trace.total
            }
            step = trace.steps[index]
        }
    }

    func walk(bits: Double) -> Walk { Walk(self, bits: bits) }
}
