import EngineTestSupport
import Foundation
import MediaCore
import MediaEngine
import Testing

@Suite("Apertures of images")
struct ImageApertureTests {
    @Test("encoded pixels are not stretched by the pixel aspect ratio")
    func encodedPixels() async throws {
        // 180 × 144 pixels with an aspect ratio of 16:11.
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.anamorphic()))
        #expect(generator.apertureMode == nil)
        for mode in [nil, .cleanAperture, .productionAperture] as [AVAssetImageGenerator.ApertureMode?] {
            generator.apertureMode = mode
            let size = try await generator.image(at: .zero).image.presentationSize
            #expect(abs(size.width - 262) <= 1 && size.height == 144, "\(size)")
        }
        generator.apertureMode = .encodedPixels
        #expect(try await generator.image(at: .zero).image.presentationSize == CGSize(width: 180, height: 144))
        #expect(AVAssetImageGenerator.ApertureMode.encodedPixels.rawValue == "EncodedPixels")
    }
}
