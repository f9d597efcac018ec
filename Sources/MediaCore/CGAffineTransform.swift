import Foundation

/// A 2-D transform in row-vector form, `[x y 1] · [a b 0; c d 0; tx ty 1]`, like that of Core Graphics.
///
/// ```swift
/// let halfSize = CGAffineTransform(scaleX: 0.5, y: 0.5)
/// let moved = halfSize.concatenating(CGAffineTransform(translationX: 20, y: 20))
/// let rect = CGRect(x: 0, y: 0, width: 200, height: 100).applying(moved)
/// print(rect)  // x 20, y 20, width 100, height 50
/// ```
public struct CGAffineTransform: Sendable, Hashable, Codable {
    /// The first two columns of the matrix: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`. All numbers are accepted.
    public var a, b, c, d, tx, ty: CGFloat

    /// Creates a transform from the six numbers of its matrix.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }
    /// The transform that does not move any point.
    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    /// Whether the transform is exactly the identity. Rounding errors make this false.
    public var isIdentity: Bool { self == .identity }
}
