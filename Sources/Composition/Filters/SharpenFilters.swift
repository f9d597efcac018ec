import Foundation

extension FilterCatalogue {
    private static let sharpen = [kCICategorySharpen, kCICategoryStillImage, kCICategoryVideo]

    package static let sharpening: [FilterDefinition] = [
        FilterDefinition(
            "CISharpenLuminance", "Sharpen Luminance", categories: sharpen,
            [
                .image, .scalar("inputSharpness", 0.4, slider: 0...2), .scalar("inputRadius", 1.69, slider: 0...20),
            ]
        ) { a in a.image?.sharpened(radius: a.double("inputRadius"), amount: a.float("inputSharpness"), ofLight: true)
        },

        FilterDefinition(
            "CIUnsharpMask", "Unsharp Mask", categories: sharpen,
            [
                .image, .distance("inputRadius", 2.5, min: 0, slider: 0...100),
                .scalar("inputIntensity", 0.5, min: 0, slider: 0...1),
            ]
        ) { a in a.image?.sharpened(radius: a.double("inputRadius"), amount: a.float("inputIntensity"), ofLight: false)
        },
    ]
}

extension CIImage {
    /// What a blur takes away is added once more: c + amount × (c − blurred), of every component or of lightness alone.
    package func sharpened(radius: Double, amount: Float, ofLight: Bool) -> CIImage {
        guard amount != 0, radius > 0 else { return self }
        return .drawn(
            SharpenKernels.mask, [.float(amount), .float(ofLight ? 1 : 0)],
            inputs: [self, clampedToExtent().gaussian(radius)], extent: extent)
    }
}

private enum SharpenKernels {
    static let mask = Kernel(
        "ciUnsharp", .general,
        """
        vec4 ciUnsharp(vec2 place, float amount, float ofLight) {
            vec4 c = src0(place);
            vec3 away = c.rgb - src1(place).rgb;
            if (ofLight > 0.5) away = vec3(luma(away));
            return vec4(clamp(c.rgb + amount * away, vec3(0.0), vec3(c.a)), c.a);
        }
        """)
}
