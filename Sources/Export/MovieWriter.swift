import CFFmpeg
import MediaCore
import MediaEngine

/// A writer of a movie file, or of the file of a part, from composed frames and audio.
///
/// The header needs the size of the first frame, so audio packets that arrive earlier wait. A part keeps its audio
/// uncompressed. In file types with exact timestamps, the timestamps of a part begin at zero.
final class MovieWriter {
    private let file: OutputFile
    private let tracks: ExportTracks
    private let settings: Settings
    /// The name of the file in errors.
    private let target: String

    private let videoStream: UnsafeMutablePointer<AVStream>
    private var audioStream: UnsafeMutablePointer<AVStream>?
    private var videoEncoder: VideoEncoder?
    private var audioEncoder: AudioEncoder?
    private var early: [EarlyPacket] = []
    private var lastCopied = Int64.min
    /// The decoding order, for a whole export that is encoded like parts. Nil otherwise.
    private var order: DecodeOrder?
    /// The record that the file of a part contains. Nil for a whole export.
    private var record: PartRecord?
    /// The values that are subtracted from the timestamps of a part, in ticks of the encoders' time bases. The value
    /// for copied audio is nil until the first packet sets it.
    private var shift: (video: Int64, audio: Int64?) = (0, 0)
    /// The value that is added to the timestamps of a part in Matroska, in ticks of the streams. Matroska has no
    /// timestamps before zero.
    private var lead: Int64 = 0
    /// The start and the end of the last frame in the export's timeline.
    private var last: (start: MediaTime, end: MediaTime) = (0, 0)

    struct Settings {
        var type: AVFileType
        var encoders: ExportEncoders
        var quality: ExportPreset.Quality
        var optimizesForNetwork: Bool
        var maximumFrameRate: Double?
    }

