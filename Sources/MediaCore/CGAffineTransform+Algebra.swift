import Foundation

// What Core Graphics offers on its transforms. Angles are radians; with y downwards a positive one turns clockwise.
extension CGAffineTransform {
    /// Moves.
    public init(translationX tx: CGFloat, y ty: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty) }
    /// Scales about the origin by factors; negative ones mirror.
    public init(scaleX sx: CGFloat, y sy: CGFloat) { self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0) }
    /// Turns about the origin; radians, with y downwards clockwise.
    public init(rotationAngle angle: CGFloat) {
        let s = CGFloat(sin(Double(angle)))
        let c = CGFloat(cos(Double(angle)))
        self.init(a: c, b: s, c: -s, d: c, tx: 0, ty: 0)
    }

    /// First this, then the other.
    public func concatenating(_ t: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * t.a + b * t.c, b: a * t.b + b * t.d, c: c * t.a + d * t.c, d: c * t.b + d * t.d,
            tx: tx * t.a + ty * t.c + t.tx, ty: tx * t.b + ty * t.d + t.ty)
    }
    /// First the translation, then this.
    public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: x, y: y).concatenating(self)
    }
    /// First the scale, then this.
    public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: x, y: y).concatenating(self)
    }
    /// First the turn, then this.
    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }
    /// Itself where it cannot be undone, as Core Graphics has it.
    public func inverted() -> CGAffineTransform { inverse ?? self }

    /// By how much areas grow; below zero where it mirrors.
    package var determinant: CGFloat { a * d - b * c }
    /// Nil where it cannot be undone: what is scaled to less than a millionth is gone.
    package var inverse: CGAffineTransform? {
        guard isInvertible else { return nil }
        let det = determinant
        let (ia, ib, ic, id) = (d / det, -b / det, -c / det, a / det)
        return CGAffineTransform(a: ia, b: ib, c: ic, d: id, tx: -(tx * ia + ty * ic), ty: -(tx * ib + ty * id))
    }
    /// Finite, and flattens nothing to a line. Cairo refuses all further work after any other.
    package var isInvertible: Bool { isFinite && determinant.isFinite && abs(determinant) > 1e-12 }
    /// It only moves.
    package var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }
    package var isFinite: Bool { a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite }
    /// By how much lengths grow, on average.
    package var meanScale: CGFloat { abs(determinant).squareRoot() }
}

extension CGPoint {
    /// Where the point comes to lie.
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
    /// What becomes of the extent, without the translation; parts may become negative.
    public func applying(_ t: CGAffineTransform) -> CGSize {
        CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
    }
    package var isFinite: Bool { width.isFinite && height.isFinite }
}

extension CGRect {
    /// The smallest rectangle around the transformed one.
    public func applying(_ t: CGAffineTransform) -> CGRect {
        if isNull { return self }
        if t.isTranslation { return offsetBy(dx: t.tx, dy: t.ty) }
        let corners = [
            CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY), CGPoint(x: maxX, y: maxY),
        ]
        return CGRect.around(corners.map { $0.applying(t) })
    }
    package var isFinite: Bool { origin.isFinite && size.isFinite }
    /// Null for no points.
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
