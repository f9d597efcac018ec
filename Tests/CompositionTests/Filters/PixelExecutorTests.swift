import Foundation
import MediaCore
import MediaEngine
import Testing

@testable import Filters

/// Draws the same recipes with vector code and with shaders.
@Suite("The executor of recipes on the processor")
struct PixelExecutorTests {
    private let processor: PictureRenderer
    private let shaders: PictureRenderer
    init() throws {
        processor = try PictureRenderer(.cpu)
        shaders = try PictureRenderer(.gl)
    }

    /// The filters that need no OpenGL.
    static let native = [
        "CIGaussianBlur", "CIBoxBlur", "CIDiscBlur", "CIMotionBlur", "CIBokehBlur", "CIMedianFilter",
        "CINoiseReduction", "CIMaskedVariableBlur", "CIMorphologyMaximum", "CIMorphologyMinimum",
        "CIMorphologyGradient", "CIUnsharpMask", "CISharpenLuminance", "CIBloom", "CIGloom", "CIEdges",
        "CIComicEffect", "CISobelGradients", "CIHighlightShadowAdjust", "CIHeightFieldFromMask",
        "CIPixellate", "CIConvolution3X3", "CIConvolution5X5", "CIConvolution7X7", "CIConvolution9Horizontal",
        "CIConvolution9Vertical", "CIConvolutionRGB3X3", "CIConvolutionRGB5X5", "CIConvolutionRGB7X7",
        "CIConvolutionRGB9Horizontal", "CIConvolutionRGB9Vertical", "CIVignette", "CIVignetteEffect",
        "CIColorAbsoluteDifference", "CIDissolveTransition", "CISwipeTransition", "CICopyMachineTransition",
        "CIModTransition", "CIMultiplyBlendMode", "CIScreenBlendMode", "CIOverlayBlendMode", "CIDarkenBlendMode",
        "CILightenBlendMode", "CIColorDodgeBlendMode", "CIColorBurnBlendMode", "CISoftLightBlendMode",
        "CIHardLightBlendMode", "CIDifferenceBlendMode", "CIExclusionBlendMode", "CIHueBlendMode",
        "CISaturationBlendMode", "CIColorBlendMode", "CILuminosityBlendMode", "CILinearBurnBlendMode",
        "CILinearDodgeBlendMode", "CILinearLightBlendMode", "CIPinLightBlendMode", "CIVividLightBlendMode",
        "CIDivideBlendMode", "CISubtractBlendMode", "CISourceOverCompositing", "CISourceInCompositing",
        "CISourceOutCompositing", "CISourceAtopCompositing", "CIAdditionCompositing", "CIMultiplyCompositing",
        "CIMaximumCompositing", "CIMinimumCompositing", "CIBlendWithMask", "CIBlendWithAlphaMask",
        "CIBlendWithRedMask", "CIBlendWithBlueMask", "CISepiaTone", "CIColorControls", "CIColorInvert",
        "CIGammaAdjust", "CIVibrance", "CIColorMatrix", "CIColorPolynomial", "CIColorClamp", "CIToneCurve",
        "CILinearToSRGBToneCurve", "CISRGBToneCurveToLinear", "CIColorThreshold", "CIExposureAdjust",
        "CITemperatureAndTint", "CIWhitePointAdjust", "CIFalseColor", "CIColorPosterize", "CIMaximumComponent",
        "CIMinimumComponent", "CIMaskToAlpha", "CIColorCrossPolynomial", "CIPhotoEffectChrome", "CIPhotoEffectFade",
        "CIPhotoEffectNoir", "CIThermal", "CIXRay", "CISpotColor", "CIDither", "CISpotLight", "CIDepthOfField",
        "CIDotScreen", "CILineScreen", "CIHatchedScreen", "CICircularScreen", "CICMYKHalftone", "CIStripesGenerator",
        "CICheckerboardGenerator", "CIRandomGenerator", "CILinearGradient", "CISmoothLinearGradient",
        "CIRadialGradient", "CIGaussianGradient", "CIStarShineGenerator", "CIConstantColorGenerator", "CICrop",
    ]
    /// Filters whose formulas jump, so that a rounding error can change a few pixels.
    private static let jumping: Set = [
        "CISobelGradients", "CIComicEffect", "CIHueBlendMode", "CIPixellate", "CIModTransition",
        "CICopyMachineTransition", "CIColorPosterize", "CIColorThreshold",
    ]

