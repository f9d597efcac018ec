import CEGL
import Foundation

/// A single drawing: the inputs, an optional general kernel and the color kernels after it, as a shader with its
/// uniforms.
struct ShaderPass {
    enum Uniform {
        case argument(KernelArgument)
        case texture(GLuint)
    }
    private(set) var text = ""
    private(set) var uniforms: [(name: String, value: Uniform)] = []
    /// The kernels in the order in which line numbers of errors refer to them.
    private(set) var kernels: [Kernel] = []

    /// The distance between the line numbers of two kernels, which identify a kernel in errors. The source of kernel n
    /// begins at line (n + 1) × `stride` + 1, and its call is at line (n + 1 + `firstCall`) × `stride` + 1.
    static let stride = 10_000
    static let firstCall = 500

    /// - Parameters:
    ///   - rect: The rectangle to draw. The first input may be aligned to it.
    ///   - place: The map from a fragment's coordinates to its position.
    ///   - pixels: The order of the result's channels, and whether the result is opaque.
    init(
        inputs: [PictureView], kernel: KernelStep?, steps: [ColorStep], rect: CGRect, place: SIMD4<Float>,
        pixels: RecipeExecutor.Target.Pixels
    ) {
        text = ShaderPrelude.functions + "out vec4 zt_color;\nuniform vec4 zt_place;\n"
        uniforms.append(("zt_place", .argument(.vec4(place))))
        for (index, view) in inputs.enumerated() {
            read(view, index, isAligned: kernel == nil && view.isAligned(in: rect))
        }
        var body = "void main() {\n    vec2 place = gl_FragCoord.xy * zt_place.xy + zt_place.zw;\n"
        if let kernel {
            body += call(kernel.kernel, kernel.arguments, first: "place", step: 0, declares: "vec4 c")
        } else {
            body += "    vec4 c = src0(place);\n"
        }
        let isOpaque = kernel == nil && inputs.first?.isOpaque == true
        if !steps.isEmpty, !isOpaque { body += "    c = unpremultiplied(c);\n" }
        for (index, step) in steps.enumerated() {
            // Two separate drawings would lose the color of transparent pixels, so it is removed here too. Per-channel
            // kernels and matrices keep alpha, so for them it does not matter.
            let keepsAlpha = step.kernel.isPerChannel || step.kernel === ColorAffine.kernel
            if index > 0, !keepsAlpha { body += "    if (c.a <= 0.0) c = vec4(0.0);\n" }
            body += call(step.kernel, step.arguments, first: "c", step: index + 1, declares: "c")
        }
        if !steps.isEmpty { body += "    c = premultiplied(c);\n" }
        let end =
            switch pixels {
            case .rgba: "    zt_color = c;\n}\n"
            // In 8-bit pixels, a color must not exceed its alpha. Otherwise, compositing over a background would make
            // it glow.
            case .bgra: "    c = clamp(c, 0.0, 1.0);\n    zt_color = min(c.bgra, c.aaaa);\n}\n"
            case .bgrx: "    zt_color = vec4(c.bgr, 1.0);\n}\n"
            }
        body += end
        text += body
    }

