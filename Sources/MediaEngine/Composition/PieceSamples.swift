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
    var sourceTime: MediaTime { MediaTime(samples: placement.wanted, rate: format.sampleRate) }
    /// Whether the file is read from its beginning.
    var isFromStart: Bool { placement.isFromStart }

    private let source: CompositionSource
    private let format: AudioFormat
    private let interrupt: InterruptToken
    private var reader: ItemReader
    private var decoder: AudioDecoder
    private var placement: SamplePlacement
    private var queue: SampleQueue

    /// The distances before the position of the seeks that follow one that was too late.
    private var earlierSeeks: ArraySlice<MediaTime> = [2_000_000_000, 20_000_000_000]
    /// Whether the file has been read to its end.
    private var isAtEnd = false
    private var isDrained = false

    /// The time that decoders need before a position, so that the samples there are complete: Opus needs 80 ms, and MP3
    /// some frames.
    private static let runIn: MediaTime = 250_000_000

    /// Opens the file of a piece at the frame `offset`, counted from the start of the piece.
    ///
    /// - Parameter former: Samples that are no longer read, whose file is used if it is the same.
    /// - Throws: The reason why the file cannot be opened.
    init(
        _ piece: CompositionPiece, _ source: CompositionSource, _ format: AudioFormat, at offset: Int64,
        reusing former: PieceSamples?, interrupt: InterruptToken
    ) throws(AVError) {
        self.source = source
        self.format = format
        self.interrupt = interrupt
        position = offset
        let rate = format.sampleRate
        let wanted: Int64
        let stop: Int64
        if piece.speed == 1 {
            let start = piece.start.samples(at: rate)
            wanted = start + offset
            // The mix rounds the ends of the target, so it can need one frame more than the rounded range of the source
            // has.
            stop = start + piece.target.upperBound.samples(at: rate) - piece.target.lowerBound.samples(at: rate)
        } else {
            wanted = piece.sourceTime(at: piece.target.lowerBound + MediaTime(samples: offset, rate: rate))
                .samples(at: rate)
            stop = piece.end.samples(at: rate)
        }
        let begin = MediaTime(samples: wanted, rate: rate) - PieceSamples.runIn
        placement = SamplePlacement(from: wanted, to: stop, rate: rate, isFromStart: begin <= 0)
        queue = SampleQueue(format, speed: piece.speed)
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
            placement.didReturnToStart()
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
            let frames = queue.read(count - done) { deliver($0, $1, done) }
            if frames == 0 {
                guard try decode() else { break }
            }
            done += frames
        }
        position += Int64(count)
    }

    /// Makes more samples readable: those that wait in the queue, or those of the next packet.
    ///
    /// - Returns: `false` after the end of the piece or of the file.
    private func decode() throws(AVError) -> Bool {
        guard !isDrained else { return false }
        if queue.passWaiting() { return true }
        if placement.isComplete || isAtEnd {
            isDrained = true
            queue.finish()
            return true
        }
        switch reader.next() {
        case .audio(let packet): decoder.decode(packet) { take($0, $1, $2) }
        case .end:
            shortfall = reader.shortfall
            decoder.decode(nil) { take($0, $1, $2) }
            isAtEnd = !placement.isTooLate
            if let error = decoder.failure(at: source.url.location) { throw error }
        case .failed(let error): throw error
        case .video, .track, .problem, .other, .jump: break
        }
        if placement.isTooLate { try seekEarlier() }
        return true
    }

    /// Seeks to an earlier time, or begins at the start of the file, because the first samples after a
    /// seek were too late.
    ///
    /// Some containers seek to a later time. In a gap, the seek can end at the packet before the gap, and some codecs,
    /// such as Vorbis, have no samples for the first packet.
    private func seekEarlier() throws(AVError) {
        placement.didSeekEarlier()
        let time = sourceTime
        while let distance = earlierSeeks.popFirst(), time > distance {
            guard reader.seek(to: time - distance) == nil else { continue }
            decoder.flush()
            return
        }
        // A new reader drops the frames that encoders add at the beginning.
        (reader, decoder) = try PieceSamples.open(source, format, interrupt)
        placement.didReturnToStart()
    }

    /// Takes decoded samples, and appends those that the piece plays.
    private func take(_ samples: UnsafePointer<Float>, _ frames: Int, _ time: MediaTime?) {
        let part = placement.place(frames, at: time, hasExactTimes: decoder.track.hasExactTimes)
        if part.silence > 0 { queue.appendSilence(part.silence) }
        if part.count > 0 { queue.append(samples + part.skipped * format.channelCount, part.count) }
    }
}
