import MediaCore

/// A value that changes over time: constant, or from one value to another within a time range.
struct ValueRamps<Value: Sendable>: Sendable {
    private struct Ramp {
        let start: MediaTime
        let end: MediaTime
        let from: Value
        let to: Value
    }
    /// The ramps in order of their start.
    private var ramps: [Ramp] = []

    /// Sets a value from `time` until the start of the next ramp. Ignores a time that is not a number.
    mutating func set(_ value: Value, at time: CMTime) {
        guard let time = MediaTime(time) else { return }
        add(Ramp(start: time, end: time, from: value, to: value))
    }

    /// Sets values that change evenly in `range`, and the last value until the start of the next ramp. Ignores a range
    /// that is not valid.
    mutating func set(from: Value, to: Value, in range: CMTimeRange) {
        guard range.isValid, let start = MediaTime(range.start), let end = MediaTime(range.end) else { return }
        add(Ramp(start: start, end: end, from: from, to: to))
    }

    private mutating func add(_ ramp: Ramp) {
        ramps.removeAll { $0.start == ramp.start }
        ramps.insert(ramp, at: ramps.firstIndex { $0.start > ramp.start } ?? ramps.count)
    }

    /// Returns the value of a frame that begins at `time`.
    ///
    /// - Parameters:
    ///   - initial: The value before the first ramp.
    ///   - mix: Returns the value between two values, at a fraction from 0 to 1.
    func value(at time: MediaTime, initial: Value, mix: (Value, Value, Double) -> Value) -> Value {
        let lookup = time + InstructionPlan.sliver
        guard let ramp = ramps.last(where: { $0.start <= lookup }) else { return initial }
        let place = max(time, ramp.start)
        guard place < ramp.end else { return ramp.to }
        return mix(ramp.from, ramp.to, (place - ramp.start).seconds / (ramp.end - ramp.start).seconds)
    }
}
