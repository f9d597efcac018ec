import MediaCore
import MediaEngine

/// Cuts pictures to the range: what stands where it begins is the first, shown from there on, and none begins at or
/// after its end. Leaves pictures out where there are too many of them. Of a divided export, only the pictures that
/// begin in the part are written.
struct PictureCut {
    private let range: ExportRange
    private let cuts: PartCuts
    /// Between pictures; nil: all of them.
    private let interval: MediaTime?
    private var due: MediaTime = 0
    private var held: (frame: VideoFrame, time: MediaTime)?
    /// The part of the last picture that is written.
    private var lastPart: Int?
    /// The next part has begun.
    private var isPast = false
    /// A frame of the source, whichever part it belongs to.
    private(set) var shape: VideoFrame?
    /// Whether a picture of the part has been handed out.
    var isEmpty: Bool { lastPart == nil }
    /// Where the first of the source's frames that came begins; nil: none has come.
    private var mediaStart: MediaTime?
    /// Where the source's pictures end, media time.
    private(set) var mediaEnd: MediaTime = 0
    /// No picture that comes now is wanted.
    private(set) var isDone = false
    /// Where the written pictures end in the export's timeline.
    private(set) var end: MediaTime = 0

    init(range: ExportRange, maximumFrameRate: Double?, cuts: PartCuts = .none) {
        self.range = range
        self.cuts = cuts
        interval = maximumFrameRate.map { max(1, MediaTime(seconds: 1 / $0)) }
    }

    /// The time from which on frames must come, so that every frame of the part is found. Of a lower frame rate, the
    /// frame before decides which one is left out.
    var needed: MediaTime {
        guard let begin = cuts.begin else { return range.start }
        return max(range.start, begin - cuts.leadIn - (interval ?? 0))
    }

    /// The picture that is complete now, if one is: each waits for the next, which tells how long it stands.
    mutating func take(_ frame: VideoFrame) -> ExportPicture? {
        guard let time = MediaTime(frame.presentationTime) else { return nil }
        mediaStart = min(mediaStart ?? time, time)
        mediaEnd = max(mediaEnd, time + max(0, MediaTime(frame.duration) ?? 0))
        guard !isDone else { return nil }
        guard !range.end.hasBegun(by: time) else {
            isDone = true
            return nil
        }
        guard !time.hasBegun(by: range.start) else {
            held = (frame, range.start)
            due = interval ?? 0
            return nil
        }
        if let interval {
            // A thousandth of a second early is not early: containers round.
            let place = time - range.start + 1_000_000
            guard held == nil || place >= due else { return nil }
            due = MediaTime(nanoseconds: place.nanoseconds / interval.nanoseconds * interval.nanoseconds) + interval
        }
        let complete = held.flatMap { picture($0, until: time) }
        if let next = cuts.end, next.hasBegun(by: time) {
            (isDone, isPast) = (true, true)
            shape = held?.frame ?? frame
            held = nil
        } else {
            held = (frame, time)
        }
        return complete
    }

    /// Nil for what belongs to another part.
    private mutating func picture(_ held: (frame: VideoFrame, time: MediaTime), until end: MediaTime) -> ExportPicture?
    {
        var picture = ExportPicture(
            frame: held.frame, itemTime: held.time, start: held.time - range.start, duration: max(0, end - held.time))
        let part = cuts.index(of: held.time)
        if let wanted = cuts.part, part != wanted {
            guard part < wanted, let begin = cuts.begin, held.time + cuts.leadIn >= begin else { return nil }
            picture.use = .leadIn
            return picture
        }
        picture.opensGroup = lastPart.map { $0 != part } ?? false
        lastPart = part
        self.end = picture.start + picture.duration
        return picture
    }

    /// The last one; nil when the part has no more.
    /// - Throws: `.invalidArgument` when nothing of the source lies in the range.
    mutating func finish(location: String) throws(AVError) -> ExportPicture? {
        if isPast { return nil }
        guard let held, range.start <= 0 || mediaEnd > range.start else {
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
        shape = held.frame
        let last = picture(held, until: min(range.end, max(mediaEnd, held.time)))
        return last?.use == .leadIn ? nil : last
    }
}
