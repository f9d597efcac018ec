import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A reader of an HLS stream: returns the packets of the main rendition and of a separate audio rendition, on one
/// timeline.
///
/// **Timeline.** Media time is the playlist's: a segment begins at the sum of the durations before it. The offset from
/// the container's timestamps to media time is found once per discontinuity, at its first frame, and applies to all
/// renditions (RFC 8216 §4.3.2.3, §6.3.3). Packets have timestamps in media time, so decoders never see a discontinuity
/// or another variant's time base.
final class HLSReader: PacketReader {
    private enum Role { case main, audio }

    /// A rendition being read.
    private final class Track {
        let role: Role
        let feed: SegmentFeed
        var demuxer: SegmentDemuxer?
        var pending: StreamSegment?
        var video: VideoTrackDescription?
        var audio: AudioTrackDescription?
        var container = Container()
        /// The state of the container being read.
        struct Container {
            /// Audio packets read before the first frame of their segment, which determines the offset.
            var early: [Early] = []
            /// The next timestamp of packed audio, whose packets have no timestamps of their own. It is not rounded to
            /// ticks of 90 kHz, because the errors of many packets would add up to a gap.
            var nextTimestamp: MediaTime?
            /// The end of the video that was returned before this container began.
            var videoJoint: MediaTime?
            /// The end of the audio that was returned before this container began.
            var audioJoint: MediaTime?
            /// The end of the newest audio packet, in the container's timestamps.
            var audioEnd: MediaTime?
            /// The segment whose audio may determine the offset, because it is no longer held back for the first frame.
            var waitedFor: StreamSegment?
            /// The timed metadata that was read before the offset of its segment was known.
            var heldMetadata: [HeldMetadata] = []
            /// Whether the container has audio that can be played.
            var hasAudio = false
            /// The number of tracks in the container.
            var trackCount = 0
        }
        final class Early {
            /// The byte position in the container.
            let position: Int64
            private var packet: Owned<AVPacket>?
            init(_ packet: consuming Owned<AVPacket>) {
                position = packet.raw.pointee.pos
                self.packet = consume packet
            }
            func take() -> Owned<AVPacket>? { packet.take() }
        }
        var reach: MediaTime = .min
        var isEnded = false
        var timeline = RenditionTimeline()
        init(_ role: Role, _ feed: SegmentFeed) {
            self.role = role
            self.feed = feed
        }
    }

    private let session: HLSSession
    /// The number of this reader among those of the session.
    private let number: Int
    private var location: String { session.location }
    /// A token that marks a downloaded stream as in use, so that it is not deleted to free space.
    private let use: PackagesInUse.Use?
    private let main: Track
    private var audio: Track?
    private let selection: TrackSelection
    /// The store for timed metadata; `nil` if it is not needed.
    private let metadata: TimedMetadata?
    private(set) var description = ItemDescription()
    var startOffset: MediaTime { 0 }
    private var ends = ReadEnds()
    var videoEnd: MediaTime? { ends.video }
    var audioEnd: MediaTime? { ends.audio }
    private var start: StreamStart
    var startTime: MediaTime { start.time }
    var movedTo: MediaTime? { start.movedTo }
    let buffer: (any SourceBuffer)?

    /// The offsets of all renditions.
    private var offsets: RenditionTimeline.Offsets = [:]
    /// Results that `next()` returns before it reads more.
    private var steps: [ReadStep] = []
    private static let nanoseconds = AVRational(num: 1, den: 1_000_000_000)

