import MediaCore

/// The position of decoded samples in a piece: counts the frames that a decoder returns, and determines which of them
/// the piece plays.
struct SamplePlacement {
    /// The frame of the source that is needed next.
    private(set) var wanted: Int64
    /// Whether the source is read from its beginning.
    private(set) var isFromStart: Bool
    /// Whether the first samples after a seek are after those that are needed, so that reading has to begin earlier.
    /// Until then, samples are ignored.
    private(set) var isTooLate = false
    /// Whether no more frames are needed.
    var isComplete: Bool { wanted >= stop }

    /// The frame after the piece.
    private let stop: Int64
    private let rate: Int
    /// The frame of the source that the decoder returns next; nil before the first one.
    private var decoded: Int64?

    /// The longest difference between the times of a container and the counted samples that is rounding.
    private static let jitter: MediaTime = 60_000_000

    /// The frames that decoded samples add to the piece.
    struct Part: Equatable {
        /// The number of frames of silence before the samples, for a gap in the source.
        var silence = 0
        /// The number of samples at the start that are not played.
        var skipped = 0
        /// The number of frames after those that are played.
        var count = 0
    }

    /// Creates a placement for samples of which none has been decoded.
    ///
    /// - Parameters:
    ///   - wanted: The frame of the source at which the piece is read.
    ///   - stop: The frame of the source after the piece.
    ///   - isFromStart: Whether the source is read from its beginning, instead of after a seek.
    init(from wanted: Int64, to stop: Int64, rate: Int, isFromStart: Bool) {
        self.wanted = wanted
        self.stop = stop
        self.rate = rate
        self.isFromStart = isFromStart
    }

    /// Counts decoded samples.
    ///
    /// - Parameters:
    ///   - time: The time of the first frame in the source; nil if the samples follow the previous ones.
    ///   - hasExactTimes: See `AudioTrackDescription.hasExactTimes`.
    /// - Returns: The part that the piece plays, which is empty if the samples are outside of the piece.
    mutating func place(_ frames: Int, at time: MediaTime?, hasExactTimes: Bool) -> Part {
        guard !isTooLate, wanted < stop else { return Part() }
        var start = decoded ?? wanted
        if let stated = time?.samples(at: rate) {
            if let decoded {
                // The times of packets are rounded. Only a larger difference is a gap or a repetition.
                if abs(stated - decoded) > SamplePlacement.jitter.samples(at: rate) { start = stated }
            } else {
                // A time in milliseconds is rounded, so the first sample of a file can seem to begin after zero.
                let isRounded = isFromStart && !hasExactTimes && abs(stated) <= Int64(rate / 500)
                start = isRounded ? 0 : stated
            }
        }
        if decoded == nil, !isFromStart, start > wanted {
            isTooLate = true
            return Part()
        }
        decoded = start + Int64(frames)
        var part = Part()
        if start > wanted {
            part.silence = Int(min(start, stop) - wanted)
            wanted = min(start, stop)
        }
        let skipped = max(0, wanted - start)
        guard skipped < Int64(frames), wanted < stop else { return part }
        part.skipped = Int(skipped)
        part.count = Int(min(Int64(frames) - skipped, stop - wanted))
        wanted += Int64(part.count)
        return part
    }

    /// Accepts samples again, which begin at an earlier position.
    mutating func didSeekEarlier() { isTooLate = false }

    /// Records that the source is read from its beginning, because it can't be read from a later position.
    mutating func didReturnToStart() { isFromStart = true }
}
