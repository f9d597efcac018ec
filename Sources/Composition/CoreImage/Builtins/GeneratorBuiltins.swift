import Foundation
import MediaCore

// Core Image's typed filters: generators, gradients and transitions. Each function gives a filter of its own with
// standard values.

/// `CIConstantColorGenerator`: Constant Color.
public protocol CIConstantColorGenerator: CIFilterProtocol {
    /// Standard (1, 0, 0, 1).
    var color: CIColor { get set }
}

/// `CICheckerboardGenerator`: Checkerboard.
public protocol CICheckerboardGenerator: CIFilterProtocol {
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Standard (1, 1, 1, 1).
    var color0: CIColor { get set }
    /// Standard (0, 0, 0, 1).
    var color1: CIColor { get set }
    /// Pixels; standard 80.
    var width: Float { get set }
    /// 0…1, clamped; standard 1.
    var sharpness: Float { get set }
}

/// `CIStripesGenerator`: Stripes.
public protocol CIStripesGenerator: CIFilterProtocol {
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Standard (1, 1, 1, 1).
    var color0: CIColor { get set }
    /// Standard (0, 0, 0, 1).
    var color1: CIColor { get set }
    /// Pixels; standard 80.
    var width: Float { get set }
    /// 0…1, clamped; standard 1.
    var sharpness: Float { get set }
}

/// `CIRandomGenerator`: Random Generator.
public protocol CIRandomGenerator: CIFilterProtocol {
}

/// `CIStarShineGenerator`: Star Shine.
public protocol CIStarShineGenerator: CIFilterProtocol {
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Standard (1, 0.8, 0.6, 1).
    var color: CIColor { get set }
    /// Pixels, at least 0, clamped; standard 50.
    var radius: Float { get set }
    /// At least 0, clamped; standard 15.
    var crossScale: Float { get set }
    /// Radians; standard 0.6.
    var crossAngle: Float { get set }
    /// At least -8, clamped; standard -2.
    var crossOpacity: Float { get set }
    /// Pixels, at least 0, clamped; standard 2.5.
    var crossWidth: Float { get set }
    /// At least -8, clamped; standard -2.
    var epsilon: Float { get set }
}

/// `CISunbeamsGenerator`: Sunbeams.
public protocol CISunbeamsGenerator: CIFilterProtocol {
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Standard (1, 0.5, 0, 1).
    var color: CIColor { get set }
    /// Pixels, at least 0, clamped; standard 40.
    var sunRadius: Float { get set }
    /// At least 0, clamped; standard 2.58.
    var maxStriationRadius: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var striationStrength: Float { get set }
    /// At least 0, clamped; standard 1.375.
    var striationContrast: Float { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
}

/// `CILenticularHaloGenerator`: Lenticular Halo.
public protocol CILenticularHaloGenerator: CIFilterProtocol {
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Standard (1, 0.9, 0.8, 1).
    var color: CIColor { get set }
    /// Pixels, at least 0, clamped; standard 70.
    var haloRadius: Float { get set }
    /// Pixels, at least 0, clamped; standard 87.
    var haloWidth: Float { get set }
    /// At least 0, clamped; standard 0.77.
    var haloOverlap: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var striationStrength: Float { get set }
    /// At least 0, clamped; standard 1.
    var striationContrast: Float { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
}

/// `CILinearGradient`: Linear Gradient.
public protocol CILinearGradient: CIFilterProtocol {
    /// Pixels; standard (0, 0).
    var point0: CGPoint { get set }
    /// Pixels; standard (200, 200).
    var point1: CGPoint { get set }
    /// Standard (1, 1, 1, 1).
    var color0: CIColor { get set }
    /// Standard (0, 0, 0, 1).
    var color1: CIColor { get set }
}

/// `CISmoothLinearGradient`: Smooth Linear Gradient.
public protocol CISmoothLinearGradient: CIFilterProtocol {
    /// Pixels; standard (0, 0).
    var point0: CGPoint { get set }
    /// Pixels; standard (200, 200).
    var point1: CGPoint { get set }
    /// Standard (1, 1, 1, 1).
    var color0: CIColor { get set }
    /// Standard (0, 0, 0, 1).
    var color1: CIColor { get set }
}

/// `CIRadialGradient`: Radial Gradient.
public protocol CIRadialGradient: CIFilterProtocol {
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 5.
    var radius0: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var radius1: Float { get set }
    /// Standard (1, 1, 1, 1).
    var color0: CIColor { get set }
    /// Standard (0, 0, 0, 1).
    var color1: CIColor { get set }
}

/// `CIGaussianGradient`: Gaussian Gradient.
public protocol CIGaussianGradient: CIFilterProtocol {
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Standard (1, 1, 1, 1).
    var color0: CIColor { get set }
    /// Standard (0, 0, 0, 0).
    var color1: CIColor { get set }
    /// Pixels, at least 0, clamped; standard 300.
    var radius: Float { get set }
}

/// `CIDissolveTransition`: Dissolve.
public protocol CIDissolveTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
}

/// `CISwipeTransition`: Swipe.
public protocol CISwipeTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
    /// Pixels; standard (0, 0, 300, 300).
    var extent: CGRect { get set }
    /// Standard (1, 1, 1, 1).
    var color: CIColor { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0.1, clamped; standard 300.
    var width: Float { get set }
    /// At least 0, clamped; standard 0.
    var opacity: Float { get set }
}

/// `CICopyMachineTransition`: Copy Machine.
public protocol CICopyMachineTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
    /// Pixels; standard (0, 0, 300, 300).
    var extent: CGRect { get set }
    /// Standard (0.6, 1, 0.8, 1).
    var color: CIColor { get set }
    /// Radians, at least 0, clamped; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0.1, clamped; standard 200.
    var width: Float { get set }
    /// At least 0, clamped; standard 1.3.
    var opacity: Float { get set }
}