    /// Opens the stream. Waits for the playlists and the first segments.
    ///
    /// - Parameters:
    ///   - start: The media time at which to begin; `nil` for the position that the stream specifies.
    ///   - metadata: The store for the stream's timed metadata; `nil` to skip it.
    init(
        session: HLSSession, selection: TrackSelection, at start: MediaTime? = nil, metadata: TimedMetadata? = nil
    ) throws(AVError) {
        self.session = session
        self.selection = selection
        self.metadata = metadata
        use = PackagesInUse.shared.use(session.url)
        buffer = StreamSourceBuffer(session)
        number = session.beginReading()
        let opened: HLSSession.Opened
        do throws(AVError) {
            opened = try session.open(selection.stream, at: start?.nanoseconds)
        } catch {
            // Stop loading, because nothing will read the data.
            session.endReading(number)
            throw error
        }
        self.start = StreamStart(at: MediaTime(nanoseconds: opened.start))
        main = Track(.main, session.mainFeed)
        audio = opened.hasSeparateAudio ? Track(.audio, session.audioFeed) : nil
        description.duration = opened.duration.map { MediaTime(nanoseconds: $0) }
        try openFirst()
        self.start.didOpen()
    }

    deinit { session.endReading(number) }

    private func openFirst() throws(AVError) {
        for track in [main, audio].compactMap({ $0 }) { try openNextReadableSegment(track) }
        // If the target is no longer available, reading restarts at the position of the jump. This repeats, because
        // more of the stream may be removed meanwhile.
        while let jumpTime = steps.compactMap({ if case .jump(let time) = $0 { time } else { nil } }).last {
            steps = []
            start.move(to: jumpTime)
            restart(at: jumpTime)
            for track in [main, audio].compactMap({ $0 }) { try openNextReadableSegment(track) }
        }
        steps = steps.filter { if case .problem = $0 { true } else { false } }
        if description.video == nil && description.audio == nil {
            throw description.problems.first?.error
                ?? AVError(
                    .noPlayableTracks, at: location, reason: "the stream has no video or audio that can be played",
                    suggestion: "Check the URL, or try again later")
        }
    }

    /// Opens the first segment that can be read. Tries again as long as the session offers another copy or another
    /// segment.
    private func openNextReadableSegment(_ track: Track) throws(AVError) {
        while true {
            do throws(AVError) {
                try enter(track)
                return
            } catch {
                guard error.code != .cancelled else { throw error }
                guard let unrecoverable = unrecoverableError(of: error, track) else { continue }
                guard fallBack(from: track, unrecoverable) else { throw unrecoverable }
                return
            }
        }
    }

    /// Returns why a track cannot be read further after its segment failed; `nil` if reading can continue.
    private func unrecoverableError(of error: AVError, _ track: Track) -> AVError? {
        guard let segment = track.pending ?? track.demuxer?.current else { return error }
        track.pending = nil
        track.demuxer = nil
        return session.segmentIsUnreadable(segment, error)
    }

    /// Replaces a failed audio rendition by the audio of the main rendition.
    ///
    /// - Returns: `false` if the main rendition has no audio.
    private func fallBack(from track: Track, _ error: AVError) -> Bool {
        guard track.role == .audio, main.container.hasAudio else { return false }
        audio = nil
        if let demuxer = main.demuxer {
            choose(main, demuxer)
            // Skip the audio that has already been returned.
            main.container.audioJoint = audioEnd
            if let audioTrack = main.audio { steps.append(.track(.audio(audioTrack))) }
        }
        session.loseAudio(error)
        return true
    }

    // MARK: reading

    func next() -> ReadStep {
        start.didRead()
        if !steps.isEmpty { return steps.removeFirst() }
        let tracks = [main, audio].compactMap { $0 }.filter { !$0.isEnded }
        // Read the track that is behind, so that both queues fill evenly.
        guard let track = tracks.min(by: { $0.reach < $1.reach }) else { return .end }
        return read(track)
    }

