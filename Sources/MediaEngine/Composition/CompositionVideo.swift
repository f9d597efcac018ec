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
    /// The end of the video that was returned since the last seek; nil before the first frame.
    private(set) var end: MediaTime?
    /// The error for a source that ends early.
    private(set) var shortfall: AVError?
    var isEnded: Bool { index >= pieces.count }

    /// The open file, which is kept while the pieces that follow play the same track.
    private var file: PieceFile?
    private var search = FirstFrameSearch()
    /// The maximum time that the player gets for the next packet. The timestamp inside the packet is not clamped.
    private var latest = MediaTime.max
    private var black = BlackFrames()

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
        (search, latest) = (FirstFrameSearch(), .max)
        let entry = max(piece.target.lowerBound, min(time, piece.target.upperBound))
        // If the file can't be opened, the audio continues at this position.
        (landing, reach) = (entry, entry)
        if let source = piece.source {
            try open(source)
            let first = try file?.land(at: piece.sourceTime(at: time))
            let begin = first?.pts.map { piece.targetTime(of: $0) } ?? entry
            landing = begin.bounded(to: piece.target.lowerBound...entry)
            search = FirstFrameSearch(isNeeded: file?.track.hasReliableDurations == false)
            if let first {
                // If the source has no frame at the position, the next one follows late. Seeking further back would not
                // find an earlier frame.
                latest = entry
                hold(first, of: piece)
            }
            track = file?.describe(piece)
        } else {
            watch?.setVideo(nil)
            file = nil
            let neighbor = pieces[(index + 1)...].first ?? pieces[..<index].last
            let (shape, orientation) = (neighbor?.source?.facts.video, neighbor?.orientation ?? .upright)
            track = try black.enter(piece.target, at: time, like: shape, orientation)
            landing = black.time
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
        let opened = try PieceFile(source, interrupt: interrupt)
        file = opened
        watch?.setVideo(opened.reader.buffer)
    }

    // MARK: packets

    /// The shortest time for which a frame is shown at the edge of a piece. Containers often count in milliseconds, so
    /// a frame can seem to end after the next one begins.
    static let sliver: MediaTime = 1_000_000
    /// The longest time for which a source is read beyond the end of a piece, if its decode times are wrong.
    private static let longestOverrun: MediaTime = 5_000_000_000

    func next() -> ReadStep {
        guard index < pieces.count else { return .end }
        do throws(AVError) {
            if pending != nil {
                try enter()
                return track.map { .track(.video($0)) } ?? .other
            }
            let piece = pieces[index]
            guard piece.source != nil else { return try nextBlack(of: piece) }
            if let packet = search.take() { return take(packet, of: piece) }
            guard let reader = file?.reader else { return advance() }
            switch reader.next() {
            case .video(let packet):
                guard search.isSearching else { return take(packet, of: piece) }
                hold(packet, of: piece)
                return .other
            case .failed(let error): return .failed(error)
            case .end:
                shortfall = shortfall ?? reader.shortfall
                guard search.isEmpty else {
                    search.end()
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

    private func nextBlack(of piece: CompositionPiece) throws(AVError) -> ReadStep {
        guard let packet = try black.next(before: piece.target.upperBound) else { return advance() }
        reach = black.time
        end = black.time
        return .video(packet)
    }

    /// Holds `packet` until it is known whether its frame is shown at the start of the piece.
    private func hold(_ packet: MediaPacket, of piece: CompositionPiece) {
        search.hold(
            packet, decoded: file?.time(packet.raw.pointee.dts), limit: piece.start + CompositionVideo.sliver)
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
        let decoded = file.time(packet.raw.pointee.dts) ?? shown - length * FirstFrameSearch.mostReordered
        if decoded >= stop || shown - stop > CompositionVideo.longestOverrun {
            return advance()
        }
        guard let owner = Owned<AVPacket>(av_packet_clone(packet.raw)) else {
            return .failed(
                AVError(.unknown, at: file.source.url.location, reason: "there is not enough memory"))
        }
        let raw = owner.raw
        let sliver = min(CompositionVideo.sliver, length / 2)
        let leading = search.leading
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
