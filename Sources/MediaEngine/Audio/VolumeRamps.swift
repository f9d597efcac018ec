import MediaCore

/// The volume of an audio track over time, as linear ramps in order that do not overlap.
///
/// Before the first ramp, the volume is 1. After a ramp, its last volume holds until the next ramp.
package struct VolumeRamps: Sendable, Equatable {
    /// A linear change of the volume. A ramp without duration sets a volume, which holds until the next ramp.
    struct Ramp: Sendable, Equatable {
        let start: CMTime
        let end: CMTime
        /// The volumes at the start and at the end, from 0 to 1.
        let first: Float
        let last: Float

        init(_ start: CMTime, _ end: CMTime, from first: Float, to last: Float) {
            self.start = start
            self.end = end
            self.first = first
            self.last = last
        }

        var hasDuration: Bool { start < end }

        /// Returns the part from `start` to `end`, which are inside the ramp.
        private func cropped(from start: CMTime, to end: CMTime) -> Ramp {
            Ramp(start, end, from: volume(at: start), to: volume(at: end))
        }

        private func volume(at time: CMTime) -> Float {
            let length = (end - self.start).seconds
            return first + (last - first) * Float(length > 0 ? (time - self.start).seconds / length : 1)
        }

        /// Returns the parts that remain when `other` is set after this ramp.
        func parts(outside other: Ramp) -> [Ramp] {
            guard hasDuration else {
                return start == other.start || other.start < start && start < other.end ? [] : [self]
            }
            guard other.hasDuration else {
                return start < other.start && other.start < end ? [cropped(from: start, to: other.start)] : [self]
            }
            guard other.start < end, start < other.end else { return [self] }
            var parts: [Ramp] = []
            if start < other.start { parts.append(cropped(from: start, to: other.start)) }
            if other.end < end { parts.append(cropped(from: other.end, to: end)) }
            return parts
        }

        /// The number of the first frame of the ramp, and of the first frame after it.
        func frames(at rate: Int) -> (start: Int64, end: Int64) {
            (VolumeRamps.frame(of: start, at: rate), VolumeRamps.frame(of: end, at: rate))
        }
    }

    private var ramps: [Ramp] = []

    package init() {}

    /// Whether the volume is 1 at all times because none was set.
    package var isEmpty: Bool { ramps.isEmpty }

    /// Adds a ramp, which replaces the parts of other ramps in its range. A volume that is set inside a ramp ends the
    /// ramp, and one that is set at the start of a ramp has no effect.
    mutating func set(_ new: Ramp) {
        if !new.hasDuration, ramps.contains(where: { $0.hasDuration && $0.start == new.start }) { return }
        // Ramps are usually set in their order.
        if let last = ramps.last, new.start < last.end || new.start <= last.start {
            ramps = ramps.flatMap { $0.parts(outside: new) }
        }
        ramps.insert(new, at: (ramps.lastIndex { $0.start <= new.start } ?? -1) + 1)
    }

    /// Returns the ramp that contains `time`, or the first one after `time`, and its range; nil if there is none.
    ///
    /// The range of a ramp without duration extends to the next ramp.
    func ramp(for time: CMTime) -> (ramp: Ramp, range: CMTimeRange)? {
        let next = ramps.firstIndex { $0.start > time } ?? ramps.endIndex
        if next > 0, !ramps[next - 1].hasDuration || time < ramps[next - 1].end { return described(next - 1) }
        return next < ramps.endIndex ? described(next) : nil
    }

    private func described(_ index: Int) -> (ramp: Ramp, range: CMTimeRange) {
        let ramp = ramps[index]
        let following = index + 1 < ramps.endIndex ? ramps[index + 1].start : .positiveInfinity
        return (ramp, CMTimeRange(start: ramp.start, end: ramp.hasDuration ? ramp.end : following))
    }

    // MARK: frames

    private static func frame(of time: CMTime, at rate: Int) -> Int64 {
        (MediaTime(time) ?? .zero).samples(at: rate)
    }

    /// Replaces `gains` by the volumes of `count` frames.
    ///
    /// - Parameters:
    ///   - first: The number of the first frame, counted from time zero.
    ///   - rate: The sample rate in hertz.
    func fill(_ gains: inout [Float], from first: Int64, _ count: Int, rate: Int) {
        gains.removeAll(keepingCapacity: true)
        gains.reserveCapacity(count)
        var at = first
        let stop = first + Int64(count)
        var next = index(after: first, rate)
        while at < stop {
            let part = next < ramps.endIndex ? min(stop, ramps[next].frames(at: rate).start) : stop
            if part > at {
                append(next - 1, at..<part, rate, to: &gains)
                at = part
            }
            next += 1
        }
    }

    /// Returns the index of the first ramp that begins after the frame `frame`.
    private func index(after frame: Int64, _ rate: Int) -> Int {
        var (low, high) = (0, ramps.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if ramps[middle].frames(at: rate).start > frame { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Appends the volumes of frames that are not before the ramp `index` and before the next ramp.
    private func append(_ index: Int, _ frames: Range<Int64>, _ rate: Int, to gains: inout [Float]) {
        guard index >= 0 else { return gains.append(contentsOf: repeatElement(1, count: frames.count)) }
        let ramp = ramps[index]
        let (start, end) = ramp.frames(at: rate)
        let middle = min(max(frames.lowerBound, end), frames.upperBound)
        let slope = Double(ramp.last - ramp.first) / Double(max(1, end - start))
        for frame in frames.lowerBound..<middle {
            gains.append(Float(Double(ramp.first) + slope * Double(frame - start)))
        }
        gains.append(contentsOf: repeatElement(ramp.last, count: Int(frames.upperBound - middle)))
    }
}
