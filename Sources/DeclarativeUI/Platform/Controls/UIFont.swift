import Foundation

/// A font by UIKit's names. For any thread.
public final class UIFont: Hashable, Sendable {
    /// The weight of a font. UIKit's type.
    public struct Weight: Hashable, Sendable {
        let weight: Font.Weight
        /// The thinnest weights.
        public static let ultraLight = Weight(weight: .ultraLight), thin = Weight(weight: .thin),
            light = Weight(weight: .light)
        /// The usual weights.
        public static let regular = Weight(weight: .regular), medium = Weight(weight: .medium),
            semibold = Weight(weight: .semibold)
        /// The thickest weights.
        public static let bold = Weight(weight: .bold), heavy = Weight(weight: .heavy), black = Weight(weight: .black)
    }
    /// The role of a text. UIKit's type.
    public struct TextStyle: Hashable, Sendable {
        let style: Font.TextStyle
        /// Titles, from the largest to the smallest.
        public static let largeTitle = TextStyle(style: .largeTitle), title1 = TextStyle(style: .title),
            title2 = TextStyle(style: .title2), title3 = TextStyle(style: .title3)
        /// Texts of usual size.
        public static let headline = TextStyle(style: .headline), subheadline = TextStyle(style: .subheadline),
            body = TextStyle(style: .body), callout = TextStyle(style: .callout)
        /// Small texts.
        public static let footnote = TextStyle(style: .footnote), caption1 = TextStyle(style: .caption),
            caption2 = TextStyle(style: .caption2)
    }

    let font: Font
    /// Points.
    public let pointSize: CGFloat
    init(_ font: Font, _ size: CGFloat) { (self.font, pointSize) = (font, size) }
    /// A font by its family's name, as fontconfig knows it; another is taken for one that is not installed.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        guard !fontName.isEmpty else { return nil }
        self.init(.custom(fontName, size: fontSize), fontSize)
    }
    /// The interface's font. - Parameter fontSize: points, 1…2000; clamped.
    public static func systemFont(ofSize fontSize: CGFloat, weight: Weight = .regular) -> UIFont {
        UIFont(.system(size: fontSize, weight: weight.weight), fontSize)
    }
    /// The interface's font, bold.
    public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        systemFont(ofSize: fontSize, weight: .bold)
    }
    /// The interface's font, slanted.
    public static func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont {
        UIFont(.system(size: fontSize).italic(), fontSize)
    }
    /// The interface's font with digits of one width: for times that change.
    public static func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(.system(size: fontSize, weight: weight.weight).monospacedDigit(), fontSize)
    }
    /// A font with characters of one width.
    public static func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        UIFont(.system(size: fontSize, weight: weight.weight, design: .monospaced), fontSize)
    }
    /// The font of a role, in the size of the desktop's interface font.
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        UIFont(.system(style.style), style.style.points)
    }
    /// The same font in another size.
    public func withSize(_ fontSize: CGFloat) -> UIFont {
        UIFont(with(font) { $0.size = fontSize.isFinite ? min(2000, max(1, fontSize)) : 14 }, fontSize)
    }
    /// The sizes of labels and of small texts, points.
    public static let labelFontSize: CGFloat = 17, systemFontSize: CGFloat = 14, smallSystemFontSize: CGFloat = 12

    public static func == (a: UIFont, b: UIFont) -> Bool { a.font == b.font }
    public func hash(into hasher: inout Hasher) { hasher.combine(font) }
}

/// AppKit's fonts; the same type.
public typealias NSFont = UIFont

extension Font {
    /// Takes UIKit's font.
    public init(_ font: UIFont) { self = font.font }
}

/// Where lines of text lie. UIKit's type.
public enum NSTextAlignment: Int, Sendable {
    /// At a side, or in the middle.
    case left = 0, center, right
    /// Like `natural`.
    case justified
    /// At the side where lines begin.
    case natural

    var alignment: TextAlignment {
        switch self {
        case .center: .center
        case .right: .trailing
        case .left, .justified, .natural: .leading
        }
    }
    var horizontal: HorizontalAlignment {
        switch self {
        case .center: .center
        case .right: .trailing
        case .left, .justified, .natural: .leading
        }
    }
}

/// What becomes of text that is longer than its line. UIKit's type.
public enum NSLineBreakMode: Int, Sendable {
    /// Lines end between words, or between characters.
    case byWordWrapping = 0, byCharWrapping
    /// It ends at the edge, with an ellipsis as `byTruncatingTail`.
    case byClipping
    /// An ellipsis stands for the beginning, the end or the middle.
    case byTruncatingHead, byTruncatingTail, byTruncatingMiddle

    var truncation: Text.TruncationMode {
        switch self {
        case .byTruncatingHead: .head
        case .byTruncatingMiddle: .middle
        default: .tail
        }
    }
}
