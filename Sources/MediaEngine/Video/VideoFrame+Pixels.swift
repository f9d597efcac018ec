import CFFmpeg
import Foundation
import MediaCore

/// Pixels to read and to write, for code that works on pictures by the CPU: machine vision, effects of one's own.
extension VideoFrame {
    /// A picture of ready pixels, upright, with square pixels.
    ///
    /// - Parameters:
    ///   - width: pixels, 1…16384; `height` likewise.
    ///   - presentationTime: in the item's timeline; those of the picture it is made from, usually.
    ///   - hasAlpha: what lies behind the video is seen where alpha says so. Default: no.
    ///   - fill: writes rows from the top, `bytesPerRow` bytes apart: blue, green, red, alpha of 8 bits each. Alpha is
    ///     looked at only with `hasAlpha`; colours are not multiplied by it. The memory is black at first, and clear.
    /// - Throws: `.invalidArgument` for a size out of range, `.unknown` when out of memory; what `fill` throws.
    public static func bgra(
        width: Int, height: Int, presentationTime: CMTime, duration: CMTime = .invalid, hasAlpha: Bool = false,
        fill: (_ pixels: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws -> Void
    ) throws -> VideoFrame {
        try bgra(
            width: width, height: height, presentationTime: presentationTime, duration: duration,
            alpha: hasAlpha ? .straight : .none, fill: fill)
    }

    package enum Alpha: Sendable { case none, straight, premultiplied }

    package static func bgra(
        width: Int, height: Int, presentationTime: CMTime, duration: CMTime, alpha: Alpha,
        fill: (_ pixels: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws -> Void
    ) throws -> VideoFrame {
        guard (1...16384).contains(width), (1...16384).contains(height) else {
            throw AVError(
                .invalidArgument, at: "",
                reason:
                    "the frame size \(width) × \(height) is out of range: width and height must be 1 to 16384 pixels")
        }
        let outOfMemory = AVError(
            .unknown, at: "", reason: "there is not enough memory for a frame of \(width) × \(height) pixels")
        // Libswscale reads rows by whole vectors, a little past the last one.
        let stride = (width * 4 + 63) & ~63
        let slack = 64
        guard let frame = Owned<AVFrame>(av_frame_alloc()),
            let buffer = zt_buffer_mapped(stride * height + slack)
        else { throw outOfMemory }
        let raw = frame.raw
        raw.pointee.buf.0 = buffer
        guard let data = buffer.pointee.data else { throw outOfMemory }
        raw.pointee.data.0 = data
        raw.pointee.linesize.0 = Int32(stride)
        raw.pointee.format = (alpha == .none ? AV_PIX_FMT_BGR0 : AV_PIX_FMT_BGRA).rawValue
        raw.pointee.width = Int32(width)
        raw.pointee.height = Int32(height)
        raw.pointee.colorspace = AVCOL_SPC_RGB
        raw.pointee.color_range = AVCOL_RANGE_JPEG
        raw.pointee.color_trc = AVCOL_TRC_IEC61966_2_1
        raw.pointee.color_primaries = AVCOL_PRI_BT709
        try fill(UnsafeMutableRawBufferPointer(start: data, count: stride * height), stride)
        guard
            let made = VideoFrame(
                retaining: raw, presentationTime: presentationTime, duration: duration, orientation: .upright,
                pixelAspectRatio: 1,
                isPremultiplied: alpha == .premultiplied)
        else {
            throw outOfMemory
        }
        return made
    }
}
