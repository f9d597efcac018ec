import MediaCore
import Streaming

/// An open file whose video track is played by pieces of a composition, one after the other.
struct PieceFile {
    let reader: ItemReader
    let source: CompositionSource
    let track: VideoTrackDescription
    /// Whether nothing has been read yet.
    private var isFresh = true
    /// The description for the packets of the last piece.
    private var described: VideoTrackDescription?

    /// The number of packets that are read to find a keyframe.
    private static let mostPackets = 16_384

    /// Opens the file of `source`. Blocks.
    ///
    /// - Throws: The reason why the file cannot be opened.
    init(_ source: CompositionSource, interrupt: InterruptToken) throws(AVError) {
        let reader = try ItemReader(
            url: source.url, options: source.options.http,
            selection: TrackSelection(audio: .none, video: .stream(source.streamIndex)), interrupt: interrupt)
        guard let track = reader.description.video else {
            throw reader.description.problem(.video)
                ?? AVError(
                    .noVideoTrack, at: source.url.location,
                    reason: "the file no longer has the video track \(source.facts.trackID)",
                    suggestion: "Insert the file into the composition again")
        }
        self.reader = reader
        self.source = source
        self.track = track
    }

    /// Returns the media time of a timestamp; nil for none.
    func time(_ stamp: Int64) -> MediaTime? {
        MediaTime(stamp: stamp, base: track.timeBase).map { $0 - reader.startOffset }
    }

    /// Returns the description of the track for the packets of `piece`.
    mutating func describe(_ piece: CompositionPiece) -> VideoTrackDescription {
        let frameDuration = MediaTime(seconds: track.frameDuration.seconds / piece.speed)
            .bounded(to: 0...60_000_000_000)
        if let last = described, last.orientation == piece.orientation, last.frameDuration == frameDuration {
            return last
        }
        // A decoder is identified by its parameters, and decoders for different orientations must differ.
        let parameters = CodecParameters(copying: track.parameters.raw) ?? track.parameters
        let description = VideoTrackDescription(
            streamIndex: 0, parameters: parameters, timeBase: CompositionReader.nanoseconds,
            orientation: piece.orientation, aspect: track.aspect, frameDuration: frameDuration,
            hasReliableDurations: track.hasReliableDurations, light: track.light,
            hasSecondStream: track.hasSecondStream, isCut: true)
        described = description
        return description
    }

    /// Reads up to the keyframe from which the frame at `time` of the source can be decoded. Containers index by decode
    /// time, so a seek can end after the frame. The next attempt then begins earlier.
    ///
    /// - Returns: The packet of the keyframe; nil if none was found.
    mutating func land(at time: MediaTime) throws(AVError) -> MediaPacket? {
        var from = time
        var step: MediaTime = 500_000_000
        while true {
            if from > 0 || !isFresh, let error = reader.seek(to: from) {
                // Some sources can only return to the start. From there, every frame can be reached by decoding.
                guard from > 0, reader.seek(to: 0) == nil else { throw error }
                from = 0
            }
            isFresh = false
            var first: MediaPacket?
            reading: for _ in 0..<PieceFile.mostPackets {
                switch reader.next() {
                case .video(let packet) where packet.isKey:
                    first = packet
                    break reading
                case .end: break reading
                case .failed(let error): throw error
                case .video, .audio, .track, .problem, .other, .jump: continue
                }
            }
            let isLate = first.map { ($0.pts ?? .min) > time + CompositionVideo.sliver } ?? true
            guard isLate, from > 0 else {
                // Without a keyframe, the decoder gets all packets from the position on.
                if first == nil, let error = reader.seek(to: time) { throw error }
                return first
            }
            from = max(0, from - step)
            step = step * 4
        }
    }
}