    private mutating func read(_ view: PictureView, _ index: Int, isAligned: Bool) {
        var body = "vec4 src\(index)(vec2 p) {\n"
        var weight = ""
        if let extent = view.extent, !isAligned {
            let edge = vector(
                "zt_edge\(index)",
                [
                    Float(extent.minX) - 0.5, Float(extent.minY) - 0.5, Float(extent.maxX) + 0.5,
                    Float(extent.maxY) + 0.5,
                ])
            // The weight equals linear interpolation with transparent pixels beyond the edge.
            body += "    vec2 w = clamp(p - \(edge).xy, 0.0, 1.0) * clamp(\(edge).zw - p, 0.0, 1.0);\n"
            weight = " * (w.x * w.y)"
        }
        switch view.pixels {
        case .part:
            break
        case .constant(let color):
            body += "    return \(vector("zt_flat\(index)", color))\(weight);\n}\n"
        case .texture(let name, let covers, let isTopDown, _, _):
            uniforms.append(("zt_in\(index)", .texture(name)))
            text += "uniform sampler2D zt_in\(index);\n"
            if isAligned {
                let map = vector(
                    "zt_map\(index)",
                    isTopDown
                        ? [1, -1, Float(-covers.minX), Float(covers.maxY)]
                        : [1, 1, Float(-covers.minX), Float(-covers.minY)])
                body += "    vec4 t = texelFetch(zt_in\(index), ivec2(p * \(map).xy + \(map).zw), 0);\n"
            } else {
                let map = vector("zt_map\(index)", PictureView.mapping(covers, isTopDown: isTopDown))
                // The centers of the outermost pixels.
                let b = view.bounds
                let low = SIMD2(Float(b.minX) + 0.5, Float(b.minY) + 0.5)
                let box = vector(
                    "zt_box\(index)", [low.x, low.y, max(low.x, Float(b.maxX) - 0.5), max(low.y, Float(b.maxY) - 0.5)])
                body += "    p = clamp(p, \(box).xy, \(box).zw);\n"
                body += "    vec4 t = texture(zt_in\(index), p * \(map).xy + \(map).zw);\n"
            }
            body += "    return \(view.isOpaque ? "vec4(t.rgb, 1.0)" : "t")\(weight);\n}\n"
        }
        text += body
    }

    /// Declares a uniform and returns its name.
    private mutating func vector(_ name: String, _ value: SIMD4<Float>) -> String {
        uniforms.append((name, .argument(.vec4(value))))
        text += "uniform vec4 \(name);\n"
        return name
    }

    /// Adds the source of a kernel, once, and its uniforms. Returns the source of the call.
    private mutating func call(
        _ kernel: Kernel, _ arguments: [KernelArgument], first: String, step: Int, declares: String
    ) -> String {
        let number: Int
        if let known = kernels.firstIndex(where: { $0 === kernel || $0.name == kernel.name }) {
            number = known
        } else {
            number = kernels.count
            kernels.append(kernel)
            text += "#line \((number + 1) * ShaderPass.stride + 1)\n\(kernel.source)\n#line 1\n"
        }
        var names = [first]
        for (index, argument) in arguments.enumerated() {
            let name = "zt_u\(step)_\(index)"
            text += "uniform \(argument.typeName) \(name);\n"
            uniforms.append((name, .argument(argument)))
            names.append(name)
        }
        return
            "#line \((number + 1 + ShaderPass.firstCall) * ShaderPass.stride + 1)\n    \(declares) = \(kernel.name)(\(names.joined(separator: ", ")));\n#line 1\n"
    }
}

extension ShaderPass {
    /// Returns the number of `steps` that fit into one shader. Drivers guarantee 224 uniform vectors and 16 textures.
    static func count(of steps: ArraySlice<ColorStep>, after kernel: KernelStep?) -> Int {
        var sources: [String: String] = [:]
        var vectors = 16
        var cubes = 0
        var count = 0
        if let kernel {
            sources[kernel.kernel.name] = kernel.kernel.source
            vectors += kernel.arguments.reduce(0) { $0 + $1.vectorCount }
            cubes += kernel.arguments.count { $0.isCube }
        }
        for step in steps {
            vectors += step.arguments.reduce(0) { $0 + $1.vectorCount }
            cubes += step.arguments.count { $0.isCube }
            if vectors > 200 || cubes > 8 || count >= 32 { break }
            // One shader can't contain two different functions with the same name.
            if let other = sources[step.kernel.name], other != step.kernel.source { break }
            sources[step.kernel.name] = step.kernel.source
            count += 1
        }
        return count
    }
}

extension KernelArgument {
    var typeName: String {
        switch self {
        case .float: "float"
        case .vec2: "vec2"
        case .vec3: "vec3"
        case .vec4: "vec4"
        case .mat3: "mat3"
        case .mat4: "mat4"
        case .int: "int"
        case .cube: "sampler3D"
        }
    }
    var vectorCount: Int {
        switch self {
        case .mat3: 3
        case .mat4: 4
        default: 1
        }
    }
    var isCube: Bool { if case .cube = self { true } else { false } }
}
