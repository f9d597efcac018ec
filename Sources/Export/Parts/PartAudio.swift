import MediaCore
import MediaEngine

/// The audio samples of a part after the first.
///
/// Decoders carry state from packet to packet: generated noise, predictions, a resampler's filter. The samples of a
/// part equal those of the whole export only if everything from the start of the export is decoded. Therefore a
/// separate reader decodes all audio from that start and skips the frames. This costs a few thousandths of the time for
/// encoding frames.
final class PartAudio {
    private let reader: SeekedReader
    private let window: ExportRange
    private let sampleRate: Int
    private var trimmer: AudioTrimmer
    private var isOver = false

    /// - Parameters:
    ///   - reader: A reader at the start of the export that decodes audio as `format`.
    ///   - range: The range of the whole export, in media time.
    ///   - window: The range of the part, in media time.
    init(
        _ reader: SeekedReader, _ track: OfflineReader.Sound, format: AudioFormat, range: ExportRange,
        window: ExportRange
    ) {
        self.reader = reader
        self.window = window
        sampleRate = format.sampleRate
        trimmer = AudioTrimmer(range: window, format: format, source: track, isCut: range.start > 0)
    }

    /// Passes the samples up to half a second after `time` to `emit`.
    func advance(to time: MediaTime, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        let end = time + 500_000_000
        while !isOver, window.start + MediaTime(samples: trimmer.written, rate: sampleRate) < end { try step(emit) }
    }

    /// Passes the remaining samples to `emit`.
    func finish(_ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        while !isOver { try step(emit) }
    }

    /// Appends silence up to `length`, where the whole export has silence.
    func pad(to length: MediaTime, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        try trimmer.finish(paddingTo: length, emit)
    }

    private func step(_ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        switch try reader.read() {
        case .picture, .soundPacket: break
        case .sound(let chunk, let time): try trimmer.take(chunk, at: time, emit)
        case .end:
            try trimmer.finish(paddingTo: nil, emit)
            isOver = true
        }
        if reader.isPositioned { reader.source.skipsPictures = true }
        if trimmer.isDone || reader.source.videoReach - 5_000_000_000 > window.end { isOver = true }
    }
}
