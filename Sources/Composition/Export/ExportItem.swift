import CFFmpeg
import MediaCore
import MediaEngine

/// What goes from the thread that decodes by the one that composes to the one that writes.
enum ExportItem: Sendable {
    /// First of all: what the source has.
    case tracks(ExportTracks)
    case picture(ExportPicture)
    /// Interleaved samples, each chunk following the last without a gap, from the export's begin on.
    case sound([Float])
    /// Of sound that is copied.
    case packet(OfflineReader.Packet)

    /// Towards a queue's limit: pictures are what takes memory.
    var weight: Int { if case .picture = self { 16 } else { 1 } }
}

struct ExportPicture: Sendable {
    var frame: VideoFrame
    /// In the source's timeline.
    let itemTime: Int64
    /// In the export's timeline, nanoseconds.
    let start: Int64
    let duration: Int64
}

/// What is known once the source is open.
struct ExportTracks: Sendable {
    let location: String
    let video: OfflineReader.Video
    let sound: Sound
    /// Of the export, nanoseconds; nil when nobody knows before the end.
    let duration: Int64?
    let details: Details

    enum Sound: Sendable {
        case none
        case copied(OfflineReader.Sound)
        case encoded(AudioFormat)
    }

    /// What the source says about itself.
    struct Details: Sendable {
        var metadata: [(key: String, value: String)] = []
        var soundLanguage: String?
        /// In the export's timeline, nanoseconds.
        var chapters: [(title: String, start: Int64, end: Int64)] = []
    }
}

/// The stretch of the source that is written, media time in nanoseconds.
struct ExportRange: Sendable, Equatable {
    var start: Int64 = 0
    /// `.max`: where the source ends.
    var end: Int64 = .max
    var isWhole: Bool { start <= 0 && end == .max }
}

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

/// Cuts sound to the range, to the sample: the first one is what sounds where the range begins. Holes become silence,
/// what overlaps is left out.
struct SoundCut {
    private let range: ExportRange
    private let format: AudioFormat
    /// The container's stamps tell samples apart.
    private let isExact: Bool
    /// Samples may be laid on multiples of a packet's, as they were decoded.
    private let snaps: Bool
    /// Where the next sample that comes belongs, counted from the range's begin; nil before the first.
    private var position: Int64?
    /// Samples handed out.
    private(set) var written: Int64 = 0
    private let limit: Int64

    init(range: ExportRange, format: AudioFormat, source: OfflineReader.Sound) {
        let isExact = source.timeBase.num > 0 && Int64(source.timeBase.den) / Int64(source.timeBase.num) >= Int64(source.sampleRate)
        self.init(range: range, format: format, isExact: isExact, snaps: !isExact && source.sampleRate == format.sampleRate)
    }

    init(range: ExportRange, format: AudioFormat, isExact: Bool, snaps: Bool) {
        self.range = range
        self.format = format
        self.isExact = isExact
        self.snaps = snaps
        limit = range.end == .max ? .max : SoundCut.samples(range.end - range.start, format.sampleRate)
    }

    private static func samples(_ time: Int64, _ rate: Int) -> Int64 { av_rescale(time, Int64(rate), 1_000_000_000) }

    var isDone: Bool { written >= limit || (position ?? 0) >= limit }

    mutating func take(_ samples: [Float], at time: Int64?, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        let channels = format.channelCount, count = Int64(samples.count / channels)
        guard count > 0 else { return }
        var place = position ?? 0
        if let time {
            var stamped = SoundCut.samples(time - range.start, format.sampleRate)
            if let position {
                // Rounding, not a hole: 10 ms where stamps are whole milliseconds.
                let tolerance = isExact ? 16 : Int64(format.sampleRate / 100)
                if abs(stamped - position) <= tolerance { stamped = position }
            } else if snaps {
                // Whole milliseconds do not tell the sample, but packets of equal length do, counted from media time zero.
                let whole = SoundCut.samples(time, format.sampleRate)
                let nearest = (whole + count / 2) / count * count
                if time >= 0, abs(nearest - whole) <= Int64(format.sampleRate / 1000) { stamped += nearest - whole }
            }
            place = stamped
        }
        position = place + count
        if place > written { try silence(upTo: min(place, limit), emit) }
        let skip = max(0, written - place), end = min(count, limit - place)
        guard skip < end else { return }
        written += end - skip
        try emit(skip == 0 && end == count ? samples : Array(samples[Int(skip) * channels..<Int(end) * channels]))
    }

    /// Silence up to where the pictures end.
    mutating func pad(to time: Int64, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        try silence(upTo: min(limit, SoundCut.samples(time, format.sampleRate)), emit)
    }

    private mutating func silence(upTo end: Int64, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        while written < end {
            let count = min(end - written, Int64(format.sampleRate))
            written += count
            try emit([Float](repeating: 0, count: Int(count) * format.channelCount))
        }
    }
}
