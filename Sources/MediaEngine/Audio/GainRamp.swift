import Synchronization

/// Volume and mute, moved sample by sample so that nothing clicks. Applied in the real-time path.
final class GainRamp: @unchecked Sendable {
    // `current` belongs to the consumer of the ring (one thread at a time, under the connection's lock);
    // what it should become is atomic.
    private let volume = Atomic<UInt32>(Float(1).bitPattern)
    private let muted = Atomic<Bool>(false)
    private let restarted = Atomic<Bool>(false)
    private var current: Float = 0
    /// Full swing in 15 ms.
    private let step: Float
    private let channels: Int

    init(sampleRate: Int, channels: Int) {
        step = 1 / (0.015 * Float(sampleRate))
        self.channels = channels
    }

    func setVolume(_ new: Float) { volume.store(min(max(new, 0), 1).bitPattern, ordering: .releasing) }
    func setMuted(_ new: Bool) { muted.store(new, ordering: .releasing) }
    /// The first sound of a stretch is let through as it is: its beginning is the file's own.
    func restart() { restarted.store(true, ordering: .releasing) }

    func apply(to samples: UnsafeMutablePointer<Float>, frames: Int) {
        let target = muted.load(ordering: .acquiring) ? 0 : Float(bitPattern: volume.load(ordering: .acquiring))
        if restarted.exchange(false, ordering: .acquiringAndReleasing), current == 0, target > 0 { current = target }
        if current == target {
            if target == 1 { return }
            for i in 0..<frames * channels { samples[i] *= target }
            return
        }
        for frame in 0..<frames {
            current = current < target ? min(target, current + step) : max(target, current - step)
            for channel in 0..<channels { samples[frame * channels + channel] *= current }
        }
    }
}
