import CEGL
import Foundation

/// How a part of a recipe is read by the shader that uses it.
struct PictureView {
    enum Pixels {
        /// The same everywhere, premultiplied; transparent where there is nothing.
        case constant(SIMD4<Float>)
        /// - covers: the place of its pixels. `hold` keeps the texture from being used for something else.
        case texture(GLuint, covers: CGRect, isTopDown: Bool, isWhole: Bool, hold: AnyObject?)
    }
    var pixels: Pixels
    /// Transparent outside; nil: it goes on for ever.
    var extent: CGRect?
    /// Only pixels in here are looked at.
    var bounds: CGRect
    /// What the texture has for alpha does not count.
    var isOpaque = false

    static var nothing: PictureView { PictureView(pixels: .constant(.zero), extent: nil, bounds: .null) }

    /// Straight out of a texture, one texel a pixel (`isWhole`).
    static func texture(
        _ name: GLuint, covers: CGRect, extent: CGRect, isTopDown: Bool, isOpaque: Bool = false, isWhole: Bool = true,
        hold: AnyObject? = nil
    ) -> PictureView {
        PictureView(
            pixels: .texture(name, covers: covers, isTopDown: isTopDown, isWhole: isWhole, hold: hold),
            extent: extent.isInfiniteLike ? nil : extent, bounds: extent.intersection(covers), isOpaque: isOpaque)
    }

    func cropped(to extent: CGRect) -> PictureView {
        var view = self
        view.extent = extent.isInfiniteLike ? self.extent : extent
        if case .texture = pixels { view.bounds = bounds.intersection(extent.bounded) }
        return view.extent.map { $0.isNull || $0.width <= 0 || $0.height <= 0 } == true ? .nothing : view
    }

    func clamped() -> PictureView {
        var view = self
        view.extent = nil
        return view
    }

    /// Every pixel of `rect` is one texel, so that nothing needs to be interpolated.
    func isAligned(in rect: CGRect) -> Bool {
        guard case .texture(_, let covers, _, let isWhole, _) = pixels else { return false }
        return isWhole && covers == covers.integral && covers.contains(rect)
            && (extent?.contains(rect) ?? bounds.contains(rect))
    }

    /// From places to texture coordinates: `place * xy + zw`.
    static func mapping(_ covers: CGRect, isTopDown: Bool) -> SIMD4<Float> {
        let x = 1 / covers.width
        let y = 1 / covers.height
        return isTopDown
            ? [Float(x), Float(-y), Float(-covers.minX * x), Float(covers.maxY * y)]
            : [Float(x), Float(y), Float(-covers.minX * x), Float(-covers.minY * y)]
    }
}
