import CFFmpeg
import Foundation
import MediaCore

/// One decoded picture, immutable, with the time it stands for.
///
/// Plays the role of `CVPixelBuffer` plus its timing. The pixels stay in the decoder's own buffers
/// (reference counted by libavutil); nothing is copied to make one. A frame that a graphics device decoded may still be
/// there: then its pixels are copied for the first who needs them.
public final class VideoFrame: Sendable {
    // Never written after init.
    private let frame: Owned<AVFrame>
    private var storage: UnsafeMutablePointer<AVFrame> { frame.raw }
    /// Of a frame that is on a graphics device.
    private let device: DevicePixels?
    /// The frame with its pixels in memory.
    private var inMemory: UnsafeMutablePointer<AVFrame> { device?.pixels(of: storage) ?? storage }

    /// Presentation time in the item's own timeline.
    public let presentationTime: CMTime
    /// How long the picture stands, in the item's timeline; never negative, `.invalid` if unknown.
    public let duration: CMTime
    /// Degrees clockwise the picture must be turned for display: 0, 90, 180 or 270; after mirroring, if
    /// `isMirrored`.
    public var rotation: Int { orientation.rotation }
    /// Whether left and right of the stored picture change places for display, before the turn.
    public var isMirrored: Bool { orientation.isMirrored }
    /// How the stored picture lies when it is displayed.
    package let orientation: PictureOrientation
    /// Width of a pixel over its height, from 1/20 to 20; 1 for square pixels and for what cannot be meant.
    public let pixelAspectRatio: Double

    /// Parts of it may be transparent: what lies behind the picture is to be seen there. By its pixel format; of
    /// pictures with a palette, whether they have such a pixel.
    package let hasAlpha: Bool
    /// Colours are multiplied by alpha already, as those that filters draw; decoders give straight ones.
    package let isPremultiplied: Bool

    /// Takes a new reference to `frame`; the caller keeps its own. Nil when out of memory.
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
        self.pixelAspectRatio = PixelAspect.believed(pixelAspectRatio)
    }

    /// Stored size in pixels, before rotation and pixel aspect.
    public var width: Int { Int(storage.pointee.width) }
    /// Stored height in pixels, before rotation and pixel aspect.
    public var height: Int { Int(storage.pointee.height) }

    /// Size for display in square pixels, after pixel aspect and rotation; a side is at most 65,535.
    public var presentationSize: CGSize {
        PictureLimits.presentationSize(
            width: width, height: height, pixelAspectRatio: pixelAspectRatio, orientation: orientation)
    }

    /// A copy in pages of its own without margins: nothing else holes the memory around it, and all of it goes back
    /// to the system with it. Nil when out of memory, or when the pixels are not in ours.
    package func compacted() -> VideoFrame? {
        let storage = inMemory
        let format = AVPixelFormat(storage.pointee.format)
        let alignment: Int32 = 32
        // Libswscale reads rows by whole vectors: a little past the last one.
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
        // Entries that nothing uses are often empty, which is transparent.
        guard let pixels = frame.pointee.data.0, let palette = frame.pointee.data.1 else { return false }
        let words = UnsafeRawPointer(palette)
        let isClear = (0..<256).map { words.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) >> 24 != 255 }
        guard isClear.contains(true) else { return false }
        let width = Int(frame.pointee.width)
        let stride = Int(frame.pointee.linesize.0)
        return (0..<Int(frame.pointee.height)).contains { y in
            UnsafeBufferPointer(start: pixels + y * stride, count: width).contains { isClear[Int($0)] }
        }
    }

    /// Memory the pixels take, bytes.
    package var byteCount: Int {
        Int(
            max(
                0,
                av_image_get_buffer_size(
                    AVPixelFormat(zt_frame_software_format(storage)), storage.pointee.width, storage.pointee.height, 32)
            ))
    }

    /// Its memory on the graphics device; nil: it is not on one, or not on one that shares memory.
    package func deviceMemory() -> DeviceMemory? {
        device == nil ? nil : withExtendedLifetime(self) { DeviceMemory(UnsafePointer(storage)) }
    }
    /// The frame's description, without its pixels where these are on a graphics device.
    package func withDescription<T>(_ body: (UnsafePointer<AVFrame>) throws -> T) rethrows -> T {
        try withExtendedLifetime(self) { try body(UnsafePointer(storage)) }
    }

    /// The frame itself with its pixels in memory, read only, valid while the closure runs.
    package func withAVFrame<T>(_ body: (UnsafePointer<AVFrame>) throws -> T) rethrows -> T {
        try withExtendedLifetime(self) { try body(UnsafePointer(inMemory)) }
    }
}
