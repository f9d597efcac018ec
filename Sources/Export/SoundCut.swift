import CFFmpeg
import MediaCore
import MediaEngine

/// Cuts sound to the range, to the sample: the first one is what sounds where the range begins. Holes become silence,
/// what overlaps is left out.
struct SoundCut {
    private let range: ExportRange
    private let format: AudioFormat
    /// The container's stamps tell samples apart.
    private let isExact: Bool
    /// Where stamps are only whole milliseconds: samples before the first one heard. Packets of equal length lie on
    /// multiples of it from there. Else nil.
    private let runIn: Int64?
    /// Where the next sample that comes belongs, counted from the range's begin; nil before the first.
    private var position: Int64?
    /// The first chunk, while the second is waited for that tells where both belong.
    private var first: (samples: [Float], time: MediaTime)?
    /// Samples handed out.
    private(set) var written: Int64 = 0
    private let limit: Int64

    /// - Parameter isCut: what comes begins in the middle of the source.
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
        // Far below what would overflow, with all that is reckoned from it.
        limit = range.end == .max ? 1 << 61 : (range.end - range.start).samples(at: format.sampleRate)
    }

    /// Seconds.
    private static let longestHole: Int64 = 3600

    var isDone: Bool { written >= limit || (position ?? 0) >= limit }

    mutating func take(_ samples: [Float], at time: MediaTime?, _ emit: ([Float]) throws(AVError) -> Void)
        throws(AVError)
    {
        let channels = format.channelCount
        let count = Int64(samples.count / channels)
        guard count > 0 else { return }
        if let runIn, position == nil, let time {
            guard let (samples: before, time: begin) = first else {
                // Decoders leave out a part of the first packet after a seek: it is of no telling length.
                first = (samples, time)
                return
            }
            first = nil
            let whole = time.samples(at: format.sampleRate) + runIn
            let nearest = (whole + count / 2) / count * count
            let exact = abs(nearest - whole) <= min(count / 4, Int64(format.sampleRate / 1000)) ? nearest : whole
            position = (-range.start).samples(at: format.sampleRate) + exact - runIn - Int64(before.count / channels)
            try place(before, at: begin, emit)
        }
        try place(samples, at: time, emit)
    }

    /// What still waits, and silence up to where the pictures end (nil: none).
    mutating func finish(paddingTo time: MediaTime?, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        if let only = first {
            first = nil
            try place(only.samples, at: only.time, emit)
        }
        if let time { try silence(upTo: min(limit, time.samples(at: format.sampleRate)), emit) }
    }

    private mutating func place(_ samples: [Float], at time: MediaTime?, _ emit: ([Float]) throws(AVError) -> Void)
        throws(AVError)
    {
        let channels = format.channelCount
        let count = Int64(samples.count / channels)
        var place = position ?? 0
        if let time {
            place = (time - range.start).samples(at: format.sampleRate)
            // Rounding, not a hole: 10 ms where stamps are whole milliseconds.
            let tolerance = isExact ? 16 : Int64(format.sampleRate / 100)
            if let position, abs(place - position) <= tolerance { place = position }
            // A hole that no film has is a wrong stamp: years of silence would be written.
            if place - (position ?? max(0, written)) > Int64(format.sampleRate) * SoundCut.longestHole {
                place = position ?? 0
            }
        }
        position = place + count
        if place > written { try silence(upTo: min(place, limit), emit) }
        let skip = max(0, written - place)
        let end = min(count, limit - place)
        guard skip < end else { return }
        written += end - skip
        try emit(skip == 0 && end == count ? samples : Array(samples[Int(skip) * channels..<Int(end) * channels]))
    }

    private mutating func silence(upTo end: Int64, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        while written < end {
            let count = min(end - written, Int64(format.sampleRate))
            written += count
            try emit([Float](repeating: 0, count: Int(count) * format.channelCount))
        }
    }
}
