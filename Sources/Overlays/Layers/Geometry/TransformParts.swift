import Foundation

/// The components of a transform, so that key paths such as `transform.rotation.z` can set one of them.
///
/// They apply in this order: scale and shear, rotations about x, y and z, translation.
struct TransformParts: Sendable, Equatable {
    var translation: (x: CGFloat, y: CGFloat, z: CGFloat) = (0, 0, 0)
    var rotation: (x: CGFloat, y: CGFloat, z: CGFloat) = (0, 0, 0)
    var scale: (x: CGFloat, y: CGFloat, z: CGFloat) = (1, 1, 1)
    var shear: CGFloat = 0

    /// Decomposes the affine part. A rotation about the x or y axis is read as the scale that it appears as.
    init(_ t: CATransform3D) {
        translation = (t.m41, t.m42, t.m43)
        let sx = hypot(t.m11, t.m12)
        if sx > 0 {
            rotation.z = CGFloat(atan2(Double(t.m12), Double(t.m11)))
            scale = (sx, (t.m11 * t.m22 - t.m12 * t.m21) / sx, t.m33)
            shear = (t.m11 * t.m21 + t.m12 * t.m22) / sx
        } else {
            rotation.z = t.m21 == 0 && t.m22 == 0 ? 0 : CGFloat(atan2(Double(-t.m21), Double(t.m22)))
            scale = (0, hypot(t.m21, t.m22), t.m33)
        }
    }

    var transform: CATransform3D {
        var t = CATransform3D([scale.x, 0, 0, 0, shear, scale.y, 0, 0, 0, 0, scale.z, 0, 0, 0, 0, 1])
        if rotation.x != 0 { t = CATransform3DConcat(t, CATransform3DMakeRotation(rotation.x, 1, 0, 0)) }
        if rotation.y != 0 { t = CATransform3DConcat(t, CATransform3DMakeRotation(rotation.y, 0, 1, 0)) }
        if rotation.z != 0 { t = CATransform3DConcat(t, CATransform3DMakeRotation(rotation.z, 0, 0, 1)) }
        (t.m41, t.m42, t.m43) = translation
        return t
    }

    /// Interpolates between two transforms by their components, with rotations in the shorter direction.
    ///
    /// Transforms with depth or perspective are interpolated number by number.
    static func mixed(_ a: CATransform3D, _ b: CATransform3D, _ t: CGFloat) -> CATransform3D {
        let mix: (CGFloat, CGFloat) -> CGFloat = { $0 + ($1 - $0) * t }
        guard isFlat(a), isFlat(b) else {
            return CATransform3D(zip(a.entries, b.entries).map(mix))
        }
        var p = TransformParts(a)
        var q = TransformParts(b)
        // A scale of zero has no direction, so the other transform's rotation and shear are used.
        if p.scale.x == 0, p.scale.y == 0 { (p.rotation.z, p.shear) = (q.rotation.z, q.shear) }
        if q.scale.x == 0, q.scale.y == 0 { (q.rotation.z, q.shear) = (p.rotation.z, p.shear) }
        var difference = Double(q.rotation.z - p.rotation.z)
        if difference > .pi { difference -= 2 * .pi } else if difference < -.pi { difference += 2 * .pi }
        p.rotation.z += CGFloat(difference) * t
        p.translation = (
            mix(p.translation.x, q.translation.x), mix(p.translation.y, q.translation.y),
            mix(p.translation.z, q.translation.z)
        )
        p.scale = (mix(p.scale.x, q.scale.x), mix(p.scale.y, q.scale.y), mix(p.scale.z, q.scale.z))
        p.shear = mix(p.shear, q.shear)
        return p.transform
    }
    private static func isFlat(_ t: CATransform3D) -> Bool {
        t.m13 == 0 && t.m14 == 0 && t.m23 == 0 && t.m24 == 0 && t.m31 == 0 && t.m32 == 0 && t.m34 == 0 && t.m44 == 1
    }

    static func == (a: TransformParts, b: TransformParts) -> Bool {
        a.translation == b.translation && a.rotation == b.rotation && a.scale == b.scale && a.shear == b.shear
    }
}
