import Foundation
import MediaCore

extension CIImage {
    /// Filtered by one of the catalogue.
    ///
    /// - Parameter parameters: as by `CIFilter.setValue(_:forKey:)`; `inputImage` is this picture.
    /// - Returns: this picture itself when there is no filter of that name, or a picture it needs is missing.
    public func applyingFilter(_ filterName: String, parameters: [String: Any]) -> CIImage {
        guard let filter = CIFilter(name: filterName, parameters: parameters) else { return self }
        filter.inputImage = self
        return filter.outputImage ?? self
    }

    /// The same with standard parameters.
    public func applyingFilter(_ filterName: String) -> CIImage { applyingFilter(filterName, parameters: [:]) }

    /// Only what lies in `rect`; transparent elsewhere.
    public func cropped(to rect: CGRect) -> CIImage {
        let part = extent.intersection(rect)
        guard !part.isNull, part.width > 0, part.height > 0 else { return .empty() }
        return part == extent ? self : CIImage(recipe: .cropped(self), extent: part)
    }

    /// Its edge pixels go on for ever.
    public func clampedToExtent() -> CIImage {
        extent.isNull || extent.isInfiniteLike ? self : CIImage(recipe: .clamped(self), extent: .infinite)
    }

    /// Over another picture, by its alpha.
    public func composited(over background: CIImage) -> CIImage {
        if extent.isNull { return background }
        if background.extent.isNull { return self }
        return CIImage(
            recipe: .kernel(KernelStep(CIImage.sourceOver, inputs: [self, background])),
            extent: extent.union(background.extent))
    }

    /// - Parameter sigma: standard deviation, pixels.
    public func applyingGaussianBlur(sigma: Double) -> CIImage {
        applyingFilter("CIGaussianBlur", parameters: [kCIInputRadiusKey: sigma])
    }

    /// Moved, turned, scaled around the origin; a transform that has no inverse leaves nothing.
    public func transformed(by t: CGAffineTransform) -> CIImage {
        if t.isIdentity || extent.isNull { return self }
        guard abs(t.determinant) > 1e-9, let inverse = t.inverse else { return .empty() }
        // From where a pixel is drawn to where it is looked up.
        let (a, b, c, d) = (inverse.a, inverse.b, inverse.c, inverse.d)
        // Going down, several places of each pixel are averaged.
        let scale = max((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
        let samples = Int32(min(8, max(1, (scale - 0.01).rounded(.up))))
        let step = KernelStep(
            CIImage.affine,
            [
                .vec3([Float(a), Float(c), Float(inverse.tx)]), .vec3([Float(b), Float(d), Float(inverse.ty)]),
                .int(samples),
            ], inputs: [self]
        ) { _, rect in rect.applying(inverse) }
        return CIImage(recipe: .kernel(step), extent: extent.isInfiniteLike ? .infinite : extent.applying(t))
    }

    static let sourceOver = Kernel(
        "zt_sourceOver", .general,
        """
        vec4 zt_sourceOver(vec2 place) {
            vec4 s = src0(place);
            return s + src1(place) * (1.0 - s.a);
        }
        """)

    private static let affine = Kernel(
        "zt_affine", .general,
        """
        vec4 zt_affine(vec2 place, vec3 x, vec3 y, int samples) {
            vec4 sum = vec4(0.0);
            float size = 1.0 / float(samples);
            for (int j = 0; j < samples; j++) {
                for (int i = 0; i < samples; i++) {
                    vec3 p = vec3(place + (vec2(float(i), float(j)) + 0.5) * size - 0.5, 1.0);
                    sum += src0(vec2(dot(x, p), dot(y, p)));
                }
            }
            return sum * size * size;
        }
        """)
}
