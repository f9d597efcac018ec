import CFFmpeg
import MediaCore
import MediaEngine

/// A filter that cuts audio to the exported range, exact to the sample. Gaps become silence, and overlapping samples
/// are dropped.
struct AudioTrimmer {
    private let range: ExportRange
    private let format: AudioFormat
    /// Whether the container's timestamps are precise enough to identify samples.
    private let isExact: Bool
    /// The number of samples before the first audible sample. Nil if timestamps are exact, if the audio is not cut, or
    /// if its sample rate changes.
    ///
    /// Timestamps in whole milliseconds are too coarse for sample positions. Counted from the start of the run-in,
    /// packets of equal length begin at multiples of their length, so positions are rounded to such multiples.
    private let runIn: Int64?
    /// The position of the next sample, counted from the start of the range. Nil before the first sample.
    private var position: Int64?
    /// The first chunk, stored until the second chunk shows the positions of both.
    private var first: (samples: [Float], time: MediaTime)?
    /// The number of samples passed on.
    private(set) var written: Int64 = 0
    private let limit: Int64

    /// - Parameter isCut: Whether the range begins after the start of the source.
    init(range: ExportRange, format: AudioFormat, source: OfflineReader.Sound, isCut: Bool) {
        let isExact =
            source.timeBase.num > 0
            && Int64(source.timeBase.den) / Int64(source.timeBase.num) >= Int64(source.sampleRate)
        let runIn = source.withParameters { Int64($0.pointee.initial_padding) }
        self.init(
            range: range, format: format, isExact: isExact,
            runIn: !isExact && isCut && source.sampleRate == format.sampleRate ? runIn : nil)
    }

    init(range: ExportRange, format: AudioFormat, isExact: Bool, runIn: Int64?) {
        self.range = range
        self.format = format
        self.isExact = isExact
        self.runIn = runIn
        // The value 2⁶¹ is low enough that later calculations do not overflow.
        limit = range.end == .max ? 1 << 61 : (range.end - range.start).samples(at: format.sampleRate)
    }

    /// The longest gap that is filled with silence, in seconds.
    private static let maximumGap: Int64 = 3600

    var isDone: Bool { written >= limit || (position ?? 0) >= limit }

    mutating func take(_ samples: [Float], at time: MediaTime?, _ emit: ([Float]) throws(AVError) -> Void)
        throws(AVError)
    {
        let channels = format.channelCount
        let count = Int64(samples.count / channels)
        guard count > 0 else { return }
        if let runIn, position == nil, let time {
            guard let (samples: before, time: begin) = first else {
                // After a seek, decoders drop some samples of the first packet, so its length is not usable.
                first = (samples, time)
                return
            }
            first = nil
            let whole = time.samples(at: format.sampleRate) + runIn
            let nearest = (whole + count / 2) / count * count
            let exact = abs(nearest - whole) <= min(count / 4, Int64(format.sampleRate / 1000)) ? nearest : whole
            position = (-range.start).samples(at: format.sampleRate) + exact - runIn - Int64(before.count / channels)
            try append(before, at: begin, emit)
        }
        try append(samples, at: time, emit)
    }

    /// Emits the stored chunk, and then silence up to `time`, where the last frame ends. `time` counts from the start
    /// of the range. If `time` is nil, no silence is added.
    mutating func finish(paddingTo time: MediaTime?, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        if let only = first {
            first = nil
            try append(only.samples, at: only.time, emit)
        }
        if let time { try appendSilence(upTo: min(limit, time.samples(at: format.sampleRate)), emit) }
    }

    private mutating func append(_ samples: [Float], at time: MediaTime?, _ emit: ([Float]) throws(AVError) -> Void)
        throws(AVError)
    {
        let channels = format.channelCount
        let count = Int64(samples.count / channels)
        var start = position ?? 0
        if let time {
            start = (time - range.start).samples(at: format.sampleRate)
            // A small difference is a rounding error, not a gap. The tolerance is 10 ms for timestamps in whole
            // milliseconds.
            let tolerance = isExact ? 16 : Int64(format.sampleRate / 100)
            if let position, abs(start - position) <= tolerance { start = position }
            // A longer gap comes from a wrong timestamp. Filling it could write years of silence.
            if start - (position ?? max(0, written)) > Int64(format.sampleRate) * AudioTrimmer.maximumGap {
                start = position ?? 0
            }
        }
        position = start + count
        if start > written { try appendSilence(upTo: min(start, limit), emit) }
        let skip = max(0, written - start)
        let end = min(count, limit - start)
        guard skip < end else { return }
        written += end - skip
        try emit(skip == 0 && end == count ? samples : Array(samples[Int(skip) * channels..<Int(end) * channels]))
    }

    private mutating func appendSilence(upTo end: Int64, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        while written < end {
            let count = min(end - written, Int64(format.sampleRate))
            written += count
            try emit([Float](repeating: 0, count: Int(count) * format.channelCount))
        }
    }
}
