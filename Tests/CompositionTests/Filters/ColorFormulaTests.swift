import Foundation
import MediaCore
import Testing

@testable import Filters

typealias RGBA = SIMD4<Double>

/// A filter with settings, and the formula for its result from a color that is not premultiplied.
struct ColorCase: CustomTestStringConvertible, Sendable {
    let name: String
    let settings: @Sendable () -> [String: Any]
    let formula: @Sendable (RGBA) -> RGBA
    var testDescription: String { name }
    init(
        _ name: String, _ settings: @autoclosure @escaping @Sendable () -> [String: Any] = [:],
        _ formula: @escaping @Sendable (RGBA) -> RGBA
    ) {
        self.name = name
        self.settings = settings
        self.formula = formula
    }
}

private func each(_ c: RGBA, _ f: (Double) -> Double) -> RGBA { [f(c.x), f(c.y), f(c.z), c.w] }
private func luma(_ c: RGBA) -> Double { 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z }
private func linear(_ v: Double) -> Double { v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4) }
private func encoded(_ v: Double) -> Double { v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055 }
private func mixed(_ a: RGBA, _ b: RGBA, _ t: Double) -> RGBA {
    RGBA(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, a.w)
}

@Suite("Colour filters")
struct ColorFormulaTests {
    static let colors: [RGBA] = [
        [0, 0, 0, 1], [1, 1, 1, 1], [0.5, 0.5, 0.5, 1], [1, 0, 0, 1], [0.2, 0.6, 0.8, 1], [0.9, 0.7, 0.1, 1],
        [0.02, 0.3, 0.98, 1], [0.4, 0.8, 0.2, 0.6],
    ]
    .map { c in RGBA((c[0] * 255).rounded() / 255, (c[1] * 255).rounded() / 255, (c[2] * 255).rounded() / 255, c[3]) }

