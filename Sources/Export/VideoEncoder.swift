import CFFmpeg
import CPixels
import Foundation
import MediaCore
import MediaEngine

/// An encoder of composed frames. It encodes 4:2:0 in the export's colors, with alpha if the codec supports alpha.
final class VideoEncoder {
    private let encoder: OpenEncoder
    var context: UnsafeMutablePointer<AVCodecContext> { encoder.context }
    let timeBase: AVRational
    private let location: String
    private let size: (width: Int, height: Int)
    private let colors: ExportColors
    private let format: AVPixelFormat
    /// The buffer for frames that need conversion, such as RGB.
    private let convertedFrame: Owned<AVFrame>
    private var converted: UnsafeMutablePointer<AVFrame> { convertedFrame.raw }
    private var converter: Owned<SwsScaler>?
    private var convertedFormat = AV_PIX_FMT_NONE
    private var last = Int64.min
    /// The durations of frames by timestamp, because the encoders of some FFmpeg versions do not set packet durations.
    private var durations: [Int64: Int64] = [:]

    struct Setup {
        var size: (width: Int, height: Int)
        var timeBase: AVRational
        var frameRate: AVRational
        var quality: ExportPreset.Quality
        /// Whether parameter sets are stored in the container's header.
        var isGlobal: Bool
        /// Whether alpha is encoded. Only for an encoder that `takesAlpha`.
        var hasAlpha = false
        /// Whether the export is divided or must equal joined parts. The result must then be the same on every machine.
        var isDivided = false
        /// The number of cores that the preset is chosen for.
        var cores: Int { isDivided ? 2 : ProcessInfo.processInfo.activeProcessorCount }
        /// The number of encoding threads. 0 lets the encoder choose by the number of cores.
        ///
        /// libx264 and the mpeg4 encoder make other pixels with another number of threads.
        var threads: Int32 { isDivided ? 8 : 0 }
    }

    static func takesAlpha(_ encoder: String) -> Bool { encoder == "libvpx-vp9" || encoder == "libvpx" }

    init(_ name: String, _ setup: Setup, location: String) throws(AVError) {
        self.location = location
        size = setup.size
        colors = ExportColors(height: setup.size.height)
        format = setup.hasAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
        timeBase = VideoEncoder.timeBase(for: setup.timeBase, encoder: name)
        let (format, colors, timeBase) = (format, colors, timeBase)
        encoder = try OpenEncoder(
            name, location: location, failure: "a frame could not be encoded",
            purpose: " for \(size.width)×\(size.height)"
        ) { context in
            context.pointee.width = Int32(setup.size.width)
            context.pointee.height = Int32(setup.size.height)
            context.pointee.pix_fmt = format
            context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
            context.pointee.time_base = timeBase
            context.pointee.framerate = setup.frameRate
            context.pointee.color_range = AVCOL_RANGE_MPEG
            context.pointee.colorspace = colors.space
            context.pointee.color_primaries = colors.primaries
            context.pointee.color_trc = colors.transfer
            context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
            context.pointee.thread_count = setup.threads
            if setup.isGlobal { context.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER) }
            VideoEncoder.tune(context, name, setup)
        }
        guard let converted = Owned<AVFrame>(av_frame_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        convertedFrame = converted
    }

    /// Returns the time base of the encoder, which is the source's so that timestamps stay exact.
    ///
    /// The time base is finer if the source's is too coarse for a range that begins between its ticks. The time base is
    /// coarser if the encoder can't store its denominator.
    private static func timeBase(for source: AVRational, encoder: String) -> AVRational {
        let base = timeBase(for: source)
        // MPEG-4 part 2 stores the denominator in 16 bits (ISO/IEC 14496-2, vop_time_increment_resolution).
        return encoder == "mpeg4" && base.den > 65_535 ? AVRational(num: 1, den: 60_000) : base
    }

