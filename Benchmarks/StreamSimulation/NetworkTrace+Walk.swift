extension NetworkTrace {
    /// A faster form of `end(of:from:)` for many starts in ascending order. It moves forward with the starts instead of
    /// searching each time.
    struct Walk {
        private let trace: NetworkTrace
        private let bits: Double
        /// The round and the step of the last start and the last end.
        private var start = (round: 0.0, step: 0)
        private var end = (round: 0.0, step: 0)

        init(_ trace: NetworkTrace, bits: Double) {
            self.trace = trace
            self.bits = bits
        }

        /// Returns the time, in seconds, at which all bits have arrived.
        /// - Parameter time: The start in seconds, not before the start of the previous call.
        mutating func end(from time: Double) -> Double {
            while time >= start.round * trace.duration + trace.stepEnd(start.step) { advance(&start) }
            let rate = trace.rates[start.step]
            let flowed =
                start.round * trace.total + trace.carried[start.step]
                + (time - start.round * trace.duration - trace.starts[start.step]) * rate + bits
            while flowed > end.round * trace.total + trace.carried[end.step + 1] { advance(&end) }
            let left = flowed - end.round * trace.total - trace.carried[end.step]
            // The loop above has skipped steps that carry nothing, because the remaining bits are more than zero.
            let within = trace.rates[end.step] > 0 ? left / trace.rates[end.step] : 0
            return max(time, end.round * trace.duration + trace.starts[end.step] + within)
        }

        private func advance(_ place: inout (round: Double, step: Int)) {
            place.step += 1
            guard place.step == trace.rates.count else { return }
            place.step = 0
            place.round += 1
        }
    }

    func walk(bits: Double) -> Walk { Walk(self, bits: bits) }

    fileprivate var total: Double { carried.last ?? 0 }
    fileprivate func stepEnd(_ step: Int) -> Double { step + 1 < starts.count ? starts[step + 1] : duration }
}
