import CFFmpeg
import Foundation
import MediaCore

/// How a container's stamps become media time, and the way to a moment.
extension MediaSource {
    /// Media time zero: the container's start.
    static func startTime(of context: UnsafeMutablePointer<AVFormatContext>) -> MediaTime {
        guard let start = MediaTime(stamp: context.pointee.start_time, base: MediaSource.clock) else { return .zero }
        // An edit list says itself where zero is; what lies before it is cut away.
        let format = context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
        guard start < .zero, !format.hasPrefix("mov") else { return max(.zero, start) }
        var first: MediaTime?
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index], let p = stream.pointee.codecpar,
                stream.pointee.start_time != zt_nopts(),
                p.pointee.codec_type == AVMEDIA_TYPE_VIDEO || p.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0,
                let begin = MediaTime(stamp: stream.pointee.start_time, base: stream.pointee.time_base)
            else { continue }
            // An encoder's run-in (Opus in WebM) is trimmed away by decoding.
            let runIn = MediaTime(samples: Int64(max(0, p.pointee.initial_padding)), rate: Int(p.pointee.sample_rate))
            first = min(first ?? .max, begin + runIn)
        }
        // One of which the container does not say how long it is, is shorter than this.
        guard let first, first < MediaTime(seconds: -0.1) else { return .zero }
        return first
    }

    private var flags: Int32 { context.pointee.iformat?.pointee.flags ?? 0 }
    /// Transport and program streams: 33 bits, cut and joined as they come.
    private var isTransport: Bool {
        flags & AVFMT_TS_DISCONT != 0 && streams.contains { $0?.pointee.pts_wrap_bits == 33 }
    }
    /// H.264 and the like without a container.
    var isElementary: Bool {
        // libavformat's flag for it (AVFMT_NOTIMESTAMPS) is not set for these; MPEG-4 and AV1 streams get stamps from
        // their parsers.
        ["h264", "hevc", "vvc", "evc", "cavsvideo", "avs2", "avs3"].contains(formatName)
    }

    func linedPackets(knowing jumps: [StampLine.Jump] = []) -> LinedPackets {
        var steps: [Int: MediaTime] = [:]
        for case let stream? in streams where stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
            let rate = av_guess_frame_rate(context, stream, nil)
            steps[Int(stream.pointee.index)] = MediaTime(stamp: 1, base: AVRational(num: rate.den, den: rate.num))
        }
        let rules: StampLine.Rules = isElementary ? .raw : isTransport ? .transport : .file(declaredEnd: duration)
        let video = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        let marked = video >= 0 ? video : av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        return LinedPackets(
            context, start: startTime, line: StampLine(rules: rules, steps: steps, jumps: jumps),
            marked: Int(marked), marksPlaces: isTransport || isElementary)
    }

    // MARK: what has no index

    /// Whether playing would meet what seeking must know: stamps that jump, or none at all. Of large files only playing
    /// tells.
    var needsSurvey: Bool {
        guard remote == nil, piped == nil, isTransport || isElementary, let pb = context.pointee.pb,
            avio_size(pb) <= Int64(TransportScan.limit)
        else { return false }
        if isElementary { return true }
        let tracks = streams.compactMap { stream -> Int? in
            let type = stream?.pointee.codecpar?.pointee.codec_type
            return type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO ? stream.map { Int($0.pointee.id) } : nil
        }
        return formatName == "mpegts" && TransportScan.hasJumps(path: location, tracks: Set(tracks))
    }

    /// Reads all of it once, then goes back to its begin.
    func survey() throws(AVError) {
        guard let owner = Owned<AVPacket>(av_packet_alloc()), let packets else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        let packet = owner.raw
        var broken = 0
        while broken < 64 {
            let rc = read(packet)
            if rc == zt_averror_invaliddata() { broken += 1 } else if rc < 0 { break } else { broken = 0 }
            av_packet_unref(packet)
        }
        if interrupt.isInterrupted || interrupt.isOverTime { throw error(zt_averror_exit(), whileOpening: true) }
        if let end = packets.line.end, end > .zero {
            context.pointee.duration = end.stamp(in: MediaSource.clock)
            for case let stream? in streams { stream.pointee.duration = zt_nopts() }
        }
        isSurveyed = true
        let rc = seek(to: .zero)
        if rc < 0 { throw error(rc, whileOpening: true) }
        endReached = nil
    }

    /// Moves to a place from which the picture at `target`, media time, can be decoded: the last key frame at or before
    /// it, as well as the container can tell. Zero is the very begin.
    /// - Parameter track: whose key frames count; -1: libavformat's choice.
    /// - Returns: a code of libavformat's, negative when it cannot.
    func seek(to target: MediaTime, track: Int32 = -1) -> Int32 {
        ordered?.seek(to: target, track: track, self) ?? seekOwn(to: target, track: track)
    }

    /// The same in the file's own time.
    func seekOwn(to target: MediaTime, track: Int32 = -1) -> Int32 {
        clearFailure()
        var rc: Int32 = -1
        // A transport stream has no index: a search by time for its very start may land behind it.
        if target <= .zero, flags & AVFMT_TS_DISCONT != 0 || isElementary {
            rc = avformat_seek_file(context, -1, 0, 0, 0, AVSEEK_FLAG_BYTE)
            if rc >= 0 {
                packets?.move(to: .zero)
                return rc
            }
        }
        if let packets, packets.marksPlaces,
            isSurveyed || isElementary
                || !packets.line.jumps.isEmpty && packets.landmarks.end.map({ $0 >= target }) ?? false
        {
            let mark = packets.landmarks.last(before: target) ?? .init(time: .zero, position: 0, shift: .zero)
            rc = avformat_seek_file(context, -1, 0, mark.position, mark.position, AVSEEK_FLAG_BYTE)
            if rc >= 0 {
                packets.move(to: mark.time, shift: mark.shift)
                return rc
            }
        }
        let shift = packets?.line.jumps.last { $0.time <= target }?.shift ?? .zero
        let base =
            (track >= 0 && Int(track) < streams.count ? streams[Int(track)]?.pointee.time_base : nil)
            ?? MediaSource.clock
        var place = target - shift + startTime
        // An index counts in decode time, and what an edit list cuts away lies before zero: the key frame at zero need
        // not be the one that frames at zero depend on.
        if target <= .zero, let first = firstIndexed { place = min(place, first) }
        let stamp = place.lastStamp(in: base)
        rc = avformat_seek_file(context, track, .min, stamp, stamp, 0)
        if rc < 0 { rc = av_seek_frame(context, track, stamp, AVSEEK_FLAG_BACKWARD) }
        if rc < 0 { rc = avformat_seek_file(context, track, .min, stamp, .max, 0) }
        if rc < 0, target <= .zero { rc = avformat_seek_file(context, -1, .min, 0, .max, AVSEEK_FLAG_BYTE) }
        if rc >= 0 { packets?.move(to: max(.zero, target), shift: shift) }
        return rc
    }
}

extension MediaSource {
    /// The earliest time in any track's index, by the container's own clock; nil: there is no index.
    private var firstIndexed: MediaTime? {
        streams.compactMap { stream -> MediaTime? in
            guard let stream, let entry = avformat_index_get_entry(stream, 0) else { return nil }
            return MediaTime(stamp: entry.pointee.timestamp, base: stream.pointee.time_base)
        }.min()
    }

    /// Matroska says of a track that it is encrypted; libavformat hands its key's identifier on.
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
