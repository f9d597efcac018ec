import Foundation

/// Colours times a 3×3 matrix plus an offset: what many filters are. One kernel draws them all, and the CPU computes
/// with the same numbers (`ColorFold`).
struct ColorAffine: Equatable, Sendable {
    /// What red, green and blue become: factors of red, green, blue, and what is added.
    var red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>

    init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    static let identity = ColorAffine(red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 1, 0])
    /// Rec. ITU-R BT.709's share of each channel in the luma.
    static let luma: SIMD4<Float> = [0.2126, 0.7152, 0.0722, 0]

    /// Each channel times `factor` plus `offset`.
    static func scale(_ factor: Float, offset: Float = 0) -> ColorAffine {
        ColorAffine(red: [factor, 0, 0, offset], green: [0, factor, 0, offset], blue: [0, 0, factor, offset])
    }

    /// `color` times the luma.
    static func monochrome(_ color: SIMD4<Float>) -> ColorAffine {
        ColorAffine(red: luma * color.x, green: luma * color.y, blue: luma * color.z)
    }

    /// 0: grey, 1: as it is.
    static func saturation(_ amount: Float) -> ColorAffine { mix(monochrome(.one), identity, amount) }

    static func mix(_ a: ColorAffine, _ b: ColorAffine, _ amount: Float) -> ColorAffine {
        ColorAffine(
            red: a.red + (b.red - a.red) * amount, green: a.green + (b.green - a.green) * amount,
            blue: a.blue + (b.blue - a.blue) * amount)
    }

    /// This first, `next` on its result.
    func then(_ next: ColorAffine) -> ColorAffine {
        func row(_ r: SIMD4<Float>) -> SIMD4<Float> { red * r.x + green * r.y + blue * r.z + [0, 0, 0, r.w] }
        return ColorAffine(red: row(next.red), green: row(next.green), blue: row(next.blue))
    }

    // MARK: As a step

    static let kernel = Kernel(
        "zt_affineColor", .color,
        """
        vec4 zt_affineColor(vec4 c, vec4 r, vec4 g, vec4 b) {
            vec4 p = vec4(c.rgb, 1.0);
            return vec4(dot(r, p), dot(g, p), dot(b, p), c.a);
        }
        """)

    var step: ColorStep { ColorStep(ColorAffine.kernel, [.vec4(red), .vec4(green), .vec4(blue)]) }

    /// Nil for another kernel's step.
    init?(_ step: ColorStep) {
        guard step.kernel === ColorAffine.kernel, step.arguments.count == 3,
            case .vec4(let red) = step.arguments[0], case .vec4(let green) = step.arguments[1],
            case .vec4(let blue) = step.arguments[2]
        else { return nil }
        self.init(red: red, green: green, blue: blue)
    }
}

extension CIImage {
    func adding(_ step: ColorStep) -> CIImage { CIImage(recipe: .colors(step, of: self), extent: extent) }
    func adding(_ kernel: Kernel, _ arguments: [KernelArgument] = []) -> CIImage {
        adding(ColorStep(kernel, arguments))
    }
    func adding(_ affine: ColorAffine) -> CIImage { affine == .identity ? self : adding(affine.step) }
}
