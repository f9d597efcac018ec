import CEGL
import Foundation
import MediaCore

/// An executor that draws recipes in the current OpenGL context: GTK's on a graphics device, or a context without a
/// window.
///
/// Consecutive color steps are one shader, together with the general kernel before them. Parts that are used twice are
/// drawn once, and only visible parts are drawn. Values between drawings are half floats, so they may be outside 0…1.
/// The context must be current in every call.
final class RecipeExecutor {
    /// The video frame as a texture: premultiplied, with linear filtering and clamped edges.
    struct Source {
        var texture: UInt32
        /// The size in pixels.
        var width: Int, height: Int
        /// Whether the first row is the top of the frame.
        var isTopDown: Bool
        /// Whether alpha is ignored.
        var isOpaque = true
    }
    /// The texture to draw into: RGBA of 8 bits or half floats.
    struct Target {
        var texture: UInt32
        /// Whether the first row is the top of the image, as GDK requires.
        var isTopDown = true
        var pixels = Pixels.rgba
        enum Pixels: Sendable {
            case rgba
            /// Red and blue are exchanged, so that pixels read as RGBA are BGRA.
            case bgra
            /// The same as `bgra`, opaque over black.
            case bgrx
        }
    }

    private let programs: ShaderPrograms
    private let uploads = UploadCache()
    private let pool = TexturePool()
    private let vertexArray: GLuint
    private let framebuffer: GLuint
    private let isHalf: Bool
    /// The maximum width and height of a texture, in pixels.
    let maximumSize: Int
    /// The number of drawings for the last recipe.
    private(set) var drawCount = 0

    /// Creates an executor for the current context.
    /// - Throws: `.operationNotSupported` if the OpenGL version is too old.
    init() throws(AVError) {
        let isES = zc_glIsDesktop() == 0
        guard zc_glVersion() >= (isES ? 30 : 32) else {
            throw AVError(
                .operationNotSupported, at: "",
                reason:
                    "filters require OpenGL 3.2 or OpenGL ES 3.0, but this computer has \(Double(zc_glVersion()) / 10)")
        }
        programs = try ShaderPrograms(isES: isES)
        vertexArray = zc_glGenVertexArray()
        framebuffer = zc_glGenFramebuffer()
        maximumSize = Int(zc_glInteger(zc_maxTextureSize))
        // Some implementations of OpenGL ES 3.0 can't draw into half floats.
        let probe = pool.acquire(TexturePool.Key(width: 4, height: 4, isHalf: true))
        isHalf = zc_glTarget(framebuffer, probe.name) != 0
        zc_glRelease()
    }

    /// Draws `rect` of `image` (whole pixels in Core Image's coordinates) into a target of the same size.
    ///
    /// - Throws: `.invalidArgument`, with the kernel's name, for a kernel that does not compile.
    ///   `.operationNotSupported` for a part that exceeds the maximum size of a texture.
    func draw(_ image: CIImage, over rect: CGRect, source: Source?, into target: Target) throws(AVError) {
        drawCount = 0
        var plan = RecipePlan(image, over: rect)
        var views = [PictureView?](repeating: nil, count: plan.parts.count)
        defer {
            views = []
            pool.trim()
            uploads.trim()
            zc_glRelease()
        }
        for number in plan.parts.indices where !plan.parts[number].isInlined {
            let isRoot = number == plan.parts.count - 1
            let part = plan.parts[number]
            if isRoot {
                try finish(plan, number, rect, source, target, &views)
            } else if part.region.isNull {
                views[number] = .nothing
            } else {
                switch part.image.recipe {
                case .colors, .kernel:
                    let chain = RecipePlan.Chain(plan, number)
                    views[number] = try drawn(chain, part, plan, source, &views)
                    release(chain.consumed, &plan, &views)
                default:
                    views[number] = try view(of: number, plan, source, views)
                    release(RecipePlan.inputs(of: part.image).compactMap { plan.number(of: $0) }, &plan, &views)
                }
            }
        }
    }

