import CFFmpeg
import Foundation
import MediaCore

/// A decoded frame with its presentation time. Immutable.
///
/// A frame corresponds to a `CVPixelBuffer` with its timing. Its pixels stay in the reference-counted buffers of the
/// decoder; nothing is copied. A frame that was decoded on a graphics device may stay there. Its pixels are then copied
/// when they are first needed.
public final class VideoFrame: Sendable {
    // The frame is never written after initialization, so threads can share it.
    private let frame: Owned<AVFrame>
    private var storage: UnsafeMutablePointer<AVFrame> { frame.raw }
    /// The copy in memory of a frame on a graphics device; `nil` for other frames.
    private let device: DevicePixels?
    /// The frame with its pixels in memory.
    private var inMemory: UnsafeMutablePointer<AVFrame> { device?.pixels(of: storage) ?? storage }

    /// The presentation time in the item's timeline.
    public let presentationTime: CMTime
    /// The duration for which the frame is displayed, in the item's timeline; `.invalid` if unknown. The duration of a
    /// decoded frame is greater than 0.
    public let duration: CMTime
    /// The clockwise rotation for display in degrees: 0, 90, 180 or 270. It is applied after mirroring if `isMirrored`
    /// is `true`.
    public var rotation: Int { orientation.rotation }
    /// Whether left and right of the stored frame are swapped for display, before the rotation.
    public var isMirrored: Bool { orientation.isMirrored }
    /// The orientation in which the stored frame is displayed.
    package let orientation: PictureOrientation
    /// The width of a pixel divided by its height, from 1/20 to 20; 1 for square pixels and for implausible values.
    public let pixelAspectRatio: Double

    /// Whether the frame may have transparent parts, according to its pixel format. For a frame with a palette, whether
    /// it has a transparent pixel.
    package let hasAlpha: Bool
    /// Whether colors are premultiplied by alpha, as in frames that filters draw. Decoders return straight colors.
    package let isPremultiplied: Bool

    /// Creates a frame with a new reference to `frame`; the caller keeps its own. Returns `nil` if memory is exhausted.
    package init?(
        retaining frame: UnsafePointer<AVFrame>, presentationTime: CMTime, duration: CMTime,
        orientation: PictureOrientation, pixelAspectRatio: Double, isPremultiplied: Bool = false
    ) {
        guard let copy = Owned<AVFrame>(av_frame_clone(frame)) else { return nil }
        device = frame.pointee.hw_frames_ctx == nil ? nil : DevicePixels()
        self.frame = copy
        hasAlpha = VideoFrame.hasAlpha(frame)
        self.isPremultiplied = isPremultiplied && hasAlpha
        self.presentationTime = presentationTime
        self.duration = duration
        self.orientation = orientation
        self.pixelAspectRatio = PixelAspect.plausible(pixelAspectRatio)
    }

    /// The stored width in pixels, before rotation and pixel aspect ratio.
    public var width: Int { Int(storage.pointee.width) }
    /// The stored height in pixels, before rotation and pixel aspect ratio.
    public var height: Int { Int(storage.pointee.height) }

    /// The size for display in square pixels, after pixel aspect ratio and rotation. A side has at most 65,535 pixels.
    public var presentationSize: CGSize {
        PictureLimits.presentationSize(
            width: width, height: height, pixelAspectRatio: pixelAspectRatio, orientation: orientation)
    }

    /// Returns a copy without margins in memory pages of its own. It does not fragment other memory, and all of it is
    /// returned to the system when it is released. Returns `nil` if memory is exhausted, or the pixels cannot be copied
    /// to memory.
    package func compacted() -> VideoFrame? {
        let storage = inMemory
        let format = AVPixelFormat(storage.pointee.format)
        let alignment: Int32 = 32
        // libswscale reads whole vectors, slightly beyond the last row.
        let slack = 64
        let size = av_image_get_buffer_size(format, storage.pointee.width, storage.pointee.height, alignment)
        guard storage.pointee.hw_frames_ctx == nil, size > 0, let owned = Owned<AVFrame>(av_frame_alloc()),
            let buffer = zt_buffer_mapped(Int(size) + slack)
        else { return nil }
        let copy = owned.raw
        copy.pointee.buf.0 = buffer
        copy.pointee.format = storage.pointee.format
        copy.pointee.width = storage.pointee.width
        copy.pointee.height = storage.pointee.height
        guard av_frame_copy_props(copy, storage) >= 0,
            zt_frame_fill(copy, alignment) >= 0, av_frame_copy(copy, storage) >= 0
        else { return nil }
        return VideoFrame(
            retaining: copy, presentationTime: presentationTime, duration: duration, orientation: orientation,
            pixelAspectRatio: pixelAspectRatio,
            isPremultiplied: isPremultiplied)
    }

    private static func hasAlpha(_ frame: UnsafePointer<AVFrame>) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format)) else { return false }
        let flags = descriptor.pointee.flags
        guard flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 else { return flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 }
        // Unused palette entries are often empty, which is transparent, so the pixels are checked too.
        guard let pixels = frame.pointee.data.0, let palette = frame.pointee.data.1 else { return false }
        let entries = UnsafeRawPointer(palette)
        let isClear = (0..<256).map { entries.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) >> 24 != 255 }
        guard isClear.contains(true) else { return false }
        let width = Int(frame.pointee.width)
        let stride = Int(frame.pointee.linesize.0)
        return (0..<Int(frame.pointee.height)).contains { y in
            UnsafeBufferPointer(start: pixels + y * stride, count: width).contains { isClear[Int($0)] }
        }
    }

    /// The memory of the pixels in bytes.
    package var byteCount: Int {
        Int(
            max(
                0,
                av_image_get_buffer_size(
                    AVPixelFormat(zt_frame_software_format(storage)), storage.pointee.width, storage.pointee.height, 32)
            ))
    }

    /// Returns the frame's memory on the graphics device; `nil` if it is not on one, or the device cannot share it.
    package func deviceMemory() -> DeviceMemory? {
        device == nil ? nil : withExtendedLifetime(self) { DeviceMemory(UnsafePointer(storage)) }
    }
    /// Calls `body` with the frame's description, which has no pixels if these are on a graphics device.
    package func withDescription<T>(_ body: (UnsafePointer<AVFrame>) throws -> T) rethrows -> T {
        try withExtendedLifetime(self) { try body(UnsafePointer(storage)) }
    }

    /// Calls `body` with the frame and its pixels in memory, which are read-only and valid while `body` runs.
    package func withAVFrame<T>(_ body: (UnsafePointer<AVFrame>) throws -> T) rethrows -> T {
        try withExtendedLifetime(self) { try body(UnsafePointer(inMemory)) }
    }
}
