// Core Animation's string constants, under its names.

/// The rule that determines which points are inside a path that crosses itself. Mirrors Core Animation's type of the
/// same name.
public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a rule from Core Animation's raw value. Any other value is drawn as `.nonZero`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Points are inside if the path winds around them, with opposite directions canceling out.
    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    /// Points are inside if a line from them to the outside crosses the path an odd number of times.
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// The shape of the open ends of a line. Mirrors Core Animation's type of the same name.
public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a shape from Core Animation's raw value. Any other value is drawn as `.butt`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A straight end at the end point.
    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    /// A half circle, of the line's width, beyond the end point.
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    /// A straight end, half of the line's width beyond the end point.
    public static let square = CAShapeLayerLineCap(rawValue: "square")
}

/// The shape of the corners of a line. Mirrors Core Animation's type of the same name.
public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a shape from Core Animation's raw value. Any other value is drawn as `.miter`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A pointed corner, up to `miterLimit`.
    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    /// A round corner, with the line's width as the diameter.
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    /// A corner that is cut off straight.
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}

/// The alignment of lines of text in the layer's width. Mirrors Core Animation's type of the same name.
public struct CATextLayerAlignmentMode: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates an alignment from Core Animation's raw value. Any other value is drawn as `.natural`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// At the left edge, or at the right edge if the text is written from right to left.
    public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
    /// At the left edge.
    public static let left = CATextLayerAlignmentMode(rawValue: "left")
    /// At the right edge.
    public static let right = CATextLayerAlignmentMode(rawValue: "right")
    /// In the center.
    public static let center = CATextLayerAlignmentMode(rawValue: "center")
    /// Stretched to the full width, except for the last line of a paragraph.
    public static let justified = CATextLayerAlignmentMode(rawValue: "justified")
}

/// The position at which a line that is too long is truncated. Mirrors Core Animation's type of the same name.
public struct CATextLayerTruncationMode: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a mode from Core Animation's raw value. Any other value truncates nothing.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// No truncation. A line that is not wrapped extends beyond the bounds.
    public static let none = CATextLayerTruncationMode(rawValue: "none")
    /// An ellipsis at the start of the line.
    public static let start = CATextLayerTruncationMode(rawValue: "start")
    /// An ellipsis in the middle of the line.
    public static let middle = CATextLayerTruncationMode(rawValue: "middle")
    /// An ellipsis at the end of the line.
    public static let end = CATextLayerTruncationMode(rawValue: "end")
}

/// The direction in which a gradient's colors change. Mirrors Core Animation's type of the same name.
public struct CAGradientLayerType: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a type from Core Animation's raw value. Any other value is drawn as `.axial`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Along the line from `startPoint` to `endPoint`.
    public static let axial = CAGradientLayerType(rawValue: "axial")
    /// In ellipses around `startPoint`. The distances from `startPoint` to `endPoint` in x and y are the outermost
    /// ellipse's radii.
    public static let radial = CAGradientLayerType(rawValue: "radial")
    /// Around `startPoint`, clockwise from the direction of `endPoint`.
    public static let conic = CAGradientLayerType(rawValue: "conic")
}

/// The position and scale of `contents` in the layer. Mirrors Core Animation's type of the same name.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a gravity from Core Animation's raw value. Any other value, including Apple's edges and corners, is
    /// drawn as `.resize`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// In the center, with one pixel per point. A larger image exceeds the bounds.
    public static let center = CALayerContentsGravity(rawValue: "center")
    /// Stretched to the bounds, regardless of the aspect ratio.
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    /// The largest size that fits into the bounds, with the same aspect ratio.
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    /// The smallest size that fills the bounds, with the same aspect ratio. The image may exceed the bounds.
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// The values that an animation shows before it begins and after it has ended. Mirrors Core Animation's type of the
/// same name.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a mode from Core Animation's raw value. Any other value is treated as `.removed`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The layer's own value before the start and after the end.
    public static let removed = CAMediaTimingFillMode(rawValue: "removed")
    /// The last value after the end, unless the animation is removed on completion.
    public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
    /// The first value before the start.
    public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
    /// The first value before the start, and the last value after the end, unless the animation is removed on
    /// completion.
    public static let both = CAMediaTimingFillMode(rawValue: "both")
}

/// The interpolation of a keyframe animation. Mirrors Core Animation's type of the same name.
public struct CAAnimationCalculationMode: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a mode from Core Animation's raw value. Any other value is treated as `.linear`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Straight from value to value, at a constant pace or with the pace of `timingFunctions`.
    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    /// No interpolation: each value stays until the next one.
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    /// Straight from value to value, at a constant speed. `keyTimes` and `timingFunctions` are ignored.
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    /// A smooth Catmull–Rom curve through the values.
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    /// A smooth curve through the values, at a constant speed. `keyTimes` and `timingFunctions` are ignored.
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")
}

/// The rotation of a layer that moves along a path. Mirrors Core Animation's type of the same name.
public struct CAAnimationRotationMode: RawRepresentable, Hashable, Sendable {
    /// The raw value of the constant in Core Animation.
    public let rawValue: String
    /// Creates a mode from Core Animation's raw value. Any other value is treated as `.rotateAuto`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The layer's right side points in the direction of movement.
    public static let rotateAuto = CAAnimationRotationMode(rawValue: "auto")
    /// The layer's left side points in the direction of movement.
    public static let rotateAutoReverse = CAAnimationRotationMode(rawValue: "autoReverse")
}