    private func drawn(
        _ chain: RecipePlan.Chain, _ part: RecipePlan.Part, _ plan: RecipePlan, _ source: Source?,
        _ views: inout [PictureView?]
    ) throws(AVError) -> PictureView {
        let result = try run(chain, plan, over: part.region, source, views, into: nil)
        guard let result else { return .nothing }
        return .texture(result.name, covers: part.region, extent: part.image.extent, isTopDown: false, hold: result)
    }

    private func finish(
        _ plan: RecipePlan, _ number: Int, _ rect: CGRect, _ source: Source?, _ target: Target,
        _ views: inout [PictureView?]
    ) throws(AVError) {
        let region = plan.parts[number].region
        guard zc_glTarget(framebuffer, target.texture) != 0 else {
            throw AVError(
                .operationNotSupported, at: "",
                reason: "the driver can't draw into a texture of \(Int(rect.width))×\(Int(rect.height)) pixels")
        }
        if region != rect { zc_glClear(target.pixels == .bgrx ? 1 : 0) }
        if region.isNull { return }
        _ = try run(RecipePlan.Chain(plan, number), plan, over: region, source, views, into: (target, rect))
    }

    /// Draws a chain, in several drawings if it is too long for one shader.
    private func run(
        _ chain: RecipePlan.Chain, _ plan: RecipePlan, over region: CGRect, _ source: Source?, _ views: [PictureView?],
        into target: (target: Target, rect: CGRect)?
    ) throws(AVError) -> PooledTexture? {
        var kernel = chain.kernel
        var inputs: [PictureView] = []
        if let kernel {
            guard kernel.inputs.count <= 4 else {
                throw AVError(
                    .invalidArgument, at: kernel.kernel.name,
                    reason: "the kernel has \(kernel.inputs.count) input images; the maximum is 4")
            }
            for input in kernel.inputs { inputs.append(plan.number(of: input).flatMap { views[$0] } ?? .nothing) }
        } else if let base = chain.base {
            if let ready = views[base] { inputs = [ready] } else { inputs = [try view(of: base, plan, source, views)] }
        }
        var rest = chain.joinedSteps[...]
        while true {
            let count = ShaderPass.count(of: rest, after: kernel)
            let steps = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            if rest.isEmpty, let (target, rect) = target {
                try pass(
                    inputs, kernel, steps, region, into: target.texture, covers: rect, isTopDown: target.isTopDown,
                    pixels: target.pixels)
                return nil
            }
            let texture = try texture(for: region, name: steps.last?.kernel.name ?? kernel?.kernel.name)
            try pass(inputs, kernel, steps, region, into: texture.name, covers: region, isTopDown: false, pixels: .rgba)
            if rest.isEmpty { return texture }
            kernel = nil
            inputs = [.texture(texture.name, covers: region, extent: region, isTopDown: false, hold: texture)]
        }
    }

    private func texture(for region: CGRect, name: String?) throws(AVError) -> PooledTexture {
        guard region.width <= CGFloat(maximumSize), region.height <= CGFloat(maximumSize) else {
            throw AVError(
                .operationNotSupported, at: name ?? "",
                reason:
                    "the filter needs \(Int(region.width))×\(Int(region.height)) pixels, but textures on this computer have at most \(maximumSize) pixels per side",
                suggestion: "Crop or scale the image before this filter")
        }
        return pool.acquire(TexturePool.Key(width: Int(region.width), height: Int(region.height), isHalf: isHalf))
    }

