/// Color primaries: the chromaticities of red, green and blue, all with the white point D65.
package enum ColorPrimaries: Sendable, Hashable {
    /// Rec. ITU-R BT.709-6, also used by sRGB.
    case bt709
    /// Rec. ITU-R BT.2020-2.
    case bt2020
    /// SMPTE EG 432-1, “Display P3”.
    case p3

    /// The weights of red, green and blue in the luminance.
    package var luminance: SIMD3<Double> {
        let m = toXYZ
        return SIMD3(m.0.y, m.1.y, m.2.y)
    }

    /// Returns the matrix that converts linear light from these primaries to `other`, through CIE XYZ as in Rec. ITU-R
    /// BT.2087-0.
    package func matrix(to other: ColorPrimaries) -> ColorPrimaries.Matrix {
        if self == other { return (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)) }
        let fromXYZ = ColorPrimaries.inverse(other.toXYZ)
        let columns = toXYZ
        return (
            ColorPrimaries.apply(fromXYZ, columns.0), ColorPrimaries.apply(fromXYZ, columns.1),
            ColorPrimaries.apply(fromXYZ, columns.2)
        )
    }

    /// A 3×3 matrix as three columns.
    package typealias Matrix = (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    package static func apply(_ m: Matrix, _ v: SIMD3<Double>) -> SIMD3<Double> { m.0 * v.x + m.1 * v.y + m.2 * v.z }

    /// The CIE xy chromaticities of red, green and blue.
    private var chromaticities: [(x: Double, y: Double)] {
        switch self {
        case .bt709: [(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)]
        case .bt2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
        case .p3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
        }
    }

    /// The matrix to CIE XYZ. Each primary is scaled so that their sum is white (SMPTE RP 177).
    private var toXYZ: Matrix {
        func xyz(_ p: (x: Double, y: Double)) -> SIMD3<Double> { SIMD3(p.x / p.y, 1, (1 - p.x - p.y) / p.y) }
        let p = chromaticities
        let plain = (xyz(p[0]), xyz(p[1]), xyz(p[2]))
        let amounts = ColorPrimaries.apply(ColorPrimaries.inverse(plain), xyz((0.3127, 0.3290)))
        return (plain.0 * amounts.x, plain.1 * amounts.y, plain.2 * amounts.z)
    }

    private static func inverse(_ m: Matrix) -> Matrix {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let rows = (cross(m.1, m.2), cross(m.2, m.0), cross(m.0, m.1))
        let determinant = (m.0 * rows.0).sum()
        let (a, b, c) = (rows.0 / determinant, rows.1 / determinant, rows.2 / determinant)
        return (SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    }
}
