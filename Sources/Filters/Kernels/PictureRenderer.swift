import CEGL
import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// A renderer of recipes over video frames, without a window. Each thread has its own.
///
/// It draws for the CPU presenter, for Picture in Picture, snapshots and exports.
package final class PictureRenderer {
    // All OpenGL objects are freed together with the context.
    private let gl: OffscreenGL
    private let executor: RecipeExecutor
    private let source: SourceTexture
    private let target: GLuint
    private let framebuffer: GLuint
    private var targetKey: TexturePool.Key?

    /// Creates a renderer for the calling thread.
    /// - Throws: `.operationNotSupported` if the machine has no suitable OpenGL.
    package init() throws(AVError) {
        gl = try OffscreenGL()
        executor = try RecipeExecutor()
        source = SourceTexture()
        target = zc_glGenTexture()
        framebuffer = zc_glGenFramebuffer()
    }

    /// The number of drawings for the last image.
    package var drawCount: Int { executor.drawCount }

    /// Renders `image`, in which `.source` is `frame`, over the rectangle of the upright frame with square pixels.
    ///
    /// - Parameter size: The size of the rectangle and of the result, in pixels. Nil is the presentation size of
    ///   `frame`.
    /// - Returns: An upright frame with that size and the times of `frame`. Its format is premultiplied BGRA if `frame`
    ///   has alpha. Otherwise it is BGR0, and transparent parts are drawn over black.
    /// - Throws: The errors of `RecipeExecutor.draw`. `.operationNotSupported` for a pixel format that can't be
    ///   converted.
    package func render(_ image: CIImage, of frame: VideoFrame, size: (width: Int, height: Int)? = nil) throws(AVError)
        -> VideoFrame
    {
        let (width, height) = size ?? SourceTexture.size(of: frame)
        try draw(
            image, in: CGRect(x: 0, y: 0, width: width, height: height), of: frame, isHalf: false,
            pixels: frame.hasAlpha ? .bgra : .bgrx)
        guard let owned = Owned<AVFrame>(av_frame_alloc()) else { throw PictureRenderer.noMemory }
        let output = owned.raw
        _ = frame.withAVFrame { av_frame_copy_props(output, $0) }
        output.pointee.format = (frame.hasAlpha ? AV_PIX_FMT_BGRA : AV_PIX_FMT_BGR0).rawValue
        output.pointee.width = Int32(width)
        output.pointee.height = Int32(height)
        output.pointee.colorspace = AVCOL_SPC_RGB
        output.pointee.color_range = AVCOL_RANGE_JPEG
        output.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        guard av_frame_get_buffer(output, 0) >= 0, let pixels = output.pointee.data.0 else {
            throw PictureRenderer.noMemory
        }
        read(width, height, stride: Int(output.pointee.linesize.0), into: pixels)
        guard
            let result = VideoFrame(
                retaining: output, presentationTime: frame.presentationTime, duration: frame.duration,
                orientation: .upright, pixelAspectRatio: 1, isPremultiplied: frame.hasAlpha)
        else { throw PictureRenderer.noMemory }
        return result
    }

    /// Renders a part of `image` as pixels in memory.
    ///
    /// - Parameters:
    ///   - image: The recipe.
    ///   - rect: The part in Core Image's coordinates, rounded outward to whole pixels.
    ///   - frame: The frame that `.source` represents. If nil, `.source` is empty.
    func bitmap(of image: CIImage, in rect: CGRect, frame: VideoFrame? = nil) throws(AVError) -> ImageBitmap {
        let rect = rect.integral
        guard rect.isWithinPixelRange, rect.width >= 1, rect.height >= 1 else {
            throw AVError(.invalidArgument, at: "", reason: "the rectangle \(rect) can't be drawn")
        }
        try draw(image, in: rect, of: frame, isHalf: false, pixels: .rgba)
        let width = Int(rect.width)
        let height = Int(rect.height)
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        pixels.withUnsafeMutableBytes {
            if let base = $0.baseAddress { read(width, height, stride: width * 4, into: base) }
        }
        return ImageBitmap(width: width, height: height, pixels: pixels)
    }

    /// Renders as `bitmap(of:in:frame:)` does, without rounding to 8 bits: premultiplied RGBA values in rows from the
    /// top.
    package func values(of image: CIImage, in rect: CGRect, frame: VideoFrame? = nil) throws(AVError) -> [SIMD4<Float>]
    {
        let rect = rect.integral
        guard rect.isWithinPixelRange, rect.width >= 1, rect.height >= 1 else {
            throw AVError(.invalidArgument, at: "", reason: "the rectangle \(rect) can't be drawn")
        }
        try draw(image, in: rect, of: frame, isHalf: true, pixels: .rgba)
        var values = [SIMD4<Float>](repeating: .zero, count: Int(rect.width) * Int(rect.height))
        values.withUnsafeMutableBytes { raw in
            if zc_glTarget(framebuffer, target) != 0 {
                zc_glReadFloats(Int32(rect.width), Int32(rect.height), raw.bindMemory(to: Float.self).baseAddress)
            }
            zc_glRelease()
        }
        return values
    }

    private func draw(
        _ image: CIImage, in rect: CGRect, of frame: VideoFrame?, isHalf: Bool, pixels: RecipeExecutor.Target.Pixels
    ) throws(AVError) {
        try gl.makeCurrent()
        let limit = executor.maximumSize
        guard Int(rect.width) <= limit, Int(rect.height) <= limit else {
            throw AVError(
                .operationNotSupported, at: "",
                reason:
                    "the image has \(Int(rect.width))×\(Int(rect.height)) pixels, but textures on this computer have at most \(limit) pixels per side"
            )
        }
        let key = TexturePool.Key(width: Int(rect.width), height: Int(rect.height), isHalf: isHalf)
        if key != targetKey {
            zc_glAllocate(target, isHalf ? 1 : 0, Int32(key.width), Int32(key.height))
            targetKey = key
        }
        var loaded: RecipeExecutor.Source?
        if let frame { loaded = try source.load(frame, maximumSize: limit) }
        try executor.draw(
            image, over: rect, source: loaded,
            into: RecipeExecutor.Target(texture: target, isTopDown: true, pixels: pixels))
    }

    private func read(_ width: Int, _ height: Int, stride: Int, into pixels: UnsafeMutableRawPointer) {
        if zc_glTarget(framebuffer, target) != 0 { zc_glRead(Int32(width), Int32(height), Int32(stride), pixels) }
        zc_glRelease()
    }

    private static let noMemory = AVError(.unknown, at: "", reason: "there is not enough memory")
}