    /// Returns the view of a part that is read and not drawn.
    private func view(of number: Int, _ plan: RecipePlan, _ source: Source?, _ views: [PictureView?]) throws(AVError)
        -> PictureView
    {
        try plan.view(of: number, views) { image throws(AVError) in
            guard case .bitmap(let bitmap) = image.recipe else {
                guard let source, source.width > 0, source.height > 0 else { return .nothing }
                let covers = image.sourceRect(width: source.width, height: source.height)
                return .texture(
                    source.texture, covers: covers, extent: covers, isTopDown: source.isTopDown,
                    isOpaque: source.isOpaque,
                    isWhole: covers.width == CGFloat(source.width) && covers.height == CGFloat(source.height))
            }
            guard bitmap.width > 0, bitmap.height > 0 else { return .nothing }
            guard max(bitmap.width, bitmap.height) <= maximumSize else {
                throw AVError(
                    .operationNotSupported, at: "",
                    reason:
                        "the image has \(bitmap.width)×\(bitmap.height) pixels, but textures on this computer have at most \(maximumSize) pixels per side",
                    suggestion: "Use a smaller image")
            }
            return .texture(
                uploads.texture(for: bitmap), covers: image.extent, extent: image.extent, isTopDown: true,
                isWhole: image.extent.size == CGSize(width: bitmap.width, height: bitmap.height))
        }
    }

    private func pass(
        _ inputs: [PictureView], _ kernel: KernelStep?, _ steps: [ColorStep], _ region: CGRect,
        into texture: GLuint, covers: CGRect, isTopDown: Bool, pixels: Target.Pixels
    ) throws(AVError) {
        let map: SIMD4<Float> =
            isTopDown
            ? [1, -1, Float(covers.minX), Float(covers.maxY)] : [1, 1, Float(covers.minX), Float(covers.minY)]
        let pass = ShaderPass(inputs: inputs, kernel: kernel, steps: steps, rect: region, place: map, pixels: pixels)
        let program = try programs.program(for: pass)
        // Uploading binds textures, so it must come before the textures of this drawing are bound.
        for case .argument(.cube(let table)) in pass.uniforms.map(\.value) { _ = uploads.texture(for: table) }
        zc_glUseProgram(program.name)
        var unit: Int32 = 0
        for (index, uniform) in pass.uniforms.enumerated() where program.locations[index] >= 0 {
            set(uniform.value, at: program.locations[index], &unit)
        }
        guard zc_glTarget(framebuffer, texture) != 0 else {
            throw AVError(
                .operationNotSupported, at: steps.last?.kernel.name ?? kernel?.kernel.name ?? "",
                reason:
                    "the driver can't draw into an image of \(Int(region.width))×\(Int(region.height)) pixels; memory may be full"
            )
        }
        let y = isTopDown ? covers.maxY - region.maxY : region.minY - covers.minY
        zc_glDraw(vertexArray, Int32(region.minX - covers.minX), Int32(y), Int32(region.width), Int32(region.height))
        drawCount += 1
    }

    private func set(_ value: ShaderPass.Uniform, at location: Int32, _ unit: inout Int32) {
        func bind(_ texture: GLuint, isCube: Bool) {
            zc_glBindTexture(unit, isCube ? 1 : 0, texture)
            zc_glInt(location, unit)
            unit += 1
        }
        switch value {
        case .texture(let name): bind(name, isCube: false)
        case .argument(.cube(let table)):
            let texture = uploads.texture(for: table)
            bind(texture, isCube: true)
        case .argument(.int(let number)): zc_glInt(location, number)
        case .argument(let argument):
            let floats = argument.floats
            switch argument {
            case .mat3: zc_glMatrix(location, 3, floats)
            case .mat4: zc_glMatrix(location, 4, floats)
            default: zc_glFloats(location, Int32(floats.count), floats)
            }
        }
    }

    private func release(_ consumed: [Int], _ plan: inout RecipePlan, _ views: inout [PictureView?]) {
        for number in consumed where plan.countDownUse(number) { views[number] = nil }
    }
}

extension KernelArgument {
    /// The numbers, with matrices column by column. Empty for arguments that are not floats.
    var floats: [Float] {
        func list<V: SIMD>(_ v: V) -> [Float] where V.Scalar == Float { v.indices.map { v[$0] } }
        return switch self {
        case .float(let x): [x]
        case .vec2(let v): list(v)
        case .vec3(let v): list(v)
        case .vec4(let v): list(v)
        case .mat3(let a, let b, let c): list(a) + list(b) + list(c)
        case .mat4(let a, let b, let c, let d): list(a) + list(b) + list(c) + list(d)
        case .int, .cube: []
        }
    }
}
