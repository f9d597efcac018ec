import Foundation
import MediaCore

// Core Image's typed filters: halftone screens. Each function gives a filter of its own with standard values.

/// `CIDotScreen`: Dot Screen.
public protocol CIDotScreen: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 1, clamped; standard 6.
    var width: Float { get set }
    /// 0…1, clamped; standard 0.7.
    var sharpness: Float { get set }
}

/// `CILineScreen`: Line Screen.
public protocol CILineScreen: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 1, clamped; standard 6.
    var width: Float { get set }
    /// 0…1, clamped; standard 0.7.
    var sharpness: Float { get set }
}

/// `CIHatchedScreen`: Hatched Screen.
public protocol CIHatchedScreen: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 1, clamped; standard 6.
    var width: Float { get set }
    /// 0…1, clamped; standard 0.7.
    var sharpness: Float { get set }
}

/// `CICircularScreen`: Circular Screen.
public protocol CICircularScreen: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 1, clamped; standard 6.
    var width: Float { get set }
    /// 0…1, clamped; standard 0.7.
    var sharpness: Float { get set }
}

/// `CICMYKHalftone`: CMYK Halftone.
public protocol CICMYKHalftone: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least -2, clamped; standard 6.
    var width: Float { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 0.7.
    var sharpness: Float { get set }
    /// At least 0, clamped; standard 1.
    var gcr: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var ucr: Float { get set }
}

extension CIFilter {
    /// Dot Screen.
    public static func dotScreen() -> any CIFilter & CIDotScreen { BuiltInFilter(catalogued: "CIDotScreen") }
    /// Line Screen.
    public static func lineScreen() -> any CIFilter & CILineScreen { BuiltInFilter(catalogued: "CILineScreen") }
    /// Hatched Screen.
    public static func hatchedScreen() -> any CIFilter & CIHatchedScreen {
        BuiltInFilter(catalogued: "CIHatchedScreen")
    }
    /// Circular Screen.
    public static func circularScreen() -> any CIFilter & CICircularScreen {
        BuiltInFilter(catalogued: "CICircularScreen")
    }
    /// CMYK Halftone.
    public static func cmykHalftone() -> any CIFilter & CICMYKHalftone { BuiltInFilter(catalogued: "CICMYKHalftone") }
}
