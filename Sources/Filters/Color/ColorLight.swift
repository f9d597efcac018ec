import CPixels
import Foundation

/// The colors of light: white points by temperature, and the adaptation from one white point to another.
enum ColorLight {
    /// A 3×3 matrix as rows.
    typealias Matrix = [[Double]]

    /// Returns the CIE 1931 x and y of white light.
    ///
    /// Above 5000 K, the light is daylight (CIE 15: D illuminants). Below 4000 K, it is a black body (Kim et al.'s
    /// cubic approximation). The two curves do not meet, so both are mixed between 4000 and 5000 K.
    /// - Parameters:
    ///   - temperature: The temperature in kelvin, clamped to 1667…25000.
    ///   - tint: The shift toward green (above 0) or magenta (below 0), clamped to −200…200. A tint of 3000 is one unit
    ///     of v in CIE 1960.
    static func white(temperature: Double, tint: Double) -> (x: Double, y: Double) {
        let t = min(max(temperature, 1667), 25000)
        func daylight(_ t: Double) -> (Double, Double) {
            let x =
                t <= 7000
                ? -4.6070e9 / (t * t * t) + 2.9678e6 / (t * t) + 0.09911e3 / t + 0.244063
                : -2.0064e9 / (t * t * t) + 1.9018e6 / (t * t) + 0.24748e3 / t + 0.237040
            return (x, -3 * x * x + 2.870 * x - 0.275)
        }
        func blackBody(_ t: Double) -> (Double, Double) {
            let x =
                t <= 4000
                ? -0.2661239e9 / (t * t * t) - 0.2343589e6 / (t * t) + 0.8776956e3 / t + 0.179910
                : -3.0258469e9 / (t * t * t) + 2.1070379e6 / (t * t) + 0.2226347e3 / t + 0.240390
            let y =
                t <= 2222
                ? -1.1063814 * x * x * x - 1.34811020 * x * x + 2.18555832 * x - 0.20219683
                : t <= 4000
                    ? -0.9549476 * x * x * x - 1.37418593 * x * x + 2.09137015 * x - 0.16748867
                    : 3.0817580 * x * x * x - 5.87338670 * x * x + 3.75112997 * x - 0.37001483
            return (x, y)
        }
        let mix = min(max((t - 4000) / 1000, 0), 1)
        let cold = mix > 0 ? daylight(t) : (0, 0)
        let warm = mix < 1 ? blackBody(t) : (0, 0)
        let x = cold.0 * mix + warm.0 * (1 - mix)
        let y = cold.1 * mix + warm.1 * (1 - mix)
        if tint == 0 { return (x, y) }
        // Convert to CIE 1960 u and v, shift v by the tint, and convert back.
        let d = -2 * x + 12 * y + 3
        let u = 4 * x / d
        let v = 6 * y / d + min(max(tint, -200), 200) / 3000
        let e = 2 * u - 8 * v + 4
        return (3 * u / e, 2 * v / e)
    }

    /// Returns the matrix, from linear sRGB to linear sRGB, that maps the white point `from` to `to` (Bradford's
    /// adaptation).
    static func adaptation(from: (x: Double, y: Double), to: (x: Double, y: Double)) -> Matrix {
        let bradford: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
        // The matrix of linear sRGB (IEC 61966-2-1).
        let toXYZ: Matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
        func cone(_ w: (x: Double, y: Double)) -> [Double] { times(bradford, [w.x / w.y, 1, (1 - w.x - w.y) / w.y]) }
        let a = cone(from)
        let b = cone(to)
        let scale: Matrix = [[b[0] / a[0], 0, 0], [0, b[1] / a[1], 0], [0, 0, b[2] / a[2]]]
        let into = times(bradford, toXYZ)
        return times(inverse(into), times(scale, into))
    }

    private static func times(_ m: Matrix, _ v: [Double]) -> [Double] {
        m.map { $0[0] * v[0] + $0[1] * v[1] + $0[2] * v[2] }
    }
    private static func times(_ a: Matrix, _ b: Matrix) -> Matrix {
        a.map { row in (0..<3).map { row[0] * b[0][$0] + row[1] * b[1][$0] + row[2] * b[2][$0] } }
    }
    private static func inverse(_ m: Matrix) -> Matrix {
        func minor(_ r: Int, _ c: Int) -> Double {
            let a = (r + 1) % 3
            let b = (r + 2) % 3
            let p = (c + 1) % 3
            let q = (c + 2) % 3
            return m[a][p] * m[b][q] - m[a][q] * m[b][p]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
        return (0..<3).map { r in (0..<3).map { minor($0, r) / determinant } }
    }

    /// A kernel that applies a matrix to linear light.
    static let kernel = Kernel(
        "zt_light", .color, native: ZT_KERNEL_LIGHT,
        """
        vec4 zt_light(vec4 c, vec3 r, vec3 g, vec3 b) {
            vec3 l = toLinear(c.rgb);
            return vec4(fromLinear(vec3(dot(r, l), dot(g, l), dot(b, l))), c.a);
        }
        """)
    /// A kernel that multiplies each channel of linear light by a factor.
    static let gain = Kernel(
        "zt_lightGain", .color, isPerChannel: true, native: ZT_KERNEL_LIGHT_GAIN,
        """
        vec4 zt_lightGain(vec4 c, vec3 gain) { return vec4(fromLinear(toLinear(c.rgb) * gain), c.a); }
        """)

    /// Returns the linear value of a value in sRGB's encoding (IEC 61966-2-1).
    static func linear(_ c: Float) -> Float { c <= 0.04045 ? c / 12.92 : Float(pow(Double((c + 0.055) / 1.055), 2.4)) }
}
