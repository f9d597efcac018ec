import CFFmpeg
import MediaCore
import MediaEngine

/// Writes pictures and sound into a movie file.
///
/// The header needs the pictures' size, which the first one tells; packets of sound that come before wait.
final class MovieWriter {
    private let file: OutputFile
    private let tracks: ExportTracks
    private let encoders: ExportEncoders
    private let quality: ExportPreset.Quality
    private let type: AVFileType
    private let optimizesForNetwork: Bool
    private let maximumFrameRate: Double?
    /// What errors name.
    private let target: String

    private let videoStream: UnsafeMutablePointer<AVStream>
    private var soundStream: UnsafeMutablePointer<AVStream>?
    private var pictures: PictureEncoder?
    private var sound: SoundEncoder?
    private var early: [EarlyPacket] = []
    private var hasBegun = false
    private var lastCopied = Int64.min

    init(
        _ type: AVFileType, path: FilePath, target: String, tracks: ExportTracks, encoders: ExportEncoders,
        quality: ExportPreset.Quality, optimizesForNetwork: Bool, maximumFrameRate: Double?
    ) throws(AVError) {
        self.type = type
        self.tracks = tracks
        self.encoders = encoders
        self.quality = quality
        self.optimizesForNetwork = optimizesForNetwork
        self.maximumFrameRate = maximumFrameRate
        self.target = target
        file = try OutputFile(type, path: path, target: target)
        videoStream = try file.addStream()
        switch tracks.sound {
        case .none: break
        case .copied(let source):
            let stream = try file.addStream()
            soundStream = stream
            source.withParameters { _ = avcodec_parameters_copy(stream.pointee.codecpar, $0) }
            // Each container has tags of its own.
            stream.pointee.codecpar.pointee.codec_tag = 0
            stream.pointee.time_base = AVRational(num: 1, den: Int32(source.sampleRate))
        case .encoded(let format):
            let stream = try file.addStream()
            soundStream = stream
            guard let name = encoders.sound else {
                throw AVError(.encoderNotFound, at: target, reason: "there is no encoder for the audio")
            }
            let encoder = try SoundEncoder(
                name, format: format, quality: quality, isGlobal: file.wantsGlobalHeader, location: target)
            sound = encoder
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context)
            stream.pointee.time_base = encoder.context.pointee.time_base
        }
        if let soundStream {
            soundStream.pointee.disposition = AV_DISPOSITION_DEFAULT
            if let language = tracks.details.soundLanguage {
                av_dict_set(&soundStream.pointee.metadata, "language", language, 0)
            }
        }
    }

    private final class EarlyPacket {
        let packet: Owned<AVPacket>
        init(_ packet: consuming Owned<AVPacket>) { self.packet = packet }
    }

    func take(_ picture: ExportPicture) throws(AVError) {
        let encoder: PictureEncoder
        if let pictures { encoder = pictures } else { encoder = try begin(with: picture.frame) }
        try encoder.encode(picture, deliver: writePicture)
    }

    func take(_ samples: [Float]) throws(AVError) { try sound?.encode(samples, deliver: writeSound) }

    func take(_ packet: OfflineReader.Packet) throws(AVError) {
        guard let soundStream, let owned = Owned<AVPacket>(packet.withAVPacket { av_packet_clone($0) }) else { return }
        let copy = owned.raw
        let base = AVRational(num: 1, den: soundStream.pointee.codecpar.pointee.sample_rate)
        let stamp = copy.pointee.pts != zt_nopts() ? copy.pointee.pts : copy.pointee.dts
        guard stamp != zt_nopts() else {
            throw AVError(
                .encodeFailed, at: target, reason: "an audio packet has no timestamp",
                suggestion: "Copy or download the source file again")
        }
        // Sound is decoded in the order in which it is heard. What lies beyond what a container can mean is not written
        // as it is.
        guard let time = MediaTime(stamp: stamp, base: packet.timeBase), time > .min, time < .max else { return }
        copy.pointee.pts = stamp.subtractingSaturating(packet.offset.stamp(in: packet.timeBase))
        copy.pointee.dts = copy.pointee.pts
        copy.pointee.duration = max(0, min(copy.pointee.duration, MediaTime.max.stamp(in: packet.timeBase)))
        av_packet_rescale_ts(copy, packet.timeBase, base)
        // Containers want stamps that grow; what rounding made equal is moved by one sample.
        if lastCopied != .min, copy.pointee.dts <= lastCopied {
            copy.pointee.dts = lastCopied.addingSaturating(1)
            copy.pointee.pts = copy.pointee.dts
        }
        lastCopied = copy.pointee.dts
        try writeSound(copy)
    }

    func finish() throws(AVError) {
        try sound?.finish(deliver: writeSound)
        try pictures?.finish(deliver: writePicture)
        guard hasBegun else {
            throw AVError(
                .encodeFailed, at: target, reason: "the time range contains no frame to write",
                suggestion: "Choose another time range")
        }
        try file.finish()
    }

    private func begin(with frame: VideoFrame) throws(AVError) -> PictureEncoder {
        var rate = tracks.video.frameRate
        if let maximumFrameRate, rate.num <= 0 || av_q2d(rate) > maximumFrameRate {
            rate = av_d2q(maximumFrameRate, 100_000)
        }
        let setup = PictureEncoder.Setup(
            size: (frame.width, frame.height), timeBase: tracks.video.timeBase, frameRate: rate,
            quality: quality, isGlobal: file.wantsGlobalHeader,
            hasAlpha: type == .webm && frame.hasAlpha && PictureEncoder.takesAlpha(encoders.video))
        let encoder = try PictureEncoder(encoders.video, setup, location: target)
        pictures = encoder
        avcodec_parameters_from_context(videoStream.pointee.codecpar, encoder.context)
        videoStream.pointee.time_base = encoder.timeBase
        videoStream.pointee.avg_frame_rate = rate
        videoStream.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        videoStream.pointee.disposition = AV_DISPOSITION_DEFAULT
        if type.isMovieFamily {
            if optimizesForNetwork { file.setOption("movflags", "+faststart") }
            // Edit lists count in the movie's clock; by default that is milliseconds, which would cut sound only
            // roughly.
            if let scale = movieScale(encoder.timeBase) { file.setOption("movie_timescale", "\(scale)") }
        }
        try file.begin(tracks.details)
        hasBegun = true
        let waiting = early
        early = []
        for held in waiting { try writeSound(held.packet.raw) }
        return encoder
    }

    /// The smallest clock in which both tracks' are whole; the sound's alone where that is too fine.
    private func movieScale(_ picture: AVRational) -> Int? {
        let pictures = Int(picture.den)
        guard let rate = soundStream.map({ Int($0.pointee.codecpar.pointee.sample_rate) }), rate > 0 else {
            return pictures
        }
        var a = pictures
        var b = rate
        while b != 0 { (a, b) = (b, a % b) }
        let both = pictures / a * rate
        return both <= 100_000_000 ? both : rate
    }

    private func writePicture(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let pictures else { return }
        av_packet_rescale_ts(packet, pictures.timeBase, videoStream.pointee.time_base)
        packet.pointee.stream_index = videoStream.pointee.index
        try file.write(packet)
    }

    /// In samples.
    private func writeSound(_ packet: UnsafeMutablePointer<AVPacket>) throws(AVError) {
        guard let soundStream else { return }
        guard hasBegun else {
            if let copy = Owned<AVPacket>(av_packet_clone(packet)) { early.append(EarlyPacket(copy)) }
            return
        }
        av_packet_rescale_ts(
            packet, AVRational(num: 1, den: soundStream.pointee.codecpar.pointee.sample_rate),
            soundStream.pointee.time_base)
        packet.pointee.stream_index = soundStream.pointee.index
        try file.write(packet)
    }
}
