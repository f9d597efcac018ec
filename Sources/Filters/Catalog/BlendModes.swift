import CPixels
import Foundation

/// The recipes of the blend modes, which draw the image over `inputBackgroundImage`.
///
/// The formulas are those of the W3C's “Compositing and Blending Level 1”, §9 and §10. They come from PDF's imaging
/// model, which Core Image uses as well.
extension FilterCatalog {
    static let blendModeRecipes: [String: FilterRecipe] = [
        "CIMultiplyBlendMode": blend("MultiplyBlendMode", ZT_KERNEL_BLEND_MULTIPLY, "b * s"),
        "CIScreenBlendMode": blend("ScreenBlendMode", ZT_KERNEL_BLEND_SCREEN, "b + s - b * s"),
        "CIOverlayBlendMode": blend(
            "OverlayBlendMode", ZT_KERNEL_BLEND_OVERLAY,
            "mix(2.0 * b * s, 1.0 - 2.0 * (1.0 - b) * (1.0 - s), step(0.5, b))"),
        "CIDarkenBlendMode": blend("DarkenBlendMode", ZT_KERNEL_BLEND_DARKEN, "min(b, s)"),
        "CILightenBlendMode": blend("LightenBlendMode", ZT_KERNEL_BLEND_LIGHTEN, "max(b, s)"),
        "CIColorDodgeBlendMode": blend(
            "ColorDodgeBlendMode", ZT_KERNEL_BLEND_COLOR_DODGE,
            "mix(step(1e-6, b), min(vec3(1.0), b / max(1.0 - s, 1e-6)), step(s, vec3(0.999999)))"
        ),
        "CIColorBurnBlendMode": blend(
            "ColorBurnBlendMode", ZT_KERNEL_BLEND_COLOR_BURN,
            "mix(step(0.999999, b), 1.0 - min(vec3(1.0), (1.0 - b) / max(s, 1e-6)), step(1e-6, s))"),
        "CISoftLightBlendMode": blend(
            "SoftLightBlendMode", ZT_KERNEL_BLEND_SOFT_LIGHT,
            """
            mix(b - (1.0 - 2.0 * s) * b * (1.0 - b),
                b + (2.0 * s - 1.0) * (mix(((16.0 * b - 12.0) * b + 4.0) * b, sqrt(max(b, 0.0)), step(0.25, b)) - b), step(0.5, s))
            """),
        "CIHardLightBlendMode": blend(
            "HardLightBlendMode", ZT_KERNEL_BLEND_HARD_LIGHT,
            "mix(2.0 * b * s, 1.0 - 2.0 * (1.0 - b) * (1.0 - s), step(0.5, s))"),
        "CIDifferenceBlendMode": blend("DifferenceBlendMode", ZT_KERNEL_BLEND_DIFFERENCE, "abs(b - s)"),
        "CIExclusionBlendMode": blend("ExclusionBlendMode", ZT_KERNEL_BLEND_EXCLUSION, "b + s - 2.0 * b * s"),
        "CIHueBlendMode": blend(
            "HueBlendMode", ZT_KERNEL_BLEND_HUE, "NAME_setLight(NAME_setRange(s, NAME_range(b)), NAME_light(b))"),
        "CISaturationBlendMode": blend(
            "SaturationBlendMode", ZT_KERNEL_BLEND_SATURATION,
            "NAME_setLight(NAME_setRange(b, NAME_range(s)), NAME_light(b))"),
        "CIColorBlendMode": blend("ColorBlendMode", ZT_KERNEL_BLEND_COLOR, "NAME_setLight(s, NAME_light(b))"),
        "CILuminosityBlendMode": blend(
            "LuminosityBlendMode", ZT_KERNEL_BLEND_LUMINOSITY, "NAME_setLight(b, NAME_light(s))"),
        // The following modes are not in the W3C's specification. Their formulas are those of common image editors.
        "CILinearBurnBlendMode": blend("LinearBurnBlendMode", ZT_KERNEL_BLEND_LINEAR_BURN, "max(b + s - 1.0, 0.0)"),
        "CILinearDodgeBlendMode": blend("LinearDodgeBlendMode", ZT_KERNEL_BLEND_LINEAR_DODGE, "min(b + s, 1.0)"),
        "CILinearLightBlendMode": blend(
            "LinearLightBlendMode", ZT_KERNEL_BLEND_LINEAR_LIGHT, "clamp(b + 2.0 * s - 1.0, 0.0, 1.0)"),
        "CIPinLightBlendMode": blend(
            "PinLightBlendMode", ZT_KERNEL_BLEND_PIN_LIGHT, "mix(min(b, 2.0 * s), max(b, 2.0 * s - 1.0), step(0.5, s))"),
        "CIVividLightBlendMode": blend(
            "VividLightBlendMode", ZT_KERNEL_BLEND_VIVID_LIGHT,
            """
            clamp(mix(1.0 - (1.0 - b) / max(2.0 * s, 1e-6), b / max(2.0 - 2.0 * s, 1e-6), step(0.5, s)), 0.0, 1.0)
            """),
        "CIDivideBlendMode": blend("DivideBlendMode", ZT_KERNEL_BLEND_DIVIDE, "clamp(b / max(s, 1e-6), 0.0, 1.0)"),
        "CISubtractBlendMode": blend("SubtractBlendMode", ZT_KERNEL_BLEND_SUBTRACT, "max(b - s, 0.0)"),
    ]

