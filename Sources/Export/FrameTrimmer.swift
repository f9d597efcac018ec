import MediaCore
import MediaEngine

/// A filter that limits frames to the exported range, the frame rate and the part to write.
///
/// The frame that is displayed at the start of the range becomes the first frame and begins there. Frames that begin at
/// or after the end are left out. In a divided export, only frames that begin in the part are written.
struct FrameTrimmer {
    private let range: ExportRange
    private let cuts: PartCuts
    /// The minimum time between two frames. Nil if all frames are kept.
    private let interval: MediaTime?
    private var due: MediaTime = 0
    private var pending: (frame: VideoFrame, time: MediaTime)?
    /// The index of the part of the last written frame.
    private var lastPart: Int?
    /// Whether the next part has begun.
    private var isPast = false
    /// A frame of the source, which may belong to another part. Its size is used if the part has no frames.
    private(set) var shape: VideoFrame?
    /// Whether no frame of the part has been returned yet.
    var isEmpty: Bool { lastPart == nil }
    /// The start of the earliest frame of the source so far. Nil before the first frame.
    private var mediaStart: MediaTime?
    /// The end of the last frame of the source so far, in media time.
    private(set) var mediaEnd: MediaTime = 0
    /// Whether all later frames are after the range or the part.
    private(set) var isDone = false
    /// The end of the last written frame in the export's timeline.
    private(set) var end: MediaTime = 0

    init(range: ExportRange, maximumFrameRate: Double?, cuts: PartCuts = .none) {
        self.range = range
        self.cuts = cuts
        interval = maximumFrameRate.map { max(1, MediaTime(seconds: 1 / $0)) }
    }

    /// The time from which frames must be read to find every frame of the part. If the frame rate is limited, the frame
    /// before the part also decides which frames of the part are dropped.
    var needed: MediaTime {
        guard let begin = cuts.begin else { return range.start }
        return max(range.start, begin - cuts.leadIn - (interval ?? 0))
    }

    /// Takes the next frame of the source and returns the frame that is now complete, if any. A frame is complete when
    /// the next frame shows its duration.
    mutating func take(_ frame: VideoFrame) -> ExportFrame? {
        guard let time = MediaTime(frame.presentationTime) else { return nil }
        mediaStart = min(mediaStart ?? time, time)
        mediaEnd = max(mediaEnd, time + max(0, MediaTime(frame.duration) ?? 0))
        guard !isDone else { return nil }
        guard !range.end.hasBegun(by: time) else {
            isDone = true
            return nil
        }
        guard !time.hasBegun(by: range.start) else {
            pending = (frame, range.start)
            due = interval ?? 0
            return nil
        }
        if let interval {
            // Containers round timestamps, so a frame may be a millisecond early.
            let elapsed = time - range.start + 1_000_000
            guard pending == nil || elapsed >= due else { return nil }
            due = MediaTime(nanoseconds: elapsed.nanoseconds / interval.nanoseconds * interval.nanoseconds) + interval
        }
        let complete = pending.flatMap { exportFrame($0, until: time) }
        if let next = cuts.end, next.hasBegun(by: time) {
            (isDone, isPast) = (true, true)
            shape = pending?.frame ?? frame
            pending = nil
        } else {
            pending = (frame, time)
        }
        return complete
    }

    /// Returns the frame to write or to compose, or nil if it belongs to another part.
    private mutating func exportFrame(_ pending: (frame: VideoFrame, time: MediaTime), until end: MediaTime)
        -> ExportFrame?
    {
        var result = ExportFrame(
            frame: pending.frame, itemTime: pending.time, start: pending.time - range.start,
            duration: max(0, end - pending.time))
        let part = cuts.index(of: pending.time)
        if let wanted = cuts.part, part != wanted {
            guard part < wanted, let begin = cuts.begin, pending.time + cuts.leadIn >= begin else { return nil }
            result.use = .leadIn
            return result
        }
        result.opensGroup = lastPart.map { $0 != part } ?? false
        lastPart = part
        self.end = result.start + result.duration
        return result
    }

    /// Returns the last frame, or nil if the part has no more frames.
    /// - Throws: `.invalidArgument` if the range contains no frame of the source.
    mutating func finish(location: String) throws(AVError) -> ExportFrame? {
        if isPast { return nil }
        guard let pending, range.start <= 0 || mediaEnd > range.start else {
            if let mediaStart, range.end.hasBegun(by: mediaStart) {
                throw AVError(
                    .invalidArgument, at: location,
                    reason: "the time range contains no frame: the first frame begins at \(mediaStart), "
                        + "but the range ends at \(range.end)", suggestion: "Choose a later end time")
            }
            throw AVError(
                .invalidArgument, at: location,
                reason: "the time range contains no frame: the last frame ends at \(mediaEnd), "
                    + "but the range begins at \(range.start)", suggestion: "Choose an earlier start time")
        }
        shape = pending.frame
        let last = exportFrame(pending, until: min(range.end, max(mediaEnd, pending.time)))
        return last?.use == .leadIn ? nil : last
    }
}
