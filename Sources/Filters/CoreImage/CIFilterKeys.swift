/// Names of filters' parameters. Values are Core Image's.
public let kCIInputAmountKey = "inputAmount"
/// Radians: a direction or a turn, counter-clockwise; of `CIHueAdjust` round the circle of hues.
public let kCIInputAngleKey = "inputAngle"
/// By how much more it is scaled across than upwards, as in `CILanczosScaleTransform`; standard 1.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// The picture below, of blend modes and composites.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// The name only: no filter here has this parameter.
public let kCIInputBacksideImageKey = "inputBacksideImage"
/// What is added to each component of the result, in convolutions; standard 0.
public let kCIInputBiasKey = "inputBias"
/// In `CIColorControls` −1…1, clamped, standard 0; in `CISpotLight` 0 and more.
public let kCIInputBrightnessKey = "inputBrightness"
/// A point, pixels, the origin at the lower left; mostly (150, 150) if not set.
public let kCIInputCenterKey = "inputCenter"
/// A `CIColor`: the first one of a gradient or a pattern.
public let kCIInputColor0Key = "inputColor0"
/// A `CIColor`: the second one of a gradient or a pattern.
public let kCIInputColor1Key = "inputColor1"
/// A `CIColor`: what is tinted to, shone with or filled in.
public let kCIInputColorKey = "inputColor"
/// In `CIColorControls` 0…4, clamped, standard 1; in `CILineOverlay` 0.25 and more.
public let kCIInputContrastKey = "inputContrast"
/// How many sectors `CIKaleidoscope` has; 1 and more, standard 6.
public let kCIInputCountKey = "inputCount"
/// Stops of exposure in `CIExposureAdjust`; −10…10, clamped, standard 0.
public let kCIInputEVKey = "inputEV"
/// A `CIVector` of x, y, width and height, pixels: the rectangle that a filter works in.
public let kCIInputExtentKey = "inputExtent"
/// The name only: no filter here has this parameter.
public let kCIInputExtrapolateKey = "inputExtrapolate"
/// A `CIImage` whose colours, from left to right, take the place of dark to light, in `CIColorMap`.
public let kCIInputGradientImageKey = "inputGradientImage"
/// The picture that a filter is applied to.
public let kCIInputImageKey = "inputImage"
/// How strongly a filter works, 1 being whole as a rule; clamped to the filter's own range.
public let kCIInputIntensityKey = "inputIntensity"
/// A `CIImage`: where it is dark, `CIDisintegrateWithMaskTransition` comes to the target first.
public let kCIInputMaskImageKey = "inputMaskImage"
/// The name only: no filter here has this parameter.
public let kCIInputPaletteImageKey = "inputPaletteImage"
/// The name only: no filter here has this parameter.
public let kCIInputPerceptualKey = "inputPerceptual"
/// A point, pixels: where a gradient or a lozenge begins; of `CIToneCurve` the first point, 0…1.
public let kCIInputPoint0Key = "inputPoint0"
/// A point, pixels: where a gradient or a lozenge ends; of `CIToneCurve` the second point, 0…1.
public let kCIInputPoint1Key = "inputPoint1"
/// Pixels: within it `CIRadialGradient` has its first colour; standard 5.
public let kCIInputRadius0Key = "inputRadius0"
/// Pixels: beyond it `CIRadialGradient` has its second colour; standard 100.
public let kCIInputRadius1Key = "inputRadius1"
/// Pixels: how far a filter reaches, of `CIGaussianBlur` the standard deviation.
public let kCIInputRadiusKey = "inputRadius"
/// The index of refraction of a lens or a lozenge; 0 and more, standard 1.7.
public let kCIInputRefractionKey = "inputRefraction"
/// In `CIColorControls` 0 (grey) and more, standard 1.
public let kCIInputSaturationKey = "inputSaturation"
/// A factor, as of scalings, or pixels: how large a cell is, how far a point is shifted.
public let kCIInputScaleKey = "inputScale"
/// A `CIImage` of a lit sphere, by which `CIShadedMaterial` shades slopes; `CIRippleTransition` does without.
public let kCIInputShadingImageKey = "inputShadingImage"
/// How sharp edges are: of details, or of a pattern's stripes and dots.
public let kCIInputSharpnessKey = "inputSharpness"
/// The picture that a transition ends with.
public let kCIInputTargetImageKey = "inputTargetImage"
/// Where a colour counts as light, or an edge as one; 0 and more, in `CIColorThreshold` at most 1.
public let kCIInputThresholdKey = "inputThreshold"
/// How far a transition or a generator has got; 0…1, clamped, standard 0.
public let kCIInputTimeKey = "inputTime"
/// A `CGAffineTransform`, or its six numbers as a `CIVector`; standard the identity.
public let kCIInputTransformKey = "inputTransform"
/// The name only: no filter here has this parameter.
public let kCIInputVersionKey = "inputVersion"
/// A `CIVector` with a weight for each cell of a convolution.
public let kCIInputWeightsKey = "inputWeights"
/// Pixels: of a stripe, a cell, a tile or a transition's edge.
public let kCIInputWidthKey = "inputWidth"
/// The picture that a filter gives out.
public let kCIOutputImageKey = "outputImage"

/// Keys of `CIFilter.attributes`. Values are Core Image's.
public let kCIAttributeFilterName = "CIAttributeFilterName"
/// A `String` for people: `Sepia Tone`.
public let kCIAttributeFilterDisplayName = "CIAttributeFilterDisplayName"
/// A `[String]` of the categories it is in, `kCICategory…`.
public let kCIAttributeFilterCategories = "CIAttributeFilterCategories"
/// Keys of the dictionary that `CIFilter.attributes` has for a parameter.
public let kCIAttributeClass = "CIAttributeClass"
/// A `String`, `kCIAttributeType…`: what the values mean; not there for data and texts.
public let kCIAttributeType = "CIAttributeType"
/// A `String`: the parameter's key.
public let kCIAttributeName = "CIAttributeName"
/// A `String` for people: the key in words, without `input`.
public let kCIAttributeDisplayName = "CIAttributeDisplayName"
/// The standard value, as `CIFilter.setValue(_:forKey:)` would be given it; not there without one.
public let kCIAttributeDefault = "CIAttributeDefault"
/// The number with which the parameter changes nothing; not there where none is known.
public let kCIAttributeIdentity = "CIAttributeIdentity"
/// The least number, to which lower ones are clamped; not there when unbounded.
public let kCIAttributeMin = "CIAttributeMin"
/// The greatest number, to which higher ones are clamped; not there when unbounded.
public let kCIAttributeMax = "CIAttributeMax"
/// Where a slider for it should begin.
public let kCIAttributeSliderMin = "CIAttributeSliderMin"
/// Where a slider for it should end.
public let kCIAttributeSliderMax = "CIAttributeSliderMax"
