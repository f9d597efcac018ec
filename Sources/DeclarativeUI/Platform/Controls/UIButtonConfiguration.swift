import Foundation

/// The distances from the edges of a rectangle inward, in points, by the direction of text. Modeled on UIKit's type.
public struct NSDirectionalEdgeInsets: Hashable, Sendable {
    /// The distances in points. Negative distances are outward.
    public var top, leading, bottom, trailing: CGFloat
    /// Creates insets in points.
    public init(top: CGFloat = 0, leading: CGFloat = 0, bottom: CGFloat = 0, trailing: CGFloat = 0) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
    /// Insets of 0.
    public static let zero = NSDirectionalEdgeInsets()
}
extension EdgeInsets {
    /// Creates insets from UIKit's directional insets.
    public init(_ insets: NSDirectionalEdgeInsets) {
        self.init(top: insets.top, leading: insets.leading, bottom: insets.bottom, trailing: insets.trailing)
    }
}

/// A set of edges, by the direction of text. Modeled on UIKit's type.
public struct NSDirectionalRectEdge: OptionSet, Hashable, Sendable {
    /// The bit mask, with UIKit's values.
    public let rawValue: UInt
    /// Creates a set from a bit mask. Other bits have no effect.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The top edge, and the edge where text begins.
    public static let top = NSDirectionalRectEdge(rawValue: 1), leading = NSDirectionalRectEdge(rawValue: 2)
    /// The bottom edge, and the edge where text ends.
    public static let bottom = NSDirectionalRectEdge(rawValue: 4), trailing = NSDirectionalRectEdge(rawValue: 8)
    /// All edges.
    public static let all: NSDirectionalRectEdge = [.top, .leading, .bottom, .trailing]
}

/// The background of a button with a configuration. Modeled on UIKit's type.
public struct UIBackgroundConfiguration: Hashable, Sendable {
    /// The fill color, or nil for the color of the button's style.
    public var backgroundColor: UIColor?
    /// The radius of the corners in points, for the corner styles `fixed` and `dynamic`.
    public var cornerRadius: CGFloat = 0
    /// The color of the line along the edge, or nil for the tint color.
    public var strokeColor: UIColor?
    /// The width of the line along the edge, in points. 0 draws no line.
    public var strokeWidth: CGFloat = 0
    /// Returns a background without a fill and without a line.
    public static func clear() -> UIBackgroundConfiguration {
        var background = UIBackgroundConfiguration()
        background.backgroundColor = .clear
        return background
    }
    init() {}
}

extension UIButton {
    /// The contents and the look of a button. Modeled on UIKit's type.
    ///
    /// ```swift
    /// var configuration = UIButton.Configuration.filled()
    /// configuration.title = "Play"
    /// configuration.image = UIImage(systemName: "play.fill")
    /// configuration.imagePadding = 8
    /// let button = UIButton(configuration: configuration, primaryAction: UIAction { _ in player.play() })
    /// ```
    /// The button shows disabled, pressed and selected states with other colors.
    public struct Configuration: Hashable, Sendable {
        /// The outline of the background.
        public enum CornerStyle: Int, Sendable {
            /// The radius of `background`. On Linux, `dynamic` does not change with the size of text.
            case fixed = -1, dynamic
            /// Radii of 4, 8 and 12 points.
            case small, medium, large
            /// Half circles at both ends.
            case capsule
        }
        /// The size of the text and of the space around it.
        public enum Size: Int, Sendable {
            /// The regular size.
            case medium = 0
            /// A size below the regular one.
            case small
            /// The smallest size.
            case mini
            /// A size above the regular one.
            case large
        }
        /// The alignment of title and subtitle.
        public enum TitleAlignment: Int, Sendable {
            /// Beside an image, at the side of the image, otherwise centered.
            case automatic = 0
            /// At the edge where text begins, centered, or at the edge where text ends.
            case leading, center, trailing
        }
        enum Style: Hashable, Sendable { case plain, tinted, gray, filled }

        let style: Style
        init(style: Style) {
            self.style = style
            background.cornerRadius = 6
        }
        /// Returns a configuration without a background.
        public static func plain() -> Configuration { Configuration(style: .plain) }
        /// Returns a configuration with a translucent background in the tint color.
        public static func tinted() -> Configuration { Configuration(style: .tinted) }
        /// Returns a configuration with a gray background.
        public static func gray() -> Configuration { Configuration(style: .gray) }
        /// Returns a configuration with a background in the tint color.
        public static func filled() -> Configuration { Configuration(style: .filled) }
        /// Returns a configuration without a background, the same as `plain()`.
        public static func borderless() -> Configuration { plain() }
        /// Returns a configuration with a gray background, the same as `gray()`.
        public static func bordered() -> Configuration { gray() }
        /// Returns a configuration with a translucent background in the tint color, the same as `tinted()`.
        public static func borderedTinted() -> Configuration { tinted() }
        /// Returns a configuration with a background in the tint color, the same as `filled()`.
        public static func borderedProminent() -> Configuration { filled() }

