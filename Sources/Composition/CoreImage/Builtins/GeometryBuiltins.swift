import Foundation
import MediaCore

// Core Image's typed filters: geometry and tiles. Each function gives a filter of its own with standard values.

/// `CICrop`: Crop.
public protocol CICrop: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (-8.988e+307, -8.988e+307, 1.798e+308, 1.798e+308).
    var rectangle: CGRect { get set }
}

/// `CIAffineTransform`: Affine Transform.
public protocol CIAffineTransform: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard: the identity.
    var transform: CGAffineTransform { get set }
}

/// `CIStraightenFilter`: Straighten.
public protocol CIStraighten: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
}

/// `CIPerspectiveTransform`: Perspective Transform.
public protocol CIPerspectiveTransform: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (118, 484).
    var topLeft: CGPoint { get set }
    /// Pixels; standard (646, 507).
    var topRight: CGPoint { get set }
    /// Pixels; standard (548, 140).
    var bottomRight: CGPoint { get set }
    /// Pixels; standard (155, 153).
    var bottomLeft: CGPoint { get set }
}

/// `CIPerspectiveTransformWithExtent`: Perspective Transform with Extent.
public protocol CIPerspectiveTransformWithExtent: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (0, 0, 300, 300).
    var extent: CGRect { get set }
    /// Pixels; standard (118, 484).
    var topLeft: CGPoint { get set }
    /// Pixels; standard (646, 507).
    var topRight: CGPoint { get set }
    /// Pixels; standard (548, 140).
    var bottomRight: CGPoint { get set }
    /// Pixels; standard (155, 153).
    var bottomLeft: CGPoint { get set }
}

/// `CIPerspectiveCorrection`: Perspective Correction.
public protocol CIPerspectiveCorrection: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (118, 484).
    var topLeft: CGPoint { get set }
    /// Pixels; standard (646, 507).
    var topRight: CGPoint { get set }
    /// Pixels; standard (548, 140).
    var bottomRight: CGPoint { get set }
    /// Pixels; standard (155, 153).
    var bottomLeft: CGPoint { get set }
    /// 0…1, clamped; standard 1.
    var crop: Float { get set }
}

/// `CIPerspectiveTile`: Perspective Tile.
public protocol CIPerspectiveTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (118, 484).
    var topLeft: CGPoint { get set }
    /// Pixels; standard (646, 507).
    var topRight: CGPoint { get set }
    /// Pixels; standard (548, 140).
    var bottomRight: CGPoint { get set }
    /// Pixels; standard (155, 153).
    var bottomLeft: CGPoint { get set }
}

/// `CILanczosScaleTransform`: Lanczos Scale Transform.
public protocol CILanczosScaleTransform: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 1.
    var scale: Float { get set }
    /// At least 0, clamped; standard 1.
    var aspectRatio: Float { get set }
}

/// `CIBicubicScaleTransform`: Bicubic Scale Transform.
public protocol CIBicubicScaleTransform: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 1.
    var scale: Float { get set }
    /// At least 0, clamped; standard 1.
    var aspectRatio: Float { get set }
    /// 0…1, clamped; standard 0.
    var b: Float { get set }
    /// 0…1, clamped; standard 0.75.
    var c: Float { get set }
}

/// `CIAffineClamp`: Affine Clamp.
public protocol CIAffineClamp: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard: the identity.
    var transform: CGAffineTransform { get set }
}

/// `CIAffineTile`: Affine Tile.
public protocol CIAffineTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard: the identity.
    var transform: CGAffineTransform { get set }
}

/// `CIClamp`: Clamp.
public protocol CIClamp: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (0, 0, 640, 80).
    var extent: CGRect { get set }
}

/// `CIFourfoldTranslatedTile`: Fourfold Translated Tile.
public protocol CIFourfoldTranslatedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
    /// Radians; standard 1.571.
    var acuteAngle: Float { get set }
}

/// `CIFourfoldReflectedTile`: Fourfold Reflected Tile.
public protocol CIFourfoldReflectedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
    /// Radians; standard 1.571.
    var acuteAngle: Float { get set }
}

