import Foundation
import MediaCore

// Core Image's typed filters: blurs and sharpening. Each function gives a filter of its own with standard values.

/// `CIBoxBlur`: Box Blur.
public protocol CIBoxBlur: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 1, clamped; standard 10.
    var radius: Float { get set }
}

/// `CIDiscBlur`: Disc Blur.
public protocol CIDiscBlur: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 8.
    var radius: Float { get set }
}

/// `CIGaussianBlur`: Gaussian Blur.
public protocol CIGaussianBlur: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 10.
    var radius: Float { get set }
}

/// `CIMotionBlur`: Motion Blur.
public protocol CIMotionBlur: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 20.
    var radius: Float { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
}

/// `CIZoomBlur`: Zoom Blur.
public protocol CIZoomBlur: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels; standard 20.
    var amount: Float { get set }
}

/// `CIMedianFilter`: Median.
public protocol CIMedian: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CINoiseReduction`: Noise Reduction.
public protocol CINoiseReduction: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 0.02.
    var noiseLevel: Float { get set }
    /// At least 0, clamped; standard 0.4.
    var sharpness: Float { get set }
}

/// `CIMaskedVariableBlur`: Masked Variable Blur.
public protocol CIMaskedVariableBlur: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var mask: CIImage? { get set }
    /// At least 0, clamped; standard 5.
    var radius: Float { get set }
}

/// `CIBokehBlur`: Bokeh Blur.
public protocol CIBokehBlur: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, 0…500, clamped; standard 20.
    var radius: Float { get set }
    /// 0…1, clamped; standard 0.
    var ringAmount: Float { get set }
    /// 0…0.2, clamped; standard 0.1.
    var ringSize: Float { get set }
    /// 0…10, clamped; standard 1.
    var softness: Float { get set }
}

/// `CIMorphologyMaximum`: Morphology Maximum.
public protocol CIMorphologyMaximum: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 0.
    var radius: Float { get set }
}

/// `CIMorphologyMinimum`: Morphology Minimum.
public protocol CIMorphologyMinimum: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 0.
    var radius: Float { get set }
}

/// `CIMorphologyGradient`: Morphology Gradient.
public protocol CIMorphologyGradient: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 5.
    var radius: Float { get set }
}

/// `CISharpenLuminance`: Sharpen Luminance.
public protocol CISharpenLuminance: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard 0.4.
    var sharpness: Float { get set }
    /// Standard 1.69.
    var radius: Float { get set }
}

/// `CIUnsharpMask`: Unsharp Mask.
public protocol CIUnsharpMask: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 2.5.
    var radius: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var intensity: Float { get set }
}

extension CIFilter {
    /// Box Blur.
    public static func boxBlur() -> any CIFilter & CIBoxBlur { BuiltInFilter(catalogued: "CIBoxBlur") }
    /// Disc Blur.
    public static func discBlur() -> any CIFilter & CIDiscBlur { BuiltInFilter(catalogued: "CIDiscBlur") }
    /// Gaussian Blur.
    public static func gaussianBlur() -> any CIFilter & CIGaussianBlur { BuiltInFilter(catalogued: "CIGaussianBlur") }
    /// Motion Blur.
    public static func motionBlur() -> any CIFilter & CIMotionBlur { BuiltInFilter(catalogued: "CIMotionBlur") }
    /// Zoom Blur.
    public static func zoomBlur() -> any CIFilter & CIZoomBlur { BuiltInFilter(catalogued: "CIZoomBlur") }
    /// Median.
    public static func median() -> any CIFilter & CIMedian { BuiltInFilter(catalogued: "CIMedianFilter") }
    /// Noise Reduction.
    public static func noiseReduction() -> any CIFilter & CINoiseReduction {
        BuiltInFilter(catalogued: "CINoiseReduction")
    }
    /// Masked Variable Blur.
    public static func maskedVariableBlur() -> any CIFilter & CIMaskedVariableBlur {
        BuiltInFilter(catalogued: "CIMaskedVariableBlur")
    }
    /// Bokeh Blur.
    public static func bokehBlur() -> any CIFilter & CIBokehBlur { BuiltInFilter(catalogued: "CIBokehBlur") }
    /// Morphology Maximum.
    public static func morphologyMaximum() -> any CIFilter & CIMorphologyMaximum {
        BuiltInFilter(catalogued: "CIMorphologyMaximum")
    }
    /// Morphology Minimum.
    public static func morphologyMinimum() -> any CIFilter & CIMorphologyMinimum {
        BuiltInFilter(catalogued: "CIMorphologyMinimum")
    }
    /// Morphology Gradient.
    public static func morphologyGradient() -> any CIFilter & CIMorphologyGradient {
        BuiltInFilter(catalogued: "CIMorphologyGradient")
    }
    /// Sharpen Luminance.
    public static func sharpenLuminance() -> any CIFilter & CISharpenLuminance {
        BuiltInFilter(catalogued: "CISharpenLuminance")
    }
    /// Unsharp Mask.
    public static func unsharpMask() -> any CIFilter & CIUnsharpMask { BuiltInFilter(catalogued: "CIUnsharpMask") }
}
