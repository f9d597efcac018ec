/// The gain of the playing item, applied before samples enter the ring buffer. It changes exactly at the first sample
/// of an item, independently of the volume (`GainRamp`). Within an item, it changes linearly over time, so that no
/// click is audible.
struct ItemGain {
    private(set) var value: Float = 1
    private var target: Float = 1
    private var step: Float = 0

    /// Sets the target gain.
    ///
    /// - Parameter frames: The length of the transition; 0 applies the gain from the next sample on.
    mutating func lead(to new: Float, over frames: Int) {
        guard new != target || frames == 0 else { return }
        target = new
        step = frames > 0 ? (new - value) / Float(frames) : 0
        if frames <= 0 { value = new }
    }

    mutating func apply(to samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int) {
        if value == target {
            if value != 1 { for i in 0..<frames * channels { samples[i] *= value } }
            return
        }
        for frame in 0..<frames {
            value = step > 0 ? min(target, value + step) : max(target, value + step)
            for channel in 0..<channels { samples[frame * channels + channel] *= value }
        }
    }
}
