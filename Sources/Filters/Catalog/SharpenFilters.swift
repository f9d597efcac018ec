import CPixels
import Foundation

extension FilterCatalog {

    static let sharpeningRecipes: [String: FilterRecipe] = [
        "CISharpenLuminance": { a in
            a.image?.sharpened(radius: a.double("inputRadius"), amount: a.float("inputSharpness"), ofLight: true)
        },

        "CIUnsharpMask": { a in
            a.image?.sharpened(radius: a.double("inputRadius"), amount: a.float("inputIntensity"), ofLight: false)
        },
    ]
}

extension CIImage {
    /// Sharpens the image: c + amount × (c − blurred), for every component or, if `ofLight` is true, for lightness
    /// alone.
    func sharpened(radius: Double, amount: Float, ofLight: Bool) -> CIImage {
        guard amount != 0, radius > 0 else { return self }
        return .drawn(
            SharpenKernels.mask, [.float(amount), .float(ofLight ? 1 : 0)],
            inputs: [self, clampedToExtent().gaussian(radius)], extent: extent)
    }
}

private enum SharpenKernels {
    static let mask = Kernel(
        "ciUnsharp", .general, native: ZT_KERNEL_UNSHARP,
        """
        vec4 ciUnsharp(vec2 place, float amount, float ofLight) {
            vec4 c = src0(place);
            vec3 away = c.rgb - src1(place).rgb;
            if (ofLight > 0.5) away = vec3(luma(away));
            return vec4(clamp(c.rgb + amount * away, vec3(0.0), vec3(c.a)), c.a);
        }
        """)
}
