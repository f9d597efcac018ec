// The string constants of Core Animation, with its names.

/// What counts as within where a path crosses itself. Core Animation's type.
public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants fills as `.nonZero`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// What the path winds around, in sum.
    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    /// What an odd number of crossings separates from the outside.
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// How the open ends of a line look. Core Animation's type.
public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants is drawn as `.butt`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Ends at the end.
    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    /// Half a circle of the line's width beyond the end.
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    /// Half the line's width beyond the end.
    public static let square = CAShapeLayerLineCap(rawValue: "square")
}

/// How the corners of a line look. Core Animation's type.
public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants is drawn as `.miter`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Pointed, up to `miterLimit`.
    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    /// A circle of the line's width.
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    /// Cut off straight.
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}

/// Where lines of text lie in the layer's width. Core Animation's type.
public struct CATextLayerAlignmentMode: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants is drawn as `.natural`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// By the direction of the text.
    public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
    /// At the left edge.
    public static let left = CATextLayerAlignmentMode(rawValue: "left")
    /// At the right edge.
    public static let right = CATextLayerAlignmentMode(rawValue: "right")
    /// In the middle.
    public static let center = CATextLayerAlignmentMode(rawValue: "center")
    /// Stretched to the full width, the last line of a paragraph excepted.
    public static let justified = CATextLayerAlignmentMode(rawValue: "justified")
}

/// Where words are left out when a line is too long for the layer.
public struct CATextLayerTruncationMode: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants cuts nothing.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Nowhere: a line that is not wrapped runs on beyond the bounds.
    public static let none = CATextLayerTruncationMode(rawValue: "none")
    /// At the beginning, where an ellipsis stands instead.
    public static let start = CATextLayerTruncationMode(rawValue: "start")
    /// In the middle, where an ellipsis stands instead.
    public static let middle = CATextLayerTruncationMode(rawValue: "middle")
    /// At the end, where an ellipsis stands instead.
    public static let end = CATextLayerTruncationMode(rawValue: "end")
}

/// Which way a gradient's colours run. Core Animation's type.
public struct CAGradientLayerType: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants is drawn as `.axial`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Along the line from `startPoint` to `endPoint`.
    public static let axial = CAGradientLayerType(rawValue: "axial")
    /// Around `startPoint`; `endPoint` is a corner of the rectangle around the outermost ellipse's quarter.
    public static let radial = CAGradientLayerType(rawValue: "radial")
    /// Around `startPoint`, clockwise from the direction of `endPoint`.
    public static let conic = CAGradientLayerType(rawValue: "conic")
}

/// How `contents` lies in the layer.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants, Apple's edges and corners among them, is drawn as
    /// `.resize`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// In the middle, each pixel a point; what is larger than the bounds stands out.
    public static let center = CALayerContentsGravity(rawValue: "center")
    /// Stretched to the bounds, whatever that does to its shape.
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    /// As large as fits into the bounds in its own shape.
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    /// Fills the bounds in its own shape; what does not fit stands out.
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// What an animation shows before it begins and after it has ended.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants fills nothing.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Nothing; the layer's own value.
    public static let removed = CAMediaTimingFillMode(rawValue: "removed")
    /// Its last value after the end, when it is not removed on completion.
    public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
    /// Its first value before the begin.
    public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
    /// `forwards` and `backwards` together.
    public static let both = CAMediaTimingFillMode(rawValue: "both")
}

/// How a keyframe animation gets from one value to the next. Core Animation's type.
public struct CAAnimationCalculationMode: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants runs as `.linear`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Evenly, or as `timingFunctions` say, along a straight way.
    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    /// Each value stands until the next one.
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    /// At an even pace; `keyTimes` and `timingFunctions` are ignored.
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    /// A smooth curve through the values (Catmull and Rom's).
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    /// The same at an even pace.
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")
}

/// Whether what moves along a path turns with it.
public struct CAAnimationRotationMode: RawRepresentable, Hashable, Sendable {
    /// Core Animation's own text.
    public let rawValue: String
    /// By Core Animation's text; one that is none of the constants turns as `.rotateAuto`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Its right side points where it heads.
    public static let rotateAuto = CAAnimationRotationMode(rawValue: "auto")
    /// Turned by half a turn more.
    public static let rotateAutoReverse = CAAnimationRotationMode(rawValue: "autoReverse")
}
