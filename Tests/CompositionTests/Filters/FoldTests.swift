import Foundation
import MediaCore
import MediaEngine
import Testing

@testable import Filters

@Suite("Folding color filters for the CPU")
struct FoldTests {
    private let renderer: PictureRenderer
    init() throws { renderer = try PictureRenderer() }

    private static let size = CGSize(width: 61, height: 48)
    /// Returns a frame of many colors: ramps, corners of the color cube and pseudorandom colors.
    private func frame() throws -> VideoFrame {
        var state: UInt32 = 1
        return try Pictures.frame(61, 48) { x, y in
            state = state &* 1_664_525 &+ 1_013_904_223
            if y < 8 { return (x * 4, x * 4, x * 4) }
            if y < 16 { return ((x & 1) * 255, (x >> 1 & 1) * 255, (x >> 2 & 1) * 255) }
            return (Int(state >> 24), Int(state >> 16 & 255), Int(state >> 8 & 255))
        }
    }

    private func image(_ filters: [(String, [String: Any])]) -> CIImage {
        filters.reduce(.source(FoldTests.size)) { $0.applyingFilter($1.0, parameters: $1.1) }
    }

    /// Returns the largest difference between the drawn and the folded colors, 0…255.
    private func difference(_ image: CIImage, _ folded: FoldedColors) throws -> Int {
        let frame = try frame()
        let drawn = try renderer.render(image, of: frame)
        var pixels = [UInt32](repeating: 0, count: 64 * 48)
        for y in 0..<48 {
            for x in 0..<61 {
                let p = Pictures.pixel(frame, x, y)
                pixels[y * 64 + x] = UInt32(p[0] << 16 | p[1] << 8 | p[2])
            }
        }
        pixels.withUnsafeMutableBytes { raw in
            if let base = raw.baseAddress { folded.apply(to: base, width: 61, height: 48, stride: 256) }
        }
        #expect(pixels[61] == 0, "pixels beyond the width stay unchanged")
        var worst = 0
        for y in 0..<48 {
            for x in 0..<61 {
                let p = pixels[y * 64 + x]
                let d = Pictures.pixel(drawn, x, y)
                for (a, b) in zip([Int(p >> 16 & 255), Int(p >> 8 & 255), Int(p & 255)], d) {
                    worst = max(worst, abs(a - b))
                }
            }
        }
        return worst
    }

    /// The fold is a matrix if all steps are matrices, curves if the channels stay independent, otherwise a table.
    @Test(
        "filters fold into a matrix, curves or a table that match drawing",
        arguments: [
            (["CIColorControls", "CISepiaTone"], FoldedColors.Kind.matrix),
            (["CIHueAdjust", "CIColorInvert", "CIColorMonochrome", "CIFalseColor", "CIColorMatrix"], .matrix),
            (["CIGammaAdjust", "CIColorInvert", "CIExposureAdjust"], .curves),
            (["CIColorPosterize"], .curves),
            (["CIToneCurve", "CIColorClamp", "CIColorThreshold"], .curves),
            (["CIColorControls", "CIVibrance"], .cube),
            (["CITemperatureAndTint"], .cube),
            (["CISepiaTone", "CIGammaAdjust", "CIHueAdjust"], .cube),
            (["CIPhotoEffectChrome"], .cube), (["CIPhotoEffectNoir"], .cube), (["CIMaximumComponent"], .cube),
        ])
    func kinds(names: [String], kind: FoldedColors.Kind) throws {
        let settings: [String: [String: Any]] = [
            "CIColorControls": ["inputBrightness": 0.1, "inputContrast": 1.4, "inputSaturation": 1.5],
            "CIHueAdjust": ["inputAngle": 1],
            "CIGammaAdjust": ["inputPower": 1.5], "CIExposureAdjust": ["inputEV": 0.5],
            "CIVibrance": ["inputAmount": 0.6],
            "CITemperatureAndTint": ["inputTargetNeutral": CIVector(x: 4500, y: 20)],
            "CIToneCurve": ["inputPoint1": CGPoint(x: 0.25, y: 0.15), "inputPoint3": CGPoint(x: 0.75, y: 0.9)],
            "CIColorMatrix": [
                "inputRVector": CIVector(x: 0.7, y: 0.3, z: 0, w: 0),
                "inputBiasVector": CIVector(x: 0.05, y: 0, z: -0.05, w: 0),
            ],
        ]
        let image = image(names.map { ($0, settings[$0] ?? [:]) })
        let renderer = renderer
        let folded = try #require(try ColorFold.fold(image) { () throws(AVError) in renderer })
        #expect(folded.kind == kind)
        #expect(try difference(image, folded) <= 2, "\(names)")
    }

    @Test("neutral settings fold to nothing; a matrix needs no OpenGL")
    func identity() throws {
        func none() throws(AVError) -> PictureRenderer { throw AVError(.unknown, at: "test", reason: "was asked for") }
        let neutral = CIImage.source(FoldTests.size).adding(
            FilterCatalog.colorControls(saturation: 1, brightness: 0, contrast: 1))
        #expect(try ColorFold.fold(neutral, renderer: none)?.kind == .identity)
        #expect(
            try ColorFold.fold(image([("CIColorInvert", [:]), ("CIColorInvert", [:])]), renderer: none)?.kind
                == .identity)
        #expect(try ColorFold.fold(image([("CIColorInvert", [:])]), renderer: none)?.kind == .matrix)
        #expect(throws: AVError.self) {
            try ColorFold.fold(image([("CIVibrance", ["inputAmount": 1])]), renderer: none)
        }
    }

    @Test("vignettes, posterized mixtures and images without the video are not folded")
    func others() throws {
        let renderer = renderer
        func folded(_ image: CIImage) throws -> FoldedColors? {
            try ColorFold.fold(image) { () throws(AVError) in renderer }
        }
        #expect(try folded(image([("CIVignette", ["inputIntensity": 1])])) == nil)
        #expect(try folded(image([("CISepiaTone", [:]), ("CIColorPosterize", [:])])) == nil)
        #expect(try folded(CIImage(color: .red).applyingFilter("CISepiaTone")) == nil)
    }

    @Test("rows of any width are changed exactly to their end", arguments: 1...9)
    func widths(width: Int) {
        let folded = FoldedColors(ColorAffine.scale(-1, offset: 1))
        var pixels = [UInt32](repeating: 0x0010_2030, count: 12)
        pixels.withUnsafeMutableBytes { raw in
            if let base = raw.baseAddress { folded.apply(to: base, width: width, height: 1, stride: 48) }
        }
        #expect(pixels == (0..<12).map { $0 < width ? 0xFFEF_DFCF : 0x0010_2030 })
    }
}
