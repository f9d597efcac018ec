import Foundation

/// A colour by UIKit's or AppKit's names, for `Color(_:)`: `Color(.systemGroupedBackground)`,
/// `Color(.windowBackgroundColor)`. Those with a role are one for each appearance. For any thread.
public final class UIColor: Hashable, Sendable {
    let color: Color
    /// Takes a colour of views.
    public init(_ color: Color) { self.color = color }
    /// - Parameters: each 0…1, clamped.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        color = Color(red: Double(red), green: Double(green), blue: Double(blue), opacity: Double(alpha))
    }
    /// Makes a grey.
    /// - Parameters: each 0…1, clamped.
    public init(white: CGFloat, alpha: CGFloat) { color = Color(white: Double(white), opacity: Double(alpha)) }
    /// Makes a colour of a hue.
    /// - Parameters: each 0…1, clamped; hue 0 and 1 are both red.
    public init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        color = Color(
            hue: Double(hue), saturation: Double(saturation), brightness: Double(brightness), opacity: Double(alpha))
    }
    /// A colour of the app's asset catalogue. Nil when it is not there.
    public init?(named name: String, bundle: Bundle? = nil) {
        guard let set = AssetCatalog.color(name, bundle) else { return nil }
        color = Color(kind: .pair(light: set.light, dark: set.dark))
    }
    /// - Parameter alpha: 0…1, clamped; multiplies the colour's own.
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(color.opacity(Double(alpha))) }

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

    // The values of Apple's Human Interface Guidelines.
    /// Nothing, black, white and the middle grey, in either appearance.
    public static let clear = UIColor(.clear), black = UIColor(.black), white = UIColor(.white),
        gray = UIColor(white: 0.5, alpha: 1)
    /// Greys of a third and of two thirds of white.
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1), lightGray = UIColor(white: 2 / 3, alpha: 1)
    /// The primary colours of light, in either appearance.
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1),
        green = UIColor(red: 0, green: 1, blue: 0, alpha: 1), blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    /// Mixtures of two primary colours of light, in either appearance.
    public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1),
        yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1), magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
    /// Orange, purple and brown, in either appearance.
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1),
        purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1),
        brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
    /// UIKit's colours for controls, which differ between the appearances.
    public static let systemRed = UIColor(.red), systemOrange = UIColor(.orange), systemYellow = UIColor(.yellow),
        systemGreen = UIColor(.green), systemMint = UIColor(.mint)
    /// UIKit's colours for controls, which differ between the appearances.
    public static let systemTeal = UIColor(.teal), systemCyan = UIColor(.cyan), systemBlue = UIColor(.blue),
        systemIndigo = UIColor(.indigo), systemPurple = UIColor(.purple)
    /// UIKit's colours for controls, and the environment's tint.
    public static let systemPink = UIColor(.pink), systemBrown = UIColor(.brown), systemGray = UIColor(.gray),
        tintColor = UIColor(.accentColor)
    /// Greys, each nearer to the background than the one before.
    public static let systemGray2 = pair(0xAEAEB2, 0x636366), systemGray3 = pair(0xC7C7CC, 0x48484A),
        systemGray4 = pair(0xD1D1D6, 0x3A3A3C)
    /// The greys nearest to the background.
    public static let systemGray5 = pair(0xE5E5EA, 0x2C2C2E), systemGray6 = pair(0xF2F2F7, 0x1C1C1E)
    /// Text of the first, second and third importance.
    public static let label = pair(0x000000, 0xFFFFFF), secondaryLabel = pair(0x3C3C43, 0xEBEBF5, 0.6),
        tertiaryLabel = pair(0x3C3C43, 0xEBEBF5, 0.3)
    /// Text of the fourth importance, words in empty fields, and links.
    public static let quaternaryLabel = pair(0x3C3C43, 0xEBEBF5, 0.18, 0.16),
        placeholderText = pair(0x3C3C43, 0xEBEBF5, 0.3), link = pair(0x007AFF, 0x0984FF)
    /// Lines between things, seen through or not.
    public static let separator = pair(0x3C3C43, 0x545458, 0.29, 0.6), opaqueSeparator = pair(0xC6C6C8, 0x38383A)
    /// Backgrounds, what stands on them, and what stands on that.
    public static let systemBackground = pair(0xFFFFFF, 0x000000), secondarySystemBackground = pair(0xF2F2F7, 0x1C1C1E),
        tertiarySystemBackground = pair(0xFFFFFF, 0x2C2C2E)
    /// Backgrounds of grouped lists, of their groups, and of what stands on these.
    public static let systemGroupedBackground = pair(0xF2F2F7, 0x000000),
        secondarySystemGroupedBackground = pair(0xFFFFFF, 0x1C1C1E),
        tertiarySystemGroupedBackground = pair(0xF2F2F7, 0x2C2C2E)
    /// The ground of thin and small things, and of middle ones; seen through.
    public static let systemFill = pair(0x787880, 0x787880, 0.2, 0.36),
        secondarySystemFill = pair(0x787880, 0x787880, 0.16, 0.32)
    /// The ground of large things, and of very large ones; seen through.
    public static let tertiarySystemFill = pair(0x767680, 0x767680, 0.12, 0.24),
        quaternarySystemFill = pair(0x747480, 0x747480, 0.08, 0.18)

    // AppKit's.
    /// The grounds of windows (Adwaita's here), of lists and the like, and of text.
    public static let windowBackgroundColor = UIColor(Paint.windowColor),
        controlBackgroundColor = pair(0xFFFFFF, 0x1E1E1E), textBackgroundColor = pair(0xFFFFFF, 0x1E1E1E)
    /// What lies beside pages, the ground of controls, and the environment's tint.
    public static let underPageBackgroundColor = pair(0x969696, 0x282828, 0.9, 1),
        controlColor = pair(0xFFFFFF, 0xFFFFFF, 1, 0.25), controlAccentColor = UIColor(.accentColor)
    /// Text of the first, second and third importance, as AppKit has it.
    public static let labelColor = pair(0x000000, 0xFFFFFF, 0.85),
        secondaryLabelColor = pair(0x000000, 0xFFFFFF, 0.5, 0.55),
        tertiaryLabelColor = pair(0x000000, 0xFFFFFF, 0.26, 0.25)
    /// Text of the fourth importance, text in fields, and words in empty fields.
    public static let quaternaryLabelColor = pair(0x000000, 0xFFFFFF, 0.1), textColor = pair(0x000000, 0xFFFFFF),
        placeholderTextColor = pair(0x000000, 0xFFFFFF, 0.25)
    /// Lines between things, lines in tables, and links.
    public static let separatorColor = pair(0x000000, 0xFFFFFF, 0.1), gridColor = pair(0xE6E6E6, 0x1A1A1A),
        linkColor = pair(0x0068DA, 0x419CFF)
    /// The ground of what is chosen, in the window with the keyboard and in another.
    public static let selectedContentBackgroundColor = UIColor(.accentColor),
        unemphasizedSelectedContentBackgroundColor = pair(0xDCDCDC, 0x464646)
}

/// AppKit's colours; the same type, as no program here has both.
public typealias NSColor = UIColor

extension Color {
    /// UIKit's or AppKit's colour.
    public init(_ color: UIColor) { self = color.color }
    /// Takes UIKit's colour.
    public init(uiColor: UIColor) { self = uiColor.color }
    /// Takes AppKit's colour.
    public init(nsColor: NSColor) { self = nsColor.color }
}
