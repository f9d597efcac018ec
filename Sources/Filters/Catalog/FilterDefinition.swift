/// A filter of the catalog: the attributes that Core Image publishes, from `filters.txt`, and its recipe.
struct FilterDefinition: Sendable {
    /// The name in Core Image, such as `CISepiaTone`.
    let name: String
    /// The name to display, such as `Sepia Tone`.
    let displayName: String
    /// Core Image's categories, such as `kCICategoryColorEffect`.
    ///
    /// `FilterCatalog` adds `kCICategoryBuiltIn`, `kCICategoryVideo` and `kCICategoryStillImage`.
    let categories: [String]
    /// The parameters in Core Image's order. `inputImage` is first if the filter has it.
    let parameters: [FilterParameter]
    let make: FilterRecipe

    /// Creates a definition. A filter without a recipe returns its input image. A test checks that every filter of the
    /// table has a recipe.
    init(_ name: String, _ displayName: String, categories: [String], _ parameters: [FilterParameter]) {
        self.name = name
        self.displayName = displayName
        self.categories = categories
        self.parameters = parameters
        make = FilterCatalog.recipes[name] ?? { $0.image }
    }
}

/// A function that makes the output image of a filter. It returns nil if a required image is missing.
typealias FilterRecipe = @Sendable (FilterArguments) -> CIImage?

/// A parameter of a filter, as `CIFilter.attributes` describes it.
struct FilterParameter: Sendable {
    enum Default: Sendable {
        case none
        case number(Double)
        /// A point, an offset, a rectangle or a vector.
        case vector([Double])
        /// Red, green, blue and alpha.
        case color(SIMD4<Float>)
        /// The identity transform.
        case transform
        case text(String)
    }
    let key: String
    /// Core Image's attribute type, such as `kCIAttributeTypeScalar`, `kCIAttributeTypeDistance` or
    /// `kCIAttributeTypeImage`.
    let type: String
    let standard: Default
    /// The range to which values are clamped. Nil if a side is unbounded.
    let minimum: Double?, maximum: Double?
    /// The range of a slider for the parameter.
    let sliderMinimum: Double?, sliderMaximum: Double?
    /// The value with which the parameter does not change the image.
    let identity: Double?

    init(
        _ key: String, _ type: String, _ standard: Default = .none, min: Double? = nil, max: Double? = nil,
        slider: ClosedRange<Double>? = nil, identity: Double? = nil
    ) {
        self.identity = identity
        self.key = key
        self.type = type
        self.standard = standard
        minimum = min
        maximum = max
        sliderMinimum = slider?.lowerBound ?? min
        sliderMaximum = slider?.upperBound ?? max
    }

    /// Returns the weights of a convolution that changes nothing: 1 in the middle of `count` numbers, 0 elsewhere.
    static func centered(_ count: Int) -> [Double] { (0..<count).map { $0 == count / 2 ? 1 : 0 } }
}

/// The attribute type of a time or a progress, 0…1.
public let kCIAttributeTypeTime = "CIAttributeTypeTime"
/// The attribute type of a number without a unit.
public let kCIAttributeTypeScalar = "CIAttributeTypeScalar"
/// The attribute type of a distance in pixels.
public let kCIAttributeTypeDistance = "CIAttributeTypeDistance"
/// The attribute type of an angle in radians.
public let kCIAttributeTypeAngle = "CIAttributeTypeAngle"
/// The attribute type of a Boolean, 0 or 1. Parameters accept a `Bool` as well.
public let kCIAttributeTypeBoolean = "CIAttributeTypeBoolean"
/// The attribute type of a whole number. No parameter of the built-in filters has this type.
public let kCIAttributeTypeInteger = "CIAttributeTypeInteger"
/// The attribute type of a count, such as the number of sectors of a kaleidoscope.
public let kCIAttributeTypeCount = "CIAttributeTypeCount"
/// The attribute type of a point in pixels. The origin is the lower left.
public let kCIAttributeTypePosition = "CIAttributeTypePosition"
/// The attribute type of a vector that is not a position: a distance in two directions, or a few coefficients.
public let kCIAttributeTypeOffset = "CIAttributeTypeOffset"
/// The attribute type of a rectangle: x, y, width and height in pixels. The origin is the lower left.
public let kCIAttributeTypeRectangle = "CIAttributeTypeRectangle"
/// The attribute type of a `CIColor`.
public let kCIAttributeTypeColor = "CIAttributeTypeColor"
/// The attribute type of a `CIImage`.
public let kCIAttributeTypeImage = "CIAttributeTypeImage"
/// The attribute type of a `CGAffineTransform`.
public let kCIAttributeTypeTransform = "CIAttributeTypeTransform"