/// `CIBarsSwipeTransition`: Bars Swipe Transition.
public protocol CIBarsSwipeTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
    /// Radians; standard 3.142.
    var angle: Float { get set }
    /// Pixels, at least 2, clamped; standard 30.
    var width: Float { get set }
    /// At least 1, clamped; standard 10.
    var barOffset: Float { get set }
}

/// `CIModTransition`: Mod.
public protocol CIModTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 2.
    var angle: Float { get set }
    /// Pixels, at least 1, clamped; standard 150.
    var radius: Float { get set }
    /// Pixels, at least 1, clamped; standard 300.
    var compression: Float { get set }
}

/// `CIFlashTransition`: Flash.
public protocol CIFlashTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels; standard (0, 0, 300, 300).
    var extent: CGRect { get set }
    /// Standard (1, 0.8, 0.6, 1).
    var color: CIColor { get set }
    /// At least 0, clamped; standard 2.58.
    var maxStriationRadius: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var striationStrength: Float { get set }
    /// At least 0, clamped; standard 1.375.
    var striationContrast: Float { get set }
    /// 0…1, clamped; standard 0.85.
    var fadeThreshold: Float { get set }
}

/// `CIRippleTransition`: Ripple.
public protocol CIRippleTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
    /// Nothing is drawn without it.
    var shadingImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels; standard (0, 0, 300, 300).
    var extent: CGRect { get set }
    /// Pixels, at least 1, clamped; standard 100.
    var width: Float { get set }
    /// At least -50, clamped; standard 50.
    var scale: Float { get set }
}

/// `CIDisintegrateWithMaskTransition`: Disintegrate With Mask.
public protocol CIDisintegrateWithMaskTransition: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var targetImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.
    var time: Float { get set }
    /// Nothing is drawn without it.
    var maskImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 8.
    var shadowRadius: Float { get set }
    /// 0…1, clamped; standard 0.65.
    var shadowDensity: Float { get set }
    /// Standard (0, -10).
    var shadowOffset: CGPoint { get set }
}

extension CIFilter {
    /// Constant Color.
    public static func constantColorGenerator() -> any CIFilter & CIConstantColorGenerator {
        BuiltInFilter(catalogued: "CIConstantColorGenerator")
    }
    /// Checkerboard.
    public static func checkerboardGenerator() -> any CIFilter & CICheckerboardGenerator {
        BuiltInFilter(catalogued: "CICheckerboardGenerator")
    }
    /// Stripes.
    public static func stripesGenerator() -> any CIFilter & CIStripesGenerator {
        BuiltInFilter(catalogued: "CIStripesGenerator")
    }
    /// Random Generator.
    public static func randomGenerator() -> any CIFilter & CIRandomGenerator {
        BuiltInFilter(catalogued: "CIRandomGenerator")
    }
    /// Star Shine.
    public static func starShineGenerator() -> any CIFilter & CIStarShineGenerator {
        BuiltInFilter(catalogued: "CIStarShineGenerator")
    }
    /// Sunbeams.
    public static func sunbeamsGenerator() -> any CIFilter & CISunbeamsGenerator {
        BuiltInFilter(catalogued: "CISunbeamsGenerator")
    }
    /// Lenticular Halo.
    public static func lenticularHaloGenerator() -> any CIFilter & CILenticularHaloGenerator {
        BuiltInFilter(catalogued: "CILenticularHaloGenerator")
    }
    /// Linear Gradient.
    public static func linearGradient() -> any CIFilter & CILinearGradient {
        BuiltInFilter(catalogued: "CILinearGradient")
    }
    /// Smooth Linear Gradient.
    public static func smoothLinearGradient() -> any CIFilter & CISmoothLinearGradient {
        BuiltInFilter(catalogued: "CISmoothLinearGradient")
    }
    /// Radial Gradient.
    public static func radialGradient() -> any CIFilter & CIRadialGradient {
        BuiltInFilter(catalogued: "CIRadialGradient")
    }
    /// Gaussian Gradient.
    public static func gaussianGradient() -> any CIFilter & CIGaussianGradient {
        BuiltInFilter(catalogued: "CIGaussianGradient")
    }
    /// Dissolve.
    public static func dissolveTransition() -> any CIFilter & CIDissolveTransition {
        BuiltInFilter(catalogued: "CIDissolveTransition")
    }
    /// Swipe.
    public static func swipeTransition() -> any CIFilter & CISwipeTransition {
        BuiltInFilter(catalogued: "CISwipeTransition")
    }
    /// Copy Machine.
    public static func copyMachineTransition() -> any CIFilter & CICopyMachineTransition {
        BuiltInFilter(catalogued: "CICopyMachineTransition")
    }
    /// Bars Swipe Transition.
    public static func barsSwipeTransition() -> any CIFilter & CIBarsSwipeTransition {
        BuiltInFilter(catalogued: "CIBarsSwipeTransition")
    }
    /// Mod.
    public static func modTransition() -> any CIFilter & CIModTransition {
        BuiltInFilter(catalogued: "CIModTransition")
    }
    /// Flash.
    public static func flashTransition() -> any CIFilter & CIFlashTransition {
        BuiltInFilter(catalogued: "CIFlashTransition")
    }
    /// Ripple.
    public static func rippleTransition() -> any CIFilter & CIRippleTransition {
        BuiltInFilter(catalogued: "CIRippleTransition")
    }
    /// Disintegrate With Mask.
    public static func disintegrateWithMaskTransition() -> any CIFilter & CIDisintegrateWithMaskTransition {
        BuiltInFilter(catalogued: "CIDisintegrateWithMaskTransition")
    }
}
