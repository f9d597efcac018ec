import MediaCore

/// What the audio thread has written into the ring, and so what time the next frame is.
struct WrittenSound {
    /// Timeline time of the first frame of this serial, and frames (before stretching) since.
    var epoch = TimelineTime.zero
    private(set) var frames: Int64 = 0
    /// Frames of the current segment, before stretching.
    var framesInSegment: Int64 = 0
    /// Of the samples that are written.
    private(set) var speed: Double = 1
    /// Timeline time of the next frame into the ring, when stretched; nil: follows from `frames`.
    private var stretchedTime: Double?

    /// Timeline time of the next frame into the ring, nanoseconds.
    func time(at sampleRate: Int) -> Double {
        stretchedTime ?? Double(epoch.nanoseconds) + Double(frames) / Double(sampleRate) * 1e9
    }

    /// A new serial.
    mutating func restart() { self = WrittenSound(epoch: epoch) }

    /// The next frame is the first one at `epoch`.
    mutating func begin(at epoch: TimelineTime) {
        self.epoch = epoch
        frames = 0
    }

    /// The samples from here on are of another speed.
    mutating func follow(_ speed: Double, at sampleRate: Int) {
        stretchedTime = time(at: sampleRate)
        self.speed = speed
    }

    /// So many frames went to the stretcher.
    mutating func take(_ count: Int) {
        frames += Int64(count)
        framesInSegment += Int64(count)
    }

    /// So many frames went into the ring.
    mutating func ring(_ count: Int, at sampleRate: Int) {
        guard let stretchedTime else { return }
        self.stretchedTime = stretchedTime + Double(count) / Double(sampleRate) * 1e9 * speed
    }
}

/// The newest chunk, held back: the end of the pass may cut it.
struct HeldChunk {
    private(set) var samples: [Float] = []
    private(set) var frames = 0

    mutating func hold(_ new: UnsafePointer<Float>, frames: Int, channels: Int) {
        let count = frames * channels
        if samples.count < count { samples = [Float](repeating: 0, count: count) }
        samples.withUnsafeMutableBufferPointer { $0.baseAddress?.update(from: new, count: count) }
        self.frames = frames
    }

    mutating func apply(_ gain: inout ItemGain, channels: Int) {
        let frames = frames
        samples.withUnsafeMutableBufferPointer {
            if let base = $0.baseAddress { gain.apply(to: base, frames: frames, channels: channels) }
        }
    }

    /// - Returns: how many frames it held.
    mutating func letGo() -> Int {
        defer { frames = 0 }
        return frames
    }
}
