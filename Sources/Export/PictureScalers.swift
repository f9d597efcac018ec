import CFFmpeg
import MediaCore
import MediaEngine

/// A scaler from 8-bit YUV to 4:2:0 that does not convert to RGB.
final class PlanarScaler {
    private var context: Owned<SwsScaler>?
    private var setup: [Int32] = []

    /// Returns `frame` in YUV420P, scaled to `size`.
    ///
    /// Returns nil if the frame needs conversion through RGB: rotated frames, another matrix or range, more than 8
    /// bits.
    func scale(_ frame: VideoFrame, to size: (width: Int, height: Int)) -> VideoFrame? {
        guard frame.orientation == .upright, ExportColors(height: size.height).match(frame) else { return nil }
        let format = frame.withAVFrame { AVPixelFormat($0.pointee.format) }
        guard [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_NV12].contains(format) else {
            return nil
        }
        if format == AV_PIX_FMT_YUV420P, frame.width == size.width, frame.height == size.height { return frame }
        let wanted = [Int32(frame.width), Int32(frame.height), format.rawValue, Int32(size.width), Int32(size.height)]
        if wanted != setup || context == nil {
            let isReduction = size.width < frame.width || size.height < frame.height
            context = Owned(
                sws_getContext(
                    wanted[0], wanted[1], format, wanted[3], wanted[4], AV_PIX_FMT_YUV420P,
                    Int32(isReduction ? SWS_AREA : SWS_BICUBIC), nil, nil, nil))
            setup = wanted
        }
        guard let context = context?.raw, let made = Owned<AVFrame>(av_frame_alloc()) else { return nil }
        let target = made.raw
        target.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        target.pointee.width = wanted[3]
        target.pointee.height = wanted[4]
        guard av_frame_get_buffer(target, 64) >= 0, Self.run(context, frame, target) else { return nil }
        return VideoFrame(
            retaining: target, presentationTime: frame.presentationTime, duration: frame.duration,
            orientation: .upright, pixelAspectRatio: 1)
    }

    /// Runs `sws_scale` on a whole frame.
    /// - Returns: False if libswscale fails.
    static func run(_ context: OpaquePointer, _ frame: VideoFrame, _ target: UnsafeMutablePointer<AVFrame>) -> Bool {
        frame.withAVFrame { source in
            let d = source.pointee.data
            let s = source.pointee.linesize
            let from: [UnsafePointer<UInt8>?] = [d.0, d.1, d.2, d.3].map { $0.map { UnsafePointer($0) } }
            let t = target.pointee.data
            let u = target.pointee.linesize
            let to: [UnsafeMutablePointer<UInt8>?] = [t.0, t.1, t.2, t.3]
            return sws_scale(context, from, [s.0, s.1, s.2, s.3], 0, source.pointee.height, to, [u.0, u.1, u.2, u.3])
                > 0
        }
    }
}

/// A converter and scaler to RGB that uses libswscale's exact arithmetic. Frames are not rotated.
///
/// libswscale's fast arithmetic makes white three code values darker, which is acceptable on a screen but not in a
/// file.
final class PreciseScaler {
    private var context: ScaleContext?

    /// Returns `frame` in BGR0, scaled to `size`, with the same orientation.
    ///
    /// Returns nil for HDR frames, which need tone mapping, for frames with alpha, and for formats that libswscale
    /// can't convert.
    func scale(_ frame: VideoFrame, to size: (width: Int, height: Int)) -> VideoFrame? {
        let (format, color) = frame.withAVFrame { (AVPixelFormat($0.pointee.format), PictureColor($0)) }
        guard color.toneMap == nil, !frame.hasAlpha else { return nil }
        let isReduction = size.width < frame.width || size.height < frame.height
        let setup = ScaleContext.Setup(
            sourceWidth: Int32(frame.width), sourceHeight: Int32(frame.height), sourceFormat: format,
            width: Int32(size.width), height: Int32(size.height), format: AV_PIX_FMT_BGR0, color: color,
            flags: Int32(isReduction ? SWS_AREA : SWS_BICUBIC) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT)
        if context?.setup != setup { context = ScaleContext(setup) }
        guard let context, let made = Owned<AVFrame>(av_frame_alloc()) else { return nil }
        let target = made.raw
        target.pointee.format = AV_PIX_FMT_BGR0.rawValue
        target.pointee.width = setup.width
        target.pointee.height = setup.height
        target.pointee.colorspace = AVCOL_SPC_RGB
        target.pointee.color_range = AVCOL_RANGE_JPEG
        guard av_frame_get_buffer(target, 64) >= 0 else { return nil }
        let done = frame.withAVFrame { source in
            let d = source.pointee.data
            let s = source.pointee.linesize
            let t = target.pointee.data
            let u = target.pointee.linesize
            return context.run(
                [d.0, d.1, d.2, d.3].map { $0.map { UnsafePointer($0) } }, [s.0, s.1, s.2, s.3],
                to: [t.0, t.1, t.2, t.3], [u.0, u.1, u.2, u.3])
        }
        guard done else { return nil }
        return VideoFrame(
            retaining: target, presentationTime: frame.presentationTime, duration: frame.duration,
            orientation: frame.orientation, pixelAspectRatio: 1)
    }
}
