import CFFmpeg
import Foundation
import MediaCore

/// An encoder of frames as image files. libswscale converts, and libavcodec encodes.
enum ImageEncoder {
    /// Returns the frame as an image file. PNG keeps transparency; JPEG has none and uses a black background.
    static func encode(_ frame: VideoFrame, as format: ImageFormat) throws(AVError) -> Data {
        let size = frame.presentationSize
        let isSideways = frame.orientation.isSideways
        let width = side(isSideways ? size.height : size.width)
        let height = side(isSideways ? size.width : size.height)
        if frame.hasAlpha, format == .png {
            let flat = try frame.straight(width: width, height: height)
            // The pointer is valid only while its owner exists, and Swift may release the owner after its last use.
            defer { withExtendedLifetime(flat) {} }
            let colors = try OwnedFrame(width: width, height: height, format: AV_PIX_FMT_RGBA)
            try Conversion.run(from: UnsafePointer(flat.pointer), into: colors)
            return try compress(try colors.upright(from: frame.orientation), with: AV_CODEC_ID_PNG)
        }
        let flat = try OwnedFrame(width: width, height: height, format: AV_PIX_FMT_RGB24)
        if frame.hasAlpha {
            let black = try frame.overBlack(width: width, height: height)
            defer { withExtendedLifetime(black) {} }
            try Conversion.run(from: UnsafePointer(black.pointer), into: flat)
        } else {
            try frame.convert(into: flat)
        }
        let upright = try flat.upright(from: frame.orientation)
        defer { withExtendedLifetime(upright) {} }
        guard format == .jpeg else { return try compress(upright, with: AV_CODEC_ID_PNG) }
        let planar = try OwnedFrame(width: upright.width, height: upright.height, format: AV_PIX_FMT_YUVJ420P)
        try Conversion.run(from: UnsafePointer(upright.pointer), into: planar)
        planar.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        planar.pointer.pointee.quality = 3 * FF_QP2LAMBDA
        return try compress(planar, with: AV_CODEC_ID_MJPEG)
    }

    private static func side(_ length: Double) -> Int32 { max(1, Int32(saturating: length.rounded())) }

    /// Returns a copy of the frame that is scaled down to fit `limit`; the same frame if it already fits.
    static func scaled(_ frame: VideoFrame, toFit limit: CGSize) throws(AVError) -> VideoFrame {
        let size = frame.presentationSize
        let factor = min(
            1, limit.width > 0 ? limit.width / size.width : 1, limit.height > 0 ? limit.height / size.height : 1)
        guard factor < 1 else { return frame }
        let isSideways = frame.orientation.isSideways
        let width = side((isSideways ? size.height : size.width) * factor)
        let height = side((isSideways ? size.width : size.height) * factor)
        let small: OwnedFrame
        if frame.hasAlpha {
            small = try frame.straight(width: width, height: height)
        } else {
            small = try OwnedFrame(width: width, height: height, format: AV_PIX_FMT_RGB24)
            try frame.convert(into: small)
        }
        defer { withExtendedLifetime(small) {} }
        small.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        small.pointer.pointee.colorspace = AVCOL_SPC_RGB
        guard
            let result = VideoFrame(
                retaining: small.pointer, presentationTime: frame.presentationTime, duration: frame.duration,
                orientation: frame.orientation, pixelAspectRatio: 1)
        else { throw failure("there is not enough memory") }
        return result
    }

