/// A queue of decoded samples, which are stretched to the speed of a piece.
///
/// A gap in the source can be long. Its silence is counted, and becomes samples in parts, so that little memory is
/// needed.
struct SampleQueue {
    private let channelCount: Int
    /// The stretcher of a piece that plays slower or faster; nil at the natural speed.
    private let stretcher: TimeStretcher?
    /// The samples that can be read, beginning at the frame `first`.
    private var ready: [Float] = []
    private var first = 0
    /// The runs after `ready` if the source has a gap: silence, and the samples that follow it.
    private var waiting: [Run] = []
    private enum Run {
        case silence(Int)
        case samples([Float])
    }
    /// The number of frames of silence that become samples at once.
    private static let mostSilence = 4096

    init(_ format: AudioFormat, speed: Double = 1) {
        channelCount = format.channelCount
        if speed == 1 {
            stretcher = nil
        } else {
            let stretching = TimeStretcher(format: format)
            stretching.setSpeed(speed)
            stretcher = stretching
        }
    }

    // MARK: reading

    /// Reads at most `limit` frames.
    ///
    /// - Parameter deliver: Called with interleaved samples and the number of frames, unless none can be read.
    /// - Returns: The number of frames; 0 if none can be read before `passWaiting`, `append` or `finish` is called.
    mutating func read(_ limit: Int, _ deliver: (UnsafePointer<Float>, Int) -> Void) -> Int {
        let frames = min(ready.count / channelCount - first, limit)
        guard frames > 0 else {
            ready.removeAll(keepingCapacity: true)
            first = 0
            return 0
        }
        let offset = first * channelCount
        ready.withUnsafeBufferPointer { samples in
            if let base = samples.baseAddress { deliver(base + offset, frames) }
        }
        first += frames
        return frames
    }

    /// Makes the first waiting samples readable, or a part of the silence.
    ///
    /// - Returns: `false` if nothing is waiting.
    mutating func passWaiting() -> Bool {
        guard let run = waiting.first else { return false }
        let samples: [Float]
        switch run {
        case .samples(let values):
            samples = values
            waiting.removeFirst()
        case .silence(let frames):
            let count = min(frames, SampleQueue.mostSilence)
            samples = [Float](repeating: 0, count: count * channelCount)
            if frames > count { waiting[0] = .silence(frames - count) } else { waiting.removeFirst() }
        }
        samples.withUnsafeBufferPointer {
            if let base = $0.baseAddress { pass(base, samples.count / channelCount) }
        }
        return true
    }

    // MARK: appending

    /// Appends interleaved samples of the source.
    mutating func append(_ samples: UnsafePointer<Float>, _ frames: Int) {
        if waiting.isEmpty {
            pass(samples, frames)
        } else {
            waiting.append(.samples(Array(UnsafeBufferPointer(start: samples, count: frames * channelCount))))
        }
    }

    /// Appends silence for a gap in the source.
    mutating func appendSilence(_ frames: Int) { waiting.append(.silence(frames)) }

    /// Makes the samples readable that the stretcher still holds. Called after the last samples.
    mutating func finish() {
        guard let stretcher else { return }
        stretcher.process(nil, frames: 0) { store($0, $1) }
    }

    private mutating func pass(_ samples: UnsafePointer<Float>, _ frames: Int) {
        if let stretcher {
            stretcher.process(samples, frames: frames) { store($0, $1) }
        } else {
            store(samples, frames)
        }
    }

    private mutating func store(_ samples: UnsafePointer<Float>, _ frames: Int) {
        ready.append(contentsOf: UnsafeBufferPointer(start: samples, count: frames * channelCount))
    }
}
