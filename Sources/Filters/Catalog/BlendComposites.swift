import Foundation

/// The recipes of the compositing operators (Porter and Duff's, on premultiplied colors) and of blending with a mask.
extension FilterCatalog {
    static let compositeRecipes: [String: FilterRecipe] = [
        "CISourceOverCompositing": operation("SourceOverCompositing", "s + b * (1.0 - s.a)"),
        "CISourceInCompositing": operation("SourceInCompositing", "s * b.a"),
        "CISourceOutCompositing": operation("SourceOutCompositing", "s * (1.0 - b.a)"),
        "CISourceAtopCompositing": operation("SourceAtopCompositing", "s * b.a + b * (1.0 - s.a)"),
        "CIAdditionCompositing": operation("AdditionCompositing", "vec4(s.rgb + b.rgb, min(s.a + b.a, 1.0))"),
        "CIMultiplyCompositing": operation("MultiplyCompositing", "s * b"),
        "CIMaximumCompositing": operation("MaximumCompositing", "max(s, b)"),
        "CIMinimumCompositing": operation("MinimumCompositing", "min(s, b)"),
        "CIBlendWithMask": mask("BlendWithMask", "luma(m.rgb)"),
        "CIBlendWithAlphaMask": mask("BlendWithAlphaMask", "m.a"),
        "CIBlendWithRedMask": mask("BlendWithRedMask", "m.r"),
        "CIBlendWithBlueMask": mask("BlendWithBlueMask", "m.b"),
    ]

    private static func operation(_ name: String, _ formula: String) -> FilterRecipe {
        let function = "zt_" + name
        let kernel = Kernel(
            function, .general,
            """
            vec4 \(function)(vec2 place) {
                vec4 s = src0(place), b = src1(place);
                return \(formula);
            }
            """)
        return { a in
            guard let image = a.image, let background = a.image(kCIInputBackgroundImageKey) else { return nil }
            return composite(kernel, image, background)
        }
    }

    /// Without a background image, the background is transparent.
    private static func mask(_ name: String, _ formula: String) -> FilterRecipe {
        let function = "zt_" + name
        let kernel = Kernel(
            function, .general,
            """
            vec4 \(function)(vec2 place) {
                vec4 m = src2(place);
                return mix(src1(place), src0(place), clamp(\(formula), 0.0, 1.0));
            }
            """)
        return { a in
            guard let image = a.image, let mask = a.image(kCIInputMaskImageKey) else { return nil }
            let background = a.image(kCIInputBackgroundImageKey) ?? .empty()
            let extent =
                image.extent.isNull
                ? background.extent : background.extent.isNull ? image.extent : image.extent.union(background.extent)
            return CIImage(recipe: .kernel(KernelStep(kernel, inputs: [image, background, mask])), extent: extent)
        }
    }
}
