import CPixels
import Foundation
import MediaCore

extension CIImage {
    /// Returns the image, filtered by a filter of the catalog.
    ///
    /// ```swift
    /// image.applyingFilter("CIColorControls", parameters: [kCIInputSaturationKey: 0.3])
    /// ```
    ///
    /// - Parameters:
    ///   - filterName: The name of the filter in the catalog.
    ///   - parameters: The parameters, as `CIFilter.setValue(_:forKey:)` sets them. `inputImage` is this image.
    /// - Returns: The filtered image, or this image if there is no such filter or a required image is missing.
    public func applyingFilter(_ filterName: String, parameters: [String: Any]) -> CIImage {
        guard let filter = CIFilter(name: filterName, parameters: parameters) else { return self }
        filter.inputImage = self
        return filter.outputImage ?? self
    }

    /// Returns the image, filtered by a filter of the catalog with default parameters.
    public func applyingFilter(_ filterName: String) -> CIImage { applyingFilter(filterName, parameters: [:]) }

    /// Returns the part of the image in `rect`. Everything outside is transparent. If the image and `rect` do not
    /// overlap, the result is empty.
    ///
    /// For example, to filter only the left half of a frame:
    /// ```swift
    /// let size = image.extent.size
    /// let leftHalf = CGRect(x: 0, y: 0, width: size.width / 2, height: size.height)
    /// return image.applyingFilter("CIPhotoEffectNoir").cropped(to: leftHalf).composited(over: image)
    /// ```
    public func cropped(to rect: CGRect) -> CIImage {
        let part = extent.intersection(rect)
        guard !part.isNull, part.width > 0, part.height > 0 else { return .empty() }
        return part == extent ? self : CIImage(recipe: .cropped(self), extent: part)
    }

    /// Returns an image without bounds, in which the edge pixels continue without end.
    public func clampedToExtent() -> CIImage {
        extent.isNull || extent.isPracticallyInfinite ? self : CIImage(recipe: .clamped(self), extent: .infinite)
    }

    /// Returns the image composited over `background`.
    public func composited(over background: CIImage) -> CIImage {
        if extent.isNull { return background }
        if background.extent.isNull { return self }
        return CIImage(
            recipe: .kernel(KernelStep(CIImage.sourceOver, inputs: [self, background])),
            extent: extent.union(background.extent))
    }

    /// Returns the image with a Gaussian blur.
    /// - Parameter sigma: The standard deviation, in pixels, clamped to 0…1000.
    public func applyingGaussianBlur(sigma: Double) -> CIImage {
        applyingFilter("CIGaussianBlur", parameters: [kCIInputRadiusKey: sigma])
    }

    /// Returns the image, transformed around the origin. If the transform has no inverse, the result is empty.
    ///
    /// ```swift
    /// image.transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5))
    /// ```
    public func transformed(by t: CGAffineTransform) -> CIImage {
        if t.isIdentity || extent.isNull { return self }
        guard let inverse = t.inverse else { return .empty() }
        // The inverse maps the position of a drawn pixel to the position that it is read from.
        let (a, b, c, d) = (inverse.a, inverse.b, inverse.c, inverse.d)
        // For a reduction, average several positions for each pixel.
        let scale = max((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
        let samples = Int32(min(8, max(1, (scale - 0.01).rounded(.up))))
        let step = KernelStep(
            CIImage.affine,
            [
                .vec3(CIImage.argument(a, c, inverse.tx)), .vec3(CIImage.argument(b, d, inverse.ty)), .int(samples),
            ], inputs: [self]
        ) { _, rect in CIImage.transformed(rect, inverse) }
        return CIImage(
            recipe: .kernel(step), extent: extent.isPracticallyInfinite ? .infinite : CIImage.transformed(extent, t))
    }
    /// Numbers for a shader, clamped so that their products with positions are finite there.
    private static func argument(_ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> SIMD3<Float> {
        let most = SIMD3<Double>(repeating: 1e30)
        return SIMD3<Float>(SIMD3<Double>(x, y, z).clamped(lowerBound: -most, upperBound: most))
    }
    /// Returns the transformed rectangle, or an infinite one if a number is too large.
    private static func transformed(_ rect: CGRect, _ t: CGAffineTransform) -> CGRect {
        let result = rect.applying(t)
        return result.isNull || result.isFinite ? result : .infinite
    }

    static let sourceOver = Kernel(
        "zt_sourceOver", .general, native: ZT_KERNEL_SOURCE_OVER,
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
