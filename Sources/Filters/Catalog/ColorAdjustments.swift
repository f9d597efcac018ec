import CPixels
import Foundation

/// The recipes of the color adjustments.
///
/// Most formulas work on encoded values. Exposure, white point and temperature work on sRGB's linear light.
extension FilterCatalog {
    static let colorAdjustmentRecipes: [String: FilterRecipe] = [
        "CIColorControls": { a in
            a.image?.adding(
                colorControls(
                    saturation: a.float("inputSaturation"), brightness: a.float("inputBrightness"),
                    contrast: a.float("inputContrast")))
        },
        "CIExposureAdjust": { a in
            let gain = Float(pow(2, a.double("inputEV")))
            return a.image?.adding(ColorLight.gain, [.vec3([gain, gain, gain])])
        },
        "CIGammaAdjust": { a in a.image?.adding(gamma, [.float(a.float("inputPower"))]) },
        "CIHueAdjust": { a in a.image?.adding(hueRotation(a.double("inputAngle"))) },
        "CIVibrance": { a in a.image?.adding(vibrance, [.float(a.float("inputAmount"))]) },
        "CITemperatureAndTint": { a in
            let from = a.vector("inputNeutral", 2)
            let to = a.vector("inputTargetNeutral", 2)
            if from == to { return a.image }
            let m = ColorLight.adaptation(
                from: ColorLight.white(temperature: from[0], tint: from[1]),
                to: ColorLight.white(temperature: to[0], tint: to[1]))
            return a.image?.adding(ColorLight.kernel, m.map { .vec3([Float($0[0]), Float($0[1]), Float($0[2])]) })
        },
        "CIWhitePointAdjust": { a in
            let c = a.color("inputColor")
            return a.image?.adding(
                ColorLight.gain, [.vec3([ColorLight.linear(c.x), ColorLight.linear(c.y), ColorLight.linear(c.z)])])
        },
        "CIColorMatrix": { a in
            let r = a.vec4("inputRVector")
            let g = a.vec4("inputGVector")
            let b = a.vec4("inputBVector")
            let alpha = a.vec4("inputAVector")
            let bias = a.vec4("inputBiasVector")
            if r.w == 0, g.w == 0, b.w == 0, alpha == [0, 0, 0, 1], bias.w == 0 {
                return a.image?.adding(
                    ColorAffine(
                        red: [r.x, r.y, r.z, bias.x], green: [g.x, g.y, g.z, bias.y], blue: [b.x, b.y, b.z, bias.z]))
            }
            return a.image?.adding(matrixWithAlpha, [.vec4(r), .vec4(g), .vec4(b), .vec4(alpha), .vec4(bias)])
        },
        "CIColorPolynomial": { a in
            let alpha = a.vec4("inputAlphaCoefficients")
            return a.image?.adding(
                alpha == [0, 1, 0, 0] ? polynomial : polynomialWithAlpha,
                [
                    .vec4(a.vec4("inputRedCoefficients")), .vec4(a.vec4("inputGreenCoefficients")),
                    .vec4(a.vec4("inputBlueCoefficients")), .vec4(alpha),
                ])
        },
        "CIColorClamp": { a in
            let low = a.vec4("inputMinComponents")
            let high = a.vec4("inputMaxComponents")
            return a.image?.adding(low.w <= 0 && high.w >= 1 ? clamp : clampWithAlpha, [.vec4(low), .vec4(high)])
        },
        "CIToneCurve": { a in
            a.image?.adding(
                toneCurve, ToneCurve((0..<5).map { a.vector("inputPoint\($0)", 2) }.map { ($0[0], $0[1]) }).arguments)
        },
        "CILinearToSRGBToneCurve": { $0.image?.adding(encode) },
        "CISRGBToneCurveToLinear": { $0.image?.adding(decode) },
        "CIColorThreshold": { a in a.image?.adding(threshold, [.float(a.float("inputThreshold"))]) },
        "CIColorAbsoluteDifference": { a in
            guard let one = a.image, let two = a.image("inputImage2") else { return nil }
            return CIImage(
                recipe: .kernel(KernelStep(absoluteDifference, inputs: [one, two])),
                extent: one.extent.intersection(two.extent))
        },
    ]

