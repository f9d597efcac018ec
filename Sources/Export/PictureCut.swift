import MediaCore
import MediaEngine

/// Cuts pictures to the range: what stands where it begins is the first, shown from there on, and none begins at or
/// after its end. Leaves pictures out where there are too many of them.
struct PictureCut {
    private let range: ExportRange
    /// Between pictures; nil: all of them.
    private let interval: MediaTime?
    private var due: MediaTime = 0
    private var held: (frame: VideoFrame, time: MediaTime)?
    /// Where the first of the source's frames that came begins; nil: none has come.
    private var mediaStart: MediaTime?
    /// Where the source's pictures end, media time.
    private(set) var mediaEnd: MediaTime = 0
    /// No picture that comes now is wanted.
    private(set) var isDone = false
    /// Where the written pictures end in the export's timeline.
    private(set) var end: MediaTime = 0

    init(range: ExportRange, maximumFrameRate: Double?) {
        self.range = range
        interval = maximumFrameRate.map { max(1, MediaTime(seconds: 1 / $0)) }
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
        let complete = held.map { picture($0, until: time) }
        held = (frame, time)
        return complete
    }

    private func picture(_ held: (frame: VideoFrame, time: MediaTime), until end: MediaTime) -> ExportPicture {
        ExportPicture(
            frame: held.frame, itemTime: held.time, start: held.time - range.start, duration: max(0, end - held.time))
    }

    /// The last one.
    /// - Throws: `.invalidArgument` when nothing of the source lies in the range.
    mutating func finish(location: String) throws(AVError) -> ExportPicture {
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
        let last = picture(held, until: min(range.end, max(mediaEnd, held.time)))
        end = last.start + last.duration
        return last
    }
}
