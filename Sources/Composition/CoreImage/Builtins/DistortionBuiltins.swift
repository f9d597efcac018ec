import Foundation
import MediaCore

// Core Image's typed filters: distortions. Each function gives a filter of its own with standard values.

/// `CIBumpDistortion`: Bump Distortion.
public protocol CIBumpDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 300.
    var radius: Float { get set }
    /// Standard 0.5.
    var scale: Float { get set }
}

/// `CIBumpDistortionLinear`: Bump Distortion Linear.
public protocol CIBumpDistortionLinear: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 300.
    var radius: Float { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
    /// At least -1, clamped; standard 0.5.
    var scale: Float { get set }
}

/// `CIPinchDistortion`: Pinch Distortion.
public protocol CIPinchDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 300.
    var radius: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var scale: Float { get set }
}

/// `CITwirlDistortion`: Twirl Distortion.
public protocol CITwirlDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 300.
    var radius: Float { get set }
    /// Radians; standard 3.142.
    var angle: Float { get set }
}

/// `CIVortexDistortion`: Vortex Distortion.
public protocol CIVortexDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 300.
    var radius: Float { get set }
    /// Radians; standard 56.55.
    var angle: Float { get set }
}

/// `CIHoleDistortion`: Hole Distortion.
public protocol CIHoleDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0.01, clamped; standard 150.
    var radius: Float { get set }
}

/// `CILightTunnel`: Light Tunnel Distortion.
public protocol CILightTunnel: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Radians; standard 0.
    var rotation: Float { get set }
    /// Pixels; standard 100.
    var radius: Float { get set }
}

/// `CICircleSplashDistortion`: Circle Splash Distortion.
public protocol CICircleSplashDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 150.
    var radius: Float { get set }
}

/// `CIDisplacementDistortion`: Displacement Distortion.
public protocol CIDisplacementDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var displacementImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 50.
    var scale: Float { get set }
}

/// `CIGlassDistortion`: Glass Distortion.
public protocol CIGlassDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var texture: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 200.
    var scale: Float { get set }
}

/// `CITorusLensDistortion`: Torus Lens Distortion.
public protocol CITorusLensDistortion: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 160.
    var radius: Float { get set }
    /// Pixels, at least 0, clamped; standard 80.
    var width: Float { get set }
    /// At least 0, clamped; standard 1.7.
    var refraction: Float { get set }
}

/// `CIGlassLozenge`: Glass Lozenge.
public protocol CIGlassLozenge: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var point0: CGPoint { get set }
    /// Pixels; standard (350, 150).
    var point1: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 100.
    var radius: Float { get set }
    /// At least 0, clamped; standard 1.7.
    var refraction: Float { get set }
}

/// `CICircularWrap`: Circular Wrap Distortion.
public protocol CICircularWrap: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 0, clamped; standard 150.
    var radius: Float { get set }
    /// Radians; standard 0.
    var angle: Float { get set }
}

/// `CIDroste`: Droste.
public protocol CIDroste: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (200, 200).
    var insetPoint0: CGPoint { get set }
    /// Pixels; standard (400, 400).
    var insetPoint1: CGPoint { get set }
    /// −10…10, clamped; standard 1.
    var strands: Float { get set }
    /// At least 1, clamped; standard 1.
    var periodicity: Float { get set }
    /// Radians; standard 0.
    var rotation: Float { get set }
    /// At least 0.01, clamped; standard 1.
    var zoom: Float { get set }
}

/// `CINinePartStretched`: Nine Part Stretched.
public protocol CINinePartStretched: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (50, 50).
    var breakpoint0: CGPoint { get set }
    /// Pixels; standard (150, 150).
    var breakpoint1: CGPoint { get set }
    /// Standard (100, 100).
    var growAmount: CGPoint { get set }
}

/// `CINinePartTiled`: Nine Part Tiled.
public protocol CINinePartTiled: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (50, 50).
    var breakpoint0: CGPoint { get set }
    /// Pixels; standard (150, 150).
    var breakpoint1: CGPoint { get set }
    /// Standard (100, 100).
    var growAmount: CGPoint { get set }
    /// 0…1, clamped; standard 1.
    var flipYTiles: Float { get set }
}

/// `CIStretchCrop`: Stretch Crop. Its `inputSize` (a point) is set by key: another filter has a number of that name.
public protocol CIStretchCrop: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// 0…1, clamped; standard 0.25.
    var cropAmount: Float { get set }
    /// 0…1, clamped; standard 0.25.
    var centerStretchAmount: Float { get set }
}

extension CIFilter {
    /// Bump Distortion.
    public static func bumpDistortion() -> any CIFilter & CIBumpDistortion {
        BuiltInFilter(catalogued: "CIBumpDistortion")
    }
    /// Bump Distortion Linear.
    public static func bumpDistortionLinear() -> any CIFilter & CIBumpDistortionLinear {
        BuiltInFilter(catalogued: "CIBumpDistortionLinear")
    }
    /// Pinch Distortion.
    public static func pinchDistortion() -> any CIFilter & CIPinchDistortion {
        BuiltInFilter(catalogued: "CIPinchDistortion")
    }
    /// Twirl Distortion.
    public static func twirlDistortion() -> any CIFilter & CITwirlDistortion {
        BuiltInFilter(catalogued: "CITwirlDistortion")
    }
    /// Vortex Distortion.
    public static func vortexDistortion() -> any CIFilter & CIVortexDistortion {
        BuiltInFilter(catalogued: "CIVortexDistortion")
    }
    /// Hole Distortion.
    public static func holeDistortion() -> any CIFilter & CIHoleDistortion {
        BuiltInFilter(catalogued: "CIHoleDistortion")
    }
    /// Light Tunnel Distortion.
    public static func lightTunnel() -> any CIFilter & CILightTunnel { BuiltInFilter(catalogued: "CILightTunnel") }
    /// Circle Splash Distortion.
    public static func circleSplashDistortion() -> any CIFilter & CICircleSplashDistortion {
        BuiltInFilter(catalogued: "CICircleSplashDistortion")
    }
    /// Displacement Distortion.
    public static func displacementDistortion() -> any CIFilter & CIDisplacementDistortion {
        BuiltInFilter(catalogued: "CIDisplacementDistortion")
    }
    /// Glass Distortion.
    public static func glassDistortion() -> any CIFilter & CIGlassDistortion {
        BuiltInFilter(catalogued: "CIGlassDistortion")
    }
    /// Torus Lens Distortion.
    public static func torusLensDistortion() -> any CIFilter & CITorusLensDistortion {
        BuiltInFilter(catalogued: "CITorusLensDistortion")
    }
    /// Glass Lozenge.
    public static func glassLozenge() -> any CIFilter & CIGlassLozenge { BuiltInFilter(catalogued: "CIGlassLozenge") }
    /// Circular Wrap Distortion.
    public static func circularWrap() -> any CIFilter & CICircularWrap { BuiltInFilter(catalogued: "CICircularWrap") }
    /// Droste.
    public static func droste() -> any CIFilter & CIDroste { BuiltInFilter(catalogued: "CIDroste") }
    /// Nine Part Stretched.
    public static func ninePartStretched() -> any CIFilter & CINinePartStretched {
        BuiltInFilter(catalogued: "CINinePartStretched")
    }
    /// Nine Part Tiled.
    public static func ninePartTiled() -> any CIFilter & CINinePartTiled {
        BuiltInFilter(catalogued: "CINinePartTiled")
    }
    /// Stretch Crop.
    public static func stretchCrop() -> any CIFilter & CIStretchCrop { BuiltInFilter(catalogued: "CIStretchCrop") }
}
