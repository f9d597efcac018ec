import Foundation

/// One filter of the catalogue: the attributes that Core Image publishes, from `filters.txt`, and its recipe.
struct FilterDefinition: Sendable {
    /// `CISepiaTone`.
    let name: String
    /// For people: `Sepia Tone`.
    let displayName: String
    /// Core Image's: `kCICategoryColorEffect` and its like, without `kCICategoryBuiltIn` and the media
    /// (`FilterCatalogue` adds them).
    let categories: [String]
    /// In Core Image's order; `inputImage` first where it takes one.
    let parameters: [FilterParameter]
    let make: FilterRecipe

    /// A filter without a recipe changes nothing. A test checks that the table names no such filter.
    init(_ name: String, _ displayName: String, categories: [String], _ parameters: [FilterParameter]) {
        self.name = name
        self.displayName = displayName
        self.categories = categories
        self.parameters = parameters
        make = FilterCatalogue.recipes[name] ?? { $0.image }
    }
}

/// How a filter makes its output image. Returns nil if an image that it needs is missing.
typealias FilterRecipe = @Sendable (FilterArguments) -> CIImage?

/// A parameter as `CIFilter.attributes` tells it.
struct FilterParameter: Sendable {
    enum Default: Sendable {
        case none
        case number(Double)
        /// Point, offset, rectangle or vector.
        case vector([Double])
        /// Red, green, blue, alpha.
        case color(SIMD4<Float>)
        /// The identity.
        case transform
        case text(String)
    }
    let key: String
    /// Core Image's attribute type: `kCIAttributeTypeScalar`, …`Distance`, …`Angle`, …`Position`, …`Image` and so on.
    let type: String
    let standard: Default
    /// Values beyond are clamped to them; nil: unbounded.
    let minimum: Double?, maximum: Double?
    /// For sliders.
    let sliderMinimum: Double?, sliderMaximum: Double?
    /// With which the filter changes nothing, as far as this parameter goes.
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

    /// The weights of a convolution that changes nothing: 1 in the middle of `count` numbers, else 0.
    static func centered(_ count: Int) -> [Double] { (0..<count).map { $0 == count / 2 ? 1 : 0 } }
}

/// How far something has got, 0…1.
public let kCIAttributeTypeTime = "CIAttributeTypeTime"
/// A number without a unit.
public let kCIAttributeTypeScalar = "CIAttributeTypeScalar"
/// A number of pixels.
public let kCIAttributeTypeDistance = "CIAttributeTypeDistance"
/// Radians.
public let kCIAttributeTypeAngle = "CIAttributeTypeAngle"
/// 0 or 1; a `Bool` is taken too.
public let kCIAttributeTypeBoolean = "CIAttributeTypeBoolean"
/// A whole number; no parameter here is of this type.
public let kCIAttributeTypeInteger = "CIAttributeTypeInteger"
/// How many of something there are.
public let kCIAttributeTypeCount = "CIAttributeTypeCount"
/// A point, pixels, the origin at the lower left.
public let kCIAttributeTypePosition = "CIAttributeTypePosition"
/// A vector that is no place: a distance in two directions, or a few coefficients.
public let kCIAttributeTypeOffset = "CIAttributeTypeOffset"
/// x, y, width and height, pixels, the origin at the lower left.
public let kCIAttributeTypeRectangle = "CIAttributeTypeRectangle"
/// A `CIColor`.
public let kCIAttributeTypeColor = "CIAttributeTypeColor"
/// A `CIImage`.
public let kCIAttributeTypeImage = "CIAttributeTypeImage"
/// A `CGAffineTransform`.
public let kCIAttributeTypeTransform = "CIAttributeTypeTransform"

/// Blurs, noise reduction and morphology.
public let kCICategoryBlur = "CICategoryBlur"
/// All filters of the catalogue; not those that apps make.
public let kCICategoryBuiltIn = "CICategoryBuiltIn"
/// Corrections of colour: exposure, saturation, white point, curves.
public let kCICategoryColorAdjustment = "CICategoryColorAdjustment"
/// Looks: sepia, false colours, colour cubes, vignettes.
public let kCICategoryColorEffect = "CICategoryColorEffect"
/// Two pictures as one: blend modes and Porter and Duff's operators.
public let kCICategoryCompositeOperation = "CICategoryCompositeOperation"
/// Pictures bent out of shape.
public let kCICategoryDistortionEffect = "CICategoryDistortionEffect"
/// Pictures made from nothing: colours, stripes, noise, light.
public let kCICategoryGenerator = "CICategoryGenerator"
/// Filters that move, turn, scale or crop a picture, or put it in perspective.
public let kCICategoryGeometryAdjustment = "CICategoryGeometryAdjustment"
/// Gradients, which need no picture.
public let kCICategoryGradient = "CICategoryGradient"
/// Print's dots and lines.
public let kCICategoryHalftoneEffect = "CICategoryHalftoneEffect"
/// The name only: no filter here is in this category.
public let kCICategoryReduction = "CICategoryReduction"
/// Filters that sharpen.
public let kCICategorySharpen = "CICategorySharpen"
/// Filters for still pictures: here all of them.
public let kCICategoryStillImage = "CICategoryStillImage"
/// Filters that lend a picture a style: glow, edges, cells, light.
public let kCICategoryStylize = "CICategoryStylize"
/// Pictures repeated to patterns.
public let kCICategoryTileEffect = "CICategoryTileEffect"
/// From one picture to another, by `inputTime`.
public let kCICategoryTransition = "CICategoryTransition"
/// Filters for video: here all of them.
public let kCICategoryVideo = "CICategoryVideo"

/// A filter's parameters as its recipe needs them: set or standard, of the right type, clamped.
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
    /// As many as asked for; missing ones are 0.
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
