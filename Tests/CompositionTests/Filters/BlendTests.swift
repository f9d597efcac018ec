import Foundation
import Testing

@testable import Filters

struct BlendCase: CustomTestStringConvertible, Sendable {
    let name: String
    /// Returns the blended channel for those of the background and the image.
    let formula: @Sendable (Double, Double) -> Double
    var testDescription: String { name }
    init(_ name: String, _ formula: @escaping @Sendable (Double, Double) -> Double) {
        self.name = "CI\(name)BlendMode"
        self.formula = formula
    }
}

@Suite("Blending and compositing")
struct BlendTests {
    private static let sources: [RGBA] = [
        [0, 0, 0, 1], [1, 1, 1, 1], [0.2, 0.6, 0.8, 1], [0.8, 0.4, 0.1, 1], [0.2, 0.4, 0.8, 0.6], [0.6, 0.2, 1, 0.2],
    ]
    private static let backs: [RGBA] = [
        [0.2, 0.4, 0.6, 1], [0.8, 0.2, 0.4, 1], [0, 1, 0.4, 1], [0.6, 0.6, 0.2, 0.8], [0.4, 0.8, 0.2, 0.4],
        [0.2, 0, 0.6, 1],
    ]

    static let cases: [BlendCase] = [
        BlendCase("Multiply") { $0 * $1 },
        BlendCase("Screen") { 1 - (1 - $0) * (1 - $1) },
        BlendCase("Overlay") { b, s in b < 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s) },
        BlendCase("Darken") { min($0, $1) },
        BlendCase("Lighten") { max($0, $1) },
        BlendCase("ColorDodge") { b, s in b == 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s)) },
        BlendCase("ColorBurn") { b, s in b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s) },
        BlendCase("SoftLight") { b, s in
            let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
            return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
        },
        BlendCase("HardLight") { b, s in s < 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s) },
        BlendCase("Difference") { abs($0 - $1) },
        BlendCase("Exclusion") { $0 + $1 - 2 * $0 * $1 },
        BlendCase("LinearBurn") { max($0 + $1 - 1, 0) },
        BlendCase("LinearDodge") { min($0 + $1, 1) },
        BlendCase("LinearLight") { min(max($0 + 2 * $1 - 1, 0), 1) },
        BlendCase("PinLight") { b, s in s < 0.5 ? min(b, 2 * s) : max(b, 2 * s - 1) },
        BlendCase("VividLight") { b, s in
            if s < 0.5 { return s <= 0 ? (b >= 1 ? 1 : 0) : max(0, 1 - (1 - b) / (2 * s)) }
            return s >= 1 ? (b <= 0 ? 0 : 1) : min(1, b / (2 - 2 * s))
        },
        BlendCase("Divide") { b, s in s <= 0 ? (b <= 0 ? 0 : 1) : min(1, b / s) },
        BlendCase("Subtract") { max($0 - $1, 0) },
    ]

    private func blend(_ name: String, _ extra: [String: Any] = [:]) throws -> [SIMD4<Float>] {
        let image = Pictures.row(BlendTests.sources).applyingFilter(
            name, parameters: extra.merging([kCIInputBackgroundImageKey: Pictures.row(BlendTests.backs)]) { $1 })
        return try PictureRenderer().values(of: image, in: CGRect(x: 0, y: 0, width: 6, height: 1))
    }

    private func compare(_ drawn: [SIMD4<Float>], _ formula: (_ back: RGBA, _ source: RGBA) -> RGBA) {
        for (index, value) in drawn.enumerated() {
            let expected = formula(BlendTests.backs[index], BlendTests.sources[index])
            for channel in 0..<4 {
                #expect(
                    abs(Double(value[channel]) - expected[channel]) < 3 / 255.0,
                    "\(index): \(value) instead of \(expected)")
            }
        }
    }

    @Test("blend modes follow the W3C formulas for colors and alpha", arguments: cases)
    func modes(_ one: BlendCase) throws {
        compare(try blend(one.name)) { b, s in
            func channel(_ i: Int) -> Double {
                s.w * (1 - b.w) * s[i] + b.w * (1 - s.w) * b[i] + s.w * b.w * one.formula(b[i], s[i])
            }
            return [channel(0), channel(1), channel(2), s.w + b.w * (1 - s.w)]
        }
    }

    @Test("non-separable modes combine hue, saturation and luminosity of both layers")
    func nonSeparable() throws {
        func light(_ c: SIMD4<Float>) -> Float { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
        func light(_ c: RGBA) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
        for name in ["CIHueBlendMode", "CISaturationBlendMode", "CIColorBlendMode", "CILuminosityBlendMode"] {
            let drawn = try blend(name)
            for index in 0..<3 {
                let from = name.contains("Luminosity") ? BlendTests.sources[index] : BlendTests.backs[index]
                #expect(abs(Double(light(drawn[index])) - light(from)) < 0.01, "\(name)")
            }
            // A gray image on top removes all color, except in the luminosity mode.
            #expect(
                (max(drawn[1].x, drawn[1].y, drawn[1].z) - min(drawn[1].x, drawn[1].y, drawn[1].z) < 0.01) == true
                    || name.contains("Luminosity"))
        }
        // Computed by hand from §10.2: the color of (0.2, 0.6, 0.8) with the luminosity of (0, 1, 0.4).
        let color = try blend("CIColorBlendMode")[2]
        let l = 0.59 + 0.11 * 0.4
        let d = l - (0.06 + 0.354 + 0.088)
        #expect(
            abs(Double(color.x) - (0.2 + d)) < 0.01 && abs(Double(color.y) - (0.6 + d)) < 0.01
                && abs(Double(color.z) - (0.8 + d)) < 0.01)
    }

    @Test(
        "compositing operators follow Porter and Duff",
        arguments: ["SourceOver", "SourceIn", "SourceOut", "SourceAtop", "Addition", "Multiply", "Maximum", "Minimum"])
    func operators(_ name: String) throws {
        compare(try blend("CI\(name)Compositing")) { b, s in
            let source = RGBA(s.x * s.w, s.y * s.w, s.z * s.w, s.w)
            let back = RGBA(b.x * b.w, b.y * b.w, b.z * b.w, b.w)
            switch name {
            case "SourceOver": return source + back * (1 - s.w)
            case "SourceIn": return source * b.w
            case "SourceOut": return source * (1 - b.w)
            case "SourceAtop": return source * b.w + back * (1 - s.w)
            case "Addition":
                let sum = source + back
                return [sum.x, sum.y, sum.z, min(sum.w, 1)]
            case "Multiply": return source * back
            case "Maximum": return pointwiseMax(source, back)
            default: return pointwiseMin(source, back)
            }
        }
    }

    @Test("a mask selects by luma or alpha; a missing background is transparent")
    func masks() throws {
        let mask = Pictures.row([
            [0, 0, 0, 1], [1, 1, 1, 1], [0.5, 0.5, 0.5, 1], [1, 1, 1, 0], [1, 1, 1, 0.6], [0, 0, 0, 1],
        ])
        let byLuma = try blend("CIBlendWithMask", [kCIInputMaskImageKey: mask])
        let byAlpha = try blend("CIBlendWithAlphaMask", [kCIInputMaskImageKey: mask])
        #expect(abs(byLuma[0].x - 0.2) < 0.01 && abs(byLuma[1].x - 1) < 0.01 && abs(byLuma[2].y - 0.8) < 0.01)
        #expect(abs(byAlpha[0].x - 0) < 0.01 && abs(byAlpha[3].x - 0.48) < 0.01 && abs(byAlpha[5].w - 0.2) < 0.01)
        let alone = Pictures.row(BlendTests.sources).applyingFilter(
            "CIBlendWithMask", parameters: [kCIInputMaskImageKey: mask])
        #expect(try PictureRenderer().values(of: alone, in: alone.extent)[0] == .zero)
    }

    @Test("a blend covers both images; each shows unchanged outside the other")
    func extents() throws {
        let back = CIImage(color: .blue).cropped(to: CGRect(x: 4, y: 0, width: 4, height: 1))
        let both = Pictures.row(BlendTests.sources).applyingFilter(
            "CIMultiplyBlendMode", parameters: [kCIInputBackgroundImageKey: back])
        #expect(both.extent == CGRect(x: 0, y: 0, width: 8, height: 1))
        let drawn = try PictureRenderer().values(of: both, in: both.extent)
        #expect(drawn[1] == [1, 1, 1, 1] && drawn[7] == [0, 0, 1, 1])
    }
}
