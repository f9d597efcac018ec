import MediaCore
import MediaEngine

/// The samples of a part that is not the first.
///
/// Decoders carry state from packet to packet: noise that stands for coded noise, predictions, a resampler's filter. The
/// samples of a part are those of the whole only when everything from the export's begin on is decoded. So it is, by a
/// reader of its own that leaves the pictures out; it costs a few thousandths of encoding pictures.
final class PartSound {
    private let reader: PlacedReader
    private let window: ExportRange
    private let sampleRate: Int
    private var cut: SoundCut
    private var isOver = false

    /// - Parameters:
    ///   - source: at the begin of the export, in `format`.
    ///   - window: the part, media time.
    init(
        _ reader: PlacedReader, _ sound: OfflineReader.Sound, format: AudioFormat, range: ExportRange,
        window: ExportRange
    ) {
        self.reader = reader
        self.window = window
        sampleRate = format.sampleRate
        cut = SoundCut(range: window, format: format, source: sound, isCut: range.start > 0)
    }

    /// Hands out what sounds before `time` and a little more.
    func advance(to time: MediaTime, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        let end = time + 500_000_000
        while !isOver, window.start + MediaTime(samples: cut.written, rate: sampleRate) < end { try step(emit) }
    }

    /// Hands out the rest.
    func finish(_ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        while !isOver { try step(emit) }
    }

    /// Silence up to `length`, where the whole has it.
    func pad(to length: MediaTime, _ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        try cut.finish(paddingTo: length, emit)
    }

    private func step(_ emit: ([Float]) throws(AVError) -> Void) throws(AVError) {
        switch try reader.read() {
        case .picture, .soundPacket: break
        case .sound(let chunk, let time): try cut.take(chunk, at: time, emit)
        case .end:
            try cut.finish(paddingTo: nil, emit)
            isOver = true
        }
        if reader.isSure { reader.source.skipsPictures = true }
        if cut.isDone || reader.source.videoReach - 5_000_000_000 > window.end { isOver = true }
    }
}
