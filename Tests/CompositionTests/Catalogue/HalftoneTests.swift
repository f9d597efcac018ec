import Foundation
import Testing

@testable import Filters

@Suite("Halftones")
struct HalftoneTests {
    private let renderer: PictureRenderer
    init() throws { renderer = try PictureRenderer() }

    private func drawn(_ grey: Double, _ name: String, _ parameters: [String: Any] = [:]) throws -> Drawn {
        let canvas = Canvas.flat(60, 60, SIMD3(repeating: grey))
        return try Drawn(canvas.image.filtered(name, parameters), in: canvas.bounds, by: renderer)
    }

    @Test(
        "screens keep black and white, and show only these when sharp",
        arguments: ["CIDotScreen", "CILineScreen", "CIHatchedScreen", "CICircularScreen"])
    func ends(name: String) throws {
        // At black and white, half of the softness is still visible.
        #expect(
            try drawn(0, name, ["inputSharpness": 1]).mean().x < 0.03
                && drawn(1, name, ["inputSharpness": 1]).mean().x > 0.97)
        let sharp = try drawn(0.5, name, ["inputSharpness": 1, "inputWidth": 12])
        #expect(sharp.values.count { $0.x > 0.05 && $0.x < 0.95 } < 800)
        #expect(sharp.values.contains { $0.x < 0.05 } && sharp.values.contains { $0.x > 0.95 })
        #expect(sharp.values.allSatisfy { $0.x == $0.y && $0.y == $0.z && $0.w == 1 })
    }

    @Test(
        "line and circle screens keep the mean lightness",
        arguments: ["CILineScreen", "CIHatchedScreen", "CICircularScreen"], [0.3, 0.5, 0.7])
    func mean(name: String, grey: Double) throws {
        #expect(abs(try drawn(grey, name, ["inputWidth": 20, "inputSharpness": 0.9]).mean().x - grey) < 0.035)
    }

    @Test("CILineScreen repeats across its angle and is constant along it")
    func lines() throws {
        let upright = try drawn(0.5, "CILineScreen", ["inputCenter": [0.0, 0], "inputWidth": 8])
        let turned = try drawn(
            0.5, "CILineScreen", ["inputCenter": [0.0, 0], "inputWidth": 8, "inputAngle": Double.pi / 2])
        for x in 0..<50 {
            let here = upright[x, 3].x
            for other in [upright[x, 40].x, upright[x + 8, 3].x, turned[3, x].x, turned[40, x].x] {
                #expect(abs(here - other) < 0.002)
            }
        }
    }

    @Test("CICircularScreen draws circles around its center")
    func circles() throws {
        let output = try drawn(0.5, "CICircularScreen", ["inputCenter": [30.0, 30], "inputWidth": 9])
        for x in 0..<30 {
            let here = output[x, 30].x
            for other in [output[30, x].x, output[59 - x, 29].x] { #expect(abs(here - other) < 0.002) }
        }
    }

    @Test("CICMYKHalftone leaves white paper and prints cyan with cyan ink only")
    func cmyk() throws {
        #expect(try drawn(1, "CICMYKHalftone").mean().min() > 0.99)
        let canvas = Canvas.flat(60, 60, [0.4, 1, 1])
        let output = try Drawn(canvas.image.filtered("CICMYKHalftone"), in: canvas.bounds, by: renderer)
        #expect(output.mean().y > 0.99 && output.mean().z > 0.99)
        #expect(output.values.contains { $0.x < 0.2 } && output.values.contains { $0.x > 0.8 })
        #expect(abs(output.mean().x - 0.4) < 0.1)
        #expect(try drawn(0, "CICMYKHalftone").mean().x < 0.1)
    }
}
