import Foundation
import MediaCore
import Testing

@testable import Filters
@testable import Overlays

@Suite("Every spatial filter")
struct EveryFilterTests {
    private let renderer: PictureRenderer
    init() throws { renderer = try PictureRenderer() }

    /// An image of a landscape: sky, sun, hills, a house and stripes.
    private static let landscape = Canvas(300, 225) { x, y in
        let u = Double(x)
        let v = Double(y)
        let sun = hypot(u - 220, v - 170)
        if sun < 22 { return [1, 0.95, 0.6] }
        if x >= 60, x < 120, y >= 50, y < 110 {
            let isWindow = (8..<18).contains((x - 60) % 24) && (10..<22).contains((y - 50) % 28)
            return isWindow ? SIMD3<Double>(0.95, 0.9, 0.4) : SIMD3<Double>(0.7, 0.25, 0.2)
        }
        if y >= 110, y < 140, abs(x - 90) < 140 - y { return [0.35, 0.12, 0.1] }
        let hill = 70 + 25 * sin(u / 40) + 8 * sin(u / 9)
        if v < hill { return SIMD3<Double>(0.15 + 0.1 * sin(u / 5) * sin(v / 4), 0.35 + 0.25 * v / 100, 0.12) }
        if y > 205 { return SIMD3(repeating: x / 10 % 2 == 0 ? 0 : 1) }
        let t = (v - 60) / 165
        let glow: Double = exp((22 - sun) / 18) * 0.25
        return SIMD3<Double>(0.9 - 0.6 * t + glow, 0.75 - 0.25 * t + glow, 0.7 + 0.2 * t + glow)
    }
    private static let other = Canvas(300, 225) { x, y in
        let light: Double = (x / 30 + y / 30) % 2 == 0 ? 1 : 0.6
        return SIMD3<Double>(Double(y) / 225, 0.4, Double(x) / 300) * light
    }
    private static let waves = Canvas(120, 120) { x, y in
        SIMD3<Double>(repeating: 0.5 + 0.25 * sin(Double(x) * 0.2094) + 0.25 * sin(Double(y) * 0.1571))
    }
    private static let sphere = Canvas(64, 64) { x, y in
        let u: Double = (Double(x) - 31.5) / 32
        let v: Double = (Double(y) - 31.5) / 32
        let z: Double = max(0, 1 - u * u - v * v).squareRoot()
        let lit: Double = z * 0.7 - u * 0.5 + v * 0.5
        return SIMD3<Double>(repeating: max(0, 0.15 + 0.8 * lit))
    }
    private static func second(_ key: String) -> CIImage {
        switch key {
        case "inputTargetImage": other.image
        case "inputShadingImage": sphere.image
        case "inputTexture", "inputDisplacementImage": waves.image.clampedToExtent()
        default: waves.image.transformed(by: CGAffineTransform(a: 2.5, b: 0, c: 0, d: 2, tx: 0, ty: 0))
        }
    }
    private static let names = FilterCatalog.places.map(\.name)

    @Test("every filter compiles and draws finite values with default parameters")
    func standards() throws {
        let sheet = ProcessInfo.processInfo.environment["ZOETROPE_SHEET"]
        var pictures = ContactSheet(columns: 10, width: 302, height: 227)
        var list = ""
        let bounds = EveryFilterTests.landscape.bounds
        if sheet != nil {
            pictures.add(try renderer.bitmap(of: EveryFilterTests.landscape.image, in: bounds))
            list = "0 source\n"
        }
        for (index, definition) in FilterCatalog.places.enumerated() {
            let filter = try #require(CIFilter(name: definition.name))
            for parameter in definition.parameters where parameter.type == kCIAttributeTypeImage {
                filter.setValue(
                    parameter.key == "inputImage"
                        ? EveryFilterTests.landscape.image : EveryFilterTests.second(parameter.key),
                    forKey: parameter.key)
            }
            if definition.categories.contains(kCICategoryTransition) { filter.setValue(0.5, forKey: "inputTime") }
            let output = try #require(filter.outputImage, "\(definition.name) makes nothing")
            // If the output with default parameters is outside the landscape, the part to draw is at the output's own
            // origin.
            let shown =
                output.extent.intersects(bounds)
                ? bounds : CGRect(x: output.extent.minX, y: output.extent.minY, width: 300, height: 225).integral
            let values = try renderer.values(of: output, in: shown)
            #expect(
                values.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite && $0.w.isFinite },
                "\(definition.name) draws what is no number")
            #expect(values.contains { $0.w > 0 }, "\(definition.name) draws nothing")
            if sheet != nil {
                pictures.add(try renderer.bitmap(of: output, in: shown))
                list += "\(index + 1) \(definition.name)\n"
            }
        }
        if let sheet {
            try pictures.write(to: sheet)
            try Data(list.utf8).write(to: URL(fileURLWithPath: sheet + ".txt"))
        }
    }

    @Test("every filter has a name, a category and distinct parameters")
    func descriptions() {
        #expect(Set(EveryFilterTests.names).count == EveryFilterTests.names.count)
        for definition in FilterCatalog.places {
            let keys = definition.parameters.map(\.key)
            #expect(
                definition.name.hasPrefix("CI") && !definition.displayName.isEmpty && !definition.categories.isEmpty)
            #expect(Set(keys).count == keys.count && keys.allSatisfy { $0.hasPrefix("input") }, "\(definition.name)")
            #expect(!keys.contains("inputImage") || keys.first == "inputImage", "\(definition.name)")
            for parameter in definition.parameters {
                if case .number(let standard) = parameter.standard {
                    #expect(
                        standard >= parameter.minimum ?? -.infinity && standard <= parameter.maximum ?? .infinity,
                        "\(definition.name) \(parameter.key)")
                }
            }
        }
    }

    @Test("a filter without its images returns no output")
    func missing() throws {
        for definition in FilterCatalog.places
        where definition.parameters.contains(where: { $0.type == kCIAttributeTypeImage }) {
            let filter = try #require(CIFilter(name: definition.name))
            #expect(filter.outputImage == nil, "\(definition.name)")
        }
    }

    @Test("filters survive extreme parameters on small, moved and infinite images")
    func extremes() throws {
        let pictures = [
            Canvas.mixed(5, 3).image.transformed(by: CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: -2, ty: 1)),
            Canvas.mixed(4, 4).image.clampedToExtent(), .empty(),
        ]
        for definition in FilterCatalog.places {
            for (number, picture) in pictures.enumerated() {
                // With an infinite image, large distances would only require huge textures.
                for extreme in number == 1 ? [0.0] : [-1e9, 0, 1e9] {
                    let filter = try #require(CIFilter(name: definition.name))
                    for parameter in definition.parameters {
                        if parameter.type == kCIAttributeTypeImage { filter.setValue(picture, forKey: parameter.key) }
                        // 10⁹ exceeds the range of parameters that have one, and must be clamped. Angles and scales
                        // without a range must accept it.
                        if case .number = parameter.standard { filter.setValue(extreme, forKey: parameter.key) }
                    }
                    guard let output = filter.outputImage else { continue }
                    let values = try renderer.values(of: output, in: CGRect(x: -2, y: 0, width: 6, height: 4))
                    #expect(values.count == 24, "\(definition.name) \(number) \(extreme)")
                }
            }
        }
    }
}
