import CPixels
import Foundation

/// The recipes of the compositing operators (Porter and Duff's, on premultiplied colors) and of blending with a mask.
extension FilterCatalog {
    static let compositeRecipes: [String: FilterRecipe] = [
        "CISourceOverCompositing": operation("SourceOverCompositing", ZT_KERNEL_SOURCE_OVER, "s + b * (1.0 - s.a)"),
        "CISourceInCompositing": operation("SourceInCompositing", ZT_KERNEL_SOURCE_IN, "s * b.a"),
        "CISourceOutCompositing": operation("SourceOutCompositing", ZT_KERNEL_SOURCE_OUT, "s * (1.0 - b.a)"),
        "CISourceAtopCompositing": operation(
            "SourceAtopCompositing", ZT_KERNEL_SOURCE_ATOP, "s * b.a + b * (1.0 - s.a)"),
        "CIAdditionCompositing": operation(
            "AdditionCompositing", ZT_KERNEL_ADDITION, "vec4(s.rgb + b.rgb, min(s.a + b.a, 1.0))"),
        "CIMultiplyCompositing": operation("MultiplyCompositing", ZT_KERNEL_MULTIPLY, "s * b"),
        "CIMaximumCompositing": operation("MaximumCompositing", ZT_KERNEL_MAXIMUM, "max(s, b)"),
        "CIMinimumCompositing": operation("MinimumCompositing", ZT_KERNEL_MINIMUM, "min(s, b)"),
        "CIBlendWithMask": mask("BlendWithMask", ZT_KERNEL_MASK_LUMA, "luma(m.rgb)"),
        "CIBlendWithAlphaMask": mask("BlendWithAlphaMask", ZT_KERNEL_MASK_ALPHA, "m.a"),
        "CIBlendWithRedMask": mask("BlendWithRedMask", ZT_KERNEL_MASK_RED, "m.r"),
        "CIBlendWithBlueMask": mask("BlendWithBlueMask", ZT_KERNEL_MASK_BLUE, "m.b"),
    ]

    private static func operation(_ name: String, _ native: zt_kernel, _ formula: String) -> FilterRecipe {
        let function = "zt_" + name
        let kernel = Kernel(
            function, .general, native: native,
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
    private static func mask(_ name: String, _ native: zt_kernel, _ formula: String) -> FilterRecipe {
        let function = "zt_" + name
        let kernel = Kernel(
            function, .general, native: native,
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