        /// The title, or nil for none.
        public var title: String?
        /// The smaller text below the title, or nil for none.
        public var subtitle: String?
        /// The image, or nil for none. Symbols have the color of the text.
        public var image: UIImage?
        /// The distance between image and text, in points.
        public var imagePadding: CGFloat = 0
        /// The distance between title and subtitle, in points.
        public var titlePadding: CGFloat = 1
        /// The edge of the text at which the image is. If several edges are set, the first of `leading`, `trailing`,
        /// `top` and `bottom` counts.
        public var imagePlacement = NSDirectionalRectEdge.leading
        /// The alignment of title and subtitle.
        public var titleAlignment = TitleAlignment.automatic
        /// The color of text and symbols, or nil for the color of the style. On `filled()`, this is white or black,
        /// whichever is readable.
        public var baseForegroundColor: UIColor?
        /// The color of the background, or nil for the color of the style. `plain()` has no background.
        public var baseBackgroundColor: UIColor?
        /// The background, which overrides `baseBackgroundColor`.
        public var background = UIBackgroundConfiguration()
        /// The outline of the background.
        public var cornerStyle = CornerStyle.dynamic
        /// The size of the text, and of the space around it unless `contentInsets` is set.
        public var buttonSize = Size.medium
        /// Whether a spinner replaces the image.
        public var showsActivityIndicator = false
        /// Whether a selected button has a stronger background.
        public var automaticallyUpdateForSelection = true
        private var ownInsets: NSDirectionalEdgeInsets?
        /// The space around image and text, in points.
        public var contentInsets: NSDirectionalEdgeInsets {
            get { ownInsets ?? buttonSize.insets }
            set { ownInsets = newValue }
        }
        /// Sets `contentInsets` to the values for `buttonSize`.
        public mutating func setDefaultContentInsets() { ownInsets = nil }
    }
}

extension UIButton.Configuration.Size {
    fileprivate var insets: NSDirectionalEdgeInsets {
        let (vertical, horizontal): (CGFloat, CGFloat) =
            switch self {
            case .mini: (3, 8)
            case .small: (5, 10)
            case .medium: (7, 12)
            case .large: (15, 20)
            }
        return NSDirectionalEdgeInsets(top: vertical, leading: horizontal, bottom: vertical, trailing: horizontal)
    }
    var font: UIFont { .preferredFont(forTextStyle: self == .medium || self == .large ? .body : .subheadline) }
    var subtitleFont: UIFont { .preferredFont(forTextStyle: self == .medium || self == .large ? .footnote : .caption2) }
}

extension UIButton.Configuration {
    /// The colors for a state of the button.
    struct Colors {
        var foreground: UIColor
        var background: UIColor
    }
    /// Returns the colors for a state of the button.
    /// - Parameter tint: The tint color of the button, or nil if the app has set none.
    func colors(for state: UIControl.State, tint: UIColor?) -> Colors {
        let accent = tint ?? .tintColor
        if state.contains(.disabled) {
            let ground: UIColor = style == .plain ? .clear : .tertiarySystemFill
            return Colors(foreground: .tertiaryLabel, background: background.backgroundColor ?? ground)
        }
        var style = style
        if state.contains(.selected), automaticallyUpdateForSelection { style = style == .plain ? .tinted : .filled }
        let base = baseBackgroundColor
        let ground: UIColor =
            switch style {
            case .plain: .clear
            case .tinted: (base ?? accent).withAlphaComponent(0.2)
            case .gray: base ?? .secondarySystemFill
            case .filled: base ?? accent
            }
        let text: UIColor = style == .filled ? .readable(on: base ?? tint) : accent
        return Colors(
            foreground: baseForegroundColor ?? text, background: background.backgroundColor ?? ground)
    }
    /// The radius of the background's corners, or nil for half circles.
    var cornerRadius: CGFloat? {
        switch cornerStyle {
        case .fixed, .dynamic: max(0, background.cornerRadius)
        case .small: Radius.small
        case .medium: 8
        case .large: 12
        case .capsule: nil
        }
    }
    /// The edge of the text at which the image is.
    var imageEdge: Edge {
        if imagePlacement.contains(.leading) { return .leading }
        if imagePlacement.contains(.trailing) { return .trailing }
        if imagePlacement.contains(.top) { return .top }
        return imagePlacement.contains(.bottom) ? .bottom : .leading
    }
    var textAlignment: HorizontalAlignment {
        switch titleAlignment {
        case .leading: return .leading
        case .center: return .center
        case .trailing: return .trailing
        case .automatic:
            guard image != nil || showsActivityIndicator else { return .center }
            switch imageEdge {
            case .leading: return .leading
            case .trailing: return .trailing
            case .top, .bottom: return .center
            }
        }
    }
}

extension UIColor {
    /// White or black, whichever is readable on this color, for each appearance.
    fileprivate var textColor: UIColor {
        UIColor(
            Color(
                kind: .pair(
                    light: color.resolved(dark: false, accent: nil).textColor,
                    dark: color.resolved(dark: true, accent: nil).textColor)))
    }
    /// Returns white or black, whichever is readable on `tint`, or on the accent color if `tint` is nil.
    static func readable(on tint: UIColor?) -> UIColor { (tint ?? .tintColor).textColor }
}
