import CEGL
import CFFmpeg
import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine

/// A presenter that draws frames with OpenGL: `YUVShader` converts planes in textures to a texture of device size,
/// which GTK shows.
///
/// The presenter has its own context, which shares objects with GTK's context. A frame with alpha is first drawn in its
/// own size with premultiplied alpha, and then scaled. Otherwise the colors of transparent pixels would bleed into
/// visible ones.
///
/// Not yet tested on a GPU, only with Mesa's software renderer.
@MainActor
final class GLPresenter {
    private let context: GTKReference<GDKGLContext>
    private let shader: YUVShader
    /// The most bits per sample that textures can have. Frames with more bits are converted on the CPU.
    private let maximumDepth: Int
    /// The maximum width and height of a texture, in pixels. Larger frames are converted and scaled on the CPU.
    private let maximumSize: Int
    private let vertexArray: GLuint
    private let framebuffer: GLuint
    private let planes: [GLuint]
    private var tone: ToneLookup
    /// The textures that GTK shows, which are reused when GTK releases them.
    private let pool = TexturePool()
    /// The result of `flatten`, unless that result is in the first plane.
    private var flat: FlatTexture
    private var converted = ConvertedFrame()
    private let device: DeviceTextures?
    private var hdr = HDRColors()

    /// Creates a presenter for a surface.
    ///
    /// Returns nil if there is no OpenGL. Also returns nil if OpenGL is emulated and was not requested by name, because
    /// the CPU presenter is then faster.
    init?(surface: GDKSurface) {
        guard let context = GDKGLContext.make(on: surface) else { return nil }
        context.object.makeCurrent()
        defer { GDKGLContext.clearCurrent() }
        guard zc_glIsSoftware() == 0 || Renderer.requested == .gl, let shader = YUVShader(isES: context.object.isES)
        else { return nil }
        self.context = context
        self.shader = shader
        maximumDepth = zc_glHas16Bits() != 0 ? 16 : 8
        maximumSize = Int(zc_glInteger(zc_maxTextureSize))
        vertexArray = zc_glGenVertexArray()
        framebuffer = zc_glGenFramebuffer()
        planes = (0..<4).map { _ in zc_glGenTexture() }
        flat = FlatTexture()
        tone = ToneLookup()
        device = DeviceTextures(surface.display)
    }

    func close() {
        context.object.makeCurrent()
        defer { GDKGLContext.clearCurrent() }
        for plane in planes { zc_glDeleteTexture(plane) }
        tone.delete()
        flat.delete()
        // GTK may still show textures. The context exists until GTK has released them.
        pool.close { [context] texture in
            MainActor.assumeIsolated { context.object.whileCurrent { zc_glDeleteTexture(texture) } }
        }
        zc_glDeleteFramebuffer(framebuffer)
        zc_glDeleteVertexArray(vertexArray)
        shader.close()
    }

    /// Returns a texture of `frame` with a placement, or nil if drawing fails. The caller owns the reference.
    func texture(for frame: VideoFrame, placement: VideoPlacement) -> OpaquePointer? {
        guard placement.width > 0, placement.height > 0 else { return nil }
        if let texture = device?.texture(for: frame, placement: placement) { return texture }
        context.object.makeCurrent()
        defer { GDKGLContext.clearCurrent() }
        hdr.begin()
        guard let program = frame.hasAlpha ? flatten(frame, placement) : upload(frame, placement) else { return nil }
        let size = TexturePool.Key(width: placement.width, height: placement.height, isHalf: hdr.areUsed)
        pool.keepOnly(size)
        defer { pool.trim() }
        let target = pool.acquire(size)
        guard zc_glTarget(framebuffer, target.name) != 0 else {
            guard hdr.areUsed else { return nil }
            hdr.giveUp()
            return texture(for: frame, placement: placement)
        }
        if frame.hasAlpha {
            zc_glBindTexture(0, 0, flat.isUsed ? flat.name : planes[0])
            zc_glInt(zc_glLocation(program, "plane0"), 0)
        } else {
            bindPlanes(program)
        }
        draw(width: placement.width, height: placement.height)
        // GTK's context sees only completed drawings (OpenGL 4.6, 5.3).
        zc_glFinish()
        return context.object.texture(
            target.name, width: placement.width, height: placement.height, colors: hdr.used, keeping: target)
    }