    private static func timeBase(for source: AVRational) -> AVRational {
        let common = AVRational(num: 1, den: 90_000)
        guard source.num > 0, source.den > 0 else { return common }
        var base = source
        while base.den / base.num < 10_000, base.den <= 500_000 { base.den *= 2 }
        if base.den / base.num >= 10_000, base.den <= 1_000_000 { return base }
        // A time base such as DirectShow's 333667/10000000, or 100/2997, is a multiple of 1/denominator, which is used
        // instead.
        guard source.num > 1, source.den <= 10_000_000 else { return common }
        var ticks = source.den
        while ticks < 10_000 { ticks *= 2 }
        return AVRational(num: 1, den: ticks)
    }

    /// Returns the preset of libx264 for a number of pixels per second and core. The preset gives the smallest file
    /// that can be encoded faster than the video plays.
    ///
    /// Measured with 10 s of noisy video, 1080p at 30 frames per second, on two cores at rate factor 18:
    /// - “veryfast”: 11 to 18 s, 19 MB.
    /// - “superfast”: a third less time, 32 MB.
    /// - “ultrafast”: two thirds less time, 44 MB.
    ///
    /// The quality depends only on the rate factor.
    static func x264Preset(_ pixelsPerSecond: Double) -> String {
        pixelsPerSecond > 60e6 ? "ultrafast" : pixelsPerSecond > 24e6 ? "superfast" : "veryfast"
    }

    private static func tune(_ context: UnsafeMutablePointer<AVCodecContext>, _ name: String, _ setup: Setup) {
        let options = context.pointee.priv_data
        let quality = setup.quality
        let rate = setup.frameRate.num > 0 ? av_q2d(setup.frameRate) : 30
        let bits = Int64(Double(setup.size.width * setup.size.height) * min(60, max(10, rate)) * quality.bitsPerPixel)
        switch name {
        case "libx264":
            let pixels = Double(setup.size.width * setup.size.height) * min(60, max(10, rate))
            av_opt_set(
                options, "preset", x264Preset(pixels / Double(max(1, setup.cores))), 0)
            av_opt_set(options, "crf", "\(quality.h264)", 0)
            // With mbtree, x264 164 reads uninitialized memory if the number of macroblocks per row is not a multiple
            // of eight. Frames then differ from run to run.
            if setup.isDivided, (setup.size.width + 15) / 16 % 8 != 0 { av_opt_set(options, "mbtree", "0", 0) }
        case "libvpx-vp9", "libvpx":
            av_opt_set(options, "deadline", "good", 0)
            av_opt_set(options, "cpu-used", "5", 0)
            av_opt_set(options, "crf", "\(name == "libvpx" ? 10 : quality.vp9)", 0)
            av_opt_set(options, "row-mt", "1", 0)
            // VP9 is controlled by quality alone. VP8 needs a maximum bit rate.
            context.pointee.bit_rate = name == "libvpx" ? bits * 2 : 0
            if setup.threads == 0 { context.pointee.thread_count = Int32(min(8, setup.cores)) }
            context.pointee.gop_size = 240
            // With alpha, each packet holds one frame of each of two streams, so the encoder must not make hidden
            // reference frames.
            if setup.hasAlpha { av_opt_set(options, "auto-alt-ref", "0", 0) }
        case "mpeg4":
            context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
            context.pointee.global_quality = FF_QP2LAMBDA * quality.mpeg4
            context.pointee.gop_size = 120
        default:
            context.pointee.bit_rate = bits
            context.pointee.gop_size = 240
        }
    }

    /// A closure that receives a packet. The packet is valid only during the call. Its timestamps are in `timeBase`.
    typealias Delivery = OpenEncoder.Delivery

