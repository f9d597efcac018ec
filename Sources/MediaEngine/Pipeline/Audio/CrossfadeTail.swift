import Foundation
import MediaCore

/// The end of an item, held back until the beginning of the next item can be mixed with it.
///
/// Stages: while **holding**, it takes decoded samples and returns those older than the length of the fade. When the
/// item has ended, it is **waiting**. When the first sample of the next item arrives, it is **mixing**. If the ring
/// buffer runs low, samples are written unmixed from the front. A late fade is therefore shorter, or is replaced by a
/// join without a gap.
struct CrossfadeTail {
    enum Stage: Equatable {
        case none, holding
        /// The item has ended. Its samples end at this timeline time.
        case waiting(end: TimelineTime)
        /// `done` of `total` frames have been mixed.
        case mixing(total: Int, done: Int)
    }
    var stage = Stage.none
    private var samples: [Float] = []
    /// The index of the first held sample in `samples`.
    private var head = 0
    private var channels = 1

    var isEmpty: Bool { head == samples.count }
    var frames: Int { (samples.count - head) / channels }
    /// The number of held frames that belong to the item being decoded.
    var heldFrames: Int { stage == .holding ? frames : 0 }
    var isWaiting: Bool { if case .waiting = stage { true } else { false } }
    var isMixing: Bool { if case .mixing = stage { true } else { false } }

    mutating func reset() {
        stage = .none
        samples = []
        head = 0
    }

    mutating func append(_ new: UnsafePointer<Float>, frames: Int, channels: Int, upTo most: Int) {
        if isEmpty {
            self.channels = max(1, channels)
            samples.removeAll(keepingCapacity: true)
            head = 0
            samples.reserveCapacity((most + frames) * self.channels * 2)
        } else if head > samples.count / 2 {
            samples.removeFirst(head)
            head = 0
        }
        samples.append(contentsOf: UnsafeBufferPointer(start: new, count: frames * self.channels))
    }

    /// Removes all frames after the first `frames`.
    mutating func cut(to frames: Int) {
        let count = max(0, min(self.frames, frames)) * channels
        samples.removeLast(samples.count - head - count)
    }

    /// Moves up to `frames` frames from the front into `buffer`.
    ///
    /// - Returns: The number of frames moved.
    mutating func take(_ frames: Int, into buffer: inout [Float]) -> Int {
        let n = min(self.frames, max(0, frames))
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: samples[head..<head + n * channels])
        head += n * channels
        if isEmpty {
            samples.removeAll(keepingCapacity: true)
            head = 0
        }
        return n
    }

    /// Mixes the next frames of the fade into `buffer`. The held end fades out with the cosine and `new` fades in with
    /// the sine, so the sum of their powers stays constant.
    ///
    /// - Returns: The number of frames taken from `new`. After the last one, the tail resets.
    mutating func mix(_ new: UnsafePointer<Float>, frames: Int, into buffer: inout [Float]) -> Int {
        guard case .mixing(let total, let done) = stage else { return 0 }
        let n = min(frames, self.frames, total - done)
        buffer.removeAll(keepingCapacity: true)
        for frame in 0..<n {
            let angle = (Double(done + frame) + 0.5) / Double(total) * .pi / 2
            let fadeOutGain = Float(cos(angle))
            let fadeInGain = Float(sin(angle))
            for channel in 0..<channels {
                buffer.append(
                    samples[head + frame * channels + channel] * fadeOutGain + new[frame * channels + channel]
                        * fadeInGain)
            }
        }
        head += n * channels
        stage = .mixing(total: total, done: done + n)
        if done + n >= total || isEmpty { reset() }
        return n
    }
}