    static let cases: [ColorCase] = [
        ColorCase("CIColorControls", ["inputSaturation": 1.3, "inputBrightness": 0.1, "inputContrast": 0.7]) { c in
            let l = luma(c)
            return each(c) { (l + ($0 - l) * 1.3 + 0.1 - 0.5) * 0.7 + 0.5 }
        },
        ColorCase("CIColorControls") { $0 },
        ColorCase("CIExposureAdjust", ["inputEV": -1]) { each($0) { encoded(linear($0) / 2) } },
        ColorCase("CIExposureAdjust", ["inputEV": 0.5]) { each($0) { encoded(linear($0) * 2.0.squareRoot()) } },
        ColorCase("CIGammaAdjust", ["inputPower": 0.75]) { each($0) { pow($0, 0.75) } },
        // A rotation by a third of a turn permutes the channels.
        ColorCase("CIHueAdjust", ["inputAngle": 2 * Double.pi / 3]) { [$0.z, $0.x, $0.y, $0.w] },
        ColorCase("CIHueAdjust", ["inputAngle": Double.pi]) { c in
            let grey = (c.x + c.y + c.z) / 3
            return each(c) { 2 * grey - $0 }
        },
        ColorCase("CIVibrance", ["inputAmount": -1]) { c in
            let s = max(c.x, c.y, c.z) - min(c.x, c.y, c.z)
            let l = luma(c)
            return each(c) { l + ($0 - l) * s }
        },
        ColorCase("CIWhitePointAdjust", ["inputColor": CIColor(red: 1, green: 0.8, blue: 0.5)]) { c in
            [c.x, encoded(linear(c.y) * linear(0.8)), encoded(linear(c.z) * linear(0.5)), c.w]
        },
        ColorCase(
            "CITemperatureAndTint",
            ["inputNeutral": CIVector(x: 5000, y: 10), "inputTargetNeutral": CIVector(x: 5000, y: 10)]
        ) { $0 },
        ColorCase(
            "CIColorMatrix",
            [
                "inputRVector": CIVector(x: 0, y: 1, z: 0, w: 0), "inputGVector": CIVector(x: 0.5, y: 0, z: 0.5, w: 0),
                "inputBiasVector": CIVector(x: 0.1, y: 0, z: -0.1, w: 0),
            ]
        ) { [$0.y + 0.1, 0.5 * $0.x + 0.5 * $0.z, $0.z - 0.1, $0.w] },
        ColorCase("CIColorMatrix", ["inputAVector": CIVector(x: 0.5, y: 0, z: 0, w: 0.5)]) {
            [$0.x, $0.y, $0.z, 0.5 * $0.x + 0.5 * $0.w]
        },
        ColorCase(
            "CIColorPolynomial",
            [
                "inputRedCoefficients": [0.1, 0.2, 0.3, 0.4] as [CGFloat],
                "inputBlueCoefficients": CIVector(x: 0, y: 0, z: 1, w: 0),
            ]
        ) {
            [0.1 + 0.2 * $0.x + 0.3 * $0.x * $0.x + 0.4 * $0.x * $0.x * $0.x, $0.y, $0.z * $0.z, $0.w]
        },
        ColorCase(
            "CIColorClamp",
            [
                "inputMinComponents": CIVector(x: 0.3, y: 0, z: 0, w: 0),
                "inputMaxComponents": CIVector(x: 1, y: 0.5, z: 1, w: 1),
            ]
        ) {
            [max($0.x, 0.3), min($0.y, 0.5), $0.z, $0.w]
        },
        ColorCase("CIToneCurve") { $0 },
        ColorCase(
            "CIToneCurve",
            [
                "inputPoint0": CGPoint(x: 0, y: 0.5), "inputPoint1": CGPoint(x: 0.25, y: 0.5),
                "inputPoint2": CGPoint(x: 0.5, y: 0.5),
                "inputPoint3": CGPoint(x: 0.75, y: 0.5), "inputPoint4": CGPoint(x: 1, y: 0.5),
            ]
        ) { [0.5, 0.5, 0.5, $0.w] },
        ColorCase("CILinearToSRGBToneCurve") { each($0, encoded) },
        ColorCase("CISRGBToneCurveToLinear") { each($0, linear) },
        ColorCase("CIColorThreshold", ["inputThreshold": 0.45]) { each($0) { $0 > 0.45 ? 1 : 0 } },
        ColorCase("CIColorInvert") { each($0) { 1 - $0 } },
        ColorCase(
            "CIColorMonochrome", ["inputColor": CIColor(red: 0.6, green: 0.45, blue: 0.3), "inputIntensity": 0.5]
        ) { c in
            let l = luma(c)
            return mixed(c, [0.6 * l, 0.45 * l, 0.3 * l, 1], 0.5)
        },
        ColorCase("CISepiaTone", ["inputIntensity": 1]) {
            [
                0.393 * $0.x + 0.769 * $0.y + 0.189 * $0.z, 0.349 * $0.x + 0.686 * $0.y + 0.168 * $0.z,
                0.272 * $0.x + 0.534 * $0.y + 0.131 * $0.z, $0.w,
            ]
        },
        ColorCase("CISepiaTone", ["inputIntensity": 0]) { $0 },
        ColorCase("CIFalseColor") { c in mixed([0.3, 0, 0, c.w], [1, 0.9, 0.8, c.w], luma(c)) },
        ColorCase("CIFalseColor", ["inputColor0": CIColor.clear, "inputColor1": CIColor.green]) { c in
            [0, luma(c), 0, luma(c) * c.w]
        },
        ColorCase("CIColorPosterize", ["inputLevels": 4]) { each($0) { min(($0 * 4).rounded(.down), 3) / 3 } },
        ColorCase("CIMaximumComponent") { c in each(c) { _ in max(c.x, c.y, c.z) } },
        ColorCase("CIMinimumComponent") { c in each(c) { _ in min(c.x, c.y, c.z) } },
        ColorCase("CIMaskToAlpha") { c in [1, 1, 1, luma(c) * c.w] },
        ColorCase(
            "CIColorCrossPolynomial",
            ["inputRedCoefficients": CIVector(values: [0.1, 0.2, 0.3, 0.1, 0.2, 0.1, 0.15, 0.25, 0.05, 0.02])]
        ) { c in
            let squares = 0.1 * c.x * c.x + 0.2 * c.y * c.y + 0.1 * c.z * c.z
            let products = 0.15 * c.x * c.y + 0.25 * c.y * c.z + 0.05 * c.z * c.x
            return [0.1 * c.x + 0.2 * c.y + 0.3 * c.z + squares + products + 0.02, c.y, c.z, c.w]
        },
        ColorCase("CIColorCube", ["inputCubeDimension": 2, "inputCubeData": swapped]) { [$0.y, $0.x, $0.z, $0.w] },
        ColorCase("CIPhotoEffectTonal") { c in
            let l = luma(c)
            let s = l * l * (3 - 2 * l)
            return each(c) { _ in l + (s - l) * 0.2 }
        },
        ColorCase("CIPhotoEffectMono") { c in each(c) { _ in 0.03 + luma(c) * 0.93 } },
        ColorCase("CIColorAbsoluteDifference", ["inputImage2": CIImage(color: CIColor(red: 0.5, green: 0.25, blue: 1))])
        { c in
            [abs(c.x - 0.5), abs(c.y - 0.25), abs(c.z - 1), 1]
        },
    ]

