import Foundation
import MediaCore

/// The end of an item, held back until the beginning of the next is there to be mixed with it.
///
/// **Holding** it takes what would go into the ring and gives out what is older than the fade is long; the item is
/// over, and it is **waiting**; the next one's first sample is there, and it is **mixing**. Whatever is in it when time
/// runs short is let go of as it is, from the front: so a fade that cannot be becomes a shorter one, and in the end the
/// join without a gap.
struct CrossfadeTail {
    enum Stage: Equatable {
        case none, holding
        /// The item ends at this timeline time.
        case waiting(end: TimelineTime)
        /// Of so many frames so many have been mixed.
        case mixing(total: Int, done: Int)
    }
    var stage = Stage.none
    private var samples: [Float] = []
    /// Where in `samples` the first one lies.
    private var head = 0
    private var channels = 1

    var isEmpty: Bool { head == samples.count }
    var frames: Int { (samples.count - head) / channels }
    /// Frames that belong to the item still being decoded.
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

    /// Leaves the first `frames`.
    mutating func cut(to frames: Int) {
        let count = max(0, min(self.frames, frames)) * channels
        samples.removeLast(samples.count - head - count)
    }

    /// Takes up to `frames` from the front into `buffer`; returns how many.
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

    /// Puts the next frames of the fade into `buffer`: this end going by the cosine, `new` coming by the sine, so that
    /// their powers add up to one. Returns how many frames it took; when all are mixed it is over.
    mutating func mix(_ new: UnsafePointer<Float>, frames: Int, into buffer: inout [Float]) -> Int {
        guard case .mixing(let total, let done) = stage else { return 0 }
        let n = min(frames, self.frames, total - done)
        buffer.removeAll(keepingCapacity: true)
        for frame in 0..<n {
            let angle = (Double(done + frame) + 0.5) / Double(total) * .pi / 2
            let going = Float(cos(angle))
            let coming = Float(sin(angle))
            for channel in 0..<channels {
                buffer.append(
                    samples[head + frame * channels + channel] * going + new[frame * channels + channel] * coming)
            }
        }
        head += n * channels
        stage = .mixing(total: total, done: done + n)
        if done + n >= total || isEmpty { reset() }
        return n
    }
}
