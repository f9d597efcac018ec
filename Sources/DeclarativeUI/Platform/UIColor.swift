import Foundation

/// A color of UIKit or AppKit, for `Color(_:)`: `Color(.systemGroupedBackground)`, `Color(.windowBackgroundColor)`.
///
/// Semantic colors have a value for each appearance. Can be used on any thread.
public final class UIColor: Hashable, Sendable {
    let color: Color
    /// Creates a color from a `Color`.
    public init(_ color: Color) { self.color = color }
    /// Creates a color from red, green, blue and alpha, each clamped to 0…1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        color = Color(red: Double(red), green: Double(green), blue: Double(blue), opacity: Double(alpha))
    }
    /// Creates a gray from its brightness and alpha, each clamped to 0…1.
    public init(white: CGFloat, alpha: CGFloat) { color = Color(white: Double(white), opacity: Double(alpha)) }
    /// Creates a color from hue, saturation, brightness and alpha, each clamped to 0…1. Hues 0 and 1 are both red.
    public init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        color = Color(
            hue: Double(hue), saturation: Double(saturation), brightness: Double(brightness), opacity: Double(alpha))
    }
    /// Creates a color from the app's asset catalog. Returns nil if there is no such color.
    ///
    /// The search begins in `bundle`, if it is not nil. It continues in the program's resources and in the working
    /// directory.
    public init?(named name: String, bundle: Bundle? = nil) {
        guard let set = AssetCatalog.color(name, bundle) else { return nil }
        color = Color(kind: .pair(light: set.light, dark: set.dark))
    }
    /// Returns this color with another opacity.
    /// - Parameter alpha: The opacity, clamped to 0…1.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(color.opaque.opacity(Double(alpha))) }

    public static func == (a: UIColor, b: UIColor) -> Bool { a.color == b.color }
    public func hash(into hasher: inout Hasher) { hasher.combine(color) }

    private static func pair(_ light: UInt32, _ dark: UInt32, _ lightOpacity: Double = 1, _ darkOpacity: Double? = nil)
        -> UIColor
    {
        let split: (UInt32, Double) -> Color.Components = {
            Color.Components(
                red: Double($0 >> 16 & 255) / 255, green: Double($0 >> 8 & 255) / 255, blue: Double($0 & 255) / 255,
                opacity: $1)
        }
        return UIColor(
            Color(kind: .pair(light: split(light, lightOpacity), dark: split(dark, darkOpacity ?? lightOpacity))))
    }

    // The values are from Apple's Human Interface Guidelines.
    /// Transparent, black, white, and medium gray, in all appearances.
    public static let clear = UIColor(.clear), black = UIColor(.black), white = UIColor(.white),
        gray = UIColor(white: 0.5, alpha: 1)
    /// Grays of one third and two thirds of white.
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1), lightGray = UIColor(white: 2 / 3, alpha: 1)
    /// The primary colors of light, in all appearances.
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1),
        green = UIColor(red: 0, green: 1, blue: 0, alpha: 1), blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    /// The secondary colors of light, in all appearances.
    public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1),
        yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1), magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
    /// Orange, purple and brown, in all appearances.
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1),
        purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1),
        brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
    /// The colors of UIKit's controls, which depend on the appearance.
    public static let systemRed = UIColor(.red), systemOrange = UIColor(.orange), systemYellow = UIColor(.yellow),
        systemGreen = UIColor(.green), systemMint = UIColor(.mint)
    /// The colors of UIKit's controls, which depend on the appearance.
    public static let systemTeal = UIColor(.teal), systemCyan = UIColor(.cyan), systemBlue = UIColor(.blue),
        systemIndigo = UIColor(.indigo), systemPurple = UIColor(.purple)
    /// The colors of UIKit's controls, which depend on the appearance, and the tint of the environment.
    public static let systemPink = UIColor(.pink), systemBrown = UIColor(.brown), systemGray = UIColor(.gray),
        tintColor = UIColor(.accentColor)
    /// Grays, each closer to the background than the one before.
    public static let systemGray2 = pair(0xAEAEB2, 0x636366), systemGray3 = pair(0xC7C7CC, 0x48484A),
        systemGray4 = pair(0xD1D1D6, 0x3A3A3C)
    /// The grays that are closest to the background.
    public static let systemGray5 = pair(0xE5E5EA, 0x2C2C2E), systemGray6 = pair(0xF2F2F7, 0x1C1C1E)
    /// Primary, secondary and tertiary text.
    public static let label = pair(0x000000, 0xFFFFFF), secondaryLabel = pair(0x3C3C43, 0xEBEBF5, 0.6),
        tertiaryLabel = pair(0x3C3C43, 0xEBEBF5, 0.3)
    /// Quaternary text, placeholders in empty fields, and links.
    public static let quaternaryLabel = pair(0x3C3C43, 0xEBEBF5, 0.18, 0.16),
        placeholderText = pair(0x3C3C43, 0xEBEBF5, 0.3), link = pair(0x007AFF, 0x0984FF)
    /// Separator lines, translucent and opaque.
    public static let separator = pair(0x3C3C43, 0x545458, 0.29, 0.6), opaqueSeparator = pair(0xC6C6C8, 0x38383A)
    /// The backgrounds of content on three levels, from the lowest to the highest.
    public static let systemBackground = pair(0xFFFFFF, 0x000000), secondarySystemBackground = pair(0xF2F2F7, 0x1C1C1E),
        tertiarySystemBackground = pair(0xFFFFFF, 0x2C2C2E)
    /// The background of grouped lists, of their groups, and of content in groups.
    public static let systemGroupedBackground = pair(0xF2F2F7, 0x000000),
        secondarySystemGroupedBackground = pair(0xFFFFFF, 0x1C1C1E),
        tertiarySystemGroupedBackground = pair(0xF2F2F7, 0x2C2C2E)
    /// Translucent fills of thin or small shapes, and of medium shapes.
    public static let systemFill = pair(0x787880, 0x787880, 0.2, 0.36),
        secondarySystemFill = pair(0x787880, 0x787880, 0.16, 0.32)
    /// Translucent fills of large shapes, and of very large or complex shapes.
    public static let tertiarySystemFill = pair(0x767680, 0x767680, 0.12, 0.24),
        quaternarySystemFill = pair(0x747480, 0x747480, 0.08, 0.18)

    // The following colors are AppKit's.
    /// The background of windows (the color of Adwaita), of controls such as lists, and of text.
    public static let windowBackgroundColor = UIColor(Paint.windowColor),
        controlBackgroundColor = pair(0xFFFFFF, 0x1E1E1E), textBackgroundColor = pair(0xFFFFFF, 0x1E1E1E)
    /// The area beside pages, the background of controls, and the tint of the environment.
    public static let underPageBackgroundColor = pair(0x969696, 0x282828, 0.9, 1),
        controlColor = pair(0xFFFFFF, 0xFFFFFF, 1, 0.25), controlAccentColor = UIColor(.accentColor)
    /// Primary, secondary and tertiary text in AppKit.
    public static let labelColor = pair(0x000000, 0xFFFFFF, 0.85),
        secondaryLabelColor = pair(0x000000, 0xFFFFFF, 0.5, 0.55),
        tertiaryLabelColor = pair(0x000000, 0xFFFFFF, 0.26, 0.25)
    /// Quaternary text, text in fields, and placeholders in empty fields.
    public static let quaternaryLabelColor = pair(0x000000, 0xFFFFFF, 0.1), textColor = pair(0x000000, 0xFFFFFF),
        placeholderTextColor = pair(0x000000, 0xFFFFFF, 0.25)
    /// Separator lines, lines of tables, and links.
    public static let separatorColor = pair(0x000000, 0xFFFFFF, 0.1), gridColor = pair(0xE6E6E6, 0x1A1A1A),
        linkColor = pair(0x0068DA, 0x419CFF)
    /// The background of selected content, in a window with the keyboard focus and in other windows.
    public static let selectedContentBackgroundColor = UIColor(.accentColor),
        unemphasizedSelectedContentBackgroundColor = pair(0xDCDCDC, 0x464646)
}

/// The type of `#colorLiteral(red:green:blue:alpha:)` if the context requires no other type. The compiler looks up this
/// name.
public typealias _ColorLiteralType = UIColor

extension UIColor: _ExpressibleByColorLiteral {
    /// Creates a color from a color literal, with components in 0…1.
    public convenience init(_colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float) {
        self.init(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
    }
}
extension Color: _ExpressibleByColorLiteral {
    /// Creates a color from a color literal, with components in 0…1.
    public init(_colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float) {
        self.init(red: Double(red), green: Double(green), blue: Double(blue), opacity: Double(alpha))
    }
}

/// The color type of AppKit, which is the same type as `UIColor`.
public typealias NSColor = UIColor

extension Color {
    /// Creates a color from a UIKit or AppKit color.
    @_disfavoredOverload public init(_ color: UIColor) { self = color.color }
    /// Creates a color from a UIKit color.
    public init(uiColor: UIColor) { self = uiColor.color }
    /// Creates a color from an AppKit color.
    public init(nsColor: NSColor) { self = nsColor.color }
}
extension Color? {
    /// This color as UIKit's type.
    var uiColor: UIColor? {
        get { map { UIColor($0) } }
        set { self = newValue?.color }
    }
}
