import Foundation
import MediaCore

// Core Image's typed filters: styles. Each function gives a filter of its own with standard values.

/// `CIBlendWithMask`: Blend With Mask.
public protocol CIBlendWithMask: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// What lies behind.
    var backgroundImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var maskImage: CIImage? { get set }
}

/// `CIBlendWithAlphaMask`: Blend With Alpha Mask.
public protocol CIBlendWithAlphaMask: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// What lies behind.
    var backgroundImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var maskImage: CIImage? { get set }
}

/// `CIBlendWithRedMask`: Blend With Red Mask.
public protocol CIBlendWithRedMask: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// What lies behind.
    var backgroundImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var maskImage: CIImage? { get set }
}

/// `CIBlendWithBlueMask`: Blend With Blue Mask.
public protocol CIBlendWithBlueMask: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// What lies behind.
    var backgroundImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var maskImage: CIImage? { get set }
}

/// `CIBloom`: Bloom.
public protocol CIBloom: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 10.
    var radius: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var intensity: Float { get set }
}

/// `CIGloom`: Gloom.
public protocol CIGloom: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 10.
    var radius: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var intensity: Float { get set }
}

/// `CIEdges`: Edges.
public protocol CIEdges: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 1.
    var intensity: Float { get set }
}

/// `CIEdgeWork`: Edge Work.
public protocol CIEdgeWork: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 3.
    var radius: Float { get set }
}

/// `CIComicEffect`: Comic Effect.
public protocol CIComicEffect: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CILineOverlay`: Line Overlay.
public protocol CILineOverlay: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 0.07.
    var nrNoiseLevel: Float { get set }
    /// At least 0, clamped; standard 0.71.
    var nrSharpness: Float { get set }
    /// At least 0, clamped; standard 1.
    var edgeIntensity: Float { get set }
    /// At least 0, clamped; standard 0.1.
    var threshold: Float { get set }
    /// At least 0.25, clamped; standard 50.
    var contrast: Float { get set }
}

/// `CISobelGradients`: Sobel Gradients.
public protocol CISobelGradients: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
}

/// `CIHighlightShadowAdjust`: Highlight and Shadow Adjust.
public protocol CIHighlightShadowAdjust: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// At least 0, clamped; standard 0.
    var radius: Float { get set }
    /// −1…1, clamped; standard 0.
    var shadowAmount: Float { get set }
    /// 0…1, clamped; standard 1.
    var highlightAmount: Float { get set }
}

/// `CISpotColor`: Spot Color.
public protocol CISpotColor: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0.0784, 0.0627, 0.0706, 1).
    var centerColor1: CIColor { get set }
    /// Standard (0.4392, 0.1922, 0.1961, 1).
    var replacementColor1: CIColor { get set }
    /// At least 0, clamped; standard 0.22.
    var closeness1: Float { get set }
    /// At least 0, clamped; standard 0.98.
    var contrast1: Float { get set }
    /// Standard (0.5255, 0.3059, 0.3451, 1).
    var centerColor2: CIColor { get set }
    /// Standard (0.9137, 0.5608, 0.5059, 1).
    var replacementColor2: CIColor { get set }
    /// At least 0, clamped; standard 0.15.
    var closeness2: Float { get set }
    /// At least 0, clamped; standard 0.98.
    var contrast2: Float { get set }
    /// Standard (0.9216, 0.4549, 0.3333, 1).
    var centerColor3: CIColor { get set }
    /// Standard (0.9098, 0.7529, 0.6078, 1).
    var replacementColor3: CIColor { get set }
    /// At least 0, clamped; standard 0.5.
    var closeness3: Float { get set }
    /// At least 0, clamped; standard 0.99.
    var contrast3: Float { get set }
}

/// `CISpotLight`: Spot Light.
public protocol CISpotLight: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (400, 600, 150).
    var lightPosition: CIVector { get set }
    /// Standard (200, 200, 0).
    var lightPointsAt: CIVector { get set }
    /// Pixels, at least 0, clamped; standard 3.
    var brightness: Float { get set }
    /// At least 0.001, clamped; standard 0.1.
    var concentration: Float { get set }
    /// Standard (1, 1, 1, 1).
    var color: CIColor { get set }
}

/// `CIShadedMaterial`: Shaded Material.
public protocol CIShadedMaterial: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Nothing is drawn without it.
    var shadingImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 10.
    var scale: Float { get set }
}

/// `CIHeightFieldFromMask`: Height Field From Mask.
public protocol CIHeightFieldFromMask: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 0, clamped; standard 10.
    var radius: Float { get set }
}

/// `CIDepthOfField`: Depth of Field.
public protocol CIDepthOfField: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (0, 300).
    var point0: CGPoint { get set }
    /// Pixels; standard (300, 300).
    var point1: CGPoint { get set }
    /// At least 0, clamped; standard 1.5.
    var saturation: Float { get set }
    /// At least 0, clamped; standard 2.5.
    var unsharpMaskRadius: Float { get set }
    /// At least 0, clamped; standard 0.5.
    var unsharpMaskIntensity: Float { get set }
    /// At least 0, clamped; standard 6.
    var radius: Float { get set }
}

/// `CIPixellate`: Pixelate.
public protocol CIPixellate: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 1, clamped; standard 8.
    var scale: Float { get set }
}

/// `CIHexagonalPixellate`: Hexagonal Pixelate.
public protocol CIHexagonalPixellate: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
    /// Pixels, at least 1, clamped; standard 8.
    var scale: Float { get set }
}

/// `CICrystallize`: Crystallize.
public protocol CICrystallize: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 1, clamped; standard 20.
    var radius: Float { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
}

/// `CIPointillize`: Pointillize.
public protocol CIPointillize: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Pixels, at least 1, clamped; standard 20.
    var radius: Float { get set }
    /// Pixels; standard (150, 150).
    var center: CGPoint { get set }
}

/// `CIConvolution3X3`: 3 by 3 convolution.
public protocol CIConvolution3X3: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 1, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolution5X5`: 5 by 5 convolution.
public protocol CIConvolution5X5: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolution7X7`: 7 by 7 convolution.
public protocol CIConvolution7X7: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    /// 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolution9Horizontal`: Horizontal 9 Convolution.
public protocol CIConvolution9Horizontal: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 1, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolution9Vertical`: Vertical 9 Convolution.
public protocol CIConvolution9Vertical: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 1, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolutionRGB3X3`: 3 by 3 convolution RGB.
public protocol CIConvolutionRGB3X3: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 1, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolutionRGB5X5`: 5 by 5 convolution RGB.
public protocol CIConvolutionRGB5X5: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolutionRGB7X7`: 7 by 7 convolution RGB.
public protocol CIConvolutionRGB7X7: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    /// 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolutionRGB9Horizontal`: Horizontal 9 Convolution RGB.
public protocol CIConvolutionRGB9Horizontal: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 1, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

