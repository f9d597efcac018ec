import Foundation
import MediaCore
import MediaEngine
import Testing

@testable import Filters

/// A filter as an app would define it.
private class WarmFilter: CIFilter {
    var strength = 1.0
    override var outputImage: CIImage? {
        guard let inputImage, let invert = CIFilter(name: "CIColorInvert") else { return nil }
        invert.setValue(inputImage, forKey: kCIInputImageKey)
        return invert.outputImage?
            .applyingFilter("CISepiaTone", parameters: [kCIInputIntensityKey: strength])
            .applyingFilter("CIHueAdjust", parameters: [kCIInputAngleKey: 0])
    }
}

@Suite("CIFilter")
struct CIFilterTests {
    @Test("only catalog names create a filter; categories list their filters")
    func names() throws {
        #expect(CIFilter(name: "CISepiaTone") != nil)
        for name in ["", "CI", "Sepia", "CINoSuchFilter", "cisepiatone"] { #expect(CIFilter(name: name) == nil) }
        let blends = CIFilter.filterNames(inCategory: kCICategoryCompositeOperation)
        #expect(blends.contains("CIMultiplyBlendMode") && !blends.contains("CISepiaTone") && blends == blends.sorted())
        #expect(CIFilter.filterNames(inCategories: [kCICategoryColorEffect, kCICategoryVideo]).contains("CISepiaTone"))
        #expect(CIFilter.filterNames(inCategories: [kCICategoryColorEffect, kCICategoryCompositeOperation]).isEmpty)
        #expect(CIFilter.filterNames(inCategory: nil).count == FilterCatalog.all.count)
        #expect(
            CIFilter.localizedName(forFilterName: "CISepiaTone") == "Sepia Tone"
                && CIFilter.localizedName(forFilterName: "CINo") == nil)
        #expect(CIFilter.localizedName(forCategory: kCICategoryColorEffect) == "Color Effect")
        #expect(Set(FilterCatalog.all.map(\.name)).count == FilterCatalog.all.count, "each name occurs once")
    }

    @Test("filters of the table and recipes match one to one")
    func recipes() {
        #expect(Set(FilterCatalog.all.map(\.name)) == Set(FilterCatalog.recipes.keys))
        #expect(FilterCatalog.all.count == FilterCatalog.recipes.count)
    }

