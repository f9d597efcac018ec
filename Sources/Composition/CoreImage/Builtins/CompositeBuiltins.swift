import Foundation
import MediaCore

// Core Image's typed filters: compositing, blend modes and masks. Each function gives a filter of its own with standard
// values.

/// A picture over another: `CIFilter.multiplyBlendMode()` and its like.
public protocol CICompositeOperation: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// What lies behind.
    var backgroundImage: CIImage? { get set }
}

extension CIFilter {
    /// Multiply Blend Mode.
    public static func multiplyBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIMultiplyBlendMode")
    }
    /// Screen Blend Mode.
    public static func screenBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIScreenBlendMode")
    }
    /// Overlay Blend Mode.
    public static func overlayBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIOverlayBlendMode")
    }
    /// Darken Blend Mode.
    public static func darkenBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIDarkenBlendMode")
    }
    /// Lighten Blend Mode.
    public static func lightenBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CILightenBlendMode")
    }
    /// Color Dodge Blend Mode.
    public static func colorDodgeBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIColorDodgeBlendMode")
    }
    /// Color Burn Blend Mode.
    public static func colorBurnBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIColorBurnBlendMode")
    }
    /// Soft Light Blend Mode.
    public static func softLightBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CISoftLightBlendMode")
    }
    /// Hard Light Blend Mode.
    public static func hardLightBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIHardLightBlendMode")
    }
    /// Difference Blend Mode.
    public static func differenceBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIDifferenceBlendMode")
    }
    /// Exclusion Blend Mode.
    public static func exclusionBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIExclusionBlendMode")
    }
    /// Hue Blend Mode.
    public static func hueBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIHueBlendMode")
    }
    /// Saturation Blend Mode.
    public static func saturationBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CISaturationBlendMode")
    }
    /// Color Blend Mode.
    public static func colorBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIColorBlendMode")
    }
    /// Luminosity Blend Mode.
    public static func luminosityBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CILuminosityBlendMode")
    }
    /// Linear Burn Blend Mode.
    public static func linearBurnBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CILinearBurnBlendMode")
    }
    /// Linear Dodge Blend Mode.
    public static func linearDodgeBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CILinearDodgeBlendMode")
    }
    /// Linear Light Blend Mode.
    public static func linearLightBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CILinearLightBlendMode")
    }
    /// Pin Light Blend Mode.
    public static func pinLightBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIPinLightBlendMode")
    }
    /// Vivid Light Blend Mode.
    public static func vividLightBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIVividLightBlendMode")
    }
    /// Divide Blend Mode.
    public static func divideBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIDivideBlendMode")
    }
    /// Subtract Blend Mode.
    public static func subtractBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CISubtractBlendMode")
    }
    /// Source Over.
    public static func sourceOverCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CISourceOverCompositing")
    }
    /// Source In.
    public static func sourceInCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CISourceInCompositing")
    }
    /// Source Out.
    public static func sourceOutCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CISourceOutCompositing")
    }
    /// Source Atop.
    public static func sourceAtopCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CISourceAtopCompositing")
    }
    /// Addition.
    public static func additionCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIAdditionCompositing")
    }
    /// Multiply.
    public static func multiplyCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIMultiplyCompositing")
    }
    /// Maximum.
    public static func maximumCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIMaximumCompositing")
    }
    /// Minimum.
    public static func minimumCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter(catalogued: "CIMinimumCompositing")
    }
}
