import CPixels
import Foundation

/// A color transform by a 3×3 matrix and an offset, which many filters use.
///
/// The same kernel draws all such filters, and the CPU computes with the same numbers (`ColorFold`).
struct ColorAffine: Equatable, Sendable {
    /// The rows of the matrix for the new red, green and blue: factors of red, green and blue, and the offset.
    var red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>

    init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    static let identity = ColorAffine(red: [1, 0, 0, 0], green: [0, 1, 0, 0], blue: [0, 0, 1, 0])
    /// The weight of each channel in the luma (Rec. ITU-R BT.709).
    static let luma: SIMD4<Float> = [0.2126, 0.7152, 0.0722, 0]

    /// Returns the transform that multiplies each channel by `factor` and adds `offset`.
    static func scale(_ factor: Float, offset: Float = 0) -> ColorAffine {
        ColorAffine(red: [factor, 0, 0, offset], green: [0, factor, 0, offset], blue: [0, 0, factor, offset])
    }

    /// Returns the transform to `color` multiplied by the luma.
    static func monochrome(_ color: SIMD4<Float>) -> ColorAffine {
        ColorAffine(red: luma * color.x, green: luma * color.y, blue: luma * color.z)
    }

    /// Returns the transform that changes saturation: 0 gives gray, 1 changes nothing.
    static func saturation(_ amount: Float) -> ColorAffine { mix(monochrome(.one), identity, amount) }

    static func mix(_ a: ColorAffine, _ b: ColorAffine, _ amount: Float) -> ColorAffine {
        ColorAffine(
            red: a.red + (b.red - a.red) * amount, green: a.green + (b.green - a.green) * amount,
            blue: a.blue + (b.blue - a.blue) * amount)
    }

    /// Returns the transform that applies this transform first and then `next`.
    func then(_ next: ColorAffine) -> ColorAffine {
        func row(_ r: SIMD4<Float>) -> SIMD4<Float> { red * r.x + green * r.y + blue * r.z + [0, 0, 0, r.w] }
        return ColorAffine(red: row(next.red), green: row(next.green), blue: row(next.blue))
    }

    // MARK: Color step

    static let kernel = Kernel(
        "zt_affineColor", .color, native: ZT_KERNEL_AFFINE,
        """
        vec4 zt_affineColor(vec4 c, vec4 r, vec4 g, vec4 b) {
            vec4 p = vec4(c.rgb, 1.0);
            return vec4(dot(r, p), dot(g, p), dot(b, p), c.a);
        }
        """)

    var step: ColorStep { ColorStep(ColorAffine.kernel, [.vec4(red), .vec4(green), .vec4(blue)]) }

    /// Creates the transform of a step. Returns nil for a step of another kernel.
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
