import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A reader of one file, pipe or remote file: selects its tracks, returns their packets in media time and seeks to
/// keyframes.
///
/// Media time counts from the container's start.
final class ItemReader: PacketReader {
    let description: ItemDescription
    /// The input of an HTTP source: the buffered ranges and how far ahead it loads; `nil` for a file.
    var remote: RemoteInput? { source.remote }
    private let source: MediaSource
    /// The offset from the container's zero to media time zero.
    let startOffset: MediaTime
    /// The number of frames of the video track according to the container; 0 if unknown.
    let frameCount: Int64
    /// The duration of the audio track according to the container; `nil` if the container states none for the track.
    let audioDuration: MediaTime?
    /// Whether durations are computed from the bit rate, or include the encoder's padding, as in MP3.
    let hasRoughDuration: Bool
    private var ends = ReadEnds()
    var videoEnd: MediaTime? { ends.video }
    var audioEnd: MediaTime? { ends.audio }

    /// Whether parts of the audio track are read but not heard, other than at its start: in ordered chapters, or with
    /// an MP4 edit list of several edits.
    let hasCutAudio: Bool

    private var tapes: TapeDeck
    /// The buffer of a remote file or a pipe; `nil` for a file.
    private let byteBuffer: (any ByteBuffer)?
    var buffer: (any SourceBuffer)? { byteBuffer }
    var remoteFile: RemoteFile? { source.remote?.file }
    /// A token that marks a downloaded file as in use, so that it is not deleted to free space.
    private let use: PackagesInUse.Use?
    private(set) var shortfall: AVError?
    /// The reason why the file is known to be truncated, from its headers alone; `nil` if it is not.
    var truncation: AVError? { source.truncation }

    convenience init(
        url: URL, options: HTTPOptions = HTTPOptions(), selection: TrackSelection, interrupt: InterruptToken
    ) throws(AVError) {
        try self.init(try MediaSource(url: url, options: options, interrupt: interrupt), url: url, selection: selection)
    }

