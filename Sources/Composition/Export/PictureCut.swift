import CFFmpeg
import MediaCore
import MediaEngine

/// Cuts pictures to the range: what stands where it begins is the first, shown from there on, and none begins at or
/// after its end. Leaves pictures out where there are too many of them.
struct PictureCut {
    private let range: ExportRange
    private let base: AVRational
    /// Nanoseconds between pictures; nil: all of them.
    private let interval: Int64?
    private var due: Int64 = 0
    private var held: (frame: VideoFrame, time: Int64)?
    /// Where the source's pictures end, media time.
    private(set) var mediaEnd: Int64 = 0
    /// No picture that comes now is wanted.
    private(set) var isDone = false
    /// Where the written pictures end in the export's timeline.
    private(set) var end: Int64 = 0

    init(range: ExportRange, timeBase: AVRational, maximumFrameRate: Double?) {
        self.range = range
        base = timeBase
        interval = maximumFrameRate.map { Int64((1e9 / $0).rounded()) }
    }

    /// In the track's ticks, so that what a person or `CMTime` rounded is no other picture.
    private func ticks(_ time: Int64) -> Int64 {
        time == .max ? .max : av_rescale_q(time, AVRational(num: 1, den: 1_000_000_000), base)
    }

    /// The picture that is complete now, if one is: each waits for the next, which tells how long it stands.
    mutating func take(_ frame: VideoFrame) -> ExportPicture? {
        guard let time = frame.presentationTime.nanoseconds else { return nil }
        mediaEnd = max(mediaEnd, time + max(0, frame.duration.nanoseconds ?? 0))
        guard !isDone else { return nil }
        guard ticks(time) < ticks(range.end) else {
            isDone = true
            return nil
        }
        guard ticks(time) > ticks(range.start) else {
            held = (frame, range.start)
            due = interval ?? 0
            return nil
        }
        if let interval {
            // A thousandth of a second early is not early: containers round.
            let place = time - range.start + 1_000_000
            guard held == nil || place >= due else { return nil }
            due = (place / interval + 1) * interval
        }
        let complete = held.map { picture($0, until: time) }
        held = (frame, time)
        return complete
    }

    private func picture(_ held: (frame: VideoFrame, time: Int64), until end: Int64) -> ExportPicture {
        ExportPicture(frame: held.frame, itemTime: held.time, start: held.time - range.start, duration: max(0, end - held.time))
    }

    /// The last one.
    /// - Throws: `.invalidArgument` when nothing of the source lies in the range.
    mutating func finish(location: String) throws(AVError) -> ExportPicture {
        guard let held, range.start <= 0 || mediaEnd > range.start else {
            throw AVError(.invalidArgument, at: location, reason: "has no picture in the range: its last one ends at \(Double(mediaEnd) / 1e9) s, "
                + "the range begins at \(Double(range.start) / 1e9) s", suggestion: "Choose an earlier begin")
        }
        let last = picture(held, until: min(range.end, max(mediaEnd, held.time)))
        end = last.start + last.duration
        return last
    }
}
