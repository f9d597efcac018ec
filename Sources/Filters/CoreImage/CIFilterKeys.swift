/// The key for the amount of an effect, as in `CIVibrance`. All these keys have the same values as in Core Image.
public let kCIInputAmountKey = "inputAmount"
/// The key for an angle in radians: a direction or a counterclockwise rotation. In `CIHueAdjust`, a rotation of the
/// hues.
public let kCIInputAngleKey = "inputAngle"
/// The key for the ratio of horizontal to vertical scale, as in `CILanczosScaleTransform`. Default: 1.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// The key for the background image of blend modes and composites.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// The key for a backside image. No built-in filter has this parameter.
public let kCIInputBacksideImageKey = "inputBacksideImage"
/// The key for the value that a convolution adds to each component. Default: 0.
public let kCIInputBiasKey = "inputBias"
/// The key for the brightness. In `CIColorControls`, clamped to −1…1, with the default 0. In `CISpotLight`, at least 0.
public let kCIInputBrightnessKey = "inputBrightness"
/// The key for a point in pixels. The origin is the lower left. Most filters have the default (150, 150).
public let kCIInputCenterKey = "inputCenter"
/// The key for the first color of a gradient or a pattern, a `CIColor`. In `CIFalseColor`, the color of dark parts.
public let kCIInputColor0Key = "inputColor0"
/// The key for the second color of a gradient or a pattern, a `CIColor`. In `CIFalseColor`, the color of light parts.
public let kCIInputColor1Key = "inputColor1"
/// The key for the color of a tint, a light or a fill, a `CIColor`.
public let kCIInputColorKey = "inputColor"
/// The key for the contrast. In `CIColorControls`, clamped to 0…4, with the default 1. In `CILineOverlay`, at least
/// 0.25.
public let kCIInputContrastKey = "inputContrast"
/// The key for the number of sectors of `CIKaleidoscope`. At least 1; default: 6.
public let kCIInputCountKey = "inputCount"
/// The key for the stops of exposure in `CIExposureAdjust`. Clamped to −10…10; default: 0.
public let kCIInputEVKey = "inputEV"
/// The key for the rectangle that a filter works in: a `CIVector` of x, y, width and height, in pixels.
public let kCIInputExtentKey = "inputExtent"
/// The key for extrapolation. No built-in filter has this parameter.
public let kCIInputExtrapolateKey = "inputExtrapolate"
/// The key for the gradient of `CIColorMap`: a `CIImage` whose colors, from left to right, replace dark to light
/// values.
public let kCIInputGradientImageKey = "inputGradientImage"
/// The key for the image to filter.
public let kCIInputImageKey = "inputImage"
/// The key for the strength of an effect. Usually, 1 is the full effect. Clamped to the range of each filter.
public let kCIInputIntensityKey = "inputIntensity"
/// The key for a mask, a `CIImage`, as in `CIBlendWithMask`. In `CIDisintegrateWithMaskTransition`, the target appears
/// first where the mask is dark.
public let kCIInputMaskImageKey = "inputMaskImage"
/// The key for a palette image. No built-in filter has this parameter.
public let kCIInputPaletteImageKey = "inputPaletteImage"
/// The key for perceptual processing. No built-in filter has this parameter.
public let kCIInputPerceptualKey = "inputPerceptual"
/// The key for the start of a gradient, a lozenge or a line, in pixels. In `CIToneCurve`, the first point, 0…1.
public let kCIInputPoint0Key = "inputPoint0"
/// The key for the end of a gradient, a lozenge or a line, in pixels. In `CIToneCurve`, the second point, 0…1.
public let kCIInputPoint1Key = "inputPoint1"
/// The key for the radius, in pixels, up to which `CIRadialGradient` has its first color. Default: 5.
public let kCIInputRadius0Key = "inputRadius0"
/// The key for the radius, in pixels, from which `CIRadialGradient` has its second color. Default: 100.
public let kCIInputRadius1Key = "inputRadius1"
/// The key for the radius of an effect, in pixels. In `CIGaussianBlur`, the standard deviation. In `CIVignette`, a
/// factor that is relative to the image's size, clamped to 0…2.
public let kCIInputRadiusKey = "inputRadius"
/// The key for the index of refraction of a lens or a lozenge. At least 0; default: 1.7.
public let kCIInputRefractionKey = "inputRefraction"
/// The key for the saturation. In `CIColorControls`, at least 0 (gray), with the default 1.
public let kCIInputSaturationKey = "inputSaturation"
/// The key for a scale factor, or for a size or a distance in pixels, such as the size of a cell.
public let kCIInputScaleKey = "inputScale"
/// The key for the shading image, a `CIImage` of a lit sphere. `CIShadedMaterial` requires it; `CIRippleTransition`
/// ignores it.
public let kCIInputShadingImageKey = "inputShadingImage"
/// The key for the sharpness of details, or of the edges of a pattern's stripes and dots.
public let kCIInputSharpnessKey = "inputSharpness"
/// The key for the image that a transition ends with.
public let kCIInputTargetImageKey = "inputTargetImage"
/// The key for the threshold of lightness or of edges. At least 0; in `CIColorThreshold`, at most 1.
public let kCIInputThresholdKey = "inputThreshold"
/// The key for the progress of a transition or a generator. Clamped to 0…1; default: 0.
public let kCIInputTimeKey = "inputTime"
/// The key for a `CGAffineTransform`, or its six numbers as a `CIVector`. Default: the identity.
public let kCIInputTransformKey = "inputTransform"
/// The key for a version. No built-in filter has this parameter.
public let kCIInputVersionKey = "inputVersion"
/// The key for the weights of a convolution, a `CIVector`.
public let kCIInputWeightsKey = "inputWeights"
/// The key for the width of a stripe, a cell, a tile or a transition's edge, in pixels.
public let kCIInputWidthKey = "inputWidth"
/// The key for the filtered image.
public let kCIOutputImageKey = "outputImage"

