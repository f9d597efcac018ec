import Filters
import Foundation
import MediaCore

extension PresentedLayer {
    /// Returns a rectangle that contains everything the layer draws, in device space; null if it draws nothing.
    ///
    /// - Parameter parent: The transform from the superlayer's space to device space.
    func coverage(_ parent: CGAffineTransform) -> CGRect {
        guard isSeen else { return .null }
        let m = values.matrix.concatenating(parent)
        guard m.isDrawable else { return .null }
        var area = bodyCoverage(m)
        if values.castsShadow {
            let shadow = (values.shadow.path.map { $0.controlBox.applying(m) } ?? area)
            let reach = 3 * values.shadow.radius * m.meanScale + 1
            let offset = values.shadow.offset.applying(m)
            if !shadow.isNull {
                area = area.union(shadow.insetBy(dx: -reach, dy: -reach).offsetBy(dx: offset.width, dy: offset.height))
            }
        }
        if let mask = mask.first { area = area.intersection(mask.coverage(m)) }
        return area.isFinite ? area : .null
    }

    /// Returns a rectangle that contains everything the layer draws, without its shadow and mask.
    ///
    /// - Parameter m: The transform from the layer's space to device space.
    func bodyCoverage(_ m: CGAffineTransform) -> CGRect {
        let v = values
        let bounds = v.bounds.width > 0 && v.bounds.height > 0 ? v.bounds.applying(m) : .null
        var area = CGRect.null
        if v.backgroundColor.isSeen || v.border.isSeen || v.gradient?.colors.isEmpty == false
            || v.contents.image != nil
        {
            area = bounds
        }
        // An image that is not scaled, or that fills the bounds, may extend beyond the bounds.
        if let image = v.contents.image { area = area.union(ContentsPlace.rect(image, v).applying(m)) }
        if let box = v.shape?.coverage { area = area.union(box.applying(m)) }
        if let text = v.text, !text.string.isEmpty, text.foregroundColor.isSeen,
            let ink = TextLayout(text, in: v.bounds)?.ink
        {
            area = area.union(ink.applying(m))
        }
        for layer in sublayers { area = area.union(layer.coverage(m)) }
        return v.masksToBounds ? area.intersection(bounds) : area
    }
}

extension LayerValues {
    var castsShadow: Bool { shadow.opacity > 0 && shadow.color.isSeen && !masksToBounds }
}

extension CGColor? {
    var isSeen: Bool { (self?.alpha ?? 0) > 0 }
}

extension ShapeValues {
    var isStroked: Bool { strokeColor.isSeen && lineWidth > 0 && strokeEnd > strokeStart }

    /// The area that the shape covers, in the layer's space; nil if nothing is drawn.
    var coverage: CGRect? {
        guard let path, !path.isEmpty, fillColor.isSeen || isStroked else { return nil }
        let box = path.controlBox
        guard isStroked else { return box }
        var reach: CGFloat = lineCap == .square ? 1.4143 : 1
        // The corners of a square cap or dash are up to √2 half widths away from the path, which `reach` includes.
        if lineJoin == .miter { reach = max(reach, path.miterReach(limit: miterLimit)) }
        let out = lineWidth / 2 * reach
        return box.insetBy(dx: -out, dy: -out)
    }
}
