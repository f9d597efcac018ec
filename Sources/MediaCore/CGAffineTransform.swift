import Foundation

/// A 2-D transform in row-vector form, `[x y 1] · [a b 0; c d 0; tx ty 1]`, after Core Graphics.
public struct CGAffineTransform: Sendable, Hashable, Codable {
    /// The matrix' first two columns: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`. Not checked: any number is taken as
    /// it is.
    public var a, b, c, d, tx, ty: CGFloat

    /// From the matrix' six free numbers.
    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }
    /// Leaves every point where it is.
    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    /// Exactly the identity; a matrix that is off by a rounding error is not.
    public var isIdentity: Bool { self == .identity }
}