    private func read(_ track: Track) -> ReadStep {
        guard let demuxer = track.demuxer else { return enterNext(track) }
        guard let packet = Owned<AVPacket>(av_packet_alloc()) else {
            return .failed(AVError(.unknown, at: location, reason: "there is not enough memory"))
        }
        let rc = demuxer.read(packet.raw)
        guard rc < 0 else { return take(packet, track, demuxer) }
        if !track.container.early.isEmpty {
            // The segment has no frame, so its audio determines the offset.
            deliverEarlyPackets(track, demuxer)
            return .other
        }
        switch demuxer.outcome {
        case .next(let segment):
            track.pending = segment
            track.demuxer = nil
            return enterNext(track)
        case .replaced:
            track.demuxer = nil
            return enterNext(track)
        case .end:
            track.isEnded = true
            track.demuxer = nil
            return .other
        case .jump(let time): return .jump(time)
        case .failed(let error):
            track.demuxer = nil
            return fallBack(from: track, error) ? .other : .failed(error)
        case .broken(let error): return failed(error, track)
        case .interrupted: return .failed(AVError(.cancelled, at: location, reason: "the operation was cancelled"))
        case nil:
            if session.isInterrupted {
                return .failed(AVError(.cancelled, at: location, reason: "the operation was cancelled"))
            }
            // libavformat stopped although data was left. After damaged data, reading continues in this container.
            // After any other error, the rest of the container is skipped.
            return MediaSource.isDamage(rc)
                ? .other
                : failed(
                    AVError(
                        .fileFailedToParse, at: demuxer.current.location,
                        reason: "the segment's data is damaged (\(MediaSource.ffmpegText(rc)))", underlying: rc), track)
        }
    }

    private func enterNext(_ track: Track) -> ReadStep {
        do {
            let before = (description.video, description.audio)
            guard try enter(track) else { return .other }
            if let video = track.video, before.0?.parameters !== video.parameters {
                steps.append(.track(.video(video)))
            }
            if let audio = track.audio, before.1?.parameters !== audio.parameters {
                steps.append(.track(.audio(audio)))
            }
            return .other
        } catch {
            return error.code == .cancelled ? .failed(error) : failed(error, track)
        }
    }

    /// Handles a segment that cannot be read: reads another copy from the session, or continues with the next segment.
    private func failed(_ error: AVError, _ track: Track) -> ReadStep {
        guard let unrecoverable = unrecoverableError(of: error, track) else { return .other }
        return fallBack(from: track, unrecoverable) ? .other : .failed(unrecoverable)
    }

    /// Opens the container of the track's next segment.
    ///
    /// - Returns: `false` if there is no next segment.
    @discardableResult
    private func enter(_ track: Track) throws(AVError) -> Bool {
        if track.pending == nil {
            switch track.feed.next() {
            case .segment(let segment): track.pending = segment
            case .end:
                track.isEnded = true
                return false
            case .jump(let time):
                steps.append(.jump(MediaTime(nanoseconds: time)))
                return false
            case .failed(let error): throw error
            case .interrupted: throw AVError(.cancelled, at: location, reason: "the operation was cancelled")
            }
        }
        guard let segment = track.pending else { return false }
        let opened = try SegmentDemuxer.open(segment, feed: track.feed)
        track.pending = nil
        guard case .demuxer(let demuxer) = opened else {
            // The segment was abandoned before it began. Its replacement follows.
            return try enter(track)
        }
        if track.role == .main, let error = HLSReader.undecodableVideo(of: demuxer, at: location) {
            if session.excludeUndecodable(demuxer.first, error) { return try enter(track) }
            report(error)
        }
        track.demuxer = demuxer
        track.container = Track.Container(
            nextTimestamp: demuxer.packedStart.flatMap { MediaTime(stamp: $0, base: RenditionTimeline.ticks) },
            videoJoint: videoEnd, audioJoint: audioEnd)
        track.timeline.beginContainer(isTransportStream: demuxer.isTransportStream, isPacked: demuxer.isPacked)
        choose(track, demuxer)
        if let metadata, demuxer.isPacked, let tag = PackedAudio.id3(of: demuxer.first) {
            metadata.addID3(tag, at: MediaTime(nanoseconds: demuxer.first.start))
        }
        return true
    }

