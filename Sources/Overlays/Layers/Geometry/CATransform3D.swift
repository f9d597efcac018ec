import Foundation
import MediaCore

/// A transform in space, rows times matrix as in Core Animation. Layers draw its affine part: depth and perspective
/// are carried, not shown; a turn about the x or y axis narrows.
public struct CATransform3D: Sendable, Equatable {
    /// Row and column, from 1; `m41`, `m42` and `m43` are the translation.
    public var m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44: CGFloat

    /// All zero, as in C.
    public init() { self.init([CGFloat](repeating: 0, count: 16)) }
    /// Row by row.
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
    /// Sixteen numbers, row by row.
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

/// Leaves everything as it is; a layer's at first.
public let CATransform3DIdentity = CATransform3D(CGAffineTransform.identity)

/// Whether it is exactly the identity.
public func CATransform3DIsIdentity(_ t: CATransform3D) -> Bool { t == CATransform3DIdentity }
/// Whether all sixteen numbers are equal.
public func CATransform3DEqualToTransform(_ a: CATransform3D, _ b: CATransform3D) -> Bool { a == b }
/// Moves; points, y downwards. `tz` is carried, not shown.
public func CATransform3DMakeTranslation(_ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    CATransform3D([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, tx, ty, tz, 1])
}
/// Scales about the origin by factors; negative ones mirror.
public func CATransform3DMakeScale(_ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    CATransform3D([sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, sz, 0, 0, 0, 0, 1])
}
/// - Parameter angle: radians about the axis; an axis of no length gives the identity.
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
/// First the translation, then `t`; so do the next two.
public func CATransform3DTranslate(_ t: CATransform3D, _ tx: CGFloat, _ ty: CGFloat, _ tz: CGFloat) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeTranslation(tx, ty, tz), t)
}
/// First the scale, then `t`.
public func CATransform3DScale(_ t: CATransform3D, _ sx: CGFloat, _ sy: CGFloat, _ sz: CGFloat) -> CATransform3D {
    CATransform3DConcat(CATransform3DMakeScale(sx, sy, sz), t)
}
/// First the turn, then `t`; radians about the axis, as `CATransform3DMakeRotation`.
public func CATransform3DRotate(_ t: CATransform3D, _ angle: CGFloat, _ x: CGFloat, _ y: CGFloat, _ z: CGFloat)
    -> CATransform3D
{
    CATransform3DConcat(CATransform3DMakeRotation(angle, x, y, z), t)
}
/// First `a`, then `b`.
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
/// Itself where it cannot be undone.
public func CATransform3DInvert(_ t: CATransform3D) -> CATransform3D {
    var m = t.entries
    var inverse = CATransform3DIdentity.entries
    // Gauss and Jordan, with the largest number of the column as pivot.
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
/// The same transform in the plane.
public func CATransform3DMakeAffineTransform(_ m: CGAffineTransform) -> CATransform3D { CATransform3D(m) }
/// Whether it is one of the plane alone, with nothing of depth or perspective.
public func CATransform3DIsAffine(_ t: CATransform3D) -> Bool { t.isAffine }
/// The part in the plane, which layers draw; what is of depth or perspective is dropped.
public func CATransform3DGetAffineTransform(_ t: CATransform3D) -> CGAffineTransform { t.affine }