    private static func compress(_ frame: OwnedFrame, with id: AVCodecID) throws(AVError) -> Data {
        guard let codec = avcodec_find_encoder(id) else {
            throw AVError(
                .operationNotSupported, at: "", reason: "the installed FFmpeg has no encoder for this image format")
        }
        guard let encoder = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            let output = Owned<AVPacket>(av_packet_alloc())
        else { throw failure("there is not enough memory") }
        let context = encoder.raw
        let packet = output.raw
        context.pointee.width = frame.width
        context.pointee.height = frame.height
        context.pointee.pix_fmt = AVPixelFormat(frame.pointer.pointee.format)
        context.pointee.color_range = AVCOL_RANGE_JPEG
        context.pointee.time_base = AVRational(num: 1, den: 1)
        if id == AV_CODEC_ID_MJPEG {
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = 3 * FF_QP2LAMBDA
        }
        frame.pointer.pointee.pts = 0
        var rc = avcodec_open2(context, codec, nil)
        if rc >= 0 { rc = avcodec_send_frame(context, frame.pointer) }
        if rc >= 0 { rc = avcodec_send_frame(context, nil) }
        if rc >= 0 { rc = avcodec_receive_packet(context, packet) }
        guard rc >= 0, let bytes = packet.pointee.data else { throw failure(MediaSource.ffmpegText(rc)) }
        return Data(bytes: bytes, count: Int(packet.pointee.size))
    }

    static func failure(_ reason: String) -> AVError {
        AVError(.unknown, at: "", reason: "the image could not be encoded: " + reason)
    }
}

/// An `AVFrame` with its own pixels, which is freed with this object.
final class OwnedFrame {
    private let frame: Owned<AVFrame>
    var pointer: UnsafeMutablePointer<AVFrame> { frame.raw }
    var width: Int32 { pointer.pointee.width }
    var height: Int32 { pointer.pointee.height }

    init(width: Int32, height: Int32, format: AVPixelFormat) throws(AVError) {
        guard let frame = Owned<AVFrame>(av_frame_alloc()) else {
            throw ImageEncoder.failure("there is not enough memory")
        }
        frame.raw.pointee.width = width
        frame.raw.pointee.height = height
        frame.raw.pointee.format = format.rawValue
        let rc = av_frame_get_buffer(frame.raw, 0)
        guard rc >= 0 else { throw ImageEncoder.failure(MediaSource.ffmpegText(rc)) }
        self.frame = frame
    }

    /// Returns the RGB24 or RGBA image in display orientation. Returns the same object if it is already stored in
    /// display orientation.
    func upright(from orientation: PictureOrientation) throws(AVError) -> OwnedFrame {
        guard orientation != .upright else { return self }
        let w = Int(orientation.isSideways ? height : width)
        let h = Int(orientation.isSideways ? width : height)
        let result = try OwnedFrame(
            width: Int32(w), height: Int32(h), format: AVPixelFormat(pointer.pointee.format))
        let bytes = pointer.pointee.format == AV_PIX_FMT_RGBA.rawValue ? 4 : 3
        guard let from = pointer.pointee.data.0, let to = result.pointer.pointee.data.0 else { return self }
        let fromStride = Int(pointer.pointee.linesize.0)
        let toStride = Int(result.pointer.pointee.linesize.0)
        let steps = orientation.steps(width: Int(width), height: Int(height))
        let stored = Int(width)
        for y in 0..<h {
            for x in 0..<w {
                let pixelIndex = steps.first + x * steps.across + y * steps.down
                (to + y * toStride + x * bytes).update(
                    from: from + pixelIndex / stored * fromStride + pixelIndex % stored * bytes, count: bytes)
            }
        }
        return result
    }
}

/// A conversion of size, format, matrix, range and colors, by libswscale and, for HDR, a `ToneTable`.
enum Conversion {
    static func run(from frame: UnsafePointer<AVFrame>, into target: OwnedFrame) throws(AVError) {
        let color = PictureColor(frame)
        guard let map = color.toneMap else { return try scale(frame, color, into: target) }
        guard let deep = DeepPicture(width: Int(target.width), height: Int(target.height)) else {
            throw ImageEncoder.failure("there is not enough memory")
        }
        let scaler = try context(frame, color, width: target.width, height: target.height, format: DeepPicture.format)
        guard scaler.run(planes(frame), strides(frame), to: deep.planes, deep.strides) else {
            throw ImageEncoder.failure("libswscale failed")
        }
        let mapped = try OwnedFrame(width: target.width, height: target.height, format: AV_PIX_FMT_BGR0)
        guard let pixels = mapped.pointer.pointee.data.0 else {
            throw ImageEncoder.failure("there is not enough memory")
        }
        deep.map(by: ToneTable.shared(map), into: pixels, stride: Int(mapped.pointer.pointee.linesize.0))
        try scale(mapped.pointer, PictureColor(mapped.pointer), into: target)
    }