    /// A color cube with two entries per side that swaps red and green.
    private static var swapped: Data {
        var floats: [Float] = []
        for b in 0..<2 { for g in 0..<2 { for r in 0..<2 { floats += [Float(g), Float(r), Float(b), 1] } } }
        return floats.withUnsafeBytes { Data($0) }
    }

    @Test("each filter follows its formula", arguments: cases)
    func formulas(_ one: ColorCase) throws {
        let row = Pictures.row(ColorFormulaTests.colors)
        let filter = try #require(CIFilter(name: one.name, parameters: one.settings()))
        #expect(filter.problems == [])
        filter.inputImage = row
        let image = try #require(filter.outputImage)
        let drawn = try PictureRenderer().values(of: image, in: row.extent)
        for (color, value) in zip(ColorFormulaTests.colors, drawn) {
            let expected = one.formula(color)
            let alpha = Double(value.w)
            #expect(abs(alpha - expected.w) < 2 / 255.0, "\(color)")
            for channel in 0..<3 where expected.w > 0.01 {
                #expect(
                    abs(Double(value[channel]) - expected[channel] * expected.w) < 2.5 / 255,
                    "\(color): \(value) instead of \(expected)")
            }
        }
    }

    /// The neutral white becomes the target white. Tint shifts between green and magenta.
    @Test("temperature and tint shift colors towards the target and back")
    func temperature() throws {
        func white(_ neutral: CIVector, _ target: CIVector) throws -> SIMD4<Float> {
            let row = Pictures.row([[0.7, 0.7, 0.7, 1]])
            let image = row.applyingFilter(
                "CITemperatureAndTint", parameters: ["inputNeutral": neutral, "inputTargetNeutral": target])
            return try PictureRenderer().values(of: image, in: row.extent)[0]
        }
        let day = CIVector(x: 6500, y: 0)
        let warm = try white(day, CIVector(x: 3000, y: 0))
        let cold = try white(day, CIVector(x: 10000, y: 0))
        #expect(warm.x > warm.y && warm.y > warm.z && cold.z > cold.y && cold.y > cold.x)
        let green = try white(day, CIVector(x: 6500, y: 100))
        let magenta = try white(day, CIVector(x: 6500, y: -100))
        #expect(green.y > green.x && magenta.y < magenta.x)
        // Convert to another white and back.
        let row = Pictures.row(ColorFormulaTests.colors)
        let other = CIVector(x: 3800, y: 30)
        let back = row.applyingFilter("CITemperatureAndTint", parameters: ["inputTargetNeutral": other])
            .applyingFilter("CITemperatureAndTint", parameters: ["inputNeutral": other])
        let drawn = try PictureRenderer().values(of: back, in: row.extent)
        for (c, v) in zip(ColorFormulaTests.colors, drawn) {
            #expect(abs(Double(v.x) - c.x * c.w) < 0.01 && abs(Double(v.z) - c.z * c.w) < 0.01)
        }
        // D65 of CIE 15 at 6504 K, within the precision of its own formula.
        let d65 = ColorLight.white(temperature: 6504, tint: 0)
        #expect(abs(d65.x - 0.3127) < 2e-4 && abs(d65.y - 0.3290) < 2e-4)
    }

    @Test("a tone curve passes smoothly through its points and is constant beyond")
    func toneCurve() throws {
        let greys = (0...20).map { RGBA(Double($0) / 20, Double($0) / 20, Double($0) / 20, 1) }
        let image = Pictures.row(greys).applyingFilter(
            "CIToneCurve",
            parameters: [
                "inputPoint0": CGPoint(x: 0.1, y: 0.2), "inputPoint1": CGPoint(x: 0.3, y: 0.25),
                "inputPoint2": CGPoint(x: 0.5, y: 0.6),
                "inputPoint3": CGPoint(x: 0.7, y: 0.8), "inputPoint4": CGPoint(x: 0.9, y: 0.85),
            ])
        let drawn = try PictureRenderer().values(of: image, in: image.extent).map(\.x)
        for (index, y) in [(0, 0.2), (2, 0.2), (6, 0.25), (10, 0.6), (14, 0.8), (18, 0.85), (20, 0.85)]
            as [(Int, Float)]
        { #expect(abs(drawn[index] - y) < 0.01) }
        #expect(zip(drawn, drawn.dropFirst()).allSatisfy { $1 - $0 < 0.13 })
    }

    @Test("a vignette darkens corners only; dither adds small even noise")
    func places() throws {
        let grey = CIImage(color: .gray).cropped(to: CGRect(x: 0, y: 0, width: 40, height: 30))
        let dark = grey.applyingFilter("CIVignette", parameters: ["inputIntensity": 1])
        let drawn = try PictureRenderer().values(of: dark, in: grey.extent)
        #expect(
            abs(drawn[15 * 40 + 20].x - 0.5) < 0.01 && drawn[0].x < 0.1 && abs(drawn[0].x - drawn[30 * 40 - 1].x) < 0.01
        )
        let effect = grey.applyingFilter(
            "CIVignetteEffect", parameters: ["inputCenter": CGPoint(x: 0, y: 0), "inputRadius": 10, "inputFalloff": 0])
        let spot = try PictureRenderer().values(of: effect, in: grey.extent)
        #expect(abs(spot[29 * 40].x - 0.5) < 0.01 && spot[39].x < 0.01)
        let noisy = try PictureRenderer().values(
            of: grey.applyingFilter("CIDither", parameters: ["inputIntensity": 0.2]), in: grey.extent
        ).map(\.x)
        let mean = noisy.reduce(0, +) / Float(noisy.count)
        #expect(noisy.allSatisfy { abs($0 - 0.5) < 0.105 } && abs(mean - 0.5) < 0.02 && Set(noisy).count > 100)
    }

    @Test("a color map is indexed by luma")
    func colorMap() throws {
        let gradient = Pictures.row((0..<256).map { [Double($0) / 255, 0, 1 - Double($0) / 255, 1] })
        let row = Pictures.row(ColorFormulaTests.colors)
        let drawn = try PictureRenderer().values(
            of: row.applyingFilter("CIColorMap", parameters: [kCIInputGradientImageKey: gradient]), in: row.extent)
        for (c, v) in zip(ColorFormulaTests.colors, drawn) {
            #expect(abs(Double(v.x) - luma(c) * c.w) < 0.01 && abs(Double(v.z) - (1 - luma(c)) * c.w) < 0.01)
        }
    }
}
