import Foundation
import Testing

@testable import Filters

@Suite("Generators and transitions")
struct GeneratorTests {
    private let renderer: PictureRenderer
    private let wide = CGRect(x: 100, y: 100, width: 60, height: 50)
    init() throws { renderer = try PictureRenderer() }

    private func drawn(_ name: String, _ parameters: [String: Any] = [:]) throws -> Drawn {
        let image = try CIImage.empty().filtered(name, parameters)
        #expect(image.extent.isInfinite)
        return try Drawn(image, in: wide, by: renderer)
    }
    private func mix(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ t: Double) -> SIMD4<Double> {
        a + (b - a) * min(1, max(0, t))
    }
    private let white = SIMD4<Double>.one, black = SIMD4<Double>(0, 0, 0, 1)

    @Test("CIConstantColorGenerator, CIStripesGenerator and CICheckerboardGenerator draw their colors and patterns")
    func patterns() throws {
        #expect(try drawn("CIConstantColorGenerator").furthest(from: { _, _ in [1, 0, 0, 1] }) < 0.001)
        #expect(
            try drawn("CIConstantColorGenerator", ["inputColor": CIColor(red: 1, green: 0.5, blue: 0, alpha: 0.5)])
                .furthest(from: { _, _ in [0.5, 0.25, 0, 0.5] }) < tolerance)
        let size: [String: Any] = ["inputCenter": [120.0, 120.0], "inputWidth": 8]
        #expect(
            try drawn("CIStripesGenerator", size).furthest(from: { x, _ in
                (x - 120 + 800) / 8 % 2 == 0 ? white : black
            }) < 0.001)
        #expect(
            try drawn("CICheckerboardGenerator", size).furthest(from: { x, y in
                ((x - 120 + 800) / 8 + (y - 120 + 800) / 8) % 2 == 0 ? white : black
            }) < 0.001)
        let soft = try drawn("CIStripesGenerator", size.merging(["inputSharpness": 0]) { $1 })
        #expect(soft.colors > 4)
    }
    @Test("CILinearGradient, CISmoothLinearGradient, CIRadialGradient and CIGaussianGradient follow their formulas")
    func gradients() throws {
        let points: [String: Any] = ["inputPoint0": [110.0, 110.0], "inputPoint1": [140.0, 130.0]]
        func along(_ x: Int, _ y: Int) -> Double {
            min(1, max(0, ((Double(x) - 109.5) * 30 + (Double(y) - 109.5) * 20) / 1300))
        }
        #expect(try drawn("CILinearGradient", points).furthest(from: { mix(white, black, along($0, $1)) }) < tolerance)
        #expect(
            try drawn("CISmoothLinearGradient", points).furthest(from: { x, y in
                let t = along(x, y)
                return mix(white, black, t * t * (3 - 2 * t))
            }) < tolerance)
        func far(_ x: Int, _ y: Int) -> Double { hypot(Double(x) - 129.5, Double(y) - 124.5) }
        #expect(
            try drawn("CIRadialGradient", ["inputCenter": [130.0, 125.0], "inputRadius0": 4, "inputRadius1": 24])
                .furthest(from: { mix(white, black, (far($0, $1) - 4) / 20) }) < tolerance)
        let gaussian = try drawn("CIGaussianGradient", ["inputCenter": [130.0, 125.0], "inputRadius": 20])
        #expect(
            gaussian.furthest(from: { x, y in
                let r = far(x, y) / 20
                let t: Double = (exp(-4.5 * r * r) - exp(-4.5)) / (1 - exp(-4.5))
                return mix(.zero, white, t)
            }) < tolerance)
    }
    @Test("CIRandomGenerator is uniform, has many colors and is the same each time")
    func random() throws {
        let first = try drawn("CIRandomGenerator")
        let second = try drawn("CIRandomGenerator")
        #expect(first.values == second.values)
        #expect(abs(first.mean().w - 0.5) < 0.03 && abs(first.mean().x - 0.25) < 0.03 && first.colors > 2900)
    }
    @Test("stars, suns and halos are bright at their place and transparent elsewhere")
    func lights() throws {
        func alpha(_ name: String, _ parameters: [String: Any], _ x: Int, _ y: Int) throws -> Double {
            let image = try CIImage.empty().filtered(name, parameters)
            return try Drawn(image, in: CGRect(x: x, y: y, width: 1, height: 1), by: renderer)[x, y].w
        }
        #expect(
            try alpha("CIStarShineGenerator", [:], 150, 150) > 0.95
                && alpha("CIStarShineGenerator", [:], 400, 300) < 0.02)
        #expect(
            try alpha("CISunbeamsGenerator", [:], 150, 150) > 0.95 && alpha("CISunbeamsGenerator", [:], 900, 700) < 0.02
        )
        #expect(try alpha("CILenticularHaloGenerator", ["inputStriationStrength": 0], 150 + 105, 150) > 0.5)
        #expect(
            try alpha("CILenticularHaloGenerator", [:], 150, 150) < 0.02
                && alpha("CILenticularHaloGenerator", [:], 400, 150) < 0.02)
    }

    static let transitions = FilterCatalog.transitions.map(\.name)

    @Test("a transition shows its image at 0 and its target at 1", arguments: transitions)
    func transition(name: String) throws {
        let from = Canvas.flat(60, 50, [0.6, 0.2, 0.1])
        let to = Canvas.flat(60, 50, [0.1, 0.3, 0.7])
        let mask = Canvas(60, 50) { x, _ in SIMD3<Double>(repeating: Double(x) / 60) }
        func at(_ time: Double) throws -> Drawn {
            let filter = try #require(CIFilter(name: name))
            for key in filter.inputKeys
            where key == "inputTargetImage" || key == "inputMaskImage" || key == "inputShadingImage" {
                filter.setValue(key == "inputTargetImage" ? to.image : mask.image, forKey: key)
            }
            if filter.inputKeys.contains("inputCenter") { filter.setValue([30.0, 25.0], forKey: "inputCenter") }
            if filter.inputKeys.contains("inputWidth") { filter.setValue(10, forKey: "inputWidth") }
            if filter.inputKeys.contains("inputRadius") { filter.setValue(10, forKey: "inputRadius") }
            filter.inputImage = from.image
            filter.setValue(time, forKey: "inputTime")
            let image = try #require(filter.outputImage)
            #expect(image.extent == from.bounds)
            return try Drawn(image, in: from.bounds, by: renderer)
        }
        #expect(try at(0).furthest(from: { from[$0, $1] }) < tolerance, "at 0")
        #expect(try at(1).furthest(from: { to[$0, $1] }) < tolerance, "at 1")
        let half = try at(0.5)
        #expect(half.furthest(from: { from[$0, $1] }) > 0.1 && half.furthest(from: { to[$0, $1] }) > 0.1, "at one half")
    }
    @Test("CIDissolveTransition mixes both images by its time")
    func dissolve() throws {
        let from = Canvas.mixed()
        let to = Canvas.smooth(48, 32)
        let image = try from.image.filtered("CIDissolveTransition", ["inputTargetImage": to.image, "inputTime": 0.3])
        #expect(
            try Drawn(image, in: from.bounds, by: renderer).furthest(from: { mix(from[$0, $1], to[$0, $1], 0.3) })
                < tolerance)
    }
}
