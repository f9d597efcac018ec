import CFFmpeg
import Foundation
import MediaCore

/// Frames from pixels in memory, for code that processes frames on the CPU, such as machine vision and custom effects.
extension VideoFrame {
    /// The maximum width and height of a frame that `bgra` creates, in pixels.
    package static var maximumSide: Int { 16384 }

    /// Creates an upright frame with square pixels from BGRA data.
    ///
    /// - Parameters:
    ///   - width: The width in pixels, from 1 to 16384.
    ///   - height: The height in pixels, from 1 to 16384.
    ///   - presentationTime: The time in the item's timeline, usually that of the frame from which the pixels are made.
    ///   - duration: The duration in the item's timeline; `.invalid` if unknown.
    ///   - hasAlpha: Whether the frame is transparent according to its alpha channel. The default is `false`.
    ///   - fill: Writes rows from the top, `bytesPerRow` bytes apart, with 8 bits each of blue, green, red and alpha.
    ///     Alpha is used only with `hasAlpha`; colors are not premultiplied. The memory is initially zero: black and
    ///     transparent.
    /// - Throws: `.invalidArgument` for a size out of range, `.unknown` if memory is exhausted, and errors of `fill`.
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
        guard (1...maximumSide).contains(width), (1...maximumSide).contains(height) else {
            throw AVError(
                .invalidArgument, at: "",
                reason:
                    "the frame size \(width) × \(height) is out of range: width and height must be 1 to \(maximumSide) pixels"
            )
        }
        let outOfMemory = AVError(
            .unknown, at: "", reason: "there is not enough memory for a frame of \(width) × \(height) pixels")
        // libswscale reads whole vectors, slightly beyond the last row.
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