    /// Returns Core Image's color controls: first saturation around the luma, then brightness added, then contrast
    /// around the middle.
    static func colorControls(saturation: Float, brightness: Float, contrast: Float) -> ColorAffine {
        ColorAffine.saturation(saturation).then(.scale(contrast, offset: (brightness - 0.5) * contrast + 0.5))
    }

    /// Returns the rotation of the color cube around its gray diagonal.
    static func hueRotation(_ angle: Double) -> ColorAffine {
        let c = cos(angle)
        let s = sin(angle) / 3.0.squareRoot()
        let same = Float(c + (1 - c) / 3)
        let next = Float((1 - c) / 3 - s)
        let last = Float((1 - c) / 3 + s)
        return ColorAffine(red: [same, next, last, 0], green: [last, same, next, 0], blue: [next, last, same, 0])
    }

    private static let gamma = Kernel(
        "zt_gamma", .color, isPerChannel: true, native: ZT_KERNEL_GAMMA,
        """
        vec4 zt_gamma(vec4 c, float power) { return vec4(sign(c.rgb) * pow(abs(c.rgb), vec3(power)), c.a); }
        """)
    /// Changes the saturation by `amount`. The more saturated a color already is, the smaller is the change.
    private static let vibrance = Kernel(
        "zt_vibrance", .color, native: ZT_KERNEL_VIBRANCE,
        """
        vec4 zt_vibrance(vec4 c, float amount) {
            float range = max(c.r, max(c.g, c.b)) - min(c.r, min(c.g, c.b));
            return vec4(mix(vec3(luma(c.rgb)), c.rgb, 1.0 + amount * (1.0 - clamp(range, 0.0, 1.0))), c.a);
        }
        """)
    private static let matrixWithAlpha = Kernel(
        "zt_colorMatrix", .color, native: ZT_KERNEL_COLOR_MATRIX,
        """
        vec4 zt_colorMatrix(vec4 c, vec4 r, vec4 g, vec4 b, vec4 a, vec4 bias) {
            vec4 m = vec4(dot(c, r), dot(c, g), dot(c, b), dot(c, a)) + bias;
            return vec4(m.rgb, clamp(m.a, 0.0, 1.0));
        }
        """)
    private static let polynomialText = """
        (vec4 c, vec4 r, vec4 g, vec4 b, vec4 a) {
            vec4 p0 = vec4(r.x, g.x, b.x, a.x), p1 = vec4(r.y, g.y, b.y, a.y), p2 = vec4(r.z, g.z, b.z, a.z), p3 = vec4(r.w, g.w, b.w, a.w);
            vec4 m = p0 + c * (p1 + c * (p2 + c * p3));
            return vec4(m.rgb, clamp(m.a, 0.0, 1.0));
        }
        """
    private static let polynomial = Kernel(
        "zt_polynomial", .color, isPerChannel: true, native: ZT_KERNEL_POLYNOMIAL, "vec4 zt_polynomial" + polynomialText
    )
    private static let polynomialWithAlpha = Kernel(
        "zt_polynomialAlpha", .color, native: ZT_KERNEL_POLYNOMIAL, "vec4 zt_polynomialAlpha" + polynomialText)
    private static let clamp = Kernel(
        "zt_clamp", .color, isSmooth: false, isPerChannel: true, native: ZT_KERNEL_CLAMP,
        """
        vec4 zt_clamp(vec4 c, vec4 low, vec4 high) { return vec4(clamp(c.rgb, low.rgb, max(low.rgb, high.rgb)), c.a); }
        """)
    private static let clampWithAlpha = Kernel(
        "zt_clampAlpha", .color, isSmooth: false, native: ZT_KERNEL_CLAMP_ALPHA,
        """
        vec4 zt_clampAlpha(vec4 c, vec4 low, vec4 high) { return clamp(c, low, max(low, high)); }
        """)
    private static let encode = Kernel(
        "zt_encode", .color, isPerChannel: true, native: ZT_KERNEL_ENCODE,
        "vec4 zt_encode(vec4 c) { return vec4(fromLinear(c.rgb), c.a); }")
    private static let decode = Kernel(
        "zt_decode", .color, isPerChannel: true, native: ZT_KERNEL_DECODE,
        "vec4 zt_decode(vec4 c) { return vec4(toLinear(c.rgb), c.a); }")
    private static let threshold = Kernel(
        "zt_threshold", .color, isSmooth: false, isPerChannel: true, native: ZT_KERNEL_THRESHOLD,
        """
        vec4 zt_threshold(vec4 c, float limit) { return vec4(vec3(greaterThan(c.rgb, vec3(limit))), c.a); }
        """)
    private static let toneCurve = Kernel(
        "zt_toneCurve", .color, isPerChannel: true, native: ZT_KERNEL_TONE_CURVE,
        """
        float zt_toneCurve_one(float v, vec4 x, vec4 y, vec4 bend, vec3 last) {
            v = clamp(v, x.x, last.x);
            vec2 xs = vec2(x.w, last.x), ys = vec2(y.w, last.y), bends = vec2(bend.w, last.z);
            if (v < x.y) { xs = x.xy; ys = y.xy; bends = bend.xy; }
            else if (v < x.z) { xs = x.yz; ys = y.yz; bends = bend.yz; }
            else if (v < x.w) { xs = x.zw; ys = y.zw; bends = bend.zw; }
            float h = xs.y - xs.x, t = (v - xs.x) / h, s = 1.0 - t;
            return s * ys.x + t * ys.y + h * h / 6.0 * ((s * s * s - s) * bends.x + (t * t * t - t) * bends.y);
        }
        vec4 zt_toneCurve(vec4 c, vec4 x, vec4 y, vec4 bend, vec3 last) {
            return vec4(zt_toneCurve_one(c.r, x, y, bend, last), zt_toneCurve_one(c.g, x, y, bend, last), zt_toneCurve_one(c.b, x, y, bend, last), c.a);
        }
        """)
    private static let absoluteDifference = Kernel(
        "zt_absoluteDifference", .general, native: ZT_KERNEL_ABSOLUTE_DIFFERENCE,
        """
        vec4 zt_absoluteDifference(vec2 place) {
            vec4 a = src0(place), b = src1(place);
            float alpha = max(a.a, b.a);
            return vec4(abs(unpremultiplied(a).rgb - unpremultiplied(b).rgb) * alpha, alpha);
        }
        """)
}