    /// Creates a reader for an open container.
    ///
    /// - Parameter url: The URL from which `source` was opened.
    init(_ source: MediaSource, url: URL, selection: TrackSelection) throws(AVError) {
        self.source = source
        use = PackagesInUse.shared.use(url)
        try source.requireMedia()
        if let locked = source.locked { throw locked }
        startOffset = source.startTime

        let videoStream = ItemReader.chooseVideo(source, selection.video)
        let audioStream = ItemReader.chooseAudio(source, selection.audio)
        var description = ItemDescription()
        description.video = videoStream.flatMap { VideoTrackDescription($0, in: source.context) }
        description.audio = audioStream.flatMap { AudioTrackDescription($0, in: source.context) }
        description.duration = source.duration
        description.title = av_dict_get(source.context.pointee.metadata, "title", nil, 0).map {
            String(cString: $0.pointee.value)
        }
        if description.video == nil, selection.video != .none {
            description.still = ItemReader.coverArt(source)
        }
        if description.video == nil && description.audio == nil {
            throw ItemReader.nothingPlayable(source)
        }
        if description.video == nil, selection.video != .none,
            let error = ItemReader.problem(source.streams, .video, at: source.location)
        {
            description.problems.append(TrackProblem(kind: .video, error: error))
        }
        if description.audio == nil, selection.audio != .none,
            let error = ItemReader.problem(source.streams, .audio, at: source.location)
        {
            description.problems.append(TrackProblem(kind: .audio, error: error))
        }
        description.legible = ItemReader.candidates(source, AVMEDIA_TYPE_SUBTITLE).map { LegibleTrack($0) }
        description.audioLanguage = audioStream.flatMap { LegibleTrack.language($0) }
        self.description = description
        frameCount = videoStream?.pointee.nb_frames ?? 0
        hasRoughDuration =
            source.context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
            || source.formatName == "mp3"
        // Ordered chapters repeat and omit parts of the track.
        audioDuration = (source.ordered == nil ? audioStream : nil)
            .flatMap { MediaTime(stamp: $0.pointee.duration, base: $0.pointee.time_base) }
            .flatMap { $0 > 0 ? $0 : nil }

        hasCutAudio = source.ordered != nil || audioStream.map(ItemReader.isCutLater) ?? false

        for case let stream? in source.streams {
            let index = Int(stream.pointee.index)
            let isSelected = index == description.video?.streamIndex || index == description.audio?.streamIndex
            stream.pointee.discard = isSelected ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        let pipedBuffer = source.piped.map { PipedBuffer($0.media) }
        let remoteBuffer = source.remote.map {
            // The index is in the file's own order. It does not map the time of ordered chapters to bytes.
            RemoteSourceBuffer(
                $0.file, duration: description.duration,
                stream: source.ordered == nil ? videoStream ?? audioStream : nil, startOffset: source.startTime)
        }
        byteBuffer = remoteBuffer ?? pipedBuffer
        // The parts of ordered chapters begin with packets whose times are in the previous part, but a tape relies on
        // ordered times.
        let identity = source.ordered == nil ? FileIdentity(url: url) : nil
        tapes = TapeDeck(
            identity.map {
                PacketTape.Key(
                    file: $0, video: description.video?.streamIndex ?? -1, audio: description.audio?.streamIndex ?? -1)
            })
    }

    // MARK: reading

    func next() -> ReadStep {
        if tapes.isReplaying {
            guard let entry = tapes.next() else { return .end }
            note(entry.packet, isVideo: entry.isVideo)
            return entry.isVideo ? .video(entry.packet) : .audio(entry.packet)
        }
        if source.remote != nil || source.piped != nil {
            inlineSubtitles.follow(source.streams, startOffset: startOffset) {
                SubtitleHeader(fonts: SubtitleScanner.fonts(source))
            }
        }
        guard let owner = Owned<AVPacket>(av_packet_alloc()) else {
            return .failed(AVError(.unknown, at: source.location, reason: "there is not enough memory"))
        }
        let raw = owner.raw
        let rc = source.readPastDamage(raw)
        if rc < 0 {
            if rc == zt_averror_eof() {
                shortfall = source.truncation
                tapes.publish()
                return .end
            }
            tapes.stopRecording()
            return .failed(source.error(rc, whileOpening: false))
        }
        if inlineSubtitles.decode(raw) { return .other }
        let index = Int(raw.pointee.stream_index)
        let isVideo = index == description.video?.streamIndex
        guard isVideo || index == description.audio?.streamIndex,
            let timeBase = isVideo ? description.video?.timeBase : description.audio?.timeBase
        else { return .other }
        let packet: MediaPacket
        if case .guessed(let at, let length) = source.correction {
            packet = MediaPacket(taking: owner, pts: at, end: at + length)
        } else {
            packet = ItemReader.packet(
                taking: owner, timeBase: timeBase, offset: startOffset,
                sampleRate: isVideo ? nil : description.audio?.sampleRate)
        }
        note(packet, isVideo: isVideo)
        inlineSubtitles.didRead(packet)
        noteTitles(packet)
        tapes.append(packet, isVideo: isVideo)
        return isVideo ? .video(packet) : .audio(packet)
    }

    private var inlineSubtitles = InlineSubtitles()
    /// The item's subtitles. They are read together with audio and video from a remote file or a pipe, because such a
    /// source is not read twice.
    var subtitles: ItemSubtitles? {
        get { inlineSubtitles.item }
        set { inlineSubtitles.item = newValue }
    }

    /// The store for the titles of an internet radio station; `nil` if they are not needed.
    var metadata: TimedMetadata?

    /// Adds the titles that the station has sent before `packet`.
    private func noteTitles(_ packet: MediaPacket) {
        guard let metadata, let file = remoteFile, let time = packet.pts else { return }
        for title in file.takeTitles(through: max(0, packet.raw.pointee.pos)) {
            metadata.addRadioTitle(title, at: time)
        }
    }

    private func note(_ packet: MediaPacket, isVideo: Bool) {
        guard let end = packet.end, packet.raw.pointee.flags & AV_PKT_FLAG_DISCARD == 0 else { return }
        ends.didReturn(isVideo: isVideo, until: end)
        guard let byteBuffer, let io = source.context.pointee.pb else { return }
        byteBuffer.read(to: max(0, avio_tell(io)), end)
    }

    private static func packet(
        taking owner: consuming Owned<AVPacket>, timeBase: AVRational, offset: MediaTime, sampleRate: Int?
    ) -> MediaPacket {
        let raw = owner.raw
        let timestamp = raw.pointee.pts != zt_nopts() ? raw.pointee.pts : raw.pointee.dts
        guard let start = MediaTime(stamp: timestamp, base: timeBase) else {
            return MediaPacket(taking: owner, pts: nil, end: nil)
        }
        let pts = start - offset
        // The end is computed from the sum of the ticks, which is exact.
        var end =
            (MediaTime(stamp: timestamp.addingSaturating(max(0, raw.pointee.duration)), base: timeBase) ?? start)
            - offset
        if let sampleRate {
            var size = 0
            if let side = av_packet_get_side_data(raw, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 10 {
                // u32le samples to skip from the end, at byte 4 (packet.h).
                let discard = Int64(side[4]) | Int64(side[5]) << 8 | Int64(side[6]) << 16 | Int64(side[7]) << 24
                end -= MediaTime(samples: discard, rate: sampleRate)
            }
        }
        return MediaPacket(taking: owner, pts: pts, end: max(pts, end))
    }

    // MARK: seeking

    /// Returns whether there is no keyframe between `reach` and `target`, as far as the container specifies it. Without
    /// a complete index, the result is `true` if `target` is at most a second ahead: reading on is then about as fast
    /// as a seek.
    func isSameGroup(_ target: MediaTime, as reach: MediaTime) -> Bool {
        if let key = tapes.keyTime(for: target) { return key <= reach }
        guard let video = description.video, let stream = source.streams[video.streamIndex] else { return false }
        // The index of MP4 and related formats is complete, unless the file is fragmented.
        guard video.hasReliableDurations, frameCount > 0, avformat_index_get_entries_count(stream) >= frameCount else {
            return target - reach <= 1_000_000_000
        }
        let timestamp = (target + startOffset).stamp(in: video.timeBase)
        guard let entry = avformat_index_get_entry_from_timestamp(stream, timestamp, AVSEEK_FLAG_BACKWARD),
            let begin = MediaTime(stamp: entry.pointee.timestamp, base: video.timeBase)
        else { return false }
        // The index uses decode times, which are not after presentation times. At worst, this finds the next keyframe.
        return begin - startOffset <= reach
    }

    /// Returns to the first packet for the next pass of a loop.
    ///
    /// - Parameter keepingPackets: Whether to keep the packets of the next pass, so that later passes need not read the
    ///   file. If the packets of a pass are already kept, they are returned again.
    /// - Returns: The error, or `nil` on success.
    func rewind(keepingPackets: Bool) -> AVError? {
        ends = ReadEnds()
        if keepingPackets, tapes.replayAll() { return nil }
        tapes.stopReplaying()
        let error = seekContainer(to: 0)
        if keepingPackets, error == nil { tapes.record() } else { tapes.stopRecording() }
        return error
    }

    /// Starts to record packets. Called before anything is read.
    func startRecording() { tapes.startRecording() }

    /// Seeks to the last keyframe at or before `target`, from which a frame at `target` can be decoded.
    ///
    /// - Returns: The error, or `nil` on success.
    func seek(to target: MediaTime) -> AVError? {
        ends = ReadEnds()
        if tapes.seek(to: target) { return nil }
        return seekContainer(to: target)
    }

    private func seekContainer(to target: MediaTime) -> AVError? {
        inlineSubtitles.flush()
        let rc = source.seek(to: target)
        guard rc < 0 else { return nil }
        if let error = source.inputError { return error }
        return AVError(
            .readFailed, at: source.location, reason: "seeking failed: \(MediaSource.ffmpegText(rc))",
            underlying: rc)
    }

    // MARK: track selection

    static func isCoverArt(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    }

    /// Returns whether an edit list cuts packets that follow the first one that is played.
    private static func isCutLater(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        var isHeard = false
        for index in 0..<max(0, avformat_index_get_entries_count(stream)) {
            guard let entry = avformat_index_get_entry(stream, index) else { break }
            let isDiscarded = entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0
            if isDiscarded, isHeard { return true }
            isHeard = isHeard || !isDiscarded
        }
        return false
    }

    private static func candidates(_ source: MediaSource, _ type: AVMediaType_C) -> [UnsafeMutablePointer<AVStream>] {
        source.streams.compactMap { $0 }.filter {
            guard let p = $0.pointee.codecpar else { return false }
            return p.pointee.codec_type == type && !isCoverArt($0) && avcodec_find_decoder(p.pointee.codec_id) != nil
        }
    }

    /// Returns the chosen video track; `nil` if the choice is `.none` or cannot be decoded.
    static func chooseVideo(_ source: MediaSource, _ choice: TrackSelection.Choice) -> UnsafeMutablePointer<
        AVStream
    >? {
        let all = candidates(source, AVMEDIA_TYPE_VIDEO).filter { $0.pointee.codecpar.pointee.width > 0 }
        switch choice {
        case .none: return nil
        case .stream(let index): return all.first { Int($0.pointee.index) == index }
        default:
            let best = av_find_best_stream(source.context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
            return all.first { $0.pointee.index == best } ?? all.first
        }
    }

    private static func chooseAudio(_ source: MediaSource, _ choice: TrackSelection.Choice) -> UnsafeMutablePointer<
        AVStream
    >? {
        let all = candidates(source, AVMEDIA_TYPE_AUDIO).filter { $0.pointee.codecpar.pointee.sample_rate > 0 }
        func automatic() -> UnsafeMutablePointer<AVStream>? {
            let best = av_find_best_stream(source.context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
            return all.first { $0.pointee.index == best } ?? all.first
        }
        switch choice {
        case .none: return nil
        case .stream(let index): return all.first { Int($0.pointee.index) == index } ?? automatic()
        case .automatic: return automatic()
        case .languages(let preferred):
            let tags = all.map { stream -> String? in
                av_dict_get(stream.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) }
            }
            guard let match = LanguageTag.bestMatch(for: preferred, among: tags) else { return automatic() }
            return all[match]
        }
    }

    /// Returns the reason why a file that opened cannot be played.
    private static func nothingPlayable(_ source: MediaSource) -> AVError {
        let problems = [TrackProblem.Kind.video, .audio].compactMap { problem(source.streams, $0, at: source.location) }
        return problems.first { $0.code == .decoderNotFound }
            ?? AVError(
                .noPlayableTracks, at: source.location, reason: "the file has no video or audio that can be played",
                suggestion: "Run `zoetrope probe` to list the tracks")
    }

    /// Returns the reason why no track of this kind can be decoded; `nil` if the file has no such track.
    static func problem(
        _ streams: UnsafeBufferPointer<UnsafeMutablePointer<AVStream>?>, _ kind: TrackProblem.Kind, at location: String
    ) -> AVError? {
        let type = kind == .video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
        var broken: AVError?
        for case let stream? in streams where !isCoverArt(stream) {
            guard let p = stream.pointee.codecpar, p.pointee.codec_type == type else { continue }
            let known = String(cString: avcodec_get_name(p.pointee.codec_id))
            if avcodec_find_decoder(p.pointee.codec_id) == nil {
                let tag = p.pointee.codec_tag
                let fourCC = (0..<4).map { Character(UnicodeScalar(UInt8(truncatingIfNeeded: tag >> (8 * $0)))) }
                let name =
                    p.pointee.codec_id == AV_CODEC_ID_NONE
                    ? "unknown codec “\(String(fourCC.map { $0.isASCII && !$0.isNewline && $0 != "\0" ? $0 : "?" }))”"
                    : "codec \(known)"
                return AVError(
                    .decoderNotFound, at: location, reason: "no decoder for the \(kind) track (\(name)) is installed",
                    suggestion: DecoderPackage.suggestion(for: [known]))
            }
            broken =
                broken
                ?? AVError(
                    .decodeFailed, at: location,
                    reason:
                        "the \(kind) track (codec \(known)) can't be decoded: its \(kind == .video ? "frame size" : "sample rate") is unknown",
                    suggestion: "Copy or download the file again")
        }
        return broken
    }

    private static func coverArt(_ source: MediaSource) -> VideoFrame? {
        for case let stream? in source.streams where isCoverArt(stream) {
            guard let p = stream.pointee.codecpar, let parameters = CodecParameters(copying: p) else { continue }
            if let frame = StillDecoder.decode(&stream.pointee.attached_pic, parameters: parameters) { return frame }
        }
        return nil
    }
}

/// The media type of libavutil. AVFoundation's type of the same name hides it.
typealias AVMediaType_C = CFFmpeg.AVMediaType
