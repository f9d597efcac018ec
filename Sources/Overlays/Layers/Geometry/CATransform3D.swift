import Foundation
import MediaCore

/// A 4 × 4 transform. Mirrors Core Animation's type of the same name, with the same convention: row vector times
/// matrix.
///
/// Layers draw only its affine part. Depth and perspective are stored but not drawn, so a rotation about the x axis
/// makes a layer shorter, and a rotation about the y axis makes it narrower.
///
/// For example, to rotate a layer by 45 degrees:
/// ```swift
/// layer.transform = CATransform3DMakeRotation(.pi / 4, 0, 0, 1)
/// ```
public struct CATransform3D: Sendable, Equatable {
    /// The entries, by row and column, from 1. `m41`, `m42` and `m43` are the translation.
    public var m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44: CGFloat

    /// Creates a transform with all entries zero, as in C.
    public init() { self.init([CGFloat](repeating: 0, count: 16)) }
    /// Creates a transform from its entries, row by row.
    public init(
        m11: CGFloat, m12: CGFloat, m13: CGFloat, m14: CGFloat, m21: CGFloat, m22: CGFloat, m23: CGFloat, m24: CGFloat,
        m31: CGFloat, m32: CGFloat, m33: CGFloat, m34: CGFloat, m41: CGFloat, m42: CGFloat, m43: CGFloat, m44: CGFloat
    ) {
        self.m11 = m11
        self.m12 = m12
        self.m13 = m13
        self.m14 = m14
        self.m21 = m21
        self.m22 = m22
        self.m23 = m23
        self.m24 = m24
        self.m31 = m31
        self.m32 = m32
        self.m33 = m33
        self.m34 = m34
        self.m41 = m41
        self.m42 = m42
        self.m43 = m43
        self.m44 = m44
    }
    /// Creates a transform from sixteen numbers, row by row.
    init(_ m: [CGFloat]) {
        self.init(
            m11: m[0], m12: m[1], m13: m[2], m14: m[3], m21: m[4], m22: m[5], m23: m[6], m24: m[7],
            m31: m[8], m32: m[9], m33: m[10], m34: m[11], m41: m[12], m42: m[13], m43: m[14], m44: m[15])
    }
    init(_ t: CGAffineTransform) {
        self.init([t.a, t.b, 0, 0, t.c, t.d, 0, 0, 0, 0, 1, 0, t.tx, t.ty, 0, 1])
    }
    var entries: [CGFloat] { [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44] }
    var affine: CGAffineTransform { CGAffineTransform(a: m11, b: m12, c: m21, d: m22, tx: m41, ty: m42) }
    var isFinite: Bool { entries.allSatisfy(\.isFinite) }
    var isAffine: Bool {
        m13 == 0 && m14 == 0 && m23 == 0 && m24 == 0 && m31 == 0 && m32 == 0 && m33 == 1 && m34 == 0 && m43 == 0
            && m44 == 1
    }
}

/// The identity transform, which is the default of a layer.
public let CATransform3DIdentity = CATransform3D(CGAffineTransform.identity)

/// Returns whether `t` is exactly the identity.
public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool { t == CATransform3DIdentity }
/// Returns whether all sixteen entries of both transforms are equal.
public func CATransform3DEqualToTransform(_ a: CATransform3D, _ b: CATransform3D) -> Bool { a == b }
/// Returns a translation in points, with y downward. `tz` is stored but not drawn.
public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    CATransform3D([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, tx, ty, tz, 1])
}
/// Returns a scale about the origin. Negative factors mirror.
public func CATransform3DMakeScale(_ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    CATransform3D([sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, 0, 0, 0, 1])
}
/// Returns a rotation about the axis (`x`, `y`, `z`), or the identity if the length of the axis is 0 or not finite.
///
/// - Parameter angle: The angle, in radians.
public func CATransform3DMakeRotation(_ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat) -> CATransform3D {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 0, length.isFinite else { return CATransform3DIdentity }
    let (x, y, z) = (x / length, y / length, z / length)
    let c = CGFloat(cos(Double(angle)))
    let s = CGFloat(sin(Double(angle)))
    let u = 1 - c
    return CATransform3D([
        x * x * u + c, x * y * u + z * s, x * z * u - y * s, 0,
        x * y * u - z * s, y * y * u + c, y * z * u + x * s, 0,
        x * z * u + y * s, y * z * u - x * s, z * z * u + c, 0,
        0, 0, 0, 1,
    ])
}
/// Returns a transform that applies the translation first, then `t`.
public func CATransform3DTranslate(_ t: CATransform3D, _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t)
}
/// Returns a transform that applies the scale first, then `t`.
public func CATransform3DScale(_ t: CATransform3D, _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t)
}
/// Returns a transform that applies the rotation first, then `t`. The parameters are those of
/// `CATransform3DMakeRotation`.
public func CATransform3DRotate(_ t: CATransform3D, _ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat)
    -> CATransform3D
{
    CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t)
}
/// Returns a transform that applies `a` first, then `b`.
public func CATransform3DConcat(_ a: CATransform3D, _ b: CATransform3D) -> CATransform3D {
    let (p, q) = (a.entries, b.entries)
    var result = [CGFloat](repeating: 0, count: 16)
    for row in 0..<4 {
        for column in 0..<4 {
            for k in 0..<4 { result[row * 4 + column] += p[row * 4 + k] * q[k * 4 + column] }
        }
    }
    return CATransform3D(result)
}
/// Returns the inverse of `t`, or `t` itself if it has no inverse.
public func CATransform3DInvert(_ t: CATransform3D) -> CATransform3D {
    var m = t.entries
    var inverse = CATransform3DIdentity.entries
    // Gauss–Jordan elimination, with the largest number of each column as the pivot.
    for column in 0..<4 {
        guard let pivot = (column..<4).max(by: { abs(m[$0 * 4 + column]) < abs(m[$1 * 4 + column]) }),
            abs(m[pivot * 4 + column]) > 1e-12
        else { return t }
        for k in 0..<4 where pivot != column {
            m.swapAt(pivot * 4 + k, column * 4 + k)
            inverse.swapAt(pivot * 4 + k, column * 4 + k)
        }
        let by = m[column * 4 + column]
        for k in 0..<4 {
            m[column * 4 + k] /= by
            inverse[column * 4 + k] /= by
        }
        for row in 0..<4 where row != column {
            let factor = m[row * 4 + column]
            for k in 0..<4 {
                m[row * 4 + k] -= factor * m[column * 4 + k]
                inverse[row * 4 + k] -= factor * inverse[column * 4 + k]
            }
        }
    }
    return CATransform3D(inverse)
}
/// Returns the transform in space that equals the affine transform `m`.
public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D { CATransform3D(m) }
/// Returns whether `t` is affine, which means without depth and perspective.
public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool { t.isAffine }
/// Returns the affine part of `t`, which layers draw. Depth and perspective are dropped.
public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform { t.affine }
