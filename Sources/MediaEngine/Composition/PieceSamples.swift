import CFFmpeg
import MediaCore
import Streaming

/// The decoded samples of one piece of a composition, exact to the sample if the container's times are.
final class PieceSamples {
    /// The position of the next frame, counted from the start of the piece.
    private(set) var position: Int64
    private(set) var shortfall: AVError?
    /// The buffer of a remote file.
    var buffer: (any SourceBuffer)? { reader.buffer }
    /// The time up to which the source has been read.
    var sourceTime: MediaTime { MediaTime(samples: wanted, rate: format.sampleRate) }

    private let piece: CompositionPiece
    private let source: CompositionSource
    private let format: AudioFormat
    private let interrupt: InterruptToken
    private var reader: ItemReader
    private var decoder: AudioDecoder
    /// The stretcher of a piece that plays slower or faster; nil at the natural speed.
    private let stretcher: TimeStretcher?

    /// The samples that can be read, beginning at the index `first`.
    private var ready: [Float] = []
    private var first = 0
    /// The runs after `ready` if the source has a gap: silence, which can be long, and the samples that follow it.
    private var waiting: [Run] = []
    private enum Run {
        case silence(Int)
        case samples([Float])
    }
    /// The frame of the source that is needed next, and the one after the piece.
    private var wanted: Int64
    private let stop: Int64
    /// The frame of the source that the decoder returns next; nil before the first one.
    private var decoded: Int64?
    /// Whether the file is read from its beginning.
    private(set) var isFromStart: Bool
    /// Whether the first samples after a seek are after those that are needed, so that reading has to begin earlier.
    private var isTooLate = false
    /// The distances before the position of the seeks that follow one that was too late.
    private var earlierSeeks: ArraySlice<MediaTime> = [2_000_000_000, 20_000_000_000]
    /// Whether the file has been read to its end.
    private var isAtEnd = false
    private var isDrained = false

    /// The time that decoders need before a position, so that the samples there are complete: Opus needs 80 ms, and MP3
    /// some frames.
    private static let runIn: MediaTime = 250_000_000
    /// The longest difference between the times of a container and the counted samples that is rounding.
    private static let jitter: MediaTime = 60_000_000

    /// Opens the file of a piece at the frame `offset`, counted from the start of the piece.
    ///
    /// - Parameter former: Samples that are no longer read, whose file is used if it is the same.
    /// - Throws: The reason why the file cannot be opened.
    init(
        _ piece: CompositionPiece, _ source: CompositionSource, _ format: AudioFormat, at offset: Int64,
        reusing former: PieceSamples?, interrupt: InterruptToken
    ) throws(AVError) {
        self.piece = piece
        self.source = source
        self.format = format
        self.interrupt = interrupt
        position = offset
        let rate = format.sampleRate
        if piece.speed == 1 {
            stretcher = nil
            let start = piece.start.samples(at: rate)
            wanted = start + offset
            // The mix rounds the ends of the target, so it can need one frame more than the rounded range of the source
            // has.
            stop = start + piece.target.upperBound.samples(at: rate) - piece.target.lowerBound.samples(at: rate)
        } else {
            let stretching = TimeStretcher(format: format)
            stretching.setSpeed(piece.speed)
            stretcher = stretching
            wanted = piece.sourceTime(at: piece.target.lowerBound + MediaTime(samples: offset, rate: rate))
                .samples(at: rate)
            stop = piece.end.samples(at: rate)
        }
        let begin = MediaTime(samples: wanted, rate: rate) - PieceSamples.runIn
        isFromStart = begin <= 0
        // From the beginning, only a new reader drops the frames that encoders add there.
        if let former, begin > 0, former.source.isSame(as: source) {
            (reader, decoder) = (former.reader, former.decoder)
            decoder.flush()
        } else {
            (reader, decoder) = try PieceSamples.open(source, format, interrupt)
        }
        if begin > 0, reader.seek(to: begin) != nil {
            // Some sources can't seek, so everything before the position is decoded.
            (reader, decoder) = try PieceSamples.open(source, format, interrupt)
            isFromStart = true
        }
    }

    private static func open(_ source: CompositionSource, _ format: AudioFormat, _ interrupt: InterruptToken)
        throws(AVError) -> (ItemReader, AudioDecoder)
    {
        let reader = try ItemReader(
            url: source.url, options: source.options.http,
            selection: TrackSelection(audio: .stream(source.streamIndex), video: .none), interrupt: interrupt)
        guard let track = reader.description.audio, track.streamIndex == source.streamIndex else {
            throw reader.description.problem(.audio)
                ?? AVError(
                    .noPlayableTracks, at: source.url.location,
                    reason: "the file no longer has the audio track \(source.facts.trackID)",
                    suggestion: "Insert the file into the composition again")
        }
        let decoder = try AudioDecoder(
            track: track, format: format, startOffset: reader.startOffset, location: source.url.location)
        return (reader, decoder)
    }

    // MARK: reading

