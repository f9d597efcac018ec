import CEGL
import Foundation
import MediaCore
import MediaEngine

/// A renderer of recipes with OpenGL, without a window. It must be used on the thread that created it.
final class TextureRenderer {
    // All OpenGL objects are freed together with the context.
    private let gl: OffscreenGL
    private let executor: RecipeExecutor
    private let source: SourceTexture
    private let target: GLuint
    private let framebuffer: GLuint
    private var targetKey: TexturePool.Key?

    /// - Throws: `.operationNotSupported` if the machine has no suitable OpenGL.
    init() throws(AVError) {
        // Threads of the driver inherit the name of the calling thread. They must not have the names of Zoetrope's
        // threads.
        let name = Thread.isMainThread ? nil : Thread.current.name
        if name != nil { Thread.current.name = "gl-driver" }
        defer { if let name { Thread.current.name = name } }
        gl = try OffscreenGL()
        isSoftware = zc_glIsSoftware() != 0
        executor = try RecipeExecutor()
        source = SourceTexture()
        target = zc_glGenTexture()
        framebuffer = zc_glGenFramebuffer()
        // Some drivers start threads with the first drawing.
        let pixel = CGRect(x: 0, y: 0, width: 1, height: 1)
        try draw(CIImage(recipe: .color(.one), extent: pixel), in: pixel, of: nil, from: nil, order: .rgba)
    }

    /// Whether OpenGL computes on the CPU.
    let isSoftware: Bool
    /// The number of drawings for the last image.
    var drawCount: Int { executor.drawCount }

    /// Draws `rect` of `image` and copies the result to `pixels`, in rows of `stride` bytes from the top.
    /// - Throws: The errors of `RecipeExecutor.draw`. `.operationNotSupported` for a pixel format that can't be
    ///   converted, or a size that exceeds that of a texture.
    func render(
        _ image: CIImage, in rect: CGRect, of frame: VideoFrame?, from source: SourcePixels,
        into pixels: UnsafeMutableRawPointer, stride: Int, order: PictureRenderer.Order
    ) throws(AVError) {
        try draw(image, in: rect, of: frame, from: source, order: order)
        guard zc_glTarget(framebuffer, target) != 0 else { return zc_glRelease() }
        if order == .floats {
            zc_glReadFloats(Int32(rect.width), Int32(rect.height), pixels.assumingMemoryBound(to: Float.self))
        } else {
            zc_glRead(Int32(rect.width), Int32(rect.height), Int32(stride), pixels)
        }
        zc_glRelease()
    }

    private func draw(
        _ image: CIImage, in rect: CGRect, of frame: VideoFrame?, from pixels: SourcePixels?,
        order: PictureRenderer.Order
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
        let isHalf = order == .floats
        let key = TexturePool.Key(width: Int(rect.width), height: Int(rect.height), isHalf: isHalf)
        if key != targetKey {
            zc_glAllocate(target, isHalf ? 1 : 0, Int32(key.width), Int32(key.height))
            targetKey = key
        }
        var loaded: RecipeExecutor.Source?
        if let frame, let pixels { loaded = try source.load(frame, from: pixels, maximumSize: limit) }
        try executor.draw(
            image, over: rect, source: loaded,
            into: RecipeExecutor.Target(texture: target, isTopDown: true, pixels: order.target))
    }
}

extension PictureRenderer.Order {
    fileprivate var target: RecipeExecutor.Target.Pixels {
        switch self {
        case .rgba, .floats: .rgba
        case .bgra: .bgra
        case .bgrx: .bgrx
        }
    }
}
