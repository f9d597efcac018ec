import CEGL
import Foundation

/// A part of a recipe in the form in which a kernel reads it.
struct PictureView {
    enum Pixels {
        /// The same premultiplied color everywhere; transparent if there is nothing.
        case constant(SIMD4<Float>)
        /// A texture. `covers` is the rectangle of its pixels. `hold` prevents the reuse of the texture.
        case texture(GLuint, covers: CGRect, isTopDown: Bool, isWhole: Bool, hold: AnyObject?)
        /// A part of `PixelExecutor`, by its number.
        case part(Int32)
    }
    var pixels: Pixels
    /// The rectangle outside of which the view is transparent. Nil if the edge pixels continue without end.
    var extent: CGRect?
    /// The rectangle of the pixels that may be read.
    var bounds: CGRect
    /// Whether the texture's alpha is ignored.
    var isOpaque = false

    static var nothing: PictureView { PictureView(pixels: .constant(.zero), extent: nil, bounds: .null) }

    /// Returns a view of a texture. `isWhole` states that one texel is one pixel.
    static func texture(
        _ name: GLuint, covers: CGRect, extent: CGRect, isTopDown: Bool, isOpaque: Bool = false, isWhole: Bool = true,
        hold: AnyObject? = nil
    ) -> PictureView {
        PictureView(
            pixels: .texture(name, covers: covers, isTopDown: isTopDown, isWhole: isWhole, hold: hold),
            extent: extent.isPracticallyInfinite ? nil : extent, bounds: extent.intersection(covers), isOpaque: isOpaque
        )
    }

    func cropped(to extent: CGRect) -> PictureView {
        var view = self
        view.extent = extent.isPracticallyInfinite ? self.extent : extent
        if case .constant = pixels {} else { view.bounds = bounds.intersection(extent.bounded) }
        return view.extent.map { $0.isNull || $0.width <= 0 || $0.height <= 0 } == true ? .nothing : view
    }

    func clamped() -> PictureView {
        var view = self
        view.extent = nil
        return view
    }

    /// Returns whether every pixel of `rect` is exactly one texel, so that no interpolation is needed.
    func isAligned(in rect: CGRect) -> Bool {
        guard case .texture(_, let covers, _, let isWhole, _) = pixels else { return false }
        return isWhole && covers == covers.integral && covers.contains(rect)
            && (extent?.contains(rect) ?? bounds.contains(rect))
    }

    /// Returns the map from positions to texture coordinates: `place * xy + zw`.
    static func mapping(_ covers: CGRect, isTopDown: Bool) -> SIMD4<Float> {
        let x = 1 / covers.width
        let y = 1 / covers.height
        return isTopDown
            ? [Float(x), Float(-y), Float(-covers.minX * x), Float(covers.maxY * y)]
            : [Float(x), Float(y), Float(-covers.minX * x), Float(-covers.minY * y)]
    }
}
