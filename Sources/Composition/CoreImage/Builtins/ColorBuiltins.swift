import Foundation
import MediaCore

// Core Image's typed filters: colour adjustments and effects. Each function gives a filter of its own with standard
// values.

/// `CIColorControls`: Color Controls.
public protocol CIColorControls: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 1.
    var saturation: Float { get set }
    /// −1…1, clamped; standard 0.
    var brightness: Float { get set }
    /// 0…4, clamped; standard 1.
    var contrast: Float { get set }
}

/// `CIExposureAdjust`: Exposure Adjust.
public protocol CIExposureAdjust: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// −10…10, clamped; standard 0.
    var ev: Float { get set }
}

/// `CIGammaAdjust`: Gamma Adjust.
public protocol CIGammaAdjust: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// 0.01…10, clamped; standard 1.
    var power: Float { get set }
}

/// `CIHueAdjust`: Hue Adjust.
public protocol CIHueAdjust: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
}

/// `CIVibrance`: Vibrance.
public protocol CIVibrance: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// −1…1, clamped; standard 0.
    var amount: Float { get set }
}

/// `CITemperatureAndTint`: Temperature and Tint.
public protocol CITemperatureAndTint: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (6500, 0).
    var neutral: CIVector { get set }
    /// Standard (6500, 0).
    var targetNeutral: CIVector { get set }
}

/// `CIWhitePointAdjust`: White Point Adjust.
public protocol CIWhitePointAdjust: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (1, 1, 1, 1).
    var color: CIColor { get set }
}

/// `CIColorMatrix`: Color Matrix.
public protocol CIColorMatrix: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (1, 0, 0, 0).
    var rVector: CIVector { get set }
    /// Standard (0, 1, 0, 0).
    var gVector: CIVector { get set }
    /// Standard (0, 0, 1, 0).
    var bVector: CIVector { get set }
    /// Standard (0, 0, 0, 1).
    var aVector: CIVector { get set }
    /// Standard (0, 0, 0, 0).
    var biasVector: CIVector { get set }
}

/// `CIColorPolynomial`: Color Polynomial.
public protocol CIColorPolynomial: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 1, 0, 0).
    var redCoefficients: CIVector { get set }
    /// Standard (0, 1, 0, 0).
    var greenCoefficients: CIVector { get set }
    /// Standard (0, 1, 0, 0).
    var blueCoefficients: CIVector { get set }
    /// Standard (0, 1, 0, 0).
    var alphaCoefficients: CIVector { get set }
}

/// `CIColorClamp`: Color Clamp.
public protocol CIColorClamp: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0).
    var minComponents: CIVector { get set }
    /// Standard (1, 1, 1, 1).
    var maxComponents: CIVector { get set }
}

/// `CIToneCurve`: Tone Curve.
public protocol CIToneCurve: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0).
    var point0: CGPoint { get set }
    /// Standard (0.25, 0.25).
    var point1: CGPoint { get set }
    /// Standard (0.5, 0.5).
    var point2: CGPoint { get set }
    /// Standard (0.75, 0.75).
    var point3: CGPoint { get set }
    /// Standard (1, 1).
    var point4: CGPoint { get set }
}

/// `CILinearToSRGBToneCurve`: Linear to sRGB Tone Curve.
public protocol CILinearToSRGBToneCurve: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CISRGBToneCurveToLinear`: sRGB Tone Curve to Linear.
public protocol CISRGBToneCurveToLinear: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIColorThreshold`: Color Threshold.
public protocol CIColorThreshold: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.5.
    var threshold: Float { get set }
}

/// `CIColorAbsoluteDifference`: Color Absolute Difference.
public protocol CIColorAbsoluteDifference: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var inputImage2: CIImage? { get set }
}