    private static func scale(_ frame: UnsafePointer<AVFrame>, _ color: PictureColor, into target: OwnedFrame)
        throws(AVError)
    {
        let scaler = try context(
            frame, color, width: target.width, height: target.height,
            format: AVPixelFormat(target.pointer.pointee.format))
        let to = planes(target.pointer).map { $0.map { UnsafeMutablePointer(mutating: $0) } }
        guard scaler.run(planes(frame), strides(frame), to: to, strides(target.pointer)) else {
            throw ImageEncoder.failure("libswscale failed")
        }
    }

    private static func context(
        _ frame: UnsafePointer<AVFrame>, _ color: PictureColor, width: Int32, height: Int32, format: AVPixelFormat
    ) throws(AVError) -> ScaleContext {
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        guard
            let context = ScaleContext(
                .init(
                    sourceWidth: frame.pointee.width, sourceHeight: frame.pointee.height,
                    sourceFormat: AVPixelFormat(frame.pointee.format),
                    width: width, height: height, format: format, color: color, flags: flags))
        else {
            throw ImageEncoder.failure("libswscale does not support the pixel format")
        }
        return context
    }

    private static func planes(_ frame: UnsafePointer<AVFrame>) -> [UnsafePointer<UInt8>?] {
        [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2, frame.pointee.data.3].map {
            $0.map { UnsafePointer($0) }
        }
    }

    private static func strides(_ frame: UnsafePointer<AVFrame>) -> [Int32] {
        [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2, frame.pointee.linesize.3]
    }
}

extension VideoFrame {
    /// Returns the frame as BGRA at another size, in stored orientation. Its colors are not multiplied by alpha.
    fileprivate func straight(width: Int32, height: Int32) throws(AVError) -> OwnedFrame {
        try drawn(width, height, AV_PIX_FMT_BGRA) {
            $0.drawStraight($1, width: Int(width), height: Int(height), into: $2, stride: $3)
        }
    }

    /// Returns the frame as BGR0 at another size, in stored orientation, over black.
    fileprivate func overBlack(width: Int32, height: Int32) throws(AVError) -> OwnedFrame {
        try drawn(width, height, AV_PIX_FMT_BGR0) {
            $0.draw($1, width: Int(width), height: Int(height), into: $2, stride: $3)
        }
    }

    private func drawn(
        _ width: Int32, _ height: Int32, _ format: AVPixelFormat,
        _ draw: (AlphaScaler, AlphaScaler.Source, UnsafeMutableRawPointer, Int) -> Bool
    ) throws(AVError) -> OwnedFrame {
        let target = try OwnedFrame(width: width, height: height, format: format)
        // `av_frame_get_buffer` pads each row by more bytes than libswscale writes beyond its end.
        guard let pixels = target.pointer.pointee.data.0 else {
            throw ImageEncoder.failure("there is not enough memory")
        }
        let scaler = AlphaScaler(
            flags: Int32(SWS_BICUBIC) | Int32(SWS_ACCURATE_RND) | Int32(SWS_FULL_CHR_H_INT) | Int32(SWS_FULL_CHR_H_INP))
        let done = withAVFrame {
            draw(
                scaler, AlphaScaler.Source($0, isPremultiplied: isPremultiplied), pixels,
                Int(target.pointer.pointee.linesize.0))
        }
        guard done else { throw ImageEncoder.failure("libswscale does not support the pixel format") }
        target.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        target.pointer.pointee.colorspace = AVCOL_SPC_RGB
        return target
    }

    func converted(into target: OwnedFrame) throws(AVError) { try convert(into: target) }

    fileprivate func convert(into target: OwnedFrame) throws(AVError) {
        let outcome = withAVFrame { frame -> Result<Void, AVError> in
            do throws(AVError) {
                try Conversion.run(from: frame, into: target)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }
}
