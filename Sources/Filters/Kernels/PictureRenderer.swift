import CFFmpeg
import Foundation
import MediaCore
import MediaEngine
import Synchronization

/// A renderer of recipes over video frames, without a window. Each thread has its own.
///
/// It draws for the CPU presenter, for Picture in Picture, snapshots and exports. With a graphics device, it draws with
/// OpenGL. Without one, it draws on the processor, and loads OpenGL only for a recipe with a kernel that exists only as a
/// shader.
package final class PictureRenderer {
    /// How pixels are stored, in rows from the top.
    enum Order {
        case rgba, bgra
        /// Opaque over black.
        case bgrx
        /// Four floats in the order of `rgba`.
        case floats
    }
    private let thread = pthread_self()
    private let source = SourcePixels()
    private let pixels: PixelExecutor?
    private var textures: TextureRenderer?
    /// The number of drawings for the last image.
    package private(set) var drawCount = 0

    /// Creates a renderer for the calling thread.
    /// - Parameter renderer: Whether recipes are drawn with OpenGL, or on the processor as far as possible. Nil is the
    ///   renderer of the process; if no driver can use its graphics device, recipes are drawn on the processor.
    /// - Throws: `.operationNotSupported` if OpenGL is requested and the machine has none that is suitable.
    package init(_ renderer: Renderer? = nil) throws(AVError) {
        let isRequested = renderer == .gl || Renderer.requested == .gl
        if (renderer ?? .chosen) == .gl, isRequested || !PictureRenderer.lacksDriver.load(ordering: .relaxed) {
            do throws(AVError) {
                let fresh = try TextureRenderer()
                if isRequested || !fresh.isSoftware { textures = fresh }
            } catch {
                if isRequested { throw error }
            }
            if textures == nil { PictureRenderer.lacksDriver.store(true, ordering: .relaxed) }
        }
        pixels = textures == nil ? PixelExecutor() : nil
    }

    /// Whether no driver can use the graphics device.
    private static let lacksDriver = Atomic<Bool>(false)

    /// Whether OpenGL was loaded.
    package var usesOpenGL: Bool { textures != nil }

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
        let (width, height) = size ?? SourcePixels.size(of: frame)
        guard let owned = Owned<AVFrame>(av_frame_alloc()) else { throw PictureRenderer.noMemory }
        let output = owned.raw
        _ = frame.withAVFrame { av_frame_copy_props(output, $0) }
        output.pointee.format = (frame.hasAlpha ? AV_PIX_FMT_BGRA : AV_PIX_FMT_BGR0).rawValue
        output.pointee.width = Int32(width)
        output.pointee.height = Int32(height)
        output.pointee.colorspace = AVCOL_SPC_RGB
        output.pointee.color_range = AVCOL_RANGE_JPEG
        output.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        guard av_frame_get_buffer(output, 0) >= 0, let target = output.pointee.data.0 else {
            throw PictureRenderer.noMemory
        }
        try draw(
            image, in: CGRect(x: 0, y: 0, width: width, height: height), of: frame, into: target,
            stride: Int(output.pointee.linesize.0), order: frame.hasAlpha ? .bgra : .bgrx)
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
        let rect = try PictureRenderer.drawable(rect)
        var pixels = [UInt8](repeating: 0, count: Int(rect.width) * Int(rect.height) * 4)
        try draw(image, in: rect, of: frame, into: &pixels, stride: Int(rect.width) * 4, order: .rgba)
        return ImageBitmap(width: Int(rect.width), height: Int(rect.height), pixels: pixels)
    }

    /// Renders as `bitmap(of:in:frame:)` does, without rounding to 8 bits: premultiplied RGBA values in rows from the
    /// top.
    package func values(of image: CIImage, in rect: CGRect, frame: VideoFrame? = nil) throws(AVError) -> [SIMD4<Float>]
    {
        let rect = try PictureRenderer.drawable(rect)
        var values = [SIMD4<Float>](repeating: .zero, count: Int(rect.width) * Int(rect.height))
        try draw(image, in: rect, of: frame, into: &values, stride: Int(rect.width) * 16, order: .floats)
        return values
    }

    private static func drawable(_ rect: CGRect) throws(AVError) -> CGRect {
        let rect = rect.integral
        guard rect.isWithinPixelRange, rect.width >= 1, rect.height >= 1 else {
            throw AVError(.invalidArgument, at: "", reason: "the rectangle \(rect) can't be drawn")
        }
        return rect
    }

    private func draw(
        _ image: CIImage, in rect: CGRect, of frame: VideoFrame?, into target: UnsafeMutableRawPointer, stride: Int,
        order: Order
    ) throws(AVError) {
        guard pthread_equal(pthread_self(), thread) != 0 else {
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the renderer is used on another thread than the one that created it",
                suggestion: "Create a renderer for each thread")
        }
        if let pixels, try pixels.draw(image, over: rect, of: frame, from: source, into: target, stride: stride, order)
        {
            drawCount = pixels.drawCount
            return
        }
        let textures = try loadedTextures()
        try textures.render(image, in: rect, of: frame, from: source, into: target, stride: stride, order: order)
        drawCount = textures.drawCount
    }

    private func loadedTextures() throws(AVError) -> TextureRenderer {
        if let textures { return textures }
        let fresh = try TextureRenderer()
        textures = fresh
        return fresh
    }

    private static let noMemory = AVError(.unknown, at: "", reason: "there is not enough memory")
}
