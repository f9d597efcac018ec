import Foundation

/// A font. Modeled on UIKit's type. Can be used on any thread.
public final class UIFont: Hashable, Sendable {
    /// The weight of a font. Modeled on UIKit's type.
    public struct Weight: Hashable, Sendable {
        let weight: Font.Weight
        /// The thin weights.
        public static let ultraLight = Weight(weight: .ultraLight), thin = Weight(weight: .thin),
            light = Weight(weight: .light)
        /// The medium weights.
        public static let regular = Weight(weight: .regular), medium = Weight(weight: .medium),
            semibold = Weight(weight: .semibold)
        /// The bold weights.
        public static let bold = Weight(weight: .bold), heavy = Weight(weight: .heavy), black = Weight(weight: .black)
    }
    /// The role of a text. Modeled on UIKit's type.
    public struct TextStyle: Hashable, Sendable {
        let style: Font.TextStyle
        /// Titles, from the largest to the smallest.
        public static let largeTitle = TextStyle(style: .largeTitle), title1 = TextStyle(style: .title),
            title2 = TextStyle(style: .title2), title3 = TextStyle(style: .title3)
        /// Texts of normal size.
        public static let headline = TextStyle(style: .headline), subheadline = TextStyle(style: .subheadline),
            body = TextStyle(style: .body), callout = TextStyle(style: .callout)
        /// Small texts.
        public static let footnote = TextStyle(style: .footnote), caption1 = TextStyle(style: .caption),
            caption2 = TextStyle(style: .caption2)
    }

    let font: Font
    /// The size in points, after clamping.
    public var pointSize: CGFloat { font.size }
    init(_ font: Font) { self.font = font }
    /// Creates a font by its family name in fontconfig. Returns nil for an empty name.
    ///
    /// If the font is not installed, fontconfig chooses another one. The size in points is clamped to 1…2000.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        guard !fontName.isEmpty else { return nil }
        self.init(.custom(fontName, size: fontSize))
    }
    /// Returns the system font.
    /// - Parameters:
    ///   - fontSize: The size in points, clamped to 1…2000.
    ///   - weight: The weight.
    public static func systemFont(ofSize fontSize: CGFloat, weight: Weight = .regular) -> UIFont {
        UIFont(.system(size: fontSize, weight: weight.weight))
    }
    /// Returns the system font in bold.
    public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        systemFont(ofSize: fontSize, weight: .bold)
    }
    /// Returns the system font in italic.
    public static func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(.system(size: fontSize).italic())
    }
    /// Returns the system font with digits of equal width, for times that change.
    public static func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(.system(size: fontSize, weight: weight.weight).monospacedDigit())
    }
    /// Returns a font with characters of equal width.
    public static func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(.system(size: fontSize, weight: weight.weight, design: .monospaced))
    }
    /// Returns the font of a text style, in a size relative to the desktop's interface font.
    ///
    /// In an app whose platform style is `phone`, the size is that of iOS: 17 points for `body`. See `PlatformStyle`.
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        preferredFont(forTextStyle: style, in: .ofApp)
    }
    static func preferredFont(forTextStyle style: TextStyle, in platform: PlatformStyle) -> UIFont {
        UIFont(Font.system(style.style).styled(for: platform))
    }
    /// Returns this font in another size, clamped to 1…2000 points.
    public func withSize(_ fontSize: CGFloat) -> UIFont {
        UIFont(
            with(font) {
                $0.size = Font.system(size: fontSize).size
                // The app has chosen the size, so that of the role no longer applies.
                $0.role = nil
            })
    }
    /// The default sizes of labels, of system text, and of small system text, in points.
    public static let labelFontSize: CGFloat = 17, systemFontSize: CGFloat = 14, smallSystemFontSize: CGFloat = 12

    public static func == (a: UIFont, b: UIFont) -> Bool { a.font == b.font }
    public func hash(into hasher: inout Hasher) { hasher.combine(font) }
}

/// The font type of AppKit, which is the same type as `UIFont`.
public typealias NSFont = UIFont

extension Font {
    /// Creates a font from a UIKit font.
    public init(_ font: UIFont) { self = font.font }
}

/// The alignment of lines of text. Modeled on UIKit's type.
public enum NSTextAlignment: Int, Sendable {
    /// Lines are aligned to the left, centered, or aligned to the right.
    case left = 0, center, right
    /// Behaves like `natural`.
    case justified
    /// Lines are aligned to the side where text begins.
    case natural

    /// Returns the alignment of the lines of a text. For `Text`, `.leading` is the side where the text itself begins.
    func lines(of text: String) -> TextAlignment {
        switch self {
        case .center: .center
        case .left: text.isRightToLeft ? .trailing : .leading
        case .right: text.isRightToLeft ? .leading : .trailing
        case .justified, .natural: .leading
        }
    }
    /// Returns the position of a text that is narrower than its view.
    func position(in direction: LayoutDirection) -> HorizontalAlignment {
        switch self {
        case .center: .center
        case .left: .left(in: direction)
        case .right: .right(in: direction)
        case .justified, .natural: .leading
        }
    }
}

extension HorizontalAlignment {
    /// Returns the alignment at the left side in a layout direction.
    static func left(in direction: LayoutDirection) -> HorizontalAlignment {
        direction == .leftToRight ? .leading : .trailing
    }
    static func right(in direction: LayoutDirection) -> HorizontalAlignment {
        direction == .leftToRight ? .trailing : .leading
    }
}

extension String {
    /// Whether the first letter belongs to a script that is written from right to left. Unicode reserves these blocks
    /// for such scripts.
    fileprivate var isRightToLeft: Bool {
        let blocks: [ClosedRange<UInt32>] = [
            0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
        ]
        guard let letter = unicodeScalars.first(where: \.properties.isAlphabetic) else { return false }
        return blocks.contains { $0.contains(letter.value) }
    }
}

/// The treatment of text that is longer than its line. Modeled on UIKit's type.
public enum NSLineBreakMode: Int, Sendable {
    /// Lines break between words, or in a word that is longer than the line. Both modes behave the same.
    case byWordWrapping = 0, byCharWrapping
    /// The text is cut off with an ellipsis, like `byTruncatingTail`.
    case byClipping
    /// An ellipsis replaces the beginning, the end, or the middle.
    case byTruncatingHead, byTruncatingTail, byTruncatingMiddle

    var truncation: Text.TruncationMode {
        switch self {
        case .byTruncatingHead: .head
        case .byTruncatingMiddle: .middle
        default: .tail
        }
    }
}
