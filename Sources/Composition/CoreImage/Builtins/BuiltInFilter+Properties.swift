import Foundation
import MediaCore

// Every parameter that a typed filter has, once: the property's name is the key's without `input`.
extension BuiltInFilter {
    var aVector: CIVector {
        get { vector("inputAVector") }
        set { set(newValue, "inputAVector") }
    }
    var acuteAngle: Float {
        get { number("inputAcuteAngle") }
        set { set(newValue, "inputAcuteAngle") }
    }
    var alphaCoefficients: CIVector {
        get { vector("inputAlphaCoefficients") }
        set { set(newValue, "inputAlphaCoefficients") }
    }
    var amount: Float {
        get { number("inputAmount") }
        set { set(newValue, "inputAmount") }
    }
    var angle: Float {
        get { number("inputAngle") }
        set { set(newValue, "inputAngle") }
    }
    var aspectRatio: Float {
        get { number("inputAspectRatio") }
        set { set(newValue, "inputAspectRatio") }
    }
    var b: Float {
        get { number("inputB") }
        set { set(newValue, "inputB") }
    }
    var bVector: CIVector {
        get { vector("inputBVector") }
        set { set(newValue, "inputBVector") }
    }
    var backgroundImage: CIImage? {
        get { image("inputBackgroundImage") }
        set { set(newValue, "inputBackgroundImage") }
    }
    var barOffset: Float {
        get { number("inputBarOffset") }
        set { set(newValue, "inputBarOffset") }
    }
    var bias: Float {
        get { number("inputBias") }
        set { set(newValue, "inputBias") }
    }
    var biasVector: CIVector {
        get { vector("inputBiasVector") }
        set { set(newValue, "inputBiasVector") }
    }
    var blueCoefficients: CIVector {
        get { vector("inputBlueCoefficients") }
        set { set(newValue, "inputBlueCoefficients") }
    }
    var bottomLeft: CGPoint {
        get { vector("inputBottomLeft").cgPointValue }
        set { set(newValue, "inputBottomLeft") }
    }
    var bottomRight: CGPoint {
        get { vector("inputBottomRight").cgPointValue }
        set { set(newValue, "inputBottomRight") }
    }
    var breakpoint0: CGPoint {
        get { vector("inputBreakpoint0").cgPointValue }
        set { set(newValue, "inputBreakpoint0") }
    }
    var breakpoint1: CGPoint {
        get { vector("inputBreakpoint1").cgPointValue }
        set { set(newValue, "inputBreakpoint1") }
    }
    var brightness: Float {
        get { number("inputBrightness") }
        set { set(newValue, "inputBrightness") }
    }
    var c: Float {
        get { number("inputC") }
        set { set(newValue, "inputC") }
    }
    var center: CGPoint {
        get { vector("inputCenter").cgPointValue }
        set { set(newValue, "inputCenter") }
    }
    var centerColor1: CIColor {
        get { color("inputCenterColor1") }
        set { set(newValue, "inputCenterColor1") }
    }
    var centerColor2: CIColor {
        get { color("inputCenterColor2") }
        set { set(newValue, "inputCenterColor2") }
    }
    var centerColor3: CIColor {
        get { color("inputCenterColor3") }
        set { set(newValue, "inputCenterColor3") }
    }
    var centerStretchAmount: Float {
        get { number("inputCenterStretchAmount") }
        set { set(newValue, "inputCenterStretchAmount") }
    }
    var closeness1: Float {
        get { number("inputCloseness1") }
        set { set(newValue, "inputCloseness1") }
    }
    var closeness2: Float {
        get { number("inputCloseness2") }
        set { set(newValue, "inputCloseness2") }
    }
    var closeness3: Float {
        get { number("inputCloseness3") }
        set { set(newValue, "inputCloseness3") }
    }
    var color: CIColor {
        get { color("inputColor") }
        set { set(newValue, "inputColor") }
    }
    var color0: CIColor {
        get { color("inputColor0") }
        set { set(newValue, "inputColor0") }
    }
    var color1: CIColor {
        get { color("inputColor1") }
        set { set(newValue, "inputColor1") }
    }
    var compression: Float {
        get { number("inputCompression") }
        set { set(newValue, "inputCompression") }
    }
    var concentration: Float {
        get { number("inputConcentration") }
        set { set(newValue, "inputConcentration") }
    }
    var contrast: Float {
        get { number("inputContrast") }
        set { set(newValue, "inputContrast") }
    }
    var contrast1: Float {
        get { number("inputContrast1") }
        set { set(newValue, "inputContrast1") }
    }
    var contrast2: Float {
        get { number("inputContrast2") }
        set { set(newValue, "inputContrast2") }
    }
    var contrast3: Float {
        get { number("inputContrast3") }
        set { set(newValue, "inputContrast3") }
    }
    var count: Float {
        get { number("inputCount") }
        set { set(newValue, "inputCount") }
    }
    var crop: Float {
        get { number("inputCrop") }
        set { set(newValue, "inputCrop") }
    }
    var cropAmount: Float {
        get { number("inputCropAmount") }
        set { set(newValue, "inputCropAmount") }
    }
    var crossAngle: Float {
        get { number("inputCrossAngle") }
        set { set(newValue, "inputCrossAngle") }
    }
    var crossOpacity: Float {
        get { number("inputCrossOpacity") }
        set { set(newValue, "inputCrossOpacity") }
    }
    var crossScale: Float {
        get { number("inputCrossScale") }
        set { set(newValue, "inputCrossScale") }
    }
    var crossWidth: Float {
        get { number("inputCrossWidth") }
        set { set(newValue, "inputCrossWidth") }
    }
    var cubeData: Data {
        get { data("inputCubeData") }
        set { set(newValue, "inputCubeData") }
    }
    var cubeDimension: Float {
        get { number("inputCubeDimension") }
        set { set(newValue, "inputCubeDimension") }
    }
    var decay: Float {
        get { number("inputDecay") }
        set { set(newValue, "inputDecay") }
    }
    var displacementImage: CIImage? {
        get { image("inputDisplacementImage") }
        set { set(newValue, "inputDisplacementImage") }
    }
    var edgeIntensity: Float {
        get { number("inputEdgeIntensity") }
        set { set(newValue, "inputEdgeIntensity") }
    }
    var epsilon: Float {
        get { number("inputEpsilon") }
        set { set(newValue, "inputEpsilon") }
    }
    var ev: Float {
        get { number("inputEV") }
        set { set(newValue, "inputEV") }
    }
    var extent: CGRect {
        get { vector("inputExtent").cgRectValue }
        set { set(newValue, "inputExtent") }
    }
    var fadeThreshold: Float {
        get { number("inputFadeThreshold") }
        set { set(newValue, "inputFadeThreshold") }
    }
    var falloff: Float {
        get { number("inputFalloff") }
        set { set(newValue, "inputFalloff") }
    }
    var flipYTiles: Float {
        get { number("inputFlipYTiles") }
        set { set(newValue, "inputFlipYTiles") }
    }
    var gVector: CIVector {
        get { vector("inputGVector") }
        set { set(newValue, "inputGVector") }
    }
    var gcr: Float {
        get { number("inputGCR") }
        set { set(newValue, "inputGCR") }
    }
    var gradientImage: CIImage? {
        get { image("inputGradientImage") }
        set { set(newValue, "inputGradientImage") }
    }
    var greenCoefficients: CIVector {
        get { vector("inputGreenCoefficients") }
        set { set(newValue, "inputGreenCoefficients") }
    }
    var growAmount: CGPoint {
        get { vector("inputGrowAmount").cgPointValue }
        set { set(newValue, "inputGrowAmount") }
    }
    var haloOverlap: Float {
        get { number("inputHaloOverlap") }
        set { set(newValue, "inputHaloOverlap") }
    }
    var haloRadius: Float {
        get { number("inputHaloRadius") }
        set { set(newValue, "inputHaloRadius") }
    }
    var haloWidth: Float {
        get { number("inputHaloWidth") }
        set { set(newValue, "inputHaloWidth") }
    }
    var highlightAmount: Float {
        get { number("inputHighlightAmount") }
        set { set(newValue, "inputHighlightAmount") }
    }
    var inputImage2: CIImage? {
        get { image("inputImage2") }
        set { set(newValue, "inputImage2") }
    }
    var insetPoint0: CGPoint {
        get { vector("inputInsetPoint0").cgPointValue }
        set { set(newValue, "inputInsetPoint0") }
    }
    var insetPoint1: CGPoint {
        get { vector("inputInsetPoint1").cgPointValue }
        set { set(newValue, "inputInsetPoint1") }
    }
    var intensity: Float {
        get { number("inputIntensity") }
        set { set(newValue, "inputIntensity") }
    }
    var levels: Float {
        get { number("inputLevels") }
        set { set(newValue, "inputLevels") }
    }
    var lightPointsAt: CIVector {
        get { vector("inputLightPointsAt") }
        set { set(newValue, "inputLightPointsAt") }
    }
    var lightPosition: CIVector {
        get { vector("inputLightPosition") }
        set { set(newValue, "inputLightPosition") }
    }
    var mask: CIImage? {
        get { image("inputMask") }
        set { set(newValue, "inputMask") }
    }
    var maskImage: CIImage? {
        get { image("inputMaskImage") }
        set { set(newValue, "inputMaskImage") }
    }
    var maxComponents: CIVector {
        get { vector("inputMaxComponents") }
        set { set(newValue, "inputMaxComponents") }
    }
    var maxStriationRadius: Float {
        get { number("inputMaxStriationRadius") }
        set { set(newValue, "inputMaxStriationRadius") }
    }
    var minComponents: CIVector {
        get { vector("inputMinComponents") }
        set { set(newValue, "inputMinComponents") }
    }
    var neutral: CIVector {
        get { vector("inputNeutral") }
        set { set(newValue, "inputNeutral") }
    }
    var noiseLevel: Float {
        get { number("inputNoiseLevel") }
        set { set(newValue, "inputNoiseLevel") }
    }
    var nrNoiseLevel: Float {
        get { number("inputNRNoiseLevel") }
        set { set(newValue, "inputNRNoiseLevel") }
    }
    var nrSharpness: Float {
        get { number("inputNRSharpness") }
        set { set(newValue, "inputNRSharpness") }
    }
    var opacity: Float {
        get { number("inputOpacity") }
        set { set(newValue, "inputOpacity") }
    }
    var periodicity: Float {
        get { number("inputPeriodicity") }
        set { set(newValue, "inputPeriodicity") }
    }
    var point: CGPoint {
        get { vector("inputPoint").cgPointValue }
        set { set(newValue, "inputPoint") }
    }
    var point0: CGPoint {
        get { vector("inputPoint0").cgPointValue }
        set { set(newValue, "inputPoint0") }
    }
    var point1: CGPoint {
        get { vector("inputPoint1").cgPointValue }
        set { set(newValue, "inputPoint1") }
    }
    var point2: CGPoint {
        get { vector("inputPoint2").cgPointValue }
        set { set(newValue, "inputPoint2") }
    }
    var point3: CGPoint {
        get { vector("inputPoint3").cgPointValue }
        set { set(newValue, "inputPoint3") }
    }
    var point4: CGPoint {
        get { vector("inputPoint4").cgPointValue }
        set { set(newValue, "inputPoint4") }
    }
    var power: Float {
        get { number("inputPower") }
        set { set(newValue, "inputPower") }
    }
    var rVector: CIVector {
        get { vector("inputRVector") }
        set { set(newValue, "inputRVector") }
    }
    var radius: Float {
        get { number("inputRadius") }
        set { set(newValue, "inputRadius") }
    }
    var radius0: Float {
        get { number("inputRadius0") }
        set { set(newValue, "inputRadius0") }
    }
    var radius1: Float {
        get { number("inputRadius1") }
        set { set(newValue, "inputRadius1") }
    }
    var rectangle: CGRect {
        get { vector("inputRectangle").cgRectValue }
        set { set(newValue, "inputRectangle") }
    }
    var redCoefficients: CIVector {
        get { vector("inputRedCoefficients") }
        set { set(newValue, "inputRedCoefficients") }
    }
    var refraction: Float {
        get { number("inputRefraction") }
        set { set(newValue, "inputRefraction") }
    }
    var replacementColor1: CIColor {
        get { color("inputReplacementColor1") }
        set { set(newValue, "inputReplacementColor1") }
    }
    var replacementColor2: CIColor {
        get { color("inputReplacementColor2") }
        set { set(newValue, "inputReplacementColor2") }
    }
    var replacementColor3: CIColor {
        get { color("inputReplacementColor3") }
        set { set(newValue, "inputReplacementColor3") }
    }
    var ringAmount: Float {
        get { number("inputRingAmount") }
        set { set(newValue, "inputRingAmount") }
    }
    var ringSize: Float {
        get { number("inputRingSize") }
        set { set(newValue, "inputRingSize") }
    }
    var rotation: Float {
        get { number("inputRotation") }
        set { set(newValue, "inputRotation") }
    }
    var saturation: Float {
        get { number("inputSaturation") }
        set { set(newValue, "inputSaturation") }
    }
    var scale: Float {
        get { number("inputScale") }
        set { set(newValue, "inputScale") }
    }
    var shadingImage: CIImage? {
        get { image("inputShadingImage") }
        set { set(newValue, "inputShadingImage") }
    }
    var shadowAmount: Float {
        get { number("inputShadowAmount") }
        set { set(newValue, "inputShadowAmount") }
    }
    var shadowDensity: Float {
        get { number("inputShadowDensity") }
        set { set(newValue, "inputShadowDensity") }
    }
    var shadowOffset: CGPoint {
        get { vector("inputShadowOffset").cgPointValue }
        set { set(newValue, "inputShadowOffset") }
    }
    var shadowRadius: Float {
        get { number("inputShadowRadius") }
        set { set(newValue, "inputShadowRadius") }
    }
    var sharpness: Float {
        get { number("inputSharpness") }
        set { set(newValue, "inputSharpness") }
    }
    var size: Float {
        get { number("inputSize") }
        set { set(newValue, "inputSize") }
    }
    var softness: Float {
        get { number("inputSoftness") }
        set { set(newValue, "inputSoftness") }
    }
    var strands: Float {
        get { number("inputStrands") }
        set { set(newValue, "inputStrands") }
    }
    var striationContrast: Float {
        get { number("inputStriationContrast") }
        set { set(newValue, "inputStriationContrast") }
    }
    var striationStrength: Float {
        get { number("inputStriationStrength") }
        set { set(newValue, "inputStriationStrength") }
    }
    var sunRadius: Float {
        get { number("inputSunRadius") }
        set { set(newValue, "inputSunRadius") }
    }
    var targetImage: CIImage? {
        get { image("inputTargetImage") }
        set { set(newValue, "inputTargetImage") }
    }
    var targetNeutral: CIVector {
        get { vector("inputTargetNeutral") }
        set { set(newValue, "inputTargetNeutral") }
    }
    var texture: CIImage? {
        get { image("inputTexture") }
        set { set(newValue, "inputTexture") }
    }
    var threshold: Float {
        get { number("inputThreshold") }
        set { set(newValue, "inputThreshold") }
    }
    var time: Float {
        get { number("inputTime") }
        set { set(newValue, "inputTime") }
    }
    var topLeft: CGPoint {
        get { vector("inputTopLeft").cgPointValue }
        set { set(newValue, "inputTopLeft") }
    }
    var topRight: CGPoint {
        get { vector("inputTopRight").cgPointValue }
        set { set(newValue, "inputTopRight") }
    }
    var transform: CGAffineTransform {
        get { transform("inputTransform") }
        set { set(newValue, "inputTransform") }
    }
    var ucr: Float {
        get { number("inputUCR") }
        set { set(newValue, "inputUCR") }
    }
    var unsharpMaskIntensity: Float {
        get { number("inputUnsharpMaskIntensity") }
        set { set(newValue, "inputUnsharpMaskIntensity") }
    }
    var unsharpMaskRadius: Float {
        get { number("inputUnsharpMaskRadius") }
        set { set(newValue, "inputUnsharpMaskRadius") }
    }
    var weights: CIVector {
        get { vector("inputWeights") }
        set { set(newValue, "inputWeights") }
    }
    var width: Float {
        get { number("inputWidth") }
        set { set(newValue, "inputWidth") }
    }
    var zoom: Float {
        get { number("inputZoom") }
        set { set(newValue, "inputZoom") }
    }
}