/// `CIColorInvert`: Color Invert.
public protocol CIColorInvert: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIColorMonochrome`: Color Monochrome.
public protocol CIColorMonochrome: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0.6, 0.45, 0.3, 1).
    var color: CIColor { get set }
    /// 0…1, clamped; standard 1.
    var intensity: Float { get set }
}

/// `CISepiaTone`: Sepia Tone.
public protocol CISepiaTone: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// 0…1, clamped; standard 1.
    var intensity: Float { get set }
}

/// `CIFalseColor`: False Color.
public protocol CIFalseColor: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0.3, 0, 0, 1).
    var color0: CIColor { get set }
    /// Standard (1, 0.9, 0.8, 1).
    var color1: CIColor { get set }
}

/// `CIColorPosterize`: Color Posterize.
public protocol CIColorPosterize: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// 2…256, clamped; standard 6.
    var levels: Float { get set }
}

/// `CIMaximumComponent`: Maximum Component.
public protocol CIMaximumComponent: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIMinimumComponent`: Minimum Component.
public protocol CIMinimumComponent: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIMaskToAlpha`: Mask to Alpha.
public protocol CIMaskToAlpha: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIColorCrossPolynomial`: Color Cross-Polynomial.
public protocol CIColorCrossPolynomial: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (1, 0, 0, 0, 0, 0, 0, 0, 0, 0).
    var redCoefficients: CIVector { get set }
    /// Standard (0, 1, 0, 0, 0, 0, 0, 0, 0, 0).
    var greenCoefficients: CIVector { get set }
    /// Standard (0, 0, 1, 0, 0, 0, 0, 0, 0, 0).
    var blueCoefficients: CIVector { get set }
}

/// `CIColorCube`: Color Cube.
public protocol CIColorCube: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// 2…128, clamped; standard 2.
    var cubeDimension: Float { get set }
    /// Red, green, blue, alpha as floats, premultiplied, red running fastest.
    var cubeData: Data { get set }
}

/// `CIColorMap`: Color Map.
public protocol CIColorMap: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var gradientImage: CIImage? { get set }
}

/// `CIDither`: Dither.
public protocol CIDither: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// 0…5, clamped; standard 0.1.
    var intensity: Float { get set }
}

/// `CIVignette`: Vignette.
public protocol CIVignette: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// −1…1, clamped; standard 0.
    var intensity: Float { get set }
    /// 0…2, clamped; standard 1.
    var radius: Float { get set }
}

/// `CIVignetteEffect`: Vignette Effect.
public protocol CIVignetteEffect: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 150.
    var radius: Float { get set }
    /// −1…1, clamped; standard 1.
    var intensity: Float { get set }
    /// 0…1, clamped; standard 0.5.
    var falloff: Float { get set }
}

/// The looks of `CIFilter.photoEffectChrome()` and its like.
public protocol CIPhotoEffect: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIThermal`: Thermal.
public protocol CIThermal: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIXRay`: X-Ray.
public protocol CIXRay: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

