/// The gain of an audio track by its volume ramps, for runs of frames that follow one another.
///
/// If the ramps change, the gain changes to that of the new ramps within 10 ms, so that no click is audible.
package struct MixGain {
    /// The ramps that apply; nil before the first run.
    private var ramps: VolumeRamps?
    /// The ramps before the last change; nil if the transition to the new ones is complete.
    private var former: VolumeRamps?
    /// The number of frames of the transition that are done.
    private var done = 0
    private var gains: [Float] = []
    private var formerGains: [Float] = []

    package init() {}

    /// Makes the next change of the ramps immediate.
    mutating func restart() {
        ramps = nil
        former = nil
    }

    /// Returns the gains of `count` frames; nil if all are 1.
    ///
    /// A change during a transition waits until the transition is complete.
    ///
    /// - Parameters:
    ///   - first: The number of the first frame, counted from time zero.
    ///   - rate: The sample rate in hertz.
    mutating func gains(_ new: VolumeRamps, from first: Int64, _ count: Int, rate: Int) -> [Float]? {
        if let old = ramps, former == nil, old != new {
            former = old
            done = 0
            ramps = new
        }
        let ramps = self.ramps ?? new
        self.ramps = ramps
        guard let former else {
            guard !ramps.isEmpty else { return nil }
            ramps.fill(&gains, from: first, count, rate: rate)
            return gains
        }
        let length = max(1, rate / 100)
        let changing = min(count, length - done)
        ramps.fill(&gains, from: first, count, rate: rate)
        former.fill(&formerGains, from: first, changing, rate: rate)
        for n in 0..<changing {
            gains[n] = formerGains[n] + (gains[n] - formerGains[n]) * Float(done + n) / Float(length)
        }
        done += changing
        if done >= length { self.former = nil }
        return gains
    }

    /// Multiplies interleaved samples by the gains of their frames. The parameters are those of `gains(_:from:_:rate:)`.
    package mutating func apply(
        _ ramps: VolumeRamps, to samples: UnsafeMutablePointer<Float>, from first: Int64, _ count: Int, channels: Int,
        rate: Int
    ) {
        guard let gains = gains(ramps, from: first, count, rate: rate) else { return }
        for frame in 0..<count {
            for channel in 0..<channels { samples[frame * channels + channel] *= gains[frame] }
        }
    }
}