extension BuiltInFilter: CIColorControls, CIExposureAdjust, CIGammaAdjust, CIHueAdjust, CIVibrance,
    CITemperatureAndTint,
    CIWhitePointAdjust, CIColorMatrix, CIColorPolynomial, CIColorClamp, CIToneCurve, CILinearToSRGBToneCurve,
    CISRGBToneCurveToLinear, CIColorThreshold, CIColorAbsoluteDifference, CIColorInvert, CIColorMonochrome, CISepiaTone,
    CIFalseColor, CIColorPosterize, CIMaximumComponent, CIMinimumComponent, CIMaskToAlpha, CIColorCrossPolynomial,
    CIColorCube,
    CIColorMap, CIDither, CIVignette, CIVignetteEffect, CIPhotoEffect, CIThermal, CIXRay, CICompositeOperation,
    CIBoxBlur,
    CIDiscBlur, CIGaussianBlur, CIMotionBlur, CIZoomBlur, CIMedian, CINoiseReduction, CIMaskedVariableBlur, CIBokehBlur,
    CIMorphologyMaximum, CIMorphologyMinimum, CIMorphologyGradient, CISharpenLuminance, CIUnsharpMask, CIBlendWithMask,
    CIBlendWithAlphaMask, CIBlendWithRedMask, CIBlendWithBlueMask, CIBloom, CIGloom, CIEdges, CIEdgeWork, CIComicEffect,
    CILineOverlay, CISobelGradients, CIHighlightShadowAdjust, CISpotColor, CISpotLight, CIShadedMaterial,
    CIHeightFieldFromMask,
    CIDepthOfField, CIPixellate, CIHexagonalPixellate, CICrystallize, CIPointillize, CIConvolution3X3, CIConvolution5X5,
    CIConvolution7X7, CIConvolution9Horizontal, CIConvolution9Vertical, CIConvolutionRGB3X3, CIConvolutionRGB5X5,
    CIConvolutionRGB7X7, CIConvolutionRGB9Horizontal, CIConvolutionRGB9Vertical, CIDotScreen, CILineScreen,
    CIHatchedScreen,
    CICircularScreen, CICMYKHalftone, CIBumpDistortion, CIBumpDistortionLinear, CIPinchDistortion, CITwirlDistortion,
    CIVortexDistortion, CIHoleDistortion, CILightTunnel, CICircleSplashDistortion, CIDisplacementDistortion,
    CIGlassDistortion,
    CITorusLensDistortion, CIGlassLozenge, CICircularWrap, CIDroste, CINinePartStretched, CINinePartTiled,
    CIStretchCrop, CICrop,
    CIAffineTransform, CIStraighten, CIPerspectiveTransform, CIPerspectiveTransformWithExtent, CIPerspectiveCorrection,
    CIPerspectiveTile, CILanczosScaleTransform, CIBicubicScaleTransform, CIAffineClamp, CIAffineTile, CIClamp,
    CIFourfoldTranslatedTile, CIFourfoldReflectedTile, CIParallelogramTile, CIFourfoldRotatedTile,
    CIEightfoldReflectedTile,
    CIGlideReflectedTile, CISixfoldReflectedTile, CISixfoldRotatedTile, CITwelvefoldReflectedTile, CITriangleTile,
    CIOpTile,
    CIKaleidoscope, CITriangleKaleidoscope, CIConstantColorGenerator, CICheckerboardGenerator, CIStripesGenerator,
    CIRandomGenerator, CIStarShineGenerator, CISunbeamsGenerator, CILenticularHaloGenerator, CILinearGradient,
    CISmoothLinearGradient, CIRadialGradient, CIGaussianGradient, CIDissolveTransition, CISwipeTransition,
    CICopyMachineTransition, CIBarsSwipeTransition, CIModTransition, CIFlashTransition, CIRippleTransition,
    CIDisintegrateWithMaskTransition
{}
