import Foundation

/// Compositing operators (Porter and Duff's, on premultiplied colours) and blending by a mask.
extension FilterCatalogue {
    static let composites: [FilterDefinition] = [
        operation("CISourceOverCompositing", "Source Over", "s + b * (1.0 - s.a)"),
        operation("CISourceInCompositing", "Source In", "s * b.a"),
        operation("CISourceOutCompositing", "Source Out", "s * (1.0 - b.a)"),
        operation("CISourceAtopCompositing", "Source Atop", "s * b.a + b * (1.0 - s.a)"),
        operation("CIAdditionCompositing", "Addition", "vec4(s.rgb + b.rgb, min(s.a + b.a, 1.0))"),
        operation("CIMultiplyCompositing", "Multiply", "s * b"),
        operation("CIMaximumCompositing", "Maximum", "max(s, b)"),
        operation("CIMinimumCompositing", "Minimum", "min(s, b)"),
        mask("CIBlendWithMask", "Blend With Mask", "luma(m.rgb)"),
        mask("CIBlendWithAlphaMask", "Blend With Alpha Mask", "m.a"),
        mask("CIBlendWithRedMask", "Blend With Red Mask", "m.r"),
        mask("CIBlendWithBlueMask", "Blend With Blue Mask", "m.b"),
    ]

    private static func operation(_ name: String, _ displayName: String, _ formula: String) -> FilterDefinition {
        let function = "zt_" + name.dropFirst(2)
        let kernel = Kernel(
            function, .general,
            """
            vec4 \(function)(vec2 place) {
                vec4 s = src0(place), b = src1(place);
                return \(formula);
            }
            """)
        return FilterDefinition(name, displayName, categories: [kCICategoryCompositeOperation], overBackground) { a in
            guard let image = a.image, let background = a.image(kCIInputBackgroundImageKey) else { return nil }
            return composite(kernel, image, background)
        }
    }

    /// Without a background: over nothing.
    private static func mask(_ name: String, _ displayName: String, _ formula: String) -> FilterDefinition {
        let function = "zt_" + name.dropFirst(2)
        let kernel = Kernel(
            function, .general,
            """
            vec4 \(function)(vec2 place) {
                vec4 m = src2(place);
                return mix(src1(place), src0(place), clamp(\(formula), 0.0, 1.0));
            }
            """)
        return FilterDefinition(
            name, displayName, categories: [kCICategoryStylize], overBackground + [.image(kCIInputMaskImageKey)]
        ) { a in
            guard let image = a.image, let mask = a.image(kCIInputMaskImageKey) else { return nil }
            let background = a.image(kCIInputBackgroundImageKey) ?? .empty()
            let extent =
                image.extent.isNull
                ? background.extent : background.extent.isNull ? image.extent : image.extent.union(background.extent)
            return CIImage(recipe: .kernel(KernelStep(kernel, inputs: [image, background, mask])), extent: extent)
        }
    }
}
