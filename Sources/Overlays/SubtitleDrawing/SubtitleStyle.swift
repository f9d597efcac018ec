/// The appearance of subtitles.
///
/// For properties that are nil, the author's style applies, or else the default. The default is that of WebVTT in
/// browsers: white text on a translucent black box at the bottom.
///
/// ```swift
/// var style = SubtitleStyle()
/// style.size = .fraction(0.07)
/// style.edge = .outline
/// style.backgroundColor = .clear
/// let settings = VideoSettings {
///     SourceName("film.mp4")
///     Subtitles("film.en.srt", style: style)
/// }
/// ```
public struct SubtitleStyle: Sendable, Hashable {
    /// A color in sRGB, not premultiplied.
    public struct Color: Sendable, Hashable {
        /// The sRGB components, clamped to 0…1 when drawn. NaN is drawn as 0.
        public var red: Double, green: Double, blue: Double
        /// The opacity, 0…1, clamped when drawn. 0 is transparent.
        public var alpha: Double

        /// Creates a color from sRGB components.
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
        /// Transparent. As a background, this removes the box.
        public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    }

    /// The size of letters: the height of an em.
    public enum Size: Sendable, Hashable {
        /// A fraction of the frame's height, clamped to 0.01…0.5.
        case fraction(Double)
        /// A size in points, independent of the frame's size, clamped to 4…500.
        case points(Double)
    }

    /// The edge that makes letters stand out from the frame.
    public enum Edge: Sendable, Hashable {
        /// No edge; an outline; a shadow below and to the right; a closer shadow, which makes letters look raised.
        case none, outline, dropShadow, raised
    }
    /// The horizontal alignment of lines between the margins.
    public enum Alignment: Sendable, Hashable {
        /// At the left; in the center; at the right.
        case left, center, right
    }

    /// The name of a font family in fontconfig. If it is not installed, the closest font is used. The default is
    /// `sans-serif`.
    public var fontFamily: String?
    /// The size of letters. The default is a twentieth of the frame's height.
    public var size: Size?
    /// The color of letters. The default is white.
    public var color: Color?
    /// The color of the box behind letters. The default is black with 75 % opacity.
    public var backgroundColor: Color?
    /// The edge of letters. The default is none.
    public var edge: Edge?
    /// The color of the edge. The default is black.
    public var edgeColor: Color?
    /// The vertical position, from 0 (top) to 1 (bottom) of the frame's height, clamped. The default is the bottom.
    ///
    /// A position in the upper half is that of the first line's top; in the lower half, of the last line's bottom.
    public var verticalPosition: Double?
    /// The margin at the left and right, as a fraction of the frame's width, clamped to 0…0.4. The default is 0.025.
    public var horizontalMargin: Double?
    /// The margin at the top and bottom, as a fraction of the frame's height, clamped to 0…0.4. The default is 0.04.
    public var verticalMargin: Double?
    /// The horizontal alignment. The default is the cue's own alignment, or else the center.
    public var alignment: Alignment?
    /// Whether this style takes precedence over the author's. Otherwise it applies where the author specified nothing.
    ///
    /// Positioned text in Advanced SubStation Alpha, such as translated signs, always keeps its own style.
    public var overridesAuthor = false
    /// Whether text may be displayed in the black bars around the frame. If true, the position and the margins are
    /// fractions of the view's size instead of the frame's, except in SubStation Alpha.
    public var usesMargins = false

    /// Creates a style without values: the author's style applies, or else the default.
    public init() {}
}

/// A style without missing values, in pixels of the area for the text.
struct SubtitleLook: Hashable {
    var font = "sans-serif"
    /// The height of an em, in pixels.
    var em: Double
    /// The distance between lines, in pixels, which is also libass's font size.
    var lineHeight: Double { em * 1.2 }
    var color = SubtitleStyle.Color.white
    var background = SubtitleStyle.Color(red: 0, green: 0, blue: 0, alpha: 0.75)
    var edge = SubtitleStyle.Edge.none
    var edgeColor = SubtitleStyle.Color.black
    var verticalPosition: Double?
    var horizontalMargin: Double
    var verticalMargin: Double
    var alignment: SubtitleStyle.Alignment?

    /// Completes a style.
    ///
    /// - Parameters:
    ///   - width: The width of the area for the text, in pixels.
    ///   - height: The height of the area for the text, in pixels.
    ///   - picture: The height of the frame, in pixels.
    ///   - scale: The number of pixels per point.
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

    /// The thickness of the outline, in pixels.
    var outline: Double { edge == .outline ? max(1, em * 0.06) : 0 }
    /// The distance of the shadow, to the right and below, in pixels.
    var shadow: Double {
        switch edge {
        case .dropShadow: max(1, em * 0.08)
        case .raised: max(1, em * 0.035)
        case .none, .outline: 0
        }
    }
    /// The distance by which the box extends beyond the letters, in pixels.
    var padding: Double { em * 0.08 }
    var hasBox: Bool { background.alpha > 0 }
    /// Whether the box is drawn by a separate event, because libass cannot draw a box and an edge for one event.
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
    /// The color as `BBGGRR`, the format of override tags.
    var assColor: String { Self.hex(Self.byte(blue)) + Self.hex(Self.byte(green)) + Self.hex(Self.byte(red)) }
    /// Returns the transparency as `AA`, where 00 is opaque.
    func assAlpha(_ opacity: Double = 1) -> String { Self.hex(255 - Self.byte(alpha * opacity)) }
    /// The color as `&HAABBGGRR`, the format of styles.
    var assStyle: String { "&H" + assAlpha() + assColor }
}
