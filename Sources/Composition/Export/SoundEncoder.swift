import CFFmpeg
import MediaCore
import MediaEngine

/// Encodes interleaved samples, from zero on. Confined to the thread that writes.
final class SoundEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let location: String
    private let format: AudioFormat
    private let frame: UnsafeMutablePointer<AVFrame>
    private let packet: UnsafeMutablePointer<AVPacket>
    private var waiting: [Float] = []
    private var sent: Int64 = 0

    /// - Parameters:
    ///   - isGlobal: parameter sets go into the container's header.
    init(_ name: String, format: AudioFormat, quality: ExportPreset.Quality, isGlobal: Bool, location: String)
        throws(AVError)
    {
        self.format = format
        self.location = location
        guard let codec = avcodec_find_encoder_by_name(name), let context = avcodec_alloc_context3(codec) else {
            throw AVError(.encoderNotFound, at: location, reason: "the installed FFmpeg has no encoder “\(name)”")
        }
        guard let frame = av_frame_alloc(), let packet = av_packet_alloc() else {
            var unused: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&unused)
            throw AVError(.unknown, at: location, reason: "out of memory")
        }
        self.context = context
        self.frame = frame
        self.packet = packet
        context.pointee.sample_rate = Int32(format.sampleRate)
        context.pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
        context.pointee.sample_fmt = name == "libopus" ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP
        av_channel_layout_from_mask(&context.pointee.ch_layout, format.channelMask)
        context.pointee.bit_rate = Int64(quality.soundRate * format.channelCount)
        if isGlobal { context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
        let rc = avcodec_open2(context, codec, nil)
        guard rc >= 0 else {
            throw AVError(
                .encodeFailed, at: location,
                reason: "the encoder “\(name)” does not open: \(MediaSource.ffmpegText(rc))", underlying: rc)
        }
    }

    deinit {
        var c: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&c)
        var f: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&f)
        var p: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&p)
    }

    /// Packets are the caller's only while `deliver` runs; their stamps count samples.
    typealias Delivery = (UnsafeMutablePointer<AVPacket>) throws(AVError) -> Void

    func encode(_ samples: [Float], deliver: Delivery) throws(AVError) {
        waiting += samples
        let size = context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) : 1024
        let channels = format.channelCount
        var used = 0
        while waiting.count - used >= size * channels {
            try send(from: used, count: size, deliver)
            used += size * channels
        }
        if used > 0 { waiting.removeFirst(used) }
    }

    /// The rest, which may be less than a frame.
    func finish(deliver: Delivery) throws(AVError) {
        if !waiting.isEmpty { try send(from: 0, count: waiting.count / format.channelCount, deliver) }
        waiting = []
        try check(avcodec_send_frame(context, nil))
        try receive(deliver)
    }

    private func send(from first: Int, count: Int, _ deliver: Delivery) throws(AVError) {
        av_frame_unref(frame)
        frame.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = context.pointee.sample_rate
        frame.pointee.nb_samples = Int32(count)
        av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
        frame.pointee.pts = sent
        try check(av_frame_get_buffer(frame, 0))
        let channels = format.channelCount
        waiting.withUnsafeBufferPointer { source in
            if context.pointee.sample_fmt == AV_SAMPLE_FMT_FLT {
                frame.pointee.extended_data[0]?.withMemoryRebound(to: Float.self, capacity: count * channels) { out in
                    for i in 0..<count * channels { out[i] = source[first + i] }
                }
            } else {
                for channel in 0..<channels {
                    frame.pointee.extended_data[channel]?.withMemoryRebound(to: Float.self, capacity: count) { out in
                        for i in 0..<count { out[i] = source[first + i * channels + channel] }
                    }
                }
            }
        }
        sent += Int64(count)
        try check(avcodec_send_frame(context, frame))
        try receive(deliver)
    }

    private func receive(_ deliver: Delivery) throws(AVError) {
        while true {
            let rc = avcodec_receive_packet(context, packet)
            if rc == zt_averror_eagain() || rc == zt_averror_eof() { return }
            try check(rc)
            defer { av_packet_unref(packet) }
            try deliver(packet)
        }
    }

    private func check(_ rc: Int32) throws(AVError) {
        guard rc < 0 else { return }
        throw AVError(
            .encodeFailed, at: location, reason: "the sound could not be encoded: \(MediaSource.ffmpegText(rc))",
            underlying: rc)
    }
}