extension CIFilter {
    /// Color Controls.
    public static func colorControls() -> any CIFilter & CIColorControls {
        BuiltInFilter(catalogued: "CIColorControls")
    }
    /// Exposure Adjust.
    public static func exposureAdjust() -> any CIFilter & CIExposureAdjust {
        BuiltInFilter(catalogued: "CIExposureAdjust")
    }
    /// Gamma Adjust.
    public static func gammaAdjust() -> any CIFilter & CIGammaAdjust { BuiltInFilter(catalogued: "CIGammaAdjust") }
    /// Hue Adjust.
    public static func hueAdjust() -> any CIFilter & CIHueAdjust { BuiltInFilter(catalogued: "CIHueAdjust") }
    /// Vibrance.
    public static func vibrance() -> any CIFilter & CIVibrance { BuiltInFilter(catalogued: "CIVibrance") }
    /// Temperature and Tint.
    public static func temperatureAndTint() -> any CIFilter & CITemperatureAndTint {
        BuiltInFilter(catalogued: "CITemperatureAndTint")
    }
    /// White Point Adjust.
    public static func whitePointAdjust() -> any CIFilter & CIWhitePointAdjust {
        BuiltInFilter(catalogued: "CIWhitePointAdjust")
    }
    /// Color Matrix.
    public static func colorMatrix() -> any CIFilter & CIColorMatrix { BuiltInFilter(catalogued: "CIColorMatrix") }
    /// Color Polynomial.
    public static func colorPolynomial() -> any CIFilter & CIColorPolynomial {
        BuiltInFilter(catalogued: "CIColorPolynomial")
    }
    /// Color Clamp.
    public static func colorClamp() -> any CIFilter & CIColorClamp { BuiltInFilter(catalogued: "CIColorClamp") }
    /// Tone Curve.
    public static func toneCurve() -> any CIFilter & CIToneCurve { BuiltInFilter(catalogued: "CIToneCurve") }
    /// Linear to sRGB Tone Curve.
    public static func linearToSRGBToneCurve() -> any CIFilter & CILinearToSRGBToneCurve {
        BuiltInFilter(catalogued: "CILinearToSRGBToneCurve")
    }
    /// sRGB Tone Curve to Linear.
    public static func sRGBToneCurveToLinear() -> any CIFilter & CISRGBToneCurveToLinear {
        BuiltInFilter(catalogued: "CISRGBToneCurveToLinear")
    }
    /// Color Threshold.
    public static func colorThreshold() -> any CIFilter & CIColorThreshold {
        BuiltInFilter(catalogued: "CIColorThreshold")
    }
    /// Color Absolute Difference.
    public static func colorAbsoluteDifference() -> any CIFilter & CIColorAbsoluteDifference {
        BuiltInFilter(catalogued: "CIColorAbsoluteDifference")
    }
    /// Color Invert.
    public static func colorInvert() -> any CIFilter & CIColorInvert { BuiltInFilter(catalogued: "CIColorInvert") }
    /// Color Monochrome.
    public static func colorMonochrome() -> any CIFilter & CIColorMonochrome {
        BuiltInFilter(catalogued: "CIColorMonochrome")
    }
    /// Sepia Tone.
    public static func sepiaTone() -> any CIFilter & CISepiaTone { BuiltInFilter(catalogued: "CISepiaTone") }
    /// False Color.
    public static func falseColor() -> any CIFilter & CIFalseColor { BuiltInFilter(catalogued: "CIFalseColor") }
    /// Color Posterize.
    public static func colorPosterize() -> any CIFilter & CIColorPosterize {
        BuiltInFilter(catalogued: "CIColorPosterize")
    }
    /// Maximum Component.
    public static func maximumComponent() -> any CIFilter & CIMaximumComponent {
        BuiltInFilter(catalogued: "CIMaximumComponent")
    }
    /// Minimum Component.
    public static func minimumComponent() -> any CIFilter & CIMinimumComponent {
        BuiltInFilter(catalogued: "CIMinimumComponent")
    }
    /// Mask to Alpha.
    public static func maskToAlpha() -> any CIFilter & CIMaskToAlpha { BuiltInFilter(catalogued: "CIMaskToAlpha") }
    /// Color Cross-Polynomial.
    public static func colorCrossPolynomial() -> any CIFilter & CIColorCrossPolynomial {
        BuiltInFilter(catalogued: "CIColorCrossPolynomial")
    }
    /// Color Cube.
    public static func colorCube() -> any CIFilter & CIColorCube { BuiltInFilter(catalogued: "CIColorCube") }
    /// Color Map.
    public static func colorMap() -> any CIFilter & CIColorMap { BuiltInFilter(catalogued: "CIColorMap") }
    /// Dither.
    public static func dither() -> any CIFilter & CIDither { BuiltInFilter(catalogued: "CIDither") }
    /// Vignette.
    public static func vignette() -> any CIFilter & CIVignette { BuiltInFilter(catalogued: "CIVignette") }
    /// Vignette Effect.
    public static func vignetteEffect() -> any CIFilter & CIVignetteEffect {
        BuiltInFilter(catalogued: "CIVignetteEffect")
    }
    /// Photo Effect Chrome.
    public static func photoEffectChrome() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectChrome")
    }
    /// Photo Effect Fade.
    public static func photoEffectFade() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectFade")
    }
    /// Photo Effect Instant.
    public static func photoEffectInstant() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectInstant")
    }
    /// Photo Effect Mono.
    public static func photoEffectMono() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectMono")
    }
    /// Photo Effect Noir.
    public static func photoEffectNoir() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectNoir")
    }
    /// Photo Effect Process.
    public static func photoEffectProcess() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectProcess")
    }
    /// Photo Effect Tonal.
    public static func photoEffectTonal() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectTonal")
    }
    /// Photo Effect Transfer.
    public static func photoEffectTransfer() -> any CIFilter & CIPhotoEffect {
        BuiltInFilter(catalogued: "CIPhotoEffectTransfer")
    }
    /// Thermal.
    public static func thermal() -> any CIFilter & CIThermal { BuiltInFilter(catalogued: "CIThermal") }
    /// X-Ray.
    public static func xRay() -> any CIFilter & CIXRay { BuiltInFilter(catalogued: "CIXRay") }
}
