import CFFmpeg
import MediaCore
import MediaEngine

/// An encoder of interleaved samples. Timestamps begin at zero.
final class AudioEncoder {
    private let encoder: OpenEncoder
    var context: UnsafeMutablePointer<AVCodecContext> { encoder.context }
    private let format: AudioFormat
    private let frameOwner: Owned<AVFrame>
    private var frame: UnsafeMutablePointer<AVFrame> { frameOwner.raw }
    private var waiting: [Float] = []
    private var sent: Int64 = 0

    /// The name of FFmpeg's encoder that stores samples unchanged.
    static let uncompressed = "pcm_f32le"

    /// - Parameter isGlobal: Whether parameter sets are stored in the container's header.
    init(_ name: String, format: AudioFormat, quality: ExportPreset.Quality, isGlobal: Bool, location: String)
        throws(AVError)
    {
        self.format = format
        encoder = try OpenEncoder(name, location: location, failure: "the audio could not be encoded") { context in
            context.pointee.sample_rate = Int32(format.sampleRate)
            context.pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
            let isInterleaved = name == "libopus" || name == AudioEncoder.uncompressed
            context.pointee.sample_fmt = isInterleaved ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP
            av_channel_layout_from_mask(&context.pointee.ch_layout, format.channelMask)
            context.pointee.bit_rate = Int64(quality.soundRate * format.channelCount)
            if isGlobal { context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
        }
        guard let frame = Owned<AVFrame>(av_frame_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        frameOwner = frame
    }

    /// A closure that receives a packet. The packet is valid only during the call. Its timestamps count samples.
    typealias Delivery = OpenEncoder.Delivery

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

    /// Encodes the remaining samples, which may be fewer than a frame, and ends the encoder.
    func finish(deliver: Delivery) throws(AVError) {
        if !waiting.isEmpty { try send(from: 0, count: waiting.count / format.channelCount, deliver) }
        waiting = []
        try encoder.send(nil, deliver: deliver)
    }

    private func send(from first: Int, count: Int, _ deliver: Delivery) throws(AVError) {
        av_frame_unref(frame)
        frame.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = context.pointee.sample_rate
        frame.pointee.nb_samples = Int32(count)
        av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
        frame.pointee.pts = sent
        try encoder.check(av_frame_get_buffer(frame, 0))
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
        try encoder.send(frame, deliver: deliver)
    }
}
