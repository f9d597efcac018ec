/// How subtitles look. What is nil is as the subtitles' author, or else the default, has it: white on a translucent
/// black box, at the bottom, as browsers show WebVTT. A value; any thread.
public struct SubtitleStyle: Sendable, Hashable {
    /// sRGB, not premultiplied; each part is clamped to 0…1.
    public struct Color: Sendable, Hashable {
        /// sRGB as it is shown; clamped to 0…1 when drawn, a NaN is 0.
        public var red: Double, green: Double, blue: Double
        /// 0: not to be seen.
        public var alpha: Double

        /// Of sRGB components; opaque unless said otherwise.
        public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
        /// Opaque white.
        public static let white = Color(red: 1, green: 1, blue: 1)
        /// Opaque black.
        public static let black = Color(red: 0, green: 0, blue: 0)
        /// Transparent: as a background no box at all.
        public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    }

    /// How large letters are: the height of their square (em).
    public enum Size: Sendable, Hashable {
        /// Of the picture's height; clamped to 0.01…0.5.
        case fraction(Double)
        /// As points of text elsewhere in the window, whatever the picture's size; clamped to 4…500.
        case points(Double)
    }

    /// What sets letters off from the picture.
    public enum Edge: Sendable, Hashable {
        /// Nothing; a line around; a shadow below and to the right; a nearer one, as of raised letters.
        case none, outline, dropShadow, raised
    }
    /// Where lines of text lie between the left and right margins.
    public enum Alignment: Sendable, Hashable {
        /// At the left side; in the middle; at the right side.
        case left, center, right
    }

    /// A family's name as fontconfig knows it; one that is not there is replaced by the nearest.
    public var fontFamily: String?
    /// Default: a twentieth of the picture's height.
    public var size: Size?
    /// Of the letters. Default: white.
    public var color: Color?
    /// Behind the letters. Default: black, 75 %.
    public var backgroundColor: Color?
    /// Default: none.
    public var edge: Edge?
    /// Default: black.
    public var edgeColor: Color?
    /// 0 (top)…1 (bottom) of the picture's height: in the upper half where the first line's top lies, in the lower half
    /// where the last line's bottom does. Default: the bottom.
    public var verticalPosition: Double?
    /// Kept free at the left and right, of the picture's width; clamped to 0…0.4. Default: 0.025.
    public var horizontalMargin: Double?
    /// Kept free at the top and bottom, of the picture's height; clamped to 0…0.4. Default: 0.04.
    public var verticalMargin: Double?
    /// Left, middle or right. Default: as the cue has it, else the middle.
    public var alignment: Alignment?
    /// What is set here wins over what the subtitles' author wrote. Else it is used where the author wrote nothing.
    /// Text that an author of Advanced SubStation put at a place in the picture (signs) keeps its own look.
    public var overridesAuthor = false
    /// Text may stand in the black bars around the picture.
    public var usesMargins = false

    /// Everything as the author, or else the default, has it.
    public init() {}
}

/// A style with every question answered, in pixels of the area that text is laid out in.
struct SubtitleLook: Hashable {
    var font = "sans-serif"
    /// Height of the letters' square, pixels.
    var em: Double
    /// From line to line; also what libass calls a font's size.
    var lineHeight: Double { em * 1.2 }
    var color = SubtitleStyle.Color.white
    var background = SubtitleStyle.Color(red: 0, green: 0, blue: 0, alpha: 0.75)
    var edge = SubtitleStyle.Edge.none
    var edgeColor = SubtitleStyle.Color.black
    var verticalPosition: Double?
    var horizontalMargin: Double
    var verticalMargin: Double
    var alignment: SubtitleStyle.Alignment?

    /// - Parameters:
    ///   - picture: height of the picture, pixels.
    ///   - scale: pixels a point.
    init(_ style: SubtitleStyle, width: Double, height: Double, picture: Double, scale: Double) {
        func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { value >= low ? min(value, high) : low }
        em =
            switch style.size {
            case .fraction(let fraction): picture * clamp(fraction, 0.01, 0.5)
            case .points(let points): scale * clamp(points, 4, 500)
            case nil: picture * 0.05
            }
        if let family = style.fontFamily, !family.isEmpty {
            font = family.filter { $0 != "," && !$0.isNewline && $0 != "\\" && $0 != "}" }
        }
        if let color = style.color { self.color = color }
        if let color = style.backgroundColor { background = color }
        if let edge = style.edge { self.edge = edge }
        if let color = style.edgeColor { edgeColor = color }
        verticalPosition = style.verticalPosition.map { clamp($0, 0, 1) }
        horizontalMargin = width * clamp(style.horizontalMargin ?? 0.025, 0, 0.4)
        verticalMargin = height * clamp(style.verticalMargin ?? 0.04, 0, 0.4)
        alignment = style.alignment
    }

    /// Thickness of an outline, pixels.
    var outline: Double { edge == .outline ? max(1, em * 0.06) : 0 }
    /// How far the shadow lies below and to the right, pixels.
    var shadow: Double {
        switch edge {
        case .dropShadow: max(1, em * 0.08)
        case .raised: max(1, em * 0.035)
        case .none, .outline: 0
        }
    }
    /// The box reaches so far beyond the letters.
    var padding: Double { em * 0.08 }
    var hasBox: Bool { background.alpha > 0 }
    /// Box and edge cannot be had of one event: the box is then drawn by one of its own, below.
    var needsTwoEvents: Bool { hasBox && edge != .none }
}

extension SubtitleStyle.Color {
    private static func byte(_ value: Double) -> UInt32 {
        UInt32((min(max(value.isNaN ? 0 : value, 0), 1) * 255).rounded())
    }
    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
    /// `BBGGRR`, as override tags have it.
    var assColor: String { Self.hex(Self.byte(blue)) + Self.hex(Self.byte(green)) + Self.hex(Self.byte(red)) }
    /// `AA`, 00 for opaque.
    func assAlpha(_ opacity: Double = 1) -> String { Self.hex(255 - Self.byte(alpha * opacity)) }
    /// `&HAABBGGRR`, as styles have it.
    var assStyle: String { "&H" + assAlpha() + assColor }
}