    /// Reads `count` frames. Where the source has none, nothing is delivered. Blocks.
    ///
    /// - Parameter deliver: Called with interleaved samples, the number of frames, and the number of frames before
    ///   them.
    /// - Throws: The reason why reading failed.
    func read(_ count: Int, _ deliver: (UnsafePointer<Float>, Int, Int) -> Void) throws(AVError) {
        var done = 0
        while done < count {
            let frames = min(ready.count / format.channelCount - first, count - done)
            guard frames > 0 else {
                ready.removeAll(keepingCapacity: true)
                first = 0
                guard try decode() else { break }
                continue
            }
            ready.withUnsafeBufferPointer { samples in
                if let base = samples.baseAddress { deliver(base + first * format.channelCount, frames, done) }
            }
            first += frames
            done += frames
        }
        position += Int64(count)
    }

    /// Decodes the next packet into `ready`.
    ///
    /// - Returns: `false` after the end of the piece or of the file.
    private func decode() throws(AVError) -> Bool {
        guard !isDrained else { return false }
        if !waiting.isEmpty {
            passWaiting()
            return true
        }
        if wanted >= stop || isAtEnd {
            drain()
            return true
        }
        switch reader.next() {
        case .audio(let packet): decoder.decode(packet) { take($0, $1, $2) }
        case .end:
            shortfall = reader.shortfall
            decoder.decode(nil) { take($0, $1, $2) }
            isAtEnd = !isTooLate
            if let error = decoder.failure(at: source.url.location) { throw error }
        case .failed(let error): throw error
        case .video, .track, .problem, .other, .jump: break
        }
        if isTooLate { try seekEarlier() }
        return true
    }

    /// Seeks to an earlier time, or begins at the start of the file, because the first samples after a
    /// seek were too late.
    ///
    /// Some containers seek to a later time. In a gap, the seek can end at the packet before the gap, and some codecs,
    /// such as Vorbis, have no samples for the first packet.
    private func seekEarlier() throws(AVError) {
        isTooLate = false
        let time = sourceTime
        while let distance = earlierSeeks.popFirst(), time > distance {
            guard reader.seek(to: time - distance) == nil else { continue }
            decoder.flush()
            return
        }
        // A new reader drops the frames that encoders add at the beginning.
        (reader, decoder) = try PieceSamples.open(source, format, interrupt)
        isFromStart = true
    }

    /// Ends the piece, with the samples that the stretcher still holds.
    private func drain() {
        isDrained = true
        stretcher?.process(nil, frames: 0) { append($0, $1) }
    }

    /// Takes decoded samples, and passes on those that are inside the piece.
    private func take(_ samples: UnsafePointer<Float>, _ frames: Int, _ time: MediaTime?) {
        guard !isTooLate, wanted < stop else { return }
        let rate = format.sampleRate
        var start = decoded ?? wanted
        if let stated = time?.samples(at: rate) {
            if let decoded {
                // The times of packets are rounded. Only a larger difference is a gap or a repetition.
                if abs(stated - decoded) > PieceSamples.jitter.samples(at: rate) { start = stated }
            } else {
                // A time in milliseconds is rounded, so the first sample of a file can seem to begin after zero.
                let isRounded = isFromStart && !decoder.track.hasExactTimes && abs(stated) <= Int64(rate / 500)
                start = isRounded ? 0 : stated
            }
        }
        if decoded == nil, !isFromStart, start > wanted {
            isTooLate = true
            return
        }
        decoded = start + Int64(frames)
        if start > wanted {
            waiting.append(.silence(Int(min(start, stop) - wanted)))
            wanted = min(start, stop)
        }
        let skip = max(0, wanted - start)
        guard skip < Int64(frames), wanted < stop else { return }
        let count = Int(min(Int64(frames) - skip, stop - wanted))
        wanted += Int64(count)
        let part = samples + Int(skip) * format.channelCount
        if waiting.isEmpty {
            pass(part, count)
        } else {
            waiting.append(.samples(Array(UnsafeBufferPointer(start: part, count: count * format.channelCount))))
        }
    }

    private func pass(_ samples: UnsafePointer<Float>, _ frames: Int) {
        if let stretcher {
            stretcher.process(samples, frames: frames) { append($0, $1) }
        } else {
            append(samples, frames)
        }
    }

    /// Passes on the first waiting samples, or a part of the silence, so that little memory is needed.
    private func passWaiting() {
        let samples: [Float]
        switch waiting[0] {
        case .samples(let values):
            samples = values
            waiting.removeFirst()
        case .silence(let frames):
            let count = min(frames, 4096)
            samples = [Float](repeating: 0, count: count * format.channelCount)
            if frames > count { waiting[0] = .silence(frames - count) } else { waiting.removeFirst() }
        }
        samples.withUnsafeBufferPointer {
            if let base = $0.baseAddress { pass(base, samples.count / format.channelCount) }
        }
    }

    private func append(_ samples: UnsafePointer<Float>, _ frames: Int) {
        ready.append(contentsOf: UnsafeBufferPointer(start: samples, count: frames * format.channelCount))
    }
}