    /// Draws the whole target.
    private func draw(width: Int, height: Int) {
        zc_glDraw(vertexArray, 0, 0, Int32(width), Int32(height))
        zc_glRelease()
    }

    private func bindPlanes(_ program: GLuint) {
        for (unit, plane) in planes.enumerated() {
            zc_glBindTexture(Int32(unit), 0, plane)
            zc_glInt(zc_glLocation(program, "plane\(unit)"), Int32(unit))
        }
    }

    /// Prepares a frame with alpha, and returns the active program that scales it to its placement.
    private func flatten(_ frame: VideoFrame, _ p: VideoPlacement) -> GLuint? {
        flat.begin()
        guard frame.withAVFrame({ isPlanarWithAlpha(AVPixelFormat($0.pointee.format)) }) else {
            return uploadConverted(frame, p)
        }
        guard let first = upload(frame, p) else { return nil }
        flat.allocate(frame.width, frame.height)
        guard zc_glTarget(framebuffer, flat.name) != 0 else { return nil }
        var whole: [Float] = [0, 0, 1, 1]
        set(.upright, first)
        zc_glFloats(zc_glLocation(first, "crop"), 4, &whole)
        bindPlanes(first)
        draw(width: frame.width, height: frame.height)
        guard let program = shader.program(.readyRGBA, isToned: false) else { return nil }
        flat.use()
        var crop = [p.cropX, p.cropY, p.cropWidth, p.cropHeight].map(Float.init)
        zc_glUseProgram(program)
        set(frame.orientation, program)
        zc_glFloats(zc_glLocation(program, "crop"), 4, &crop)
        return program
    }

