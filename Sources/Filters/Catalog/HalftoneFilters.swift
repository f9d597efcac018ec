import CPixels
import Foundation

extension FilterCatalog {

    /// The recipes of the halftone filters, which compare lightness with a pattern of thresholds.
    ///
    /// Line patterns are triangle waves, in which all thresholds are equally frequent, so the mean lightness does not
    /// change. Each filter takes one sample per pixel.
    static let halftoneRecipes: [String: FilterRecipe] = [
        "CIDotScreen": { a in screened(a, 0) },
        "CILineScreen": { a in screened(a, 1) },
        "CIHatchedScreen": { a in screened(a, 2) },
        "CICircularScreen": { a in screened(a, 3) },
        "CICMYKHalftone": { a in
            // Imitates the look of Core Image, whose formula is unpublished: four inks at the usual screen angles (15°,
            // 75°, 0°, 45°), multiplied on white.
            a.image.map { image in
                .drawn(
                    HalftoneKernels.cmyk,
                    [
                        .vec2(a.vec2("inputCenter")), .float(a.float("inputAngle")),
                        .float(max(1, abs(a.float("inputWidth")))),
                        .float(min(1, a.float("inputSharpness"))), .float(min(1, a.float("inputGCR"))),
                        .float(min(1, a.float("inputUCR"))),
                    ],
                    inputs: [image], extent: image.extent)
            }
        },
    ]

    private static func screened(_ a: FilterArguments, _ pattern: Int32) -> CIImage? {
        a.image.map { image in
            .drawn(
                HalftoneKernels.screen,
                [
                    .vec2(a.vec2("inputCenter")), .float(a.float("inputAngle")), .float(max(1, a.float("inputWidth"))),
                    .float(a.float("inputSharpness")), .int(pattern),
                ], inputs: [image], extent: image.extent)
        }
    }
}

private enum HalftoneKernels {
    static let screen = Kernel(
        "ciScreen", .general, native: ZT_KERNEL_SCREEN,
        """
        float ciScreenWave(float x) { return abs(2.0 * fract(x) - 1.0); }
        vec4 ciScreen(vec2 place, vec2 center, float angle, float width, float sharpness, int pattern) {
            vec4 c = src0(place);
            vec2 away = (place - center) / width, turned = vec2(cos(angle) * away.x + sin(angle) * away.y, cos(angle) * away.y - sin(angle) * away.x);
            float threshold;
            if (pattern == 0) threshold = 0.5 + 0.25 * (cos(2.0 * PI * turned.x) + cos(2.0 * PI * turned.y));
            else if (pattern == 1) threshold = ciScreenWave(turned.x);
            // Two sets of lines. The square makes all thresholds equally frequent, so the mean lightness does not change.
            else if (pattern == 2) { float p = ciScreenWave(turned.x), q = ciScreenWave(turned.y), m = max(p, q); threshold = m * m; }
            else threshold = ciScreenWave(length(away));
            float soft = 0.02 + 0.5 * (1.0 - sharpness), light = luma(c.rgb) / max(c.a, 1e-4);
            return vec4(vec3(c.a * clamp(0.5 + (light - threshold) / (2.0 * soft), 0.0, 1.0)), c.a);
        }
        """)
    static let cmyk = Kernel(
        "ciCMYK", .general, native: ZT_KERNEL_CMYK,
        """
        float ciCMYKInk(vec2 away, float angle, float amount, float soft) {
            vec2 at = 2.0 * PI * vec2(cos(angle) * away.x + sin(angle) * away.y, cos(angle) * away.y - sin(angle) * away.x);
            float threshold = 0.5 - 0.25 * (cos(at.x) + cos(at.y));
            return clamp(0.5 + (amount - threshold) / (2.0 * soft), 0.0, 1.0) * smoothstep(0.0, 0.05, amount);
        }
        vec4 ciCMYK(vec2 place, vec2 center, float angle, float width, float sharpness, float gcr, float ucr) {
            vec4 c = src0(place);
            vec3 ink = vec3(1.0) - c.rgb / max(c.a, 1e-4);
            float black = gcr * min(ink.r, min(ink.g, ink.b));
            ink = (ink - ucr * black) / max(1.0 - ucr * black, 1e-3);
            vec2 away = (place - center) / width;
            float soft = 0.02 + 0.5 * (1.0 - sharpness);
            vec3 paper = vec3(1.0 - ciCMYKInk(away, angle + PI / 12.0, ink.r, soft), 1.0 - ciCMYKInk(away, angle + PI * 5.0 / 12.0, ink.g, soft),
                1.0 - ciCMYKInk(away, angle, ink.b, soft));
            // Black ink replaces the part that undercolor removal took from the other inks.
            paper *= 1.0 - ciCMYKInk(away, angle + PI / 4.0, black * ucr, soft);
            return vec4(paper * c.a, c.a);
        }
        """)
}
