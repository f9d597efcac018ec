import MediaCore

/// The frames that the audio thread has written, and the resulting timeline time of the next frame.
struct WrittenAudio {
    /// The timeline time of the first frame of this serial.
    var epoch = TimelineTime.zero
    /// The number of frames since `epoch`, before stretching.
    private(set) var frames: Int64 = 0
    /// The number of frames of the current segment, before stretching.
    var framesInSegment: Int64 = 0
    /// The playback speed of the written samples.
    private(set) var speed: Double = 1
    /// The timeline time of the next frame in nanoseconds, once samples are stretched; `nil` if it follows from
    /// `frames`.
    private var stretchedTime: Double?

    /// Returns the timeline time of the next frame that is written to the ring buffer, in nanoseconds.
    func time(at sampleRate: Int) -> Double {
        stretchedTime ?? Double(epoch.nanoseconds) + Double(frames) / Double(sampleRate) * 1e9
    }

    /// Resets the counters for a new serial. Keeps the epoch.
    mutating func restart() { self = WrittenAudio(epoch: epoch) }

    /// Sets the timeline time of the next frame and counts from there.
    mutating func begin(at epoch: TimelineTime) {
        self.epoch = epoch
        frames = 0
    }

    /// Changes the speed of the samples that follow.
    mutating func follow(_ speed: Double, at sampleRate: Int) {
        stretchedTime = time(at: sampleRate)
        self.speed = speed
    }

    /// Counts frames that were passed to the stretcher.
    mutating func take(_ count: Int) {
        frames += Int64(count)
        framesInSegment += Int64(count)
    }

    /// Counts frames that were written to the ring buffer.
    mutating func ring(_ count: Int, at sampleRate: Int) {
        guard let stretchedTime else { return }
        self.stretchedTime = stretchedTime + Double(count) / Double(sampleRate) * 1e9 * speed
    }
}

/// The newest decoded chunk, held back because the end of the pass may cut it.
struct HeldChunk {
    private(set) var samples: [Float] = []
    private(set) var frames = 0

    mutating func hold(_ new: UnsafePointer<Float>, frames: Int, channels: Int) {
        let count = frames * channels
        if samples.count < count { samples = [Float](repeating: 0, count: count) }
        samples.withUnsafeMutableBufferPointer { $0.baseAddress?.update(from: new, count: count) }
        self.frames = frames
    }

    /// Calls `body` with the samples, which it may change, and the number of frames.
    mutating func change(_ body: (UnsafeMutablePointer<Float>, Int) -> Void) {
        let frames = frames
        samples.withUnsafeMutableBufferPointer {
            if let base = $0.baseAddress { body(base, frames) }
        }
    }

    /// Releases the chunk.
    ///
    /// - Returns: The number of frames that it held.
    mutating func release() -> Int {
        defer { frames = 0 }
        return frames
    }
}
