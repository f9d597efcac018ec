import CPixels
import Foundation

/// The recipes of the color effects: toning, tables, noise, vignettes.
extension FilterCatalog {
    static let colorEffectRecipes: [String: FilterRecipe] = [
        "CIColorInvert": {
            $0.image?.adding(.scale(-1, offset: 1))
        },
        "CIColorMonochrome": { a in
            a.image?.adding(.mix(.identity, .monochrome(a.color("inputColor")), a.float("inputIntensity")))
        },
        "CISepiaTone": { a in a.image?.adding(.mix(.identity, sepia, a.float("inputIntensity"))) },
        "CIFalseColor": { a in
            let dark = a.color("inputColor0")
            let light = a.color("inputColor1")
            if dark.w != 1 || light.w != 1 { return a.image?.adding(falseColor, [.vec4(dark), .vec4(light)]) }
            var toned = ColorAffine.monochrome(light - dark)
            toned.red.w = dark.x
            toned.green.w = dark.y
            toned.blue.w = dark.z
            return a.image?.adding(toned)
        },
        "CIColorPosterize": { a in a.image?.adding(posterize, [.float(a.float("inputLevels").rounded())]) },
        "CIMaximumComponent": {
            $0.image?.adding(maximum)
        },
        "CIMinimumComponent": {
            $0.image?.adding(minimum)
        },
        "CIMaskToAlpha": {
            $0.image?.adding(maskToAlpha)
        },
        "CIColorCrossPolynomial": { a in
            let rows = ["inputRedCoefficients", "inputGreenCoefficients", "inputBlueCoefficients"].map {
                a.vector($0, 10).map { Float($0) }
            }
            return a.image?.adding(
                crossPolynomial,
                rows.flatMap { r -> [KernelArgument] in
                    [.vec4([r[0], r[1], r[2], r[9]]), .vec3([r[3], r[4], r[5]]), .vec3([r[6], r[7], r[8]])]
                })
        },
        "CIColorCube": { a in
            let size = Int(a.double("inputCubeDimension").rounded())
            let bytes = a.data("inputCubeData")
            if bytes.isEmpty { return a.image }
            guard bytes.count >= size * size * size * 16 else { return nil }
            let entries = bytes.withUnsafeBytes { raw in
                (0..<size * size * size * 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
            }
            guard let table = ColorCubeTable(size: size, entries: entries.map { $0.isFinite ? $0 : 0 }) else {
                return nil
            }
            // A table finer than `ColorCube.size` would lose detail in a folded cube, so its kernel is not smooth.
            return a.image?.adding(size <= ColorCube.size ? cube : fineCube, [.cube(table), .float(Float(size))])
        },
        "CIColorMap": { a in
            guard let image = a.image, let gradient = a.image(kCIInputGradientImageKey) else { return nil }
            let e = gradient.extent
            guard e.isWithinPixelRange, !e.isPracticallyInfinite, e.width >= 1 else { return nil }
            let line = CGRect(x: e.minX, y: e.midY.rounded(.down), width: e.width, height: 1)
            let step = KernelStep(
                colorMap, [.vec4([Float(e.minX) + 0.5, Float(e.width) - 1, Float(line.midY), 0])],
                inputs: [image, gradient]
            ) { $0 == 1 ? line : $1 }
            return CIImage(recipe: .kernel(step), extent: image.extent)
        },
        "CIDither": { a in
            guard let image = a.image else { return nil }
            return CIImage(
                recipe: .kernel(KernelStep(dither, [.float(a.float("inputIntensity"))], inputs: [image])),
                extent: image.extent)
        },
        "CIVignette": { a in
            guard let image = a.image, a.float("inputIntensity") != 0, image.extent.isWithinPixelRange,
                !image.extent.isPracticallyInfinite
            else { return a.image }
            let e = image.extent
            let half = Float((e.width * e.width + e.height * e.height).squareRoot() / 2)
            let radius = a.float("inputRadius")
            return darkened(
                image, [Float(e.midX), Float(e.midY)], inner: half * radius * 0.35,
                outer: half * (radius * 0.35 + 0.65), a.float("inputIntensity"))
        },
        "CIVignetteEffect": { a in
            guard let image = a.image else { return nil }
            let radius = a.float("inputRadius")
            let falloff = a.float("inputFalloff")
            return darkened(
                image, a.vec2(kCIInputCenterKey), inner: radius * (1 - falloff),
                outer: max(radius * (1 + falloff), radius * (1 - falloff) + 0.01), a.float("inputIntensity"))
        },
    ]

    /// The sepia matrix that is common in image editors, as in Microsoft's documentation of ColorMatrix.
    static let sepia = ColorAffine(
        red: [0.393, 0.769, 0.189, 0], green: [0.349, 0.686, 0.168, 0], blue: [0.272, 0.534, 0.131, 0])

    /// Darkens the image from the radius `inner` on, up to the full `intensity` at the radius `outer` and beyond. Both
    /// radii are in pixels.
    private static func darkened(
        _ image: CIImage, _ center: SIMD2<Float>, inner: Float, outer: Float, _ intensity: Float
    ) -> CIImage {
        CIImage(
            recipe: .kernel(
                KernelStep(
                    vignette, [.vec2(center), .vec2([inner, max(outer, inner + 0.01)]), .float(intensity)],
                    inputs: [image])), extent: image.extent)
    }

    private static let falseColor = Kernel(
        "zt_falseColor", .color, native: ZT_KERNEL_FALSE_COLOR,
        """
        vec4 zt_falseColor(vec4 c, vec4 dark, vec4 light) {
            vec4 m = mix(dark, light, luma(c.rgb));
            return vec4(m.rgb, clamp(m.a, 0.0, 1.0) * c.a);
        }
        """)
    private static let posterize = Kernel(
        "zt_posterize", .color, isSmooth: false, isPerChannel: true, native: ZT_KERNEL_POSTERIZE,
        """
        vec4 zt_posterize(vec4 c, float levels) {
            return vec4(clamp(floor(c.rgb * levels), 0.0, levels - 1.0) / (levels - 1.0), c.a);
        }
        """)
    private static let maximum = Kernel(
        "zt_maximum", .color, native: ZT_KERNEL_MAXIMUM_COMPONENT,
        "vec4 zt_maximum(vec4 c) { return vec4(vec3(max(c.r, max(c.g, c.b))), c.a); }")
    private static let minimum = Kernel(
        "zt_minimum", .color, native: ZT_KERNEL_MINIMUM_COMPONENT,
        "vec4 zt_minimum(vec4 c) { return vec4(vec3(min(c.r, min(c.g, c.b))), c.a); }")
    private static let maskToAlpha = Kernel(
        "zt_maskToAlpha", .color, native: ZT_KERNEL_MASK_TO_ALPHA,
        """
        vec4 zt_maskToAlpha(vec4 c) { return vec4(1.0, 1.0, 1.0, clamp(luma(c.rgb), 0.0, 1.0) * c.a); }
        """)
    private static let crossPolynomial = Kernel(
        "zt_crossPolynomial", .color, native: ZT_KERNEL_CROSS_POLYNOMIAL,
        """
        vec4 zt_crossPolynomial(vec4 c, vec4 r, vec3 rs, vec3 rx, vec4 g, vec3 gs, vec3 gx, vec4 b, vec3 bs, vec3 bx) {
            vec4 p = vec4(c.rgb, 1.0);
            vec3 s = c.rgb * c.rgb, x = vec3(c.r * c.g, c.g * c.b, c.b * c.r);
            return vec4(dot(r, p) + dot(rs, s) + dot(rx, x), dot(g, p) + dot(gs, s) + dot(gx, x), dot(b, p) + dot(bs, s) + dot(bx, x), c.a);
        }
        """)
    private static let cubeText = """
        (vec4 c, sampler3D cube, float size) {
            vec4 t = texture(cube, (clamp(c.rgb, 0.0, 1.0) * (size - 1.0) + 0.5) / size);
            return vec4(unpremultiplied(t).rgb, t.a * c.a);
        }
        """
    private static let cube = Kernel("zt_cube", .color, "vec4 zt_cube" + cubeText)
    private static let fineCube = Kernel("zt_fineCube", .color, isSmooth: false, "vec4 zt_fineCube" + cubeText)
    private static let colorMap = Kernel(
        "zt_colorMap", .general,
        """
        vec4 zt_colorMap(vec2 place, vec4 line) {
            vec4 c = src0(place);
            float l = clamp(luma(unpremultiplied(c).rgb), 0.0, 1.0);
            return src1(vec2(line.x + l * line.y, line.z)) * c.a;
        }
        """)
    private static let dither = Kernel(
        "zt_dither", .general, native: ZT_KERNEL_DITHER,
        """
        vec4 zt_dither(vec2 place, float intensity) {
            vec4 c = src0(place);
            return vec4(clamp(c.rgb + (random(floor(place)) - 0.5) * intensity * c.a, 0.0, max(c.a, 0.0)), c.a);
        }
        """)
    private static let vignette = Kernel(
        "zt_vignette", .general, native: ZT_KERNEL_VIGNETTE,
        """
        vec4 zt_vignette(vec2 place, vec2 center, vec2 range, float intensity) {
            vec4 c = src0(place);
            return vec4(c.rgb * (1.0 - intensity * smoothstep(range.x, range.y, length(place - center))), c.a);
        }
        """)
}