    func encode(_ item: ExportFrame, deliver: Delivery) throws(AVError) {
        guard item.frame.width == size.width, item.frame.height == size.height else {
            throw AVError(
                .encodeFailed, at: location,
                reason:
                    "a composed frame has \(item.frame.width)×\(item.frame.height) pixels instead of \(size.width)×\(size.height)"
            )
        }
        // Two frames with the same timestamp are both kept: the later frame moves to the next tick.
        let timestamp = max(item.start.stamp(in: timeBase), last == .min ? .min : last + 1)
        last = timestamp
        durations[timestamp] = max(1, (item.start + item.duration).stamp(in: timeBase) - timestamp)
        guard let owned = Owned<AVFrame>(av_frame_alloc()) else {
            throw AVError(.unknown, at: location, reason: "there is not enough memory")
        }
        let frame = owned.raw
        let format = item.frame.withAVFrame { AVPixelFormat($0.pointee.format) }
        if format == self.format {
            try encoder.check(item.frame.withAVFrame { av_frame_ref(frame, $0) })
        } else {
            try convert(item.frame, format)
            try encoder.check(av_frame_ref(frame, converted))
        }
        frame.pointee.pts = timestamp
        // Let the encoder choose the frame type, and ignore the type in the source.
        frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
        frame.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        frame.pointee.color_range = AVCOL_RANGE_MPEG
        frame.pointee.colorspace = colors.space
        frame.pointee.color_primaries = colors.primaries
        frame.pointee.color_trc = colors.transfer
        try send(frame, deliver)
    }

    func finish(deliver: Delivery) throws(AVError) {
        try send(nil, deliver)
    }

    private func convert(_ frame: VideoFrame, _ format: AVPixelFormat) throws(AVError) {
        // Frames with and without alpha can alternate.
        if converter == nil || format != convertedFormat {
            convertedFormat = format
            let scaler = sws_getContext(
                Int32(size.width), Int32(size.height), format, Int32(size.width), Int32(size.height), self.format,
                Int32(SWS_AREA) | SWS_ACCURATE_RND, nil, nil, nil)
            converter = Owned(scaler)
            // YUV frames already have the colors of the file and lack only alpha.
            let isYUV = format == AV_PIX_FMT_YUV420P
            _ = sws_setColorspaceDetails(
                scaler, sws_getCoefficients(isYUV ? colors.swscale : Int32(SWS_CS_DEFAULT)), isYUV ? 0 : 1,
                sws_getCoefficients(colors.swscale), 0, 0, 1 << 16, 1 << 16)
            converted.pointee.format = self.format.rawValue
            converted.pointee.width = Int32(size.width)
            converted.pointee.height = Int32(size.height)
        }
        if converted.pointee.buf.0 == nil || av_frame_is_writable(converted) == 0 {
            // The encoder still uses the previous buffer.
            av_frame_unref(converted)
            converted.pointee.format = self.format.rawValue
            converted.pointee.width = Int32(size.width)
            converted.pointee.height = Int32(size.height)
            try encoder.check(av_frame_get_buffer(converted, 64))
        }
        // Colors in a file are not premultiplied by alpha.
        let frame = self.format == AV_PIX_FMT_YUVA420P && frame.isPremultiplied ? try straight(frame) : frame
        guard let converter = converter?.raw, PlanarScaler.run(converter, frame, converted) else {
            throw AVError(
                .encodeFailed, at: location, reason: "a composed frame has the wrong pixel format")
        }
    }

    private func straight(_ frame: VideoFrame) throws(AVError) -> VideoFrame {
        do {
            return try VideoFrame.bgra(
                width: frame.width, height: frame.height, presentationTime: frame.presentationTime,
                duration: frame.duration,
                alpha: .straight
            ) { pixels, stride in
                guard let target = pixels.baseAddress else { return }
                frame.withAVFrame { source in
                    guard let data = source.pointee.data.0 else { return }
                    for y in 0..<frame.height {
                        let row = (target + y * stride).assumingMemoryBound(to: UInt32.self)
                        UnsafeMutableRawPointer(row).copyMemory(
                            from: data + y * Int(source.pointee.linesize.0), byteCount: frame.width * 4)
                        zt_pixels_unpremultiply(row, frame.width)
                    }
                }
            }
        } catch {
            throw error as? AVError ?? AVError(.unknown, at: location, reason: "\(error)")
        }
    }

    private func send(_ frame: UnsafeMutablePointer<AVFrame>?, _ deliver: Delivery) throws(AVError) {
        try encoder.send(frame) { packet throws(AVError) in
            if let duration = durations.removeValue(forKey: packet.pointee.pts) { packet.pointee.duration = duration }
            try deliver(packet)
        }
    }
}