/// `CIConvolutionRGB9Vertical`: Vertical 9 Convolution RGB.
public protocol CIConvolutionRGB9Vertical: CIFilterProtocol {
    /// What it is applied to.
    var inputImage: CIImage? { get set }
    /// Standard (0, 0, 0, 0, 1, 0, 0, 0, 0).
    var weights: CIVector { get set }
    /// Standard 0.
    var bias: Float { get set }
}

extension CIFilter {
    /// Blend With Mask.
    public static func blendWithMask() -> any CIFilter & CIBlendWithMask {
        BuiltInFilter(catalogued: "CIBlendWithMask")
    }
    /// Blend With Alpha Mask.
    public static func blendWithAlphaMask() -> any CIFilter & CIBlendWithAlphaMask {
        BuiltInFilter(catalogued: "CIBlendWithAlphaMask")
    }
    /// Blend With Red Mask.
    public static func blendWithRedMask() -> any CIFilter & CIBlendWithRedMask {
        BuiltInFilter(catalogued: "CIBlendWithRedMask")
    }
    /// Blend With Blue Mask.
    public static func blendWithBlueMask() -> any CIFilter & CIBlendWithBlueMask {
        BuiltInFilter(catalogued: "CIBlendWithBlueMask")
    }
    /// Bloom.
    public static func bloom() -> any CIFilter & CIBloom { BuiltInFilter(catalogued: "CIBloom") }
    /// Gloom.
    public static func gloom() -> any CIFilter & CIGloom { BuiltInFilter(catalogued: "CIGloom") }
    /// Edges.
    public static func edges() -> any CIFilter & CIEdges { BuiltInFilter(catalogued: "CIEdges") }
    /// Edge Work.
    public static func edgeWork() -> any CIFilter & CIEdgeWork { BuiltInFilter(catalogued: "CIEdgeWork") }
    /// Comic Effect.
    public static func comicEffect() -> any CIFilter & CIComicEffect { BuiltInFilter(catalogued: "CIComicEffect") }
    /// Line Overlay.
    public static func lineOverlay() -> any CIFilter & CILineOverlay { BuiltInFilter(catalogued: "CILineOverlay") }
    /// Sobel Gradients.
    public static func sobelGradients() -> any CIFilter & CISobelGradients {
        BuiltInFilter(catalogued: "CISobelGradients")
    }
    /// Highlight and Shadow Adjust.
    public static func highlightShadowAdjust() -> any CIFilter & CIHighlightShadowAdjust {
        BuiltInFilter(catalogued: "CIHighlightShadowAdjust")
    }
    /// Spot Color.
    public static func spotColor() -> any CIFilter & CISpotColor { BuiltInFilter(catalogued: "CISpotColor") }
    /// Spot Light.
    public static func spotLight() -> any CIFilter & CISpotLight { BuiltInFilter(catalogued: "CISpotLight") }
    /// Shaded Material.
    public static func shadedMaterial() -> any CIFilter & CIShadedMaterial {
        BuiltInFilter(catalogued: "CIShadedMaterial")
    }
    /// Height Field From Mask.
    public static func heightFieldFromMask() -> any CIFilter & CIHeightFieldFromMask {
        BuiltInFilter(catalogued: "CIHeightFieldFromMask")
    }
    /// Depth of Field.
    public static func depthOfField() -> any CIFilter & CIDepthOfField { BuiltInFilter(catalogued: "CIDepthOfField") }
    /// Pixelate.
    public static func pixellate() -> any CIFilter & CIPixellate { BuiltInFilter(catalogued: "CIPixellate") }
    /// Hexagonal Pixelate.
    public static func hexagonalPixellate() -> any CIFilter & CIHexagonalPixellate {
        BuiltInFilter(catalogued: "CIHexagonalPixellate")
    }
    /// Crystallize.
    public static func crystallize() -> any CIFilter & CICrystallize { BuiltInFilter(catalogued: "CICrystallize") }
    /// Pointillize.
    public static func pointillize() -> any CIFilter & CIPointillize { BuiltInFilter(catalogued: "CIPointillize") }
    /// 3 by 3 convolution.
    public static func convolution3X3() -> any CIFilter & CIConvolution3X3 {
        BuiltInFilter(catalogued: "CIConvolution3X3")
    }
    /// 5 by 5 convolution.
    public static func convolution5X5() -> any CIFilter & CIConvolution5X5 {
        BuiltInFilter(catalogued: "CIConvolution5X5")
    }
    /// 7 by 7 convolution.
    public static func convolution7X7() -> any CIFilter & CIConvolution7X7 {
        BuiltInFilter(catalogued: "CIConvolution7X7")
    }
    /// Horizontal 9 Convolution.
    public static func convolution9Horizontal() -> any CIFilter & CIConvolution9Horizontal {
        BuiltInFilter(catalogued: "CIConvolution9Horizontal")
    }
    /// Vertical 9 Convolution.
    public static func convolution9Vertical() -> any CIFilter & CIConvolution9Vertical {
        BuiltInFilter(catalogued: "CIConvolution9Vertical")
    }
    /// 3 by 3 convolution RGB.
    public static func convolutionRGB3X3() -> any CIFilter & CIConvolutionRGB3X3 {
        BuiltInFilter(catalogued: "CIConvolutionRGB3X3")
    }
    /// 5 by 5 convolution RGB.
    public static func convolutionRGB5X5() -> any CIFilter & CIConvolutionRGB5X5 {
        BuiltInFilter(catalogued: "CIConvolutionRGB5X5")
    }
    /// 7 by 7 convolution RGB.
    public static func convolutionRGB7X7() -> any CIFilter & CIConvolutionRGB7X7 {
        BuiltInFilter(catalogued: "CIConvolutionRGB7X7")
    }
    /// Horizontal 9 Convolution RGB.
    public static func convolutionRGB9Horizontal() -> any CIFilter & CIConvolutionRGB9Horizontal {
        BuiltInFilter(catalogued: "CIConvolutionRGB9Horizontal")
    }
    /// Vertical 9 Convolution RGB.
    public static func convolutionRGB9Vertical() -> any CIFilter & CIConvolutionRGB9Vertical {
        BuiltInFilter(catalogued: "CIConvolutionRGB9Vertical")
    }
}
