import Synchronization

/// The gain that results from the volume, muting and the short fades around a pause. It changes gradually, so that no
/// click is audible.
///
/// The gain depends on the ring position, so a frame gets the same gain when it is sent again. A fade-out, for example,
/// replaces samples that the server already holds.
final class GainRamp: @unchecked Sendable {
    // The targets are atomic. The ramp belongs to the consumer of the ring, which is one thread at a time, under the
    // output's lock.
    private let volume = Atomic<UInt32>(Float(1).bitPattern)
    private let muted = Atomic<Bool>(false)
    /// The gain at frame `start`, where the ramp to `target` begins.
    private var origin: Float = 1
    private var target: Float = 1
    private var start = 0
    private var fadeStart = Int.min / 2
    /// The change per frame: the full range of the volume takes 15 ms.
    private let step: Float
    /// The length of the fade-out at a pause, and of the fade-in after it, in frames: 10 ms.
    let fadeFrames: Int
    private let channels: Int

    init(sampleRate: Int, channels: Int) {
        step = 1 / (0.015 * Float(sampleRate))
        fadeFrames = max(1, sampleRate / 100)
        self.channels = channels
    }

    func setVolume(_ new: Float) {
        volume.store((new.isNaN ? 0 : min(max(new, 0), 1)).bitPattern, ordering: .releasing)
    }
    func setMuted(_ new: Bool) { muted.store(new, ordering: .releasing) }

    private var requestedGain: Float {
        muted.load(ordering: .acquiring) ? 0 : Float(bitPattern: volume.load(ordering: .acquiring))
    }

    /// Starts at `frame` with the current volume. Fades in if `fadingIn` is `true`.
    func begin(at frame: Int, fadingIn: Bool) {
        origin = requestedGain
        target = origin
        start = frame
        fadeStart = fadingIn ? frame : Int.min / 2
    }

    /// Returns the gain of `frame`, also of a frame that has already been sent.
    func gain(at frame: Int) -> Float {
        let value = volumeGain(at: frame)
        let faded = frame - fadeStart
        return faded >= fadeFrames ? value : value * Float(max(0, faded)) / Float(fadeFrames)
    }

    /// Applies the gain to `samples`, which are the frames from `first` on. Called on the real-time thread.
    func apply(to samples: UnsafeMutablePointer<Float>, frames: Int, first: Int) {
        let new = requestedGain
        if new != target {
            // The new ramp begins at the gain that the former ramp has reached.
            origin = volumeGain(at: first - 1)
            target = new
            start = first
        }
        let last = gain(at: first + frames - 1)
        if gain(at: first) == last, last == target {
            if last == 1 { return }
            for i in 0..<frames * channels { samples[i] *= last }
            return
        }
        for frame in 0..<frames {
            let g = gain(at: first + frame)
            for channel in 0..<channels { samples[frame * channels + channel] *= g }
        }
    }

    private func volumeGain(at frame: Int) -> Float {
        guard frame >= start, origin != target else { return frame < start ? origin : target }
        let change = step * Float(frame - start + 1)
        return origin < target ? min(target, origin + change) : max(target, origin - change)
    }
}