    @Test("attributes describe parameters as Core Image does")
    func attributes() throws {
        let filter = try #require(CIFilter(name: "CIColorControls"))
        #expect(
            filter.inputKeys == ["inputImage", "inputSaturation", "inputBrightness", "inputContrast"]
                && filter.outputKeys == ["outputImage"])
        #expect(filter.attributes[kCIAttributeFilterName] as? String == "CIColorControls")
        #expect((filter.attributes[kCIAttributeFilterCategories] as? [String])?.contains(kCICategoryBuiltIn) == true)
        let contrast = try #require(filter.attributes["inputContrast"] as? [String: Any])
        #expect(
            contrast[kCIAttributeClass] as? String == "NSNumber"
                && contrast[kCIAttributeType] as? String == kCIAttributeTypeScalar)
        #expect(
            contrast[kCIAttributeDefault] as? Double == 1 && contrast[kCIAttributeSliderMax] as? Double == 4
                && contrast[kCIAttributeIdentity] as? Double == 1)
        let mono = try #require(CIFilter(name: "CIColorMonochrome")?.attributes["inputColor"] as? [String: Any])
        #expect(mono[kCIAttributeDefault] as? CIColor == CIColor(SIMD4(0.6, 0.45, 0.3, 1)))
        filter.setDefaults()
        #expect(filter.value(forKey: "inputSaturation") as? Double == 1)
    }

    @Test("parameters accept every suitable type and clamp numbers")
    func values() throws {
        let filter = try #require(CIFilter(name: "CIColorControls"))
        for number in [0.5, Float(0.5), CGFloat(0.5), NSNumber(value: 0.5)] as [Any] {
            filter.setValue(number, forKey: kCIInputContrastKey)
            #expect(filter.value(forKey: kCIInputContrastKey) as? Double == 0.5)
        }
        filter.setValue(9, forKey: kCIInputContrastKey)
        #expect(
            filter.problems.isEmpty
                && filter.definition.map { filter.arguments(of: $0).double(kCIInputContrastKey) } == 4)
        let vignette = try #require(CIFilter(name: "CIVignetteEffect"))
        for point in [CIVector(x: 3, y: 4), CGPoint(x: 3, y: 4), [3, 4] as [CGFloat], CGSize(width: 3, height: 4)]
            as [Any]
        {
            vignette.setValue(point, forKey: kCIInputCenterKey)
            #expect(
                vignette.definition.map { vignette.arguments(of: $0).vector(kCIInputCenterKey, 2) } == [3, 4]
                    && vignette.problems.isEmpty)
        }
    }

    @Test("a value of the wrong type is reported and the default used")
    func wrongValues() throws {
        let filter = try #require(
            CIFilter(name: "CISepiaTone", parameters: [kCIInputIntensityKey: "much", "inputFoo": 1]))
        #expect(filter.value(forKey: kCIInputIntensityKey) == nil && filter.problems.count == 2)
        #expect(
            filter.problems.contains { $0.contains("inputIntensity") && $0.contains("a number") && $0.contains("much") }
        )
        #expect(filter.problems.contains { $0.contains("inputFoo") && $0.contains("inputImage, inputIntensity") })
        filter.setValue(Double.nan, forKey: kCIInputIntensityKey)
        #expect(filter.value(forKey: kCIInputIntensityKey) == nil)
        let row = Pictures.row([[1, 1, 1, 1]])
        filter.inputImage = row
        let standard = try PictureRenderer().values(of: try #require(filter.outputImage), in: row.extent)
        #expect(abs(standard[0].z - 0.937) < 0.01)
        #expect(
            CIFilter(
                name: "CIColorCube",
                parameters: ["inputCubeDimension": 64, "inputCubeData": Data([1, 2, 3]), kCIInputImageKey: row])?
                .outputImage == nil)
    }

    @Test("an app's filter subclass chains filters, compares by parameters and draws")
    func subclass() throws {
        let filter = WarmFilter()
        let other = WarmFilter()
        #expect(filter.name == "WarmFilter" && filter == other && filter.outputImage == nil)
        other.strength = 0.5
        #expect(filter != other && filter != CIFilter(name: "CISepiaTone"))
        #expect(filter.snapshot() === filter)
        let frame = try Pictures.frame(3, 3) { _, _ in (255, 255, 255) }
        filter.inputImage = .source(frame.presentationSize)
        let renderer = try PictureRenderer()
        #expect(Pictures.pixel(try renderer.render(try #require(filter.outputImage), of: frame), 1, 1) == [0, 0, 0])
        #expect(renderer.drawCount == 1)
    }

    @Test("a filter made by its own function has typed properties")
    func builders() throws {
        let sepia = CIFilter.sepiaTone()
        #expect(sepia.intensity == 1 && sepia.name == "CISepiaTone")
        sepia.intensity = 0.25
        #expect(
            sepia.value(forKey: kCIInputIntensityKey) as? Double == 0.25
                && sepia == CIFilter(name: "CISepiaTone", parameters: ["inputIntensity": 0.25]))
        let copy = sepia.snapshot()
        sepia.intensity = 1
        #expect(copy.value(forKey: kCIInputIntensityKey) as? Double == 0.25)
        let effect = CIFilter.vignetteEffect()
        effect.center = CGPoint(x: 7, y: 8)
        #expect(effect.value(forKey: kCIInputCenterKey) as? CIVector == CIVector(x: 7, y: 8) && effect.falloff == 0.5)
        let matrix = CIFilter.colorMatrix()
        #expect(matrix.gVector == CIVector(x: 0, y: 1, z: 0, w: 0))
        let mono = CIFilter.colorMonochrome()
        mono.color = .red
        mono.inputImage = Pictures.row([[1, 1, 1, 1]])
        #expect(
            try PictureRenderer().values(
                of: try #require(mono.outputImage), in: CGRect(x: 0, y: 0, width: 1, height: 1))[0].y < 0.01)
        let blend = CIFilter.multiplyBlendMode()
        blend.inputImage = Pictures.row([[0.4, 1, 1, 1]])
        #expect(blend.outputImage == nil)
        blend.backgroundImage = CIImage(color: .yellow)
        #expect(blend.outputImage != nil)
        #expect(CIFilter.gaussianBlur().radius == 10 && CIFilter.bloom().inputImage == nil)
    }

    @Test("filters of several categories can be chained")
    func glow() throws {
        final class GlowFilter: CIFilter {
            override var outputImage: CIImage? {
                guard let inputImage, let hue = CIFilter(name: "CIHueAdjust", parameters: [kCIInputAngleKey: 1.0])
                else { return nil }
                hue.inputImage = inputImage.applyingFilter("CIEdges", parameters: [kCIInputIntensityKey: 5.0])
                    .applyingFilter("CIBloom", parameters: [kCIInputRadiusKey: 2.0, kCIInputIntensityKey: 1.0])
                return hue.outputImage?.cropped(to: inputImage.extent)
            }
        }
        let frame = try Pictures.frame(40, 40) { x, _ in x < 20 ? (0, 0, 0) : (255, 255, 255) }
        let glow = GlowFilter()
        glow.inputImage = .source(frame.presentationSize)
        let drawn = try PictureRenderer().render(try #require(glow.outputImage), of: frame)
        #expect(Pictures.pixel(drawn, 19, 20).max() ?? 0 > 150 && Pictures.pixel(drawn, 3, 20).max() ?? 255 < 20)
    }

    @Test("images load from files and data; broken images give nil or errors")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("filters-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.ppm")
        try Data(Array("P6\n2 2\n255\n".utf8) + [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]).write(to: file)
        let image = CIImage(try ImageBitmap(contentsOf: file))
        #expect(image.extent == CGRect(x: 0, y: 0, width: 2, height: 2))
        #expect(
            try PictureRenderer().bitmap(of: image, in: image.extent).pixels == [
                255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 255,
            ])
        #expect(CIImage(data: try Data(contentsOf: file)) != nil && CIImage(data: Data([1, 2, 3])) == nil)
        #expect(CIImage(contentsOf: folder.appendingPathComponent("none.png")) == nil)
        #expect(throws: AVError.self) { try ImageBitmap(contentsOf: folder.appendingPathComponent("none.png")) }
        let cut = folder.appendingPathComponent("cut.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48]).write(to: cut)
        let error = #expect(throws: AVError.self) { try ImageBitmap(contentsOf: cut) }
        #expect(error?.location == cut.path)
    }

    @Test("vectors and colors are parsed from strings and compare by value")
    func valueTypes() {
        #expect(
            CIVector(string: "[1 2.5 -3]") == CIVector(x: 1, y: 2.5, z: -3)
                && CIVector(string: "[1 x 3]") == CIVector(x: 1) && CIVector(x: 1).y == 0
                && CIVector(string: "[1\r\n2]") == CIVector(x: 1, y: 2))
        #expect(
            CIColor(string: "0.5 0.25 1") == CIColor(red: 0.5, green: 0.25, blue: 1)
                && CIColor(string: "0 0 0 0").alpha == 0 && CIColor(string: "").alpha == 1)
        #expect(
            CIVector(cgRect: CGRect(x: 1, y: 2, width: 3, height: 4)).cgRectValue
                == CGRect(x: 1, y: 2, width: 3, height: 4))
    }
}