    /// - Parameter formula: A GLSL expression of `b`, the background's color, and `s`, the image's color, not
    ///   premultiplied.
    private static func blend(_ name: String, _ native: zt_kernel, _ formula: String) -> FilterRecipe {
        let function = "zt_" + name
        let helpers = formula.contains("NAME_") ? nonSeparable : ""
        let kernel = Kernel(
            function, .general, native: native,
            (helpers + """
                vec4 NAME(vec2 place) {
                    vec4 source = src0(place), back = src1(place);
                    vec3 s = unpremultiplied(source).rgb, b = unpremultiplied(back).rgb;
                    vec3 mixed = \(formula);
                    return vec4(source.rgb * (1.0 - back.a) + back.rgb * (1.0 - source.a) + source.a * back.a * mixed, source.a + back.a * (1.0 - source.a));
                }
                """).replacingOccurrences(of: "NAME", with: function))
        return { a in
            guard let image = a.image, let background = a.image(kCIInputBackgroundImageKey) else { return nil }
            return composite(kernel, image, background)
        }
    }

    static func composite(_ kernel: Kernel, _ image: CIImage, _ background: CIImage) -> CIImage {
        let extent =
            image.extent.isNull
            ? background.extent : background.extent.isNull ? image.extent : image.extent.union(background.extent)
        return CIImage(recipe: .kernel(KernelStep(kernel, inputs: [image, background])), extent: extent)
    }

    /// The lightness and saturation functions of §10.2 of the specification.
    private static let nonSeparable = """
        float NAME_light(vec3 c) { return dot(c, vec3(0.3, 0.59, 0.11)); }
        float NAME_range(vec3 c) { return max(c.r, max(c.g, c.b)) - min(c.r, min(c.g, c.b)); }
        vec3 NAME_setLight(vec3 c, float to) {
            c += to - NAME_light(c);
            float l = NAME_light(c), low = min(c.r, min(c.g, c.b)), high = max(c.r, max(c.g, c.b));
            if (low < 0.0) c = l + (c - l) * l / max(l - low, 1e-6);
            if (high > 1.0) c = l + (c - l) * (1.0 - l) / max(high - l, 1e-6);
            return c;
        }
        vec3 NAME_setRange(vec3 c, float to) {
            float low = min(c.r, min(c.g, c.b)), range = NAME_range(c);
            return range > 0.0 ? (c - low) / range * to : vec3(0.0);
        }

        """
}
