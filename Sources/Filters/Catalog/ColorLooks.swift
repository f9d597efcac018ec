import CPixels

/// The recipes of the looks with fixed settings.
///
/// Core Image publishes no formulas for these looks. The settings follow the descriptions and examples in its
/// documentation.
extension FilterCatalog {
    static let colorLookRecipes: [String: FilterRecipe] = [
        // Exaggerated colors.
        "CIPhotoEffectChrome": look(
            saturation: 1.25, curve: 0.35, black: [0.01, 0.01, 0.02],
            white: [1, 0.99, 0.96]),
        // Reduced colors.
        "CIPhotoEffectFade": look(
            saturation: 0.65, curve: -0.15, black: [0.11, 0.1, 0.1],
            white: [0.94, 0.94, 0.92]),
        // A vintage instant photo with distorted colors.
        "CIPhotoEffectInstant": look(
            saturation: 0.75, curve: 0.2, black: [0.09, 0.07, 0.12],
            white: [1, 0.96, 0.84]),
        // Black and white with low contrast.
        "CIPhotoEffectMono": look(
            saturation: 0, curve: 0, black: [0.03, 0.03, 0.03],
            white: [0.96, 0.96, 0.96]),
        // Black and white with exaggerated contrast.
        "CIPhotoEffectNoir": look(saturation: 0, curve: 0.9, black: [0, 0, 0], white: [1, 1, 1]),
        // A vintage look with emphasized cool colors.
        "CIPhotoEffectProcess": look(
            saturation: 0.85, curve: 0.25, black: [0, 0.06, 0.1],
            white: [0.92, 0.98, 0.96]),
        // Black and white with almost unchanged contrast.
        "CIPhotoEffectTonal": look(saturation: 0, curve: 0.2, black: [0, 0, 0], white: [1, 1, 1]),
        // A vintage look with emphasized warm colors.
        "CIPhotoEffectTransfer": look(
            saturation: 0.85, curve: 0.15, black: [0.1, 0.05, 0.03],
            white: [1, 0.95, 0.82]),
        "CIThermal": {
            $0.image?.adding(thermal)
        },
        "CIXRay": { $0.image?.adding(xRay) },
    ]

    private static func look(saturation: Float, curve: Float, black: SIMD3<Float>, white: SIMD3<Float>)
        -> FilterRecipe
    {
        { a in
            a.image?.adding(ColorAffine.saturation(saturation)).adding(
                tone, [.float(curve), .vec3(black), .vec3(white)])
        }
    }

    /// Increases the contrast by an S-shaped curve, or decreases it if `curve` is below 0. Then maps black to `black`
    /// and white to `white`.
    private static let tone = Kernel(
        "zt_tone", .color, isPerChannel: true, native: ZT_KERNEL_TONE,
        """
        vec4 zt_tone(vec4 c, float curve, vec3 black, vec3 white) {
            vec3 v = clamp(c.rgb, 0.0, 1.0);
            return vec4(mix(black, white, mix(v, v * v * (3.0 - 2.0 * v), curve)), c.a);
        }
        """)
    /// Black, blue, purple, red, orange, yellow and white, with increasing luma.
    private static let thermal = Kernel(
        "zt_thermal", .color, native: ZT_KERNEL_THERMAL,
        """
        vec4 zt_thermal(vec4 c) {
            float l = clamp(luma(c.rgb), 0.0, 1.0);
            vec3 heat = vec3(smoothstep(0.2, 0.6, l), smoothstep(0.5, 0.9, l), smoothstep(0.0, 0.25, l) - smoothstep(0.35, 0.6, l) + smoothstep(0.8, 1.0, l));
            return vec4(heat, c.a);
        }
        """)
    private static let xRay = Kernel(
        "zt_xRay", .color, native: ZT_KERNEL_X_RAY,
        """
        vec4 zt_xRay(vec4 c) {
            float l = 1.0 - clamp(luma(c.rgb), 0.0, 1.0);
            return vec4(vec3(l * l * 0.85, l * mix(l, 1.0, 0.25), mix(l, sqrt(l + 0.01), 0.4)), c.a);
        }
        """)
}