    private static func wave(_ number: Double) -> Double { 0.5 + 0.35 * sin(number) }
    private static let opaque = Canvas(61, 43) { x, y in
        let grain = Double((x * 7919 + y * 104_729) % 31) / 300
        return SIMD3<Double>(
            wave(Double(x) * 0.31) + grain, wave(Double(y) * 0.23 + Double(x) * 0.05), x / 9 % 2 == 0 ? 0.75 : 0.2)
    }
    /// An image with every alpha from 0.2 to 1.
    private static let translucent: CIImage = {
        var bytes: [UInt8] = []
        for y in 0..<37 {
            for x in 0..<53 {
                let alpha = 0.2 + 0.8 * Double((x + 2 * y) % 40) / 39
                let color = [wave(Double(x) * 0.2), wave(Double(y) * 0.17), wave(Double(x + y) * 0.11)]
                for component in color { bytes.append(UInt8(component * alpha * 255)) }
                bytes.append(UInt8((alpha * 255).rounded()))
            }
        }
        return CIImage(ImageBitmap(width: 53, height: 37, pixels: bytes))
    }()
    private static let images = [
        opaque.image, translucent, opaque.image.cropped(to: CGRect(x: 5, y: 3, width: 31, height: 27)),
        translucent.clampedToExtent().cropped(to: CGRect(x: -9, y: -4, width: 70, height: 55)),
    ]

    /// Returns the filter with default parameters (variant 0), or with other ones.
    private static func filter(_ name: String, _ image: CIImage, variant: Int) throws -> CIImage {
        let filter = try #require(CIFilter(name: name))
        let definition = try #require(FilterCatalog.definition(name))
        for parameter in definition.parameters {
            switch parameter.standard {
            case _ where parameter.type == kCIAttributeTypeImage:
                filter.setValue(
                    parameter.key == kCIInputImageKey ? image : images[(variant + 1) % 3], forKey: parameter.key)
            case .number(let standard) where variant > 0:
                let low = parameter.sliderMinimum ?? standard
                let high = parameter.sliderMaximum ?? standard
                filter.setValue(min(low + (high - low) * (variant == 1 ? 0.23 : 0.61), 41), forKey: parameter.key)
            case .vector(let standard) where parameter.key == "inputWeights" && variant > 0:
                filter.setValue(
                    CIVector(values: standard.indices.map { wave(Double($0 * variant)) / Double(standard.count) }),
                    forKey: parameter.key)
            case .vector where parameter.key == kCIInputCenterKey:
                filter.setValue(CIVector(x: 28, y: 19), forKey: parameter.key)
            default: break
            }
        }
        if definition.categories.contains(kCICategoryTransition), variant == 0 {
            filter.setValue(0.4, forKey: "inputTime")
        }
        return try #require(filter.outputImage, "\(name) makes nothing")
    }

