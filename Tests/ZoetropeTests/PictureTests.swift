import Foundation
import Testing

@testable import Filters
@testable import Overlays

private struct Star: ShapeLayerBuilderProtocol {
    let id = UUID()
    func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
        let layer = CAShapeLayer()
        layer.frame = geometry.bounds
        return layer
    }
}

@Suite("Video adjustments")
struct PictureTests {
    private func filter(_ name: String, _ values: [String: any Sendable] = [:]) throws -> CIFilter {
        try #require(CIFilter(name: name, parameters: values))
    }

    @Test(
        "only valid filter names create a filter",
        arguments: [
            ("CIGaussianBlur", true), ("CISepiaTone", true), ("CI", false), ("", false), ("SepiaTone", false),
            ("CIsepia", false), ("CI Sepia", false),
        ])
    func names(name: String, isFilter: Bool) {
        #expect((CIFilter(name: name) != nil) == isFilter)
    }

    @Test("filters are equal by name and parameters, whatever the number type")
    func equality() throws {
        let a = try filter("CISepiaTone", ["inputIntensity": 1])
        #expect(try a == filter("CISepiaTone", [kCIInputIntensityKey: 1.0 as Float]))
        #expect(try a == filter("CISepiaTone", [kCIInputIntensityKey: NSNumber(value: 1)]))
        #expect(try a != filter("CISepiaTone", [kCIInputIntensityKey: 0.5]))
        #expect(try a != filter("CISepiaTone"))
        #expect(try a != filter("CIVignette", [kCIInputIntensityKey: 1]))
        #expect(a.value(forKey: kCIInputIntensityKey) as? Double == 1)
        a.setValue(nil, forKey: kCIInputIntensityKey)
        #expect(a.value(forKey: kCIInputIntensityKey) == nil)
        a.setValue(true, forKey: "inputExtrapolate")
        #expect(a.value(forKey: "inputExtrapolate") as? Bool == true)
    }

    @Test("brightness is clamped to −1…1, contrast to 0…4; NaN changes nothing")
    func clamping() {
        var picture = PictureSettings()
        #expect(picture.brightness == 0 && picture.contrast == 1 && picture.isNeutral)
        for (set, expected) in [(0.5, 0.5), (7, 1), (-7, -1), (Float.nan, -1), (.infinity, 1)] as [(Float, Float)] {
            picture.brightness = set
            #expect(picture.brightness == expected)
        }
        for (set, expected) in [(2, 2), (9, 4), (-1, 0), (Float.nan, 0)] as [(Float, Float)] {
            picture.contrast = set
            #expect(picture.contrast == expected)
        }
    }

    @Test("filters keep their order and their values; clear replaces all")
    func filters() throws {
        var picture = PictureSettings()
        let blur = try filter("CIGaussianBlur", [kCIInputRadiusKey: 4])
        picture.add(blur)
        picture.add(try filter("CISepiaTone"))
        #expect(picture.filters.map(\.name) == ["CIGaussianBlur", "CISepiaTone"])
        blur.setValue(8, forKey: kCIInputRadiusKey)
        #expect(picture.filters.first?.value(forKey: kCIInputRadiusKey) as? Double == 4)
        picture.add(blur, clear: true)
        #expect(picture.filters == [blur])
        picture.removeAllFilters()
        #expect(picture.isNeutral)
    }

    @Test("vector layers keep their order, each id once; clear replaces all")
    @MainActor func vectors() {
        var picture = PictureSettings()
        let a = Star()
        let b = Star()
        picture.add(a)
        picture.add(b)
        picture.add(a)
        #expect(picture.vectors.map(\.id) == [a.id, b.id])
        picture.add(b, clear: true)
        #expect(picture.vectors.map(\.id) == [b.id])
        let layer = b.build(
            with: (CGRect(x: 5, y: 6, width: 70, height: 80), CGRect(x: 0, y: 0, width: 70, height: 80)))
        #expect(layer.bounds == CGRect(x: 0, y: 0, width: 70, height: 80))
        picture.removeAllVectors()
        #expect(picture.vectors.isEmpty)
    }
}
