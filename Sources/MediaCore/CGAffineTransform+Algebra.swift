import Foundation

// The operations of Core Graphics' transforms. Angles are in radians. If y points downward, positive angles are
// clockwise.
extension CGAffineTransform {
    /// Creates a translation.
    public init(translationX tx: CGFloat, y ty: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty) }
    /// Creates a scaling about the origin. Negative factors mirror.
    public init(scaleX sx: CGFloat, y sy: CGFloat) { self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0) }
    /// Creates a rotation about the origin.
    /// - Parameter angle: The angle in radians, clockwise if y points downward.
    public init(rotationAngle angle: CGFloat) {
        let s = CGFloat(sin(Double(angle)))
        let c = CGFloat(cos(Double(angle)))
        self.init(a: c, b: s, c: -s, d: c, tx: 0, ty: 0)
    }

    /// Returns a transform that applies this transform first and `t` second.
    public func concatenating(_ t: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * t.a + b * t.c, b: a * t.b + b * t.d, c: c * t.a + d * t.c, d: c * t.b + d * t.d,
            tx: tx * t.a + ty * t.c + t.tx, ty: tx * t.b + ty * t.d + t.ty)
    }
    /// Returns a transform that applies the translation first and this transform second.
    public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: x, y: y).concatenating(self)
    }
    /// Returns a transform that applies the scaling first and this transform second.
    public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: x, y: y).concatenating(self)
    }
    /// Returns a transform that applies the rotation first and this transform second.
    /// - Parameter angle: The angle in radians, clockwise if y points downward.
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }
    /// Returns the inverse. Returns the transform itself if its determinant is 0, or if a number of the transform or of
    /// the inverse is not finite.
    public func inverted() -> CGAffineTransform { inverse ?? self }

    /// The factor by which areas grow. It is negative if the transform mirrors.
    package var determinant: CGFloat { a * d - b * c }
    /// The inverse, or nil if the determinant is 0, or a number of the transform or of the inverse is not finite.
    package var inverse: CGAffineTransform? {
        let det = determinant
        guard isFinite, det.isFinite, det != 0 else { return nil }
        let (ia, ib, ic, id) = (d / det, -b / det, -c / det, a / det)
        let inverse = CGAffineTransform(
            a: ia, b: ib, c: ic, d: id, tx: -(tx * ia + ty * ic), ty: -(tx * ib + ty * id))
        return inverse.isFinite ? inverse : nil
    }
    /// Whether the transform is finite and keeps more than 10⁻¹² of an area. Nothing is visible after any other
    /// transform, and Cairo and GTK may fail.
    package var isDrawable: Bool { isFinite && determinant.isFinite && abs(determinant) > 1e-12 }
    /// Whether the transform is only a translation.
    package var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }
    package var isFinite: Bool { a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite }
    /// The mean factor by which lengths grow.
    package var meanScale: CGFloat { abs(determinant).squareRoot() }
}

extension CGPoint {
    /// Returns the transformed point.
    public func applying(_ t: CGAffineTransform) -> CGPoint {
        CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
    package var isFinite: Bool { x.isFinite && y.isFinite }
    package func mixed(_ other: CGPoint, _ t: CGFloat) -> CGPoint {
        CGPoint(x: x + (other.x - x) * t, y: y + (other.y - y) * t)
    }
    package func distance(_ other: CGPoint) -> CGFloat { hypot(other.x - x, other.y - y) }
}

extension CGSize {
    /// Returns the transformed size, without the translation. Width and height may become negative.
    public func applying(_ t: CGAffineTransform) -> CGSize {
        CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
    }
    package var isFinite: Bool { width.isFinite && height.isFinite }
}

extension CGRect {
    /// Returns the smallest rectangle that contains the transformed rectangle.
    public func applying(_ t: CGAffineTransform) -> CGRect {
        if isNull { return self }
        if t.isTranslation { return offsetBy(dx: t.tx, dy: t.ty) }
        let corners = [
            CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY), CGPoint(x: maxX, y: maxY),
        ]
        return CGRect.around(corners.map { $0.applying(t) })
    }
    package var isFinite: Bool { origin.isFinite && size.isFinite }
    /// Returns the smallest rectangle that contains the points, or `.null` if there are none.
    package static func around(_ points: some Sequence<CGPoint>) -> CGRect {
        var (x0, y0, x1, y1) = (CGFloat.infinity, CGFloat.infinity, -CGFloat.infinity, -CGFloat.infinity)
        for p in points {
            x0 = min(x0, p.x)
            x1 = max(x1, p.x)
            y0 = min(y0, p.y)
            y1 = max(y1, p.y)
        }
        return x0 <= x1 ? CGRect(x: x0, y: y0, width: x1 - x0, height: y1 - y0) : .null
    }
}