    /// Returns why the video of a container cannot be decoded; `nil` if it can be decoded or there is none.
    static func undecodableVideo(of demuxer: SegmentDemuxer, at location: String) -> AVError? {
        let videos = demuxer.streams.compactMap { $0 }.filter {
            $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO && !ItemReader.isCoverArt($0)
        }
        guard videos.allSatisfy({ avcodec_find_decoder($0.pointee.codecpar.pointee.codec_id) == nil }) else {
            return nil
        }
        return ItemReader.problem(demuxer.streams, .video, at: location)
    }

    /// Reports once that no variant has video that can be decoded.
    private func report(_ error: AVError) {
        guard selection.video != .none, description.problems.isEmpty else { return }
        let problem = TrackProblem(kind: .video, error: error)
        description.problems = [problem]
        steps.append(.problem(problem))
    }

    private func choose(_ track: Track, _ demuxer: SegmentDemuxer) {
        track.video = nil
        track.audio = nil
        let all = demuxer.streams.compactMap { $0 }
        func best(_ type: AVMediaType_C) -> UnsafeMutablePointer<AVStream>? {
            let index = av_find_best_stream(demuxer.context, type, -1, -1, nil, 0)
            return all.first {
                $0.pointee.index == index && avcodec_find_decoder($0.pointee.codecpar.pointee.codec_id) != nil
            }
        }
        if track.role == .main, let stream = best(AVMEDIA_TYPE_VIDEO), stream.pointee.codecpar.pointee.width > 0,
            var video = VideoTrackDescription(stream, in: demuxer.context)
        {
            if let rate = session.frameRate(of: demuxer.first), rate > 0 {
                video.frameDuration = MediaTime(seconds: 1 / rate).bounded(to: 0...60_000_000_000)
            }
            track.video = video
        }
        let audioStream = best(AVMEDIA_TYPE_AUDIO).flatMap { $0.pointee.codecpar.pointee.sample_rate > 0 ? $0 : nil }
        track.container.hasAudio = audioStream != nil
        track.container.trackCount = demuxer.streams.count
        if track.role == .audio || audio == nil, let audioStream { track.audio = AudioTrackDescription(audioStream) }
        for stream in all {
            let index = Int(stream.pointee.index)
            stream.pointee.discard =
                index == track.video?.streamIndex || index == track.audio?.streamIndex
                    || metadata != nil && stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_TIMED_ID3
                ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        // Decoders receive timestamps in media time.
        if var video = track.video {
            video.timeBase = HLSReader.nanoseconds
            description.video = video
            track.video = video
        }
        if var audioDescription = track.audio {
            audioDescription.timeBase = HLSReader.nanoseconds
            if track.role == .audio { audioDescription.earlierTracks = main.container.trackCount }
            description.audio = audioDescription
            track.audio = audioDescription
        }
    }

    // MARK: packets

    private func take(_ owner: consuming Owned<AVPacket>, _ track: Track, _ demuxer: SegmentDemuxer) -> ReadStep {
        let raw = owner.raw
        let index = Int(raw.pointee.stream_index)
        let isVideo = index == track.video?.streamIndex
        guard isVideo || index == track.audio?.streamIndex, let stream = demuxer.streams[index] else {
            hold(raw, track, demuxer)
            return .other
        }
        let base = stream.pointee.time_base
        var length = MediaTime(stamp: max(0, raw.pointee.duration), base: base) ?? 0
        if length == 0, !isVideo, let audioTrack = track.audio {
            // The packet was read before libavformat knew the codec's frame size. Use the size that the codec
            // specifies.
            let samples = av_get_audio_frame_duration2(audioTrack.parameters.raw, raw.pointee.size)
            length = MediaTime(samples: Int64(max(0, samples)), rate: audioTrack.sampleRate)
        }
        let timestamp: MediaTime
        if demuxer.isPacked {
            timestamp = track.container.nextTimestamp ?? 0
            track.container.nextTimestamp = timestamp + length
        } else {
            if let own = MediaTime(stamp: raw.pointee.pts != zt_nopts() ? raw.pointee.pts : raw.pointee.dts, base: base)
            {
                timestamp = own
            } else if !isVideo, let follows = track.container.audioEnd {
                // Only the first of several audio frames in a packet of the container has a timestamp.
                timestamp = follows
            } else {
                return .other
            }
            if !isVideo { track.container.audioEnd = timestamp + length }
        }
        let segment = demuxer.segment(at: raw.pointee.pos)
        let times = RenditionTimeline.Times(timestamp: timestamp, length: length, isVideo: isVideo)
        guard let found = findOffset(for: times, in: segment, track) else {
            raw.pointee.pts = timestamp.stamp(in: base)
            track.container.early.append(.init(owner))
            return .other
        }
        // A late frame of the previous segment does not determine the offset of the held packets.
        if let held = track.container.early.first, segment.start >= demuxer.segment(at: held.position).start {
            deliverEarlyPackets(track, demuxer)
            steps.append(take(owner, track, demuxer))
            return .other
        }
        let offset = track.timeline.bridge(
            found, for: times, in: segment, after: ends.end(isVideo: isVideo), shared: &offsets)
        if let metadata { deliverMetadata(to: metadata, track, demuxer) }
        // If timestamps restart, libavformat marks packets as discarded, because they are before the end of the packets
        // that it has returned.
        if track.timeline.restarts(in: segment) { raw.pointee.flags &= ~AV_PKT_FLAG_DISCARD }
        let pts = timestamp + offset
        let end = pts + length
        let dts = demuxer.isPacked ? pts : MediaTime(stamp: raw.pointee.dts, base: base).map { $0 + offset } ?? pts
        raw.pointee.pts = pts.nanoseconds
        raw.pointee.dts = dts.nanoseconds
        raw.pointee.duration = length.nanoseconds
        // The segment of another variant may repeat media that was already returned. Its frames are decoded but not
        // displayed; its audio is omitted.
        if let joint = isVideo ? track.container.videoJoint : track.container.audioJoint, pts < joint - length / 2 {
            guard isVideo else { return .other }
            raw.pointee.flags |= AV_PKT_FLAG_DISCARD
        }
        track.reach = max(track.reach, end)
        ends.didReturn(isVideo: isVideo, until: end)
        let packet = MediaPacket(taking: owner, pts: pts, end: end)
        return isVideo ? .video(packet) : .audio(packet)
    }

    /// Timed metadata whose media time is not known yet.
    private struct HeldMetadata {
        let tag: [UInt8]
        /// The time on the container's timeline, or after the start of the segment.
        let time: MediaTime
        let duration: MediaTime?
        let isRelative: Bool
        let segment: StreamSegment
    }

    /// Holds a packet of timed metadata until the next packet of audio or video, which determines the offset.
    private func hold(_ raw: UnsafeMutablePointer<AVPacket>, _ track: Track, _ demuxer: SegmentDemuxer) {
        let index = Int(raw.pointee.stream_index)
        guard metadata != nil, demuxer.streams.indices.contains(index), let stream = demuxer.streams[index],
            stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_TIMED_ID3, let data = raw.pointee.data,
            let time = MediaTime(
                stamp: raw.pointee.pts != zt_nopts() ? raw.pointee.pts : raw.pointee.dts,
                base: stream.pointee.time_base)
        else { return }
        track.container.heldMetadata.append(
            HeldMetadata(
                tag: ID3Tag.restored(Array(UnsafeBufferPointer(start: data, count: Int(max(0, raw.pointee.size))))),
                time: time, duration: nil, isRelative: false, segment: demuxer.segment(at: raw.pointee.pos)))
        // Without audio and video, nothing determines the offset.
        if track.container.heldMetadata.count > 256 { track.container.heldMetadata.removeFirst() }
    }

    /// Adds the held metadata and the event messages, with their media times.
    private func deliverMetadata(to metadata: TimedMetadata, _ track: Track, _ demuxer: SegmentDemuxer) {
        let messages = demuxer.takeMessages()
        // Most packets follow no metadata.
        if messages.isEmpty, track.container.heldMetadata.isEmpty { return }
        var held = track.container.heldMetadata
        track.container.heldMetadata = []
        held += messages.map { message, segment in
            HeldMetadata(
                tag: message.tag, time: MediaTime(seconds: message.seconds),
                duration: message.duration.map { MediaTime(seconds: $0) }, isRelative: message.isRelative,
                segment: segment)
        }
        for entry in held {
            if entry.isRelative {
                let begin = MediaTime(nanoseconds: entry.segment.start)
                metadata.addID3(entry.tag, at: begin + entry.time, lasting: entry.duration)
            } else if let time = track.timeline.mediaTime(of: entry.time, in: entry.segment, shared: offsets) {
                metadata.addID3(entry.tag, at: time, lasting: entry.duration)
            }
        }
    }

    /// Returns the offset from a segment's timestamps to media time; `nil` while the first frame is needed to determine
    /// it. After 100 packets without a frame, audio determines the offset.
    private func findOffset(for times: RenditionTimeline.Times, in segment: StreamSegment, _ track: Track)
        -> MediaTime?
    {
        let isOverdue = track.container.waitedFor === segment || track.container.early.count >= 100
        guard
            let found = track.timeline.offset(
                for: times, in: segment, after: ends, hasVideo: track.video != nil, isOverdue: isOverdue,
                shared: &offsets)
        else { return nil }
        switch found.origin {
        case .known: break
        case .first: session.noteOffset(found.offset.nanoseconds, discontinuity: segment.discontinuity)
        // Audio before the segment's first frame would overlap with the end of the previous audio.
        case .restart: track.container.audioJoint = audioEnd
        }
        return found.offset
    }

    private func deliverEarlyPackets(_ track: Track, _ demuxer: SegmentDemuxer) {
        let early = track.container.early
        track.container.early = []
        for held in early {
            track.container.waitedFor = demuxer.segment(at: held.position)
            if let packet = held.take() { steps.append(take(packet, track, demuxer)) }
        }
    }

    // MARK: seeking

    func isSameGroup(_ target: MediaTime, as reach: MediaTime) -> Bool { false }

    func clamped(_ target: MediaTime) -> MediaTime { MediaTime(nanoseconds: session.clamped(target.nanoseconds)) }

    private lazy var scrubber = IFrameScrubber(session) { sources in
        // Half the size suffices for a frame that is displayed only briefly.
        let size = description.presentationSize
        return StreamFrames.choice(among: sources, for: CGSize(width: size.width / 2, height: size.height / 2))
    }

    func keyFrame(
        nearest time: MediaTime, in allowed: ClosedRange<MediaTime>, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(AVError) -> VideoFrame? {
        guard description.video != nil, description.duration != nil, let scrubber,
            let frame = try scrubber.picture(
                nearest: time.nanoseconds, in: allowed.lowerBound.nanoseconds...allowed.upperBound.nanoseconds,
                isInterrupted: isInterrupted)
        else { return nil }
        do throws(AVError) {
            return try IFrameDecoder.decode(frame)
        } catch {
            scrubber.giveUp()
            return nil
        }
    }

    func rewind(keepingPackets: Bool) -> AVError? { seek(to: 0) }
    var canDecodeFromStart: Bool { false }

    func seek(to target: MediaTime) -> AVError? {
        // The stream was opened for this seek and is already loading the target.
        guard start.seek(to: target) else { return nil }
        restart(at: target)
        do {
            try openFirst()
            return nil
        } catch {
            return error
        }
    }

    private func restart(at target: MediaTime) {
        session.seek(to: target.nanoseconds)
        steps = []
        ends = ReadEnds()
        for track in [main, audio].compactMap({ $0 }) {
            track.demuxer = nil
            track.pending = nil
            track.container.early = []
            track.isEnded = false
            track.reach = .min
        }
    }
}
