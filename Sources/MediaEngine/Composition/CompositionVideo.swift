import CFFmpeg
import MediaCore
import Streaming

/// The video of a composition: reads the packets of one piece after the other.
///
/// Between two pieces, decoders start again: the packets of a piece depend on no others. A piece rarely begins at a
/// keyframe, so reading begins at the keyframe before, and the packets before the piece are marked as discarded.
final class CompositionVideo {
    private let pieces: [CompositionPiece]
    private let interrupt: InterruptToken
    private let watch: CompositionBuffer?

    /// The index of the piece being read; the number of pieces at the end.
    private var index = 0
    /// The time at which the current piece still has to be entered; nil while it is read.
    private var pending: MediaTime?
    /// The track that applies to the next packet; nil before the first piece was entered.
    private(set) var track: VideoTrackDescription?
    /// The media time up to which packets were returned.
    private(set) var reach = MediaTime.zero
    /// The media time of the first packet after a seek, at which decoding begins.
    private(set) var landing = MediaTime.zero
    /// The media time at which the current piece was entered.
    private var entry = MediaTime.zero
    /// The end of the video that was returned since the last seek; nil before the first frame.
    private(set) var end: MediaTime?
    /// The error for a source that ends early.
    private(set) var shortfall: AVError?
    var isEnded: Bool { index >= pieces.count }

    /// The open file, which is kept while the pieces that follow play the same track.
    private var file: OpenFile?
    private struct OpenFile {
        let reader: ItemReader
        let source: CompositionSource
        let track: VideoTrackDescription
        /// Whether nothing has been read yet.
        var isFresh = true
        /// The description for the packets of the last piece.
        var described: VideoTrackDescription?

        /// Returns the media time of a timestamp; nil for none.
        func time(_ stamp: Int64) -> MediaTime? {
            MediaTime(stamp: stamp, base: track.timeBase).map { $0 - reader.startOffset }
        }
    }
    /// The packets of the piece that were read and not returned yet, in order. The first `ready` can be returned.
    private var held: [MediaPacket] = []
    private var ready = 0
    /// Whether a packet that follows can belong to the frame that is shown at the start of the piece.
    private var isSearching = false
    /// The media time in the source of the frame that is shown at the start of the piece. Nil if the durations of
    /// packets determine this frame.
    private var leading: MediaTime?
    /// The maximum time that the player gets for the next packet. The timestamp inside the packet is not clamped.
    private var latest = MediaTime.max
    private var black: BlackFrame?
    /// The time of the next black frame.
    private var blackTime = MediaTime.zero

    init(_ pieces: [CompositionPiece], interrupt: InterruptToken, _ watch: CompositionBuffer?) {
        self.pieces = pieces
        self.interrupt = interrupt
        self.watch = watch
    }

    // MARK: pieces

    /// Moves to a position from which the frame at `time` can be decoded.
    func seek(to time: MediaTime) throws(AVError) {
        end = nil
        shortfall = nil
        // A gap that shows the frame before it belongs to the piece before it.
        index = pieces.lastIndex { $0.target.lowerBound <= time } ?? 0
        pending = time
        try enter()
    }

    /// Opens the current piece at the pending time. If that fails, it is tried again by the next call.
    private func enter() throws(AVError) {
        guard let time = pending, index < pieces.count else { return }
        let piece = pieces[index]
        (held, ready, leading, latest) = ([], 0, nil, .max)
        entry = max(piece.target.lowerBound, min(time, piece.target.upperBound))
        // If the file can't be opened, the audio continues at this position.
        (landing, reach) = (entry, entry)
        if let source = piece.source {
            try open(source)
            let first = try land(at: piece.sourceTime(at: time))
            let begin = first?.pts.map { piece.targetTime(of: $0) } ?? entry
            landing = begin.bounded(to: piece.target.lowerBound...entry)
            isSearching = file?.track.hasReliableDurations == false
            if let first {
                // If the source has no frame at the position, the next one follows late. Seeking further back would not
                // find an earlier frame.
                latest = entry
                hold(first, of: piece)
            }
            track = describe(piece)
        } else {
            watch?.setVideo(nil)
            file = nil
            let neighbor = pieces[(index + 1)...].first ?? pieces[..<index].last
            let (shape, orientation) = (neighbor?.source?.facts.video, neighbor?.orientation ?? .upright)
            let frames: BlackFrame
            if let black, black.fits(shape, orientation) {
                frames = black
            } else {
                frames = try BlackFrame(like: shape, orientation)
            }
            black = frames
            track = frames.track
            let into = max(0, min(time, piece.target.upperBound - 1) - piece.target.lowerBound)
            let count = into.nanoseconds / CompositionVideo.blackLength.nanoseconds
            blackTime = piece.target.lowerBound + CompositionVideo.blackLength * Int(count)
            landing = blackTime
        }
        reach = landing
        pending = nil
    }