/// The category of blurs, noise reduction and morphology.
public let kCICategoryBlur = "CICategoryBlur"
/// The category of all built-in filters. Filters that apps define are not in it.
public let kCICategoryBuiltIn = "CICategoryBuiltIn"
/// The category of color corrections: exposure, saturation, white point, curves.
public let kCICategoryColorAdjustment = "CICategoryColorAdjustment"
/// The category of color looks: sepia, false colors, color cubes, vignettes.
public let kCICategoryColorEffect = "CICategoryColorEffect"
/// The category of filters that combine two images: blend modes and Porter and Duff's operators.
public let kCICategoryCompositeOperation = "CICategoryCompositeOperation"
/// The category of filters that distort an image.
public let kCICategoryDistortionEffect = "CICategoryDistortionEffect"
/// The category of filters that create an image: colors, stripes, noise, light.
public let kCICategoryGenerator = "CICategoryGenerator"
/// The category of filters that move, rotate, scale or crop an image, or change its perspective.
public let kCICategoryGeometryAdjustment = "CICategoryGeometryAdjustment"
/// The category of gradients, which need no input image.
public let kCICategoryGradient = "CICategoryGradient"
/// The category of filters that imitate the dots and lines of printing.
public let kCICategoryHalftoneEffect = "CICategoryHalftoneEffect"
/// The name of Core Image's category of reductions. No built-in filter is in this category.
public let kCICategoryReduction = "CICategoryReduction"
/// The category of filters that sharpen an image.
public let kCICategorySharpen = "CICategorySharpen"
/// The category of filters for still images. All built-in filters are in it.
public let kCICategoryStillImage = "CICategoryStillImage"
/// The category of filters that give an image a style: glow, edges, cells, light.
public let kCICategoryStylize = "CICategoryStylize"
/// The category of filters that repeat an image as a pattern.
public let kCICategoryTileEffect = "CICategoryTileEffect"
/// The category of transitions from one image to another, controlled by `inputTime`.
public let kCICategoryTransition = "CICategoryTransition"
/// The category of filters for video. All built-in filters are in it.
public let kCICategoryVideo = "CICategoryVideo"

/// The parameter values that a recipe receives: set or default values, of the correct type, clamped to their ranges.
struct FilterArguments: Sendable {
    enum Value: Sendable {
        case number(Double)
        case vector([Double])
        case color(SIMD4<Float>)
        case transform(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double)
        case image(CIImage)
        case data([UInt8])
        case text(String)
    }
    var values: [String: Value]
    init(_ values: [String: Value]) { self.values = values }

    var image: CIImage? { image("inputImage") }
    func image(_ key: String) -> CIImage? { if case .image(let image)? = values[key] { image } else { nil } }
    func double(_ key: String) -> Double { if case .number(let number)? = values[key] { number } else { 0 } }
    func float(_ key: String) -> Float { Float(double(key)) }
    /// Returns the first `count` numbers of a vector. Missing numbers are 0.
    func vector(_ key: String, _ count: Int) -> [Double] {
        guard case .vector(let values)? = values[key] else { return [Double](repeating: 0, count: count) }
        return (0..<count).map { $0 < values.count ? values[$0] : 0 }
    }
    func vec2(_ key: String) -> SIMD2<Float> {
        let v = vector(key, 2)
        return [Float(v[0]), Float(v[1])]
    }
    func vec4(_ key: String) -> SIMD4<Float> {
        let v = vector(key, 4)
        return [Float(v[0]), Float(v[1]), Float(v[2]), Float(v[3])]
    }
    func color(_ key: String) -> SIMD4<Float> {
        if case .color(let color)? = values[key] { color } else { [0, 0, 0, 1] }
    }
    func data(_ key: String) -> [UInt8] { if case .data(let bytes)? = values[key] { bytes } else { [] } }
}