    @Test("vector code draws what the shaders draw", arguments: native)
    func equality(name: String) throws {
        for (number, image) in PixelExecutorTests.images.enumerated() {
            for variant in 0..<3 {
                let output = try PixelExecutorTests.filter(name, image, variant: variant)
                for rect in [
                    CGRect(x: 0, y: 0, width: 61, height: 43), CGRect(x: -13, y: -11, width: 90, height: 70),
                    CGRect(x: 17, y: 8, width: 15, height: 21),
                ] {
                    let expected = try shaders.values(of: output, in: rect)
                    let drawn = try processor.values(of: output, in: rect)
                    let apart = zip(drawn, expected).map { ($0 - $1).magnitude }
                    let far = apart.count { !($0 <= 2.0 / 255) }
                    #expect(
                        far <= (PixelExecutorTests.jumping.contains(name) ? apart.count / 50 : 0),
                        "\(name), image \(number), variant \(variant), \(rect): \(far) pixels, \(apart.max() ?? 0)")
                }
            }
        }
        #expect(!processor.usesOpenGL, "\(name) was drawn with OpenGL")
    }

    @Test("a video frame is filtered without OpenGL", arguments: [(64, 48), (33, 19), (1, 1)])
    func video(size: (Int, Int)) throws {
        let frame = try Pictures.frame(size.0, size.1) { x, y in (x * 5 % 256, y * 7 % 256, (x + y) * 3 % 256) }
        for name in ["CIGaussianBlur", "CIUnsharpMask", "CIEdges", "CISepiaTone", "CIMorphologyMaximum"] {
            let output = try CIImage.source(frame.presentationSize).filtered(name)
            let drawn = try processor.render(output, of: frame)
            let expected = try shaders.render(output, of: frame)
            #expect((drawn.width, drawn.height) == size && drawn.presentationTime == frame.presentationTime)
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    for (a, b) in zip(Pictures.pixel(drawn, x, y), Pictures.pixel(expected, x, y)) {
                        #expect(abs(a - b) <= 2, "\(name) \(x) \(y)")
                    }
                }
            }
        }
        #expect(!processor.usesOpenGL && shaders.usesOpenGL)
    }

    @Test("a video with oblong pixels is filtered without OpenGL", arguments: [32.0 / 27, 10.0 / 11])
    func oblong(aspect: Double) throws {
        let frame = try Pictures.frame(72, 48, aspect: aspect) { x, y in (x * 3 % 256, y * 5 % 256, 90) }
        let filter = try #require(CIFilter(name: "CIGaussianBlur"))
        let plan = FramePlan(
            filters: [filter], brightness: 0, contrast: 1, size: frame.presentationSize, time: 0)
        let output = try #require(plan.onlyRecipe)
        let drawn = try processor.render(output, of: frame)
        #expect(drawn.width == Int((72 * aspect).rounded()) && drawn.height == 48 && !processor.usesOpenGL)
    }

    @Test("a clamped crop keeps its edge far from the crop", arguments: ["top", "bottom"])
    func farEdge(side: String) throws {
        let image = PixelExecutorTests.opaque.image
        let crop = CGRect(x: 0, y: side == "top" ? 33 : 0, width: 61, height: 10)
        let edge = image.cropped(to: crop).clampedToExtent()
        let output = image.applyingFilter("CIDifferenceBlendMode", parameters: [kCIInputBackgroundImageKey: edge])
        let (drawn, expected) = try (
            processor.values(of: output, in: image.extent), shaders.values(of: output, in: image.extent)
        )
        #expect(zip(drawn, expected).allSatisfy { ($0 - $1).magnitude <= 2.0 / 255 } && !processor.usesOpenGL)
    }

    @Test("an image over another one is drawn without OpenGL")
    func over() throws {
        let images = PixelExecutorTests.images
        let output = images[1].composited(over: images[0])
        let (drawn, expected) = try (
            processor.values(of: output, in: images[0].extent), shaders.values(of: output, in: images[0].extent)
        )
        #expect(zip(drawn, expected).allSatisfy { ($0 - $1).magnitude <= 2.0 / 255 } && !processor.usesOpenGL)
    }

    @Test("a recipe whose kernel is only a shader is drawn with OpenGL")
    func fallback() throws {
        let image = PixelExecutorTests.opaque.image
        let turned = try image.filtered("CIGaussianBlur").filtered("CITwirlDistortion")
        #expect(try processor.values(of: turned, in: image.extent) == shaders.values(of: turned, in: image.extent))
        #expect(processor.usesOpenGL)
    }

    @Test("the same recipe for other frames and sizes draws each anew")
    func reuse() throws {
        for width in [80, 20, 81, 20] {
            let flat = Canvas.flat(width, 30, SIMD3(repeating: Double(width) / 100))
            let drawn = try Drawn(
                flat.image.clampedToExtent().filtered("CIGaussianBlur"), in: flat.bounds, by: processor)
            #expect(drawn.furthest(from: { flat[$0, $1] }) < 1.0 / 255)
        }
    }
}

extension SIMD4<Float> {
    /// The largest absolute component.
    fileprivate var magnitude: Float { Swift.max(abs(x), abs(y), abs(z), abs(w)) }
}