/// A natural cubic spline through five points. It is constant before the first point and after the last point.
struct ToneCurve {
    private var x: [Double], y: [Double]
    /// The second derivatives at the points.
    private var bend = [Double](repeating: 0, count: 5)

    init(_ points: [(Double, Double)]) {
        let sorted = points.sorted { $0.0 < $1.0 }
        x = sorted.map(\.0)
        y = sorted.map(\.1)
        // A curve can't pass through two points at the same x, so they are moved slightly apart, which makes the curve
        // steep.
        for index in 1..<5 { x[index] = max(x[index], x[index - 1] + 1e-3) }
        // Solve the tridiagonal system of the spline with second derivatives of zero at both ends (Thomas algorithm).
        var c = [Double](repeating: 0, count: 5)
        var d = c
        for i in 1..<4 {
            let before = x[i] - x[i - 1]
            let after = x[i + 1] - x[i]
            let right = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before)
            let m = 2 * (before + after) - before * c[i - 1]
            c[i] = after / m
            d[i] = (right - before * d[i - 1]) / m
        }
        for i in stride(from: 3, through: 1, by: -1) { bend[i] = d[i] - c[i] * bend[i + 1] }
    }

    var arguments: [KernelArgument] {
        func four(_ v: [Double]) -> KernelArgument { .vec4([Float(v[0]), Float(v[1]), Float(v[2]), Float(v[3])]) }
        return [four(x), four(y), four(bend), .vec3([Float(x[4]), Float(y[4]), Float(bend[4])])]
    }
}