/// `CIParallelogramTile`: Parallelogram Tile.
public protocol CIParallelogramTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Radians; standard 1.571.
    var acuteAngle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CIFourfoldRotatedTile`: Fourfold Rotated Tile.
public protocol CIFourfoldRotatedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CIEightfoldReflectedTile`: Eightfold Reflected Tile.
public protocol CIEightfoldReflectedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CIGlideReflectedTile`: Glide Reflected Tile.
public protocol CIGlideReflectedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CISixfoldReflectedTile`: Sixfold Reflected Tile.
public protocol CISixfoldReflectedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CISixfoldRotatedTile`: Sixfold Rotated Tile.
public protocol CISixfoldRotatedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CITwelvefoldReflectedTile`: Twelvefold Reflected Tile.
public protocol CITwelvefoldReflectedTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CITriangleTile`: Triangle Tile.
public protocol CITriangleTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var width: Float { get set }
}

/// `CIOpTile`: Op Tile.
public protocol CIOpTile: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// At least 0, clamped; standard 2.8.
    var scale: Float { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// Pixels, at least 0, clamped; standard 65.
    var width: Float { get set }
}

/// `CIKaleidoscope`: Kaleidoscope.
public protocol CIKaleidoscope: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 1, clamped; standard 6.
    var count: Float { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
}

/// `CITriangleKaleidoscope`: Triangle Kaleidoscope.
public protocol CITriangleKaleidoscope: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var point: CGPoint { get set }
    /// Standard 700.
    var size: Float { get set }
    /// Radians; standard 5.924.
    var rotation: Float { get set }
    /// Standard 0.85.
    var decay: Float { get set }
}

extension CIFilter {
    /// Crop.
    public static func crop() -> any CIFilter & CICrop { BuiltInFilter(catalogued: "CICrop") }
    /// Affine Transform.
    public static func affineTransform() -> any CIFilter & CIAffineTransform {
        BuiltInFilter(catalogued: "CIAffineTransform")
    }
    /// Straighten.
    public static func straighten() -> any CIFilter & CIStraighten { BuiltInFilter(catalogued: "CIStraightenFilter") }
    /// Perspective Transform.
    public static func perspectiveTransform() -> any CIFilter & CIPerspectiveTransform {
        BuiltInFilter(catalogued: "CIPerspectiveTransform")
    }
    /// Perspective Transform with Extent.
    public static func perspectiveTransformWithExtent() -> any CIFilter & CIPerspectiveTransformWithExtent {
        BuiltInFilter(catalogued: "CIPerspectiveTransformWithExtent")
    }
    /// Perspective Correction.
    public static func perspectiveCorrection() -> any CIFilter & CIPerspectiveCorrection {
        BuiltInFilter(catalogued: "CIPerspectiveCorrection")
    }
    /// Perspective Tile.
    public static func perspectiveTile() -> any CIFilter & CIPerspectiveTile {
        BuiltInFilter(catalogued: "CIPerspectiveTile")
    }
    /// Lanczos Scale Transform.
    public static func lanczosScaleTransform() -> any CIFilter & CILanczosScaleTransform {
        BuiltInFilter(catalogued: "CILanczosScaleTransform")
    }
    /// Bicubic Scale Transform.
    public static func bicubicScaleTransform() -> any CIFilter & CIBicubicScaleTransform {
        BuiltInFilter(catalogued: "CIBicubicScaleTransform")
    }
    /// Affine Clamp.
    public static func affineClamp() -> any CIFilter & CIAffineClamp { BuiltInFilter(catalogued: "CIAffineClamp") }
    /// Affine Tile.
    public static func affineTile() -> any CIFilter & CIAffineTile { BuiltInFilter(catalogued: "CIAffineTile") }
    /// Clamp.
    public static func clamp() -> any CIFilter & CIClamp { BuiltInFilter(catalogued: "CIClamp") }
    /// Fourfold Translated Tile.
    public static func fourfoldTranslatedTile() -> any CIFilter & CIFourfoldTranslatedTile {
        BuiltInFilter(catalogued: "CIFourfoldTranslatedTile")
    }
    /// Fourfold Reflected Tile.
    public static func fourfoldReflectedTile() -> any CIFilter & CIFourfoldReflectedTile {
        BuiltInFilter(catalogued: "CIFourfoldReflectedTile")
    }
    /// Parallelogram Tile.
    public static func parallelogramTile() -> any CIFilter & CIParallelogramTile {
        BuiltInFilter(catalogued: "CIParallelogramTile")
    }
    /// Fourfold Rotated Tile.
    public static func fourfoldRotatedTile() -> any CIFilter & CIFourfoldRotatedTile {
        BuiltInFilter(catalogued: "CIFourfoldRotatedTile")
    }
    /// Eightfold Reflected Tile.
    public static func eightfoldReflectedTile() -> any CIFilter & CIEightfoldReflectedTile {
        BuiltInFilter(catalogued: "CIEightfoldReflectedTile")
    }
    /// Glide Reflected Tile.
    public static func glideReflectedTile() -> any CIFilter & CIGlideReflectedTile {
        BuiltInFilter(catalogued: "CIGlideReflectedTile")
    }
    /// Sixfold Reflected Tile.
    public static func sixfoldReflectedTile() -> any CIFilter & CISixfoldReflectedTile {
        BuiltInFilter(catalogued: "CISixfoldReflectedTile")
    }
    /// Sixfold Rotated Tile.
    public static func sixfoldRotatedTile() -> any CIFilter & CISixfoldRotatedTile {
        BuiltInFilter(catalogued: "CISixfoldRotatedTile")
    }
    /// Twelvefold Reflected Tile.
    public static func twelvefoldReflectedTile() -> any CIFilter & CITwelvefoldReflectedTile {
        BuiltInFilter(catalogued: "CITwelvefoldReflectedTile")
    }
    /// Triangle Tile.
    public static func triangleTile() -> any CIFilter & CITriangleTile { BuiltInFilter(catalogued: "CITriangleTile") }
    /// Op Tile.
    public static func opTile() -> any CIFilter & CIOpTile { BuiltInFilter(catalogued: "CIOpTile") }
    /// Kaleidoscope.
    public static func kaleidoscope() -> any CIFilter & CIKaleidoscope { BuiltInFilter(catalogued: "CIKaleidoscope") }
    /// Triangle Kaleidoscope.
    public static func triangleKaleidoscope() -> any CIFilter & CITriangleKaleidoscope {
        BuiltInFilter(catalogued: "CITriangleKaleidoscope")
    }
}
