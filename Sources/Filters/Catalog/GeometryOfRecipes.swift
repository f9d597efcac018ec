import Foundation
import MediaCore

/// Helpers for recipes that read other positions: extents that may be infinite, and matrices.
extension CIImage {
    /// Returns an image that a general kernel draws from `inputs`, with pixels in `extent`.
    static func drawn(
        _ kernel: Kernel, _ arguments: [KernelArgument] = [], inputs: [CIImage] = [], extent: CGRect,
        region: @escaping @Sendable (_ index: Int, _ rect: CGRect) -> CGRect = { $1 }
    ) -> CIImage {
        CIImage(recipe: .kernel(KernelStep(kernel, arguments, inputs: inputs, region: region)), extent: extent)
    }
}

extension CGRect {
    /// Whether the rectangle is infinite, or too large for meaningful arithmetic.
    var isUnbounded: Bool { !isNull && (width > 1e9 || height > 1e9) }
    /// Returns the rectangle, extended by `x` and `y` on each side, rounded up to whole pixels.
    func grown(_ x: Double, _ y: Double) -> CGRect {
        isUnbounded || isNull ? self : insetBy(dx: -x.rounded(.up), dy: -y.rounded(.up))
    }
    func grown(_ by: Double) -> CGRect { grown(by, by) }
    /// Returns the rectangle, multiplied by a factor for each axis and rounded outward to whole pixels.
    func scaled(_ x: Double, _ y: Double) -> CGRect {
        isUnbounded || isNull ? self : CGRect(x: minX * x, y: minY * y, width: width * x, height: height * y).integral
    }
    /// The left, bottom, right and top edge, as kernel argument.
    var edges: SIMD4<Float> {
        isUnbounded ? [-1e9, -1e9, 1e9, 1e9] : [Float(minX), Float(minY), Float(maxX), Float(maxY)]
    }
    /// The centers of the outermost pixels, as kernel argument. Samples within them never read pixels outside the
    /// rectangle.
    var centers: SIMD4<Float> { isUnbounded ? edges : edges + [0.5, 0.5, -0.5, -0.5] }
}

/// An affine or projective transform of the plane. Its columns are multiplied by (x, y, 1).
struct PlaneTransform: Sendable, Equatable {
    var x: SIMD3<Double>, y: SIMD3<Double>, origin: SIMD3<Double>

    init(x: SIMD3<Double>, y: SIMD3<Double>, origin: SIMD3<Double>) {
        self.x = x
        self.y = y
        self.origin = origin
    }
    init(_ t: CGAffineTransform) {
        self.init(x: [t.a, t.b, 0], y: [t.c, t.d, 0], origin: [t.tx, t.ty, 1])
    }
    static let identity = PlaneTransform(.identity)
    static func translation(_ x: Double, _ y: Double) -> PlaneTransform {
        PlaneTransform(CGAffineTransform(translationX: x, y: y))
    }
    static func scale(_ x: Double, _ y: Double) -> PlaneTransform {
        PlaneTransform(CGAffineTransform(scaleX: x, y: y))
    }
    static func rotation(_ angle: Double) -> PlaneTransform {
        PlaneTransform(CGAffineTransform(rotationAngle: angle))
    }

    /// Creates the transform from the corners (0,0), (1,0), (1,1), (0,1) of the unit square to `corners`. Returns nil
    /// if there is none.
    ///
    /// Heckbert, *Fundamentals of Texture Mapping* (1989), § 2.2.3.
    init?(square corners: [SIMD2<Double>]) {
        guard corners.count == 4 else { return nil }
        let p = corners
        let s = p[0] - p[1] + p[2] - p[3]
        let d1 = p[1] - p[2]
        let d2 = p[3] - p[2]
        let determinant = d1.x * d2.y - d2.x * d1.y
        guard abs(determinant) > 1e-9 else { return nil }
        let g = (s.x * d2.y - d2.x * s.y) / determinant
        let h = (d1.x * s.y - s.x * d1.y) / determinant
        let u = p[1] - p[0] + g * p[1]
        let v = p[3] - p[0] + h * p[3]
        self.init(x: [u.x, u.y, g], y: [v.x, v.y, h], origin: [p[0].x, p[0].y, 1])
    }

    var determinant: Double { (x * PlaneTransform.cross(y, origin)).sum() }
    var inverse: PlaneTransform? {
        let d = determinant
        guard d.isFinite, abs(d) > 1e-12 else { return nil }
        let r0 = PlaneTransform.cross(y, origin) / d
        let r1 = PlaneTransform.cross(origin, x) / d
        let r2 = PlaneTransform.cross(x, y) / d
        return PlaneTransform(x: [r0.x, r1.x, r2.x], y: [r0.y, r1.y, r2.y], origin: [r0.z, r1.z, r2.z])
    }
    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    /// Returns the transform that applies `other` first and then this transform.
    func after(_ other: PlaneTransform) -> PlaneTransform {
        func times(_ v: SIMD3<Double>) -> SIMD3<Double> { x * v.x + y * v.y + origin * v.z }
        return PlaneTransform(x: times(other.x), y: times(other.y), origin: times(other.origin))
    }
    func place(_ p: SIMD2<Double>) -> SIMD2<Double> {
        let v = x * p.x + y * p.y + origin
        return [v.x / v.z, v.y / v.z]
    }
    /// Returns the smallest rectangle around the transformed `rect`. The result is infinite if a part of it is beyond
    /// the horizon.
    func bounds(of rect: CGRect) -> CGRect {
        if rect.isUnbounded { return .infinite }
        if rect.isNull || rect.isEmpty { return .zero }
        let corners: [SIMD2<Double>] = [
            [rect.minX, rect.minY], [rect.maxX, rect.minY], [rect.maxX, rect.maxY], [rect.minX, rect.maxY],
        ]
        let depths = corners.map { x.z * $0.x + y.z * $0.y + origin.z }
        if depths.contains(where: { abs($0) < 1e-9 || ($0 > 0) != (depths[0] > 0) }) { return .infinite }
        let transformed = corners.map(place)
        let low = transformed.reduce(transformed[0]) { pointwiseMin($0, $1) }
        let high = transformed.reduce(transformed[0]) { pointwiseMax($0, $1) }
        return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
    /// The transform as a kernel argument, a `mat3`.
    var argument: KernelArgument { .mat3(SIMD3<Float>(x), SIMD3<Float>(y), SIMD3<Float>(origin)) }
}

extension SIMD4<Float> {
    /// The color, premultiplied, as general kernels require it.
    var premultiplied: SIMD4<Float> { [x * w, y * w, z * w, w] }
}