    private func open(_ source: CompositionSource) throws(AVError) {
        if let file, file.source.isSame(as: source) { return }
        file = nil
        watch?.setVideo(nil)
        watch?.beginOpening()
        defer { watch?.endOpening() }
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
        file = OpenFile(reader: reader, source: source, track: track)
        watch?.setVideo(reader.buffer)
    }

    /// Returns the description of the open file's track for the packets of `piece`.
    private func describe(_ piece: CompositionPiece) -> VideoTrackDescription? {
        guard let track = file?.track else { return nil }
        let frameDuration = MediaTime(seconds: track.frameDuration.seconds / piece.speed)
            .bounded(to: 0...60_000_000_000)
        if let last = file?.described, last.orientation == piece.orientation, last.frameDuration == frameDuration {
            return last
        }
        // A decoder is identified by its parameters, and decoders for different orientations must differ.
        let parameters = CodecParameters(copying: track.parameters.raw) ?? track.parameters
        let description = VideoTrackDescription(
            streamIndex: 0, parameters: parameters, timeBase: CompositionReader.nanoseconds,
            orientation: piece.orientation, aspect: track.aspect, frameDuration: frameDuration,
            hasReliableDurations: track.hasReliableDurations, light: track.light,
            hasSecondStream: track.hasSecondStream, isCut: true)
        file?.described = description
        return description
    }

