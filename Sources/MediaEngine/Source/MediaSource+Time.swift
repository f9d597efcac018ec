import CFFmpeg
import Foundation
import MediaCore

/// The conversion of a container's timestamps to media time, and seeks in a container.
extension MediaSource {
    /// Returns media time zero: the start of the container, in its own timestamps.
    static func startTime(of context: UnsafeMutablePointer<AVFormatContext>, _ delay: CompositionDelay) -> MediaTime {
        guard let start = MediaTime(stamp: context.pointee.start_time, base: MediaSource.clock) else { return .zero }
        // An edit list defines zero; media before zero is cut.
        let format = context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
        if !delay.isZero { return max(.zero, earliestStart(of: context, delay) ?? start) }
        guard start < .zero, !format.hasPrefix("mov") else { return max(.zero, start) }
        var first: MediaTime?
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index], let p = stream.pointee.codecpar,
                stream.pointee.start_time != zt_nopts(),
                p.pointee.codec_type == AVMEDIA_TYPE_VIDEO || p.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0,
                let begin = MediaTime(stamp: stream.pointee.start_time, base: stream.pointee.time_base)
            else { continue }
            // Decoding removes the encoder's padding (Opus in WebM).
            let runIn = MediaTime(samples: Int64(max(0, p.pointee.initial_padding)), rate: Int(p.pointee.sample_rate))
            first = min(first ?? .max, begin + runIn)
        }
        // A padding whose length the container does not specify is shorter than this.
        guard let first, first < MediaTime(seconds: -0.1) else { return .zero }
        return first
    }

    /// Returns the earliest start of the audio and video tracks without their delay; `nil` if none is known.
    private static func earliestStart(of context: UnsafeMutablePointer<AVFormatContext>, _ delay: CompositionDelay)
        -> MediaTime?
    {
        (0..<Int(context.pointee.nb_streams)).compactMap { index -> MediaTime? in
            guard let stream = context.pointee.streams[index], let start = delay.startTime(of: stream),
                [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(stream.pointee.codecpar.pointee.codec_type)
            else { return nil }
            return MediaTime(stamp: start, base: stream.pointee.time_base)
        }.min()
    }

    /// Returns the delay of the tracks of a fragmented MP4 file. Reads the first eight fragments, because a fragment
    /// that contains a single frame may not show the whole delay. For a remote file or a pipe, reads only the first
    /// fragment, which is already loaded.
    static func compositionDelay(
        of context: UnsafeMutablePointer<AVFormatContext>, isRemote: Bool, _ piped: PipedInput?
    ) -> CompositionDelay {
        guard let name = context.pointee.iformat?.pointee.name, String(cString: name).hasPrefix("mov"),
            let io = context.pointee.pb
        else { return CompositionDelay() }
        if let piped { return MP4Boxes.compositionDelay(fragments: 1) { piped.beginning(at: $0, $1) } }
        return MP4Boxes.compositionDelay(fragments: isRemote ? 1 : 8, in: io)
    }

    private var flags: Int32 { context.pointee.iformat?.pointee.flags ?? 0 }
    /// Whether this is a transport or program stream: 33-bit timestamps, cut and joined at any position.
    var isTransport: Bool {
        flags & AVFMT_TS_DISCONT != 0 && streams.contains { $0?.pointee.pts_wrap_bits == 33 }
    }
    /// Whether this is an elementary video stream without a container, such as H.264.
    var isElementary: Bool {
        // libavformat does not set the corresponding flag (AVFMT_NOTIMESTAMPS) for these. MPEG-4 and AV1 streams get
        // timestamps from their parsers.
        ["h264", "hevc", "vvc", "evc", "cavsvideo", "avs2", "avs3"].contains(formatName)
    }

    func correctedPackets(knowing jumps: [TimestampCorrector.Jump] = []) -> CorrectedPackets {
        var steps: [Int: MediaTime] = [:]
        for case let stream? in streams where stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
            let rate = av_guess_frame_rate(context, stream, nil)
            steps[Int(stream.pointee.index)] = MediaTime(stamp: 1, base: AVRational(num: rate.den, den: rate.num))
        }
        let rules: TimestampCorrector.Rules =
            isElementary ? .raw : isTransport ? .transport : .file(declaredEnd: duration)
        let video = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        let marked = video >= 0 ? video : av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        return CorrectedPackets(
            context, start: startTime, corrector: TimestampCorrector(rules: rules, steps: steps, jumps: jumps),
            marked: Int(marked), marksPlaces: isTransport || isElementary)
    }

    // MARK: containers without an index

    /// Whether the file must be read once before it can be seeked: its timestamps jump or are missing. Large files are
    /// not checked; their jumps are found during playback, and by `divisionFacts()`.
    var needsSurvey: Bool {
        guard remote == nil, piped == nil, isTransport || isElementary, let pb = context.pointee.pb,
            avio_size(pb) <= Int64(TransportScan.limit)
        else { return false }
        if isElementary { return true }
        let tracks = streams.compactMap { stream -> Int? in
            let type = stream?.pointee.codecpar?.pointee.codec_type
            return type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO ? stream.map { Int($0.pointee.id) } : nil
        }
        return formatName == "mpegts" && path.map { TransportScan.hasJumps(in: $0, tracks: Set(tracks)) } ?? false
    }

    /// Reads the whole file once, then returns to its start.
    ///
    /// - Throws: `.cancelled` or `.timedOut` if interrupted, or the error of returning to the start.
    func survey() throws(AVError) {
        guard let owner = Owned<AVPacket>(av_packet_alloc()), let packets else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        let packet = owner.raw
        while readPastDamage(packet) >= 0 { av_packet_unref(packet) }
        if interrupt.isInterrupted || interrupt.isOverTime { throw error(zt_averror_exit(), whileOpening: true) }
        if let end = packets.corrector.end, end > .zero {
            context.pointee.duration = end.stamp(in: MediaSource.clock)
            for case let stream? in streams { stream.pointee.duration = zt_nopts() }
        }
        isSurveyed = true
        let rc = seek(to: .zero)
        if rc < 0 { throw error(rc, whileOpening: true) }
        endReached = nil
    }

    /// Seeks to the last keyframe at or before `target`, as far as the container specifies it, so that the frame at
    /// `target` can be decoded. A target of 0 is the very start.
    ///
    /// - Parameter track: The track whose keyframes are used; -1 for libavformat's choice.
    /// - Returns: A code of libavformat, negative on failure.
    func seek(to target: MediaTime, track: Int32 = -1) -> Int32 {
        ordered?.seek(to: target, track: track, self) ?? seekOwn(to: target, track: track)
    }

    /// Seeks in the file's own time, without its ordered chapters.
    func seekOwn(to target: MediaTime, track: Int32 = -1) -> Int32 {
        clearFailure()
        var rc: Int32 = -1
        // A transport stream has no index, so a search by time for its start may end too late.
        if target <= .zero, flags & AVFMT_TS_DISCONT != 0 || isElementary {
            rc = avformat_seek_file(context, -1, 0, 0, 0, AVSEEK_FLAG_BYTE)
            if rc >= 0 {
                packets?.move(to: .zero)
                return rc
            }
        }
        if let packets, packets.marksPlaces,
            isSurveyed || isElementary
                || !packets.corrector.jumps.isEmpty && packets.landmarks.end.map({ $0 >= target }) ?? false
        {
            let mark = packets.landmarks.last(before: target) ?? .init(time: .zero, position: 0, shift: .zero)
            rc = avformat_seek_file(context, -1, 0, mark.position, mark.position, AVSEEK_FLAG_BYTE)
            if rc >= 0 {
                packets.move(to: mark.time, shift: mark.shift)
                return rc
            }
        }
        let shift = packets?.corrector.jumps.last { $0.time <= target }?.shift ?? .zero
        let base =
            (track >= 0 && Int(track) < streams.count ? streams[Int(track)]?.pointee.time_base : nil)
            ?? MediaSource.clock
        var position = target - shift + startTime
        // An index uses decode times, and media that an edit list cuts is before zero. The keyframe at zero may
        // therefore not be the one that the frames at zero depend on.
        if target <= .zero, let first = firstIndexed { position = min(position, first) }
        let timestamp = position.lastStamp(in: base)
        rc = avformat_seek_file(context, track, .min, timestamp, timestamp, 0)
        if rc < 0 { rc = av_seek_frame(context, track, timestamp, AVSEEK_FLAG_BACKWARD) }
        if rc < 0 { rc = avformat_seek_file(context, track, .min, timestamp, .max, 0) }
        if rc < 0, target <= .zero { rc = avformat_seek_file(context, -1, .min, 0, .max, AVSEEK_FLAG_BYTE) }
        if rc >= 0 { packets?.move(to: max(.zero, target), shift: shift) }
        // FFmpeg 7 finds no frame near the end of a FLAC file, because its parser needs the next ten frames.
        for distance: MediaTime in [2_000_000_000, 20_000_000_000] where rc < 0 && target > .zero {
            let earlier = max(startTime, position - distance)
            rc = avformat_seek_file(context, track, .min, earlier.lastStamp(in: base), earlier.lastStamp(in: base), 0)
            if rc >= 0 { packets?.move(to: max(.zero, earlier - startTime + shift), shift: shift) }
        }
        return rc
    }
}

extension MediaSource {
    /// The earliest time in the index of any track, in the container's timestamps; `nil` without an index.
    private var firstIndexed: MediaTime? {
        streams.compactMap { stream -> MediaTime? in
            guard let stream, let entry = avformat_index_get_entry(stream, 0) else { return nil }
            return MediaTime(stamp: entry.pointee.timestamp, base: stream.pointee.time_base)
        }.min()
    }

    /// Returns the kind of encryption of a Matroska file; `nil` if no track is encrypted. libavformat exposes the key
    /// identifier of an encrypted track.
    static func matroskaProtection(in context: UnsafeMutablePointer<AVFormatContext>) -> String? {
        guard let name = context.pointee.iformat?.pointee.name, String(cString: name).hasPrefix("matroska") else {
            return nil
        }
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index],
                zt_stream_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO) != nil
            else { continue }
            return "WebM encryption"
        }
        return nil
    }
}