    init(_ settings: Settings, path: FilePath, target: String, tracks: ExportTracks) throws(AVError) {
        self.settings = settings
        self.tracks = tracks
        self.target = target
        file = try OutputFile(settings.type, isPart: tracks.part != nil, path: path, target: target)
        videoStream = try file.addStream()
        switch tracks.audio {
        case .none: break
        case .copied(let source):
            let stream = try file.addStream()
            audioStream = stream
            source.withParameters { _ = avcodec_parameters_copy(stream.pointee.codecpar, $0) }
            // Each container has its own tags.
            stream.pointee.codecpar.pointee.codec_tag = 0
            stream.pointee.time_base = AVRational(num: 1, den: Int32(source.sampleRate))
            // FFmpeg's Matroska demuxer subtracts this value, but the muxer of FFmpeg 5.1 does not add it. A join sets
            // it.
            if tracks.part != nil { stream.pointee.codecpar.pointee.initial_padding = 0 }
        case .encoded(let format):
            let stream = try file.addStream()
            audioStream = stream
            guard let name = tracks.part == nil ? settings.encoders.audio : AudioEncoder.uncompressed else {
                throw AVError(.encoderNotFound, at: target, reason: "there is no encoder for the audio")
            }
            let encoder = try AudioEncoder(
                name, format: format, quality: settings.quality, isGlobal: file.wantsGlobalHeader, location: target)
            audioEncoder = encoder
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context)
            stream.pointee.time_base = encoder.context.pointee.time_base
        }
        if let audioStream {
            audioStream.pointee.disposition = AV_DISPOSITION_DEFAULT
            if let language = tracks.details.audioLanguage {
                av_dict_set(&audioStream.pointee.metadata, "language", language, 0)
            }
        }
    }

    private final class EarlyPacket {
        let packet: Owned<AVPacket>
        init(_ packet: consuming Owned<AVPacket>) { self.packet = packet }
    }

    func take(_ item: ExportFrame) throws(AVError) {
        let encoder: VideoEncoder
        switch videoEncoder {
        case let videoEncoder? where item.opensGroup: encoder = try restart(videoEncoder, for: item.frame)
        case let videoEncoder?: encoder = videoEncoder
        case nil: encoder = try begin(with: item.frame, at: item.start)
        }
        last = (item.start, item.start + item.duration)
        try encoder.encode(item, deliver: writeVideo)
    }

    /// Opens the file of a part that has audio but no frames.
    func open(for frame: VideoFrame) throws(AVError) {
        guard videoEncoder == nil, audioStream != nil else {
            throw AVError(
                .encodeFailed, at: target, reason: "the part contains no frame to write",
                suggestion: "Divide the export into fewer parts")
        }
        _ = try begin(with: frame, at: tracks.begin)
    }

    /// Finishes the encoder and opens another, as for the next part of a divided export.
    private func restart(_ videoEncoder: VideoEncoder, for frame: VideoFrame) throws(AVError) -> VideoEncoder {
        try videoEncoder.finish(deliver: writeVideo)
        let encoder = try encoder(for: frame)
        self.videoEncoder = encoder
        return encoder
    }

    func take(_ samples: [Float]) throws(AVError) { try audioEncoder?.encode(samples, deliver: writeAudio) }

    func take(_ packet: OfflineReader.Packet) throws(AVError) {
        guard let audioStream, let owned = Owned<AVPacket>(packet.withAVPacket { av_packet_clone($0) }) else { return }
        let copy = owned.raw
        let base = AVRational(num: 1, den: audioStream.pointee.codecpar.pointee.sample_rate)
        let timestamp = copy.pointee.pts != zt_nopts() ? copy.pointee.pts : copy.pointee.dts
        guard timestamp != zt_nopts() else {
            throw AVError(
                .encodeFailed, at: target, reason: "an audio packet has no timestamp",
                suggestion: "Copy or download the source file again")
        }
        // Audio is decoded in presentation order, so both timestamps are equal. A packet whose timestamp is beyond the
        // range of `MediaTime` is dropped.
        guard let time = MediaTime(stamp: timestamp, base: packet.timeBase), time > .min, time < .max else { return }
        copy.pointee.pts = timestamp.subtractingSaturating(packet.offset.stamp(in: packet.timeBase))
        copy.pointee.dts = copy.pointee.pts
        copy.pointee.duration = max(0, min(copy.pointee.duration, MediaTime.max.stamp(in: packet.timeBase)))
        av_packet_rescale_ts(copy, packet.timeBase, base)
        // Containers need increasing timestamps. Timestamps that are equal after rounding are moved by one sample.
        if lastCopied != .min, copy.pointee.dts <= lastCopied {
            copy.pointee.dts = lastCopied.addingSaturating(1)
            copy.pointee.pts = copy.pointee.dts
        }
        lastCopied = copy.pointee.dts
        try writeAudio(copy)
    }

    func finish() throws(AVError) {
        try audioEncoder?.finish(deliver: writeAudio)
        try videoEncoder?.finish(deliver: writeVideo)
        try order?.finish(deliver: muxVideo)
        guard videoEncoder != nil else {
            throw AVError(
                .encodeFailed, at: target, reason: "the time range contains no frame to write",
                suggestion: "Choose another time range")
        }
        // QuickTime writes metadata at the end of the file, so the record is completed here. Matroska has already
        // written it.
        if var record {
            if let base = record.video?.timeBase.value {
                record.video?.last = last.start.stamp(in: base)
                record.video?.end = last.end.stamp(in: base)
            }
            file.setText(PartRecord.key, try record.text(at: target))
        }
        try file.finish()
    }

    private var frameRate: AVRational {
        let rate = tracks.video.frameRate
        guard let maximumFrameRate = settings.maximumFrameRate, rate.num <= 0 || av_q2d(rate) > maximumFrameRate else {
            return rate
        }
        return av_d2q(maximumFrameRate, 100_000)
    }

    private func encoder(for frame: VideoFrame) throws(AVError) -> VideoEncoder {
        var setup = VideoEncoder.Setup(
            size: (frame.width, frame.height), timeBase: tracks.video.timeBase, frameRate: frameRate,
            quality: settings.quality, isGlobal: file.wantsGlobalHeader,
            hasAlpha: settings.type == .webm && frame.hasAlpha && VideoEncoder.takesAlpha(settings.encoders.video))
        setup.isDivided = tracks.isDivided
        return try VideoEncoder(settings.encoders.video, setup, location: target)
    }

    /// - Parameter start: The start of the first frame, in the export's timeline.
    private func begin(with frame: VideoFrame, at start: MediaTime) throws(AVError) -> VideoEncoder {
        let encoder = try encoder(for: frame)
        videoEncoder = encoder
        avcodec_parameters_from_context(videoStream.pointee.codecpar, encoder.context)
        videoStream.pointee.time_base = encoder.timeBase
        videoStream.pointee.avg_frame_rate = frameRate
        videoStream.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        videoStream.pointee.disposition = AV_DISPOSITION_DEFAULT
        if settings.type.isMovieFamily {
            let isPart = tracks.part != nil
            if settings.optimizesForNetwork, !isPart { file.setOption("movflags", "+faststart") }
            if isPart { file.setOption("movflags", "+use_metadata_tags") }
            file.setMovieScale(pictures: encoder.timeBase, samples: audioStream?.pointee.codecpar.pointee.sample_rate)
        }
        try file.begin(try details(encoder, start))
        let waiting = early
        early = []
        for held in waiting { try writeAudio(held.packet.raw) }
        return encoder
    }

    /// Returns the metadata and chapters of the header, or the record of a part. Also sets `order`, or `shift` and
    /// `lead` of a part.
    private func details(_ encoder: VideoEncoder, _ start: MediaTime) throws(AVError) -> ExportTracks.Details {
        let delay = Int(encoder.context.pointee.has_b_frames)
        guard var record = tracks.part else {
            if tracks.isDivided { order = DecodeOrder(delay: delay) }
            return tracks.details
        }
        let first = start.stamp(in: encoder.timeBase)
        record.video = PartRecord.Video(
            timeBase: .init(encoder.timeBase), frameRate: .init(frameRate), width: encoder.context.pointee.width,
            height: encoder.context.pointee.height, first: first, delay: delay)
        let isCopied = record.sound.map { $0.encoder == nil } ?? false
        // An encoder counts samples from zero. Matroska rounds timestamps, so a part has the timestamps of the whole
        // export, which are then rounded in the same way.
        if settings.type.isMovieFamily {
            shift = (first, isCopied ? nil : 0)
        } else {
            lead = PartRecord.lead
            if let sound = record.sound, !isCopied { shift.audio = -sound.begin }
        }
        self.record = record
        return ExportTracks.Details(metadata: [(PartRecord.key, try record.text(at: target))])
    }

    private func writeVideo(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let order else { return try muxVideo(packet) }
        try order.take(packet, deliver: muxVideo)
    }

    private func muxVideo(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let videoEncoder else { return }
        packet.pointee.pts -= shift.video
        packet.pointee.dts -= shift.video
        av_packet_rescale_ts(packet, videoEncoder.timeBase, videoStream.pointee.time_base)
        packet.pointee.pts += lead
        packet.pointee.dts += lead
        packet.pointee.stream_index = videoStream.pointee.index
        try file.write(packet)
    }

    /// Writes an audio packet whose timestamps count samples, or stores it until the header is written.
    private func writeAudio(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let audioStream else { return }
        guard videoEncoder != nil else {
            if let copy = Owned<AVPacket>(av_packet_clone(packet)) { early.append(EarlyPacket(copy)) }
            return
        }
        let first = shift.audio ?? packet.pointee.pts
        if shift.audio == nil {
            shift.audio = first
            record?.sound?.first = first
        }
        packet.pointee.pts -= first
        packet.pointee.dts -= first
        av_packet_rescale_ts(
            packet, AVRational(num: 1, den: audioStream.pointee.codecpar.pointee.sample_rate),
            audioStream.pointee.time_base)
        packet.pointee.pts += lead
        packet.pointee.dts += lead
        packet.pointee.stream_index = audioStream.pointee.index
        try file.write(packet)
    }
}