/// The key for the filter's name in `CIFilter.attributes`, a `String`. All these keys have the same values as in Core
/// Image.
public let kCIAttributeFilterName = "CIAttributeFilterName"
/// The key for the filter's name to display, a `String` such as `Sepia Tone`.
public let kCIAttributeFilterDisplayName = "CIAttributeFilterDisplayName"
/// The key for the filter's categories, a `[String]` of `kCICategory…` constants.
public let kCIAttributeFilterCategories = "CIAttributeFilterCategories"
/// The key for the class of a parameter's values, a `String`. For the dictionary of a parameter in
/// `CIFilter.attributes`.
public let kCIAttributeClass = "CIAttributeClass"
/// The key for the meaning of a parameter's values, a `String`, `kCIAttributeType…`. Missing for data and texts.
public let kCIAttributeType = "CIAttributeType"
/// The key for a parameter's key, a `String`.
public let kCIAttributeName = "CIAttributeName"
/// The key for a parameter's name to display, a `String`: the parameter's key as words, without `input`.
public let kCIAttributeDisplayName = "CIAttributeDisplayName"
/// The key for a parameter's default, of a type that `CIFilter.setValue(_:forKey:)` accepts. Missing without a default.
public let kCIAttributeDefault = "CIAttributeDefault"
/// The key for the number with which a parameter changes nothing. Missing if there is no such number.
public let kCIAttributeIdentity = "CIAttributeIdentity"
/// The key for a parameter's minimum, to which lower numbers are clamped. Missing if there is no minimum.
public let kCIAttributeMin = "CIAttributeMin"
/// The key for a parameter's maximum, to which higher numbers are clamped. Missing if there is no maximum.
public let kCIAttributeMax = "CIAttributeMax"
/// The key for the lowest value of a parameter's slider.
public let kCIAttributeSliderMin = "CIAttributeSliderMin"
/// The key for the highest value of a parameter's slider.
public let kCIAttributeSliderMax = "CIAttributeSliderMax"