    /// Reads up to the keyframe from which the frame at `time` of the source can be decoded. Containers index by decode
    /// time, so a seek can end after the frame. The next attempt then begins earlier.
    ///
    /// - Returns: The packet of the keyframe; nil if none was found.
    private func land(at time: MediaTime) throws(AVError) -> MediaPacket? {
        guard let reader = file?.reader else { return nil }
        var from = time
        var step: MediaTime = 500_000_000
        while true {
            if from > 0 || file?.isFresh == false, let error = reader.seek(to: from) {
                // Some sources can only return to the start. From there, every frame can be reached by decoding.
                guard from > 0, reader.seek(to: 0) == nil else { throw error }
                from = 0
            }
            file?.isFresh = false
            var first: MediaPacket?
            reading: for _ in 0..<CompositionVideo.mostPackets {
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

    // MARK: packets

    /// The duration of a black frame. A long gap is divided, so that a seek finds a frame near its target.
    private static let blackLength: MediaTime = 1_000_000_000
    /// The number of packets that are read to find a keyframe.
    private static let mostPackets = 16_384
    /// The shortest time for which a frame is shown at the edge of a piece. Containers often count in milliseconds, so
    /// a frame can seem to end after the next one begins.
    private static let sliver: MediaTime = 1_000_000
    /// The longest time for which a source is read beyond the end of a piece, if its decode times are wrong.
    private static let longestOverrun: MediaTime = 5_000_000_000
    /// The greatest number of frames that a codec reorders.
    private static let mostReordered = 16

    func next() -> ReadStep {
        guard index < pieces.count else { return .end }
        do throws(AVError) {
            if pending != nil {
                try enter()
                return track.map { .track(.video($0)) } ?? .other
            }
            let piece = pieces[index]
            guard piece.source != nil else { return nextBlack(of: piece) }
            if ready > 0 {
                ready -= 1
                return take(held.removeFirst(), of: piece)
            }
            guard let reader = file?.reader else { return advance() }
            switch reader.next() {
            case .video(let packet):
                guard isSearching else { return take(packet, of: piece) }
                hold(packet, of: piece)
                return .other
            case .failed(let error): return .failed(error)
            case .end:
                shortfall = shortfall ?? reader.shortfall
                guard held.isEmpty else {
                    endSearch()
                    return .other
                }
                return advance()
            case .audio, .track, .problem, .other, .jump: return .other
            }
        } catch {
            return .failed(error)
        }
    }

    /// Continues with the next piece, which the next call enters.
    private func advance() -> ReadStep {
        index += 1
        guard index < pieces.count else {
            watch?.setVideo(nil)
            return .other
        }
        pending = pieces[index].target.lowerBound
        return .other
    }

    private func nextBlack(of piece: CompositionPiece) -> ReadStep {
        guard blackTime < piece.target.upperBound, let black else { return advance() }
        let next = min(blackTime + CompositionVideo.blackLength, piece.target.upperBound)
        guard let packet = black.packet(from: blackTime, to: next) else {
            return .failed(AVError(.unknown, at: CompositionPlan.location, reason: "there is not enough memory"))
        }
        blackTime = next
        reach = next
        end = next
        return .video(packet)
    }

    /// Holds `packet` until it is known whether its frame is shown at the start of the piece.
    ///
    /// If durations are unreliable, a frame that begins before the piece is shown until the next one begins, which can
    /// follow later because frames are reordered. Only the last such frame and the packets after it are held.
    private func hold(_ packet: MediaPacket, of piece: CompositionPiece) {
        held.append(packet)
        guard isSearching, let file, let shown = packet.pts else { return endSearch() }
        let limit = piece.start + CompositionVideo.sliver
        if shown <= limit, shown >= leading ?? .min {
            leading = shown
            ready = held.count - 1
        }
        // All packets that follow are shown at this time or later.
        let decoded = file.time(packet.raw.pointee.dts) ?? .min
        if decoded > limit || held.count - ready > 2 * CompositionVideo.mostReordered { endSearch() }
    }

    private func endSearch() {
        isSearching = false
        ready = held.count
    }

    /// Returns a packet of the source with times of the composition.
    private func take(_ packet: MediaPacket, of piece: CompositionPiece) -> ReadStep {
        guard let file else { return .other }
        let latest = latest
        self.latest = .max
        let none = zt_nopts()
        let shown = packet.pts ?? piece.sourceTime(at: reach)
        var length = (packet.end ?? shown) - shown
        if length <= 0 { length = file.track.frameDuration > 0 ? file.track.frameDuration : 40_000_000 }
        let (start, stop) = (piece.start, piece.end)
        // Without a decode time, frames that are shown before this one can still follow.
        let decoded = file.time(packet.raw.pointee.dts) ?? shown - length * CompositionVideo.mostReordered
        if decoded >= stop || shown - stop > CompositionVideo.longestOverrun {
            return advance()
        }
        guard let owner = Owned<AVPacket>(av_packet_clone(packet.raw)) else {
            return .failed(
                AVError(.unknown, at: file.source.url.location, reason: "there is not enough memory"))
        }
        let raw = owner.raw
        let sliver = min(CompositionVideo.sliver, length / 2)
        let isVisible = shown + sliver < stop && (leading.map { shown >= $0 } ?? (shown + length > start + sliver))
        // A frame that is shown at the start can last until then although its duration is shorter.
        let last = (leading == nil ? shown : max(shown, start)) + length
        // A frame that begins before the piece is shown from its beginning on.
        let begin = shown < start + sliver && isVisible ? piece.target.lowerBound : piece.targetTime(of: shown)
        let end = min(piece.target.upperBound, max(begin, piece.targetTime(of: last)))
        if raw.pointee.pts != none {
            raw.pointee.pts = begin.nanoseconds
            // Without decode times, decoders do not doubt the presentation times, of which two may be equal.
            raw.pointee.dts = none
        } else if raw.pointee.dts != none {
            raw.pointee.dts = piece.targetTime(of: decoded).nanoseconds
        }
        raw.pointee.duration = max(0, (end - begin).nanoseconds)
        guard isVisible else {
            raw.pointee.flags |= AV_PKT_FLAG_DISCARD
            // The player must not begin to play before the piece.
            let place = min(latest, shown < start ? piece.target.lowerBound : piece.target.upperBound)
            return .video(MediaPacket(taking: owner, pts: place, end: place))
        }
        if packet.raw.pointee.flags & AV_PKT_FLAG_DISCARD == 0 { self.end = max(self.end ?? end, end) }
        reach = max(reach, end)
        watch?.readVideo(to: min(last, stop), of: piece)
        return .video(MediaPacket(taking: owner, pts: min(begin, latest), end: end))
    }
}