    /// Returns whether `upload` can upload a format that has alpha.
    private func isPlanarWithAlpha(_ format: AVPixelFormat) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(format) else { return false }
        let flags = descriptor.pointee.flags
        return flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0 && flags & UInt64(AV_PIX_FMT_FLAG_BE) == 0
            && flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
            && descriptor.pointee.nb_components == 4 && av_pix_fmt_count_planes(format) == 4
            && descriptor.pointee.comp.0.depth <= maximumDepth
    }

    /// Uploads a frame, and returns the active program that draws it.
    private func upload(_ frame: VideoFrame, _ p: VideoPlacement) -> GLuint? {
        frame.withAVFrame { avFrame -> GLuint? in
            let format = AVPixelFormat(avFrame.pointee.format)
            guard let descriptor = av_pix_fmt_desc_get(format) else { return nil }
            let depth = Int(descriptor.pointee.comp.0.depth)
            let count = Int(av_pix_fmt_count_planes(format))
            let flags = descriptor.pointee.flags
            let isYUV =
                flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0 && flags & UInt64(AV_PIX_FMT_FLAG_BE) == 0
                && descriptor.pointee.nb_components == 3
            let hasAlpha = isPlanarWithAlpha(format)
            let isPlanar = isYUV && count == 3 || hasAlpha
            // In the other order (NV21), red and blue would be exchanged.
            let isSemiPlanar =
                isYUV && count == 2 && descriptor.pointee.comp.1.offset < descriptor.pointee.comp.2.offset
            var offset: [Float] = [0, 0, 0, 1]
            var siting: [Float] = [0, 0, 0, 0]
            var crop = [p.cropX, p.cropY, p.cropWidth, p.cropHeight].map(Float.init)
            guard isPlanar || isSemiPlanar, depth <= maximumDepth, max(frame.width, frame.height) <= maximumSize
            else { return uploadConverted(frame, p) }
            let bytes = depth > 8 ? 2 : 1
            let shiftX = Int(descriptor.pointee.log2_chroma_w)
            let shiftY = Int(descriptor.pointee.log2_chroma_h)
            let chromaWidth = (frame.width + (1 << shiftX) - 1) >> shiftX
            let chromaHeight = (frame.height + (1 << shiftY) - 1) >> shiftY
            let data = [avFrame.pointee.data.0, avFrame.pointee.data.1, avFrame.pointee.data.2, avFrame.pointee.data.3]
            let strides = [
                avFrame.pointee.linesize.0, avFrame.pointee.linesize.1, avFrame.pointee.linesize.2,
                avFrame.pointee.linesize.3,
            ]
            for plane in 0..<count {
                guard let samples = data[plane], strides[plane] > 0 else { return nil }
                zc_glBindTexture(Int32(plane), 0, planes[plane])
                let isWhole = plane == 0 || plane == 3
                zc_glUploadPlane(
                    Int32(isWhole ? frame.width : chromaWidth), Int32(isWhole ? frame.height : chromaHeight),
                    strides[plane], Int32(bytes), isSemiPlanar && plane == 1 ? 2 : 1, samples)
            }
            let color = PictureColor(avFrame)
            let weights = color.weights
            let conversion = YUVShader.conversion(
                kr: weights.kr, kb: weights.kb, isFullRange: color.isFullRange, depth: depth)
            for index in 0..<3 { offset[index] = conversion.offset[index] }
            // P010 and similar formats store their bits at the top of the word, planar formats at the bottom.
            let isHigh = descriptor.pointee.comp.0.shift > 0
            offset[3] = bytes == 1 ? 1 : Float(65535) / Float(((1 << depth) - 1) << (isHigh ? 16 - depth : 0))
            // The center of a chroma sample is `chromaX` to the right of the center of its first luma sample. For odd
            // sizes, the chroma plane extends beyond the frame.
            func chromaMapping(_ chroma: Int, _ shift: Int, _ size: Int, _ count: Int) -> (offset: Float, scale: Float)
            {
                guard shift > 0 else { return (0, 1) }
                let step = Float(1 << shift)
                return ((0.5 - (0.5 + Float(chroma) / 256) / step) / Float(count), Float(size) / (step * Float(count)))
            }
            let across = chromaMapping(color.chromaX, shiftX, frame.width, chromaWidth)
            let down = chromaMapping(color.chromaY, shiftY, frame.height, chromaHeight)
            siting = [across.offset, down.offset, across.scale, down.scale]
            let isToned = hdr.mapsTones(color.toneMap, hasAlpha: frame.hasAlpha)
            guard
                let program = shader.program(
                    hasAlpha ? .planarAlpha : isSemiPlanar ? .semiPlanar : .planar, isToned: isToned)
            else { return nil }
            zc_glUseProgram(program)
            if isToned, let map = color.toneMap { tone.prepare(map, program, unit: planes.count) }
            set(frame.orientation, program)
            zc_glFloats(zc_glLocation(program, "crop"), 4, &crop)
            zc_glFloats(zc_glLocation(program, "offset"), 4, &offset)
            zc_glFloats(zc_glLocation(program, "siting"), 4, &siting)
            var matrix = conversion.matrix
            zc_glMatrix(zc_glLocation(program, "matrix"), 3, &matrix)
            return program
        }
    }

    private func set(_ orientation: PictureOrientation, _ program: GLuint) {
        zc_glInt(zc_glLocation(program, "turns"), Int32(orientation.quarterTurns))
        zc_glInt(zc_glLocation(program, "mirrored"), orientation.isMirrored ? 1 : 0)
    }

    /// Converts, scales and rotates a frame on the CPU, for formats that the shader does not read.
    private func uploadConverted(_ frame: VideoFrame, _ p: VideoPlacement) -> GLuint? {
        converted.draw(frame, p) { base, stride in
            guard let program = shader.program(frame.hasAlpha ? .readyRGBA : .readyRGB, isToned: false) else {
                return nil
            }
            zc_glBindTexture(0, 0, planes[0])
            zc_glUploadPlane(Int32(p.width), Int32(p.height), Int32(stride), 1, 4, base)
            var whole: [Float] = [0, 0, 1, 1]
            zc_glUseProgram(program)
            set(.upright, program)
            zc_glFloats(zc_glLocation(program, "crop"), 4, &whole)
            return program
        }
    }
}
