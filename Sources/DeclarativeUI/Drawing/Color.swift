import Foundation

/// A color in sRGB, or the role of a color. Same API as in SwiftUI.
///
/// ```swift
/// Text("Live")
///     .padding(4)
///     .background(Color(red: 0.8, green: 0, blue: 0.1), in: RoundedRectangle(cornerRadius: 4))
///     .foregroundColor(.white)
/// ```
/// Colors with a role (`.primary`, `.accentColor`, the system colors) differ between light and dark appearance. The
/// color is chosen where it is drawn.
public struct Color: Hashable, Sendable {
    /// The red, green, blue and opacity of a color, each 0…1, not premultiplied.
    struct Components: Hashable, Sendable {
        var red, green, blue, opacity: Double
    }

    enum Kind: Hashable, Sendable {
        case fixed(Components)
        /// A color for each appearance.
        case pair(light: Components, dark: Components)
        /// The color of the environment's `tint`.
        case accent
    }

    var kind: Kind
    /// A factor for the opacity of `kind`.
    var factor: Double = 1

    init(kind: Kind) { self.kind = kind }

    /// The color space of the components in `Color(_:red:green:blue:opacity:)`.
    public enum RGBColorSpace: Hashable, Sendable {
        /// The encoded values of sRGB, which screens receive.
        case sRGB
        /// Linear light with the primaries of sRGB.
        case sRGBLinear
        /// Display P3. Treated as sRGB, because GTK 4.8 shows no wider range.
        case displayP3
    }

    /// Creates a color from red, green, blue and opacity.
    /// - Parameters:
    ///   - space: The space of the components.
    ///   - red: The red component, clamped to 0…1. NaN counts as 0.
    ///   - green: The green component, clamped to 0…1. NaN counts as 0.
    ///   - blue: The blue component, clamped to 0…1. NaN counts as 0.
    ///   - opacity: The opacity, clamped to 0…1. NaN counts as 0.
    public init(_ space: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1) {
        let encode: (Double) -> Double = { value in
            guard space == .sRGBLinear else { return value }
            return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        }
        kind = .fixed(
            Components(
                red: Color.clamped(encode(red)), green: Color.clamped(encode(green)),
                blue: Color.clamped(encode(blue)), opacity: Color.clamped(opacity)))
    }

    /// Creates a gray.
    /// - Parameters:
    ///   - space: The space of `white`.
    ///   - white: The brightness, clamped to 0…1.
    ///   - opacity: The opacity, clamped to 0…1.
    public init(_ space: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(space, red: white, green: white, blue: white, opacity: opacity)
    }

    /// Creates a color from hue, saturation and brightness.
    /// - Parameters:
    ///   - hue: The hue, clamped to 0…1. Both 0 and 1 are red.
    ///   - saturation: The saturation, clamped to 0…1.
    ///   - brightness: The brightness, clamped to 0…1.
    ///   - opacity: The opacity, clamped to 0…1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        let s = Color.clamped(saturation)
        let v = Color.clamped(brightness)
        let sector = Color.clamped(hue) * 6
        let channel: (Double) -> Double = { n in
            let k = (n + sector).truncatingRemainder(dividingBy: 6)
            return v - v * s * max(0, min(k, 4 - k, 1))
        }
        self.init(red: channel(5), green: channel(3), blue: channel(1), opacity: opacity)
    }

    static func clamped(_ value: Double) -> Double { value.isNaN ? 0 : min(1, max(0, value)) }

    /// Returns the color with its opacity multiplied by `opacity`, clamped to 0…1.
    public func opacity(_ opacity: Double) -> Color {
        var copy = self
        copy.factor *= Color.clamped(opacity)
        return copy
    }

    /// This color without transparency.
    var opaque: Color {
        func opaque(_ components: Components) -> Components {
            Components(red: components.red, green: components.green, blue: components.blue, opacity: 1)
        }
        return switch kind {
        case .fixed(let components): Color(kind: .fixed(opaque(components)))
        case .pair(let light, let dark): Color(kind: .pair(light: opaque(light), dark: opaque(dark)))
        case .accent: Color(kind: .accent)
        }
    }

    fileprivate init(light: UInt32, dark: UInt32) {
        let split: (UInt32) -> Components = {
            Components(
                red: Double($0 >> 16 & 255) / 255, green: Double($0 >> 8 & 255) / 255, blue: Double($0 & 255) / 255,
                opacity: 1)
        }
        kind = .pair(light: split(light), dark: split(dark))
    }

    /// The color of text on the window's background.
    public static let primary = Color(
        kind: .pair(
            light: Components(red: 0, green: 0, blue: 0, opacity: 1),
            dark: Components(red: 1, green: 1, blue: 1, opacity: 1)))
    /// The color of less important text.
    public static let secondary = Color(
        kind: .pair(
            light: Components(red: 0, green: 0, blue: 0, opacity: 0.5),
            dark: Components(red: 1, green: 1, blue: 1, opacity: 0.55)))
    /// The color of controls: that of `tint(_:)`, or else the color set “AccentColor” of the app's asset catalog, or
    /// else the theme's accent color. Without a display, the theme's is blue.
    ///
    /// As in Xcode, only the catalog of the app's own target counts, and a color set without a color has no effect.
    public static let accentColor = Color(kind: .accent)

    /// Returns the components for an appearance.
    /// - Parameter accent: The color that `.accentColor` means. Nil means that of the app or the theme.
    func resolved(dark: Bool, accent: Color?) -> Components {
        var result: Components
        switch kind {
        case .fixed(let fixed): result = fixed
        case .pair(let light, let darkOne): result = dark ? darkOne : light
        case .accent:
            // If the tint is `.accentColor` itself, the accent color of the app or the theme is used.
            if let named = accent.flatMap({ $0.kind == .accent ? nil : $0 }) {
                result = named.resolved(dark: dark, accent: nil)
            } else {
                result = Accent.color.resolved(dark: dark, accent: nil)
            }
        }
        result.opacity *= factor
        return result
    }
}

/// The named colors, each created once.
private enum NamedColor {
    static let clear = Color(red: 0, green: 0, blue: 0, opacity: 0)
    static let black = Color(white: 0)
    static let white = Color(white: 1)
    // The system colors of Apple's Human Interface Guidelines, for light and dark appearance.
    static let red = Color(light: 0xFF3B30, dark: 0xFF453A)
    static let orange = Color(light: 0xFF9500, dark: 0xFF9F0A)
    static let yellow = Color(light: 0xFFCC00, dark: 0xFFD60A)
    static let green = Color(light: 0x34C759, dark: 0x30D158)
    static let mint = Color(light: 0x00C7BE, dark: 0x63E6E2)
    static let teal = Color(light: 0x30B0C7, dark: 0x40C8E0)
    static let cyan = Color(light: 0x32ADE6, dark: 0x64D2FF)
    static let blue = Color(light: 0x007AFF, dark: 0x0A84FF)
    static let indigo = Color(light: 0x5856D6, dark: 0x5E5CE6)
    static let purple = Color(light: 0xAF52DE, dark: 0xBF5AF2)
    static let pink = Color(light: 0xFF2D55, dark: 0xFF375F)
    static let brown = Color(light: 0xA2845E, dark: 0xAC8E68)
    static let gray = Color(light: 0x8E8E93, dark: 0x8E8E93)
}

/// The named colors. `Color` does not declare them again, because both `Color.red` and `.red` find these declarations.
///
/// If each name had two declarations, the compiler would try both for every color in a body that has an error.
extension ShapeStyle where Self == Color {
    /// A transparent color: black with an opacity of 0.
    public static var clear: Color { NamedColor.clear }
    /// Black in both appearances.
    public static var black: Color { NamedColor.black }
    /// White in both appearances.
    public static var white: Color { NamedColor.white }
    /// Apple's system red, with its own shade in dark appearance.
    public static var red: Color { NamedColor.red }
    /// Apple's system orange, with its own shade in dark appearance.
    public static var orange: Color { NamedColor.orange }
    /// Apple's system yellow, with its own shade in dark appearance.
    public static var yellow: Color { NamedColor.yellow }
    /// Apple's system green, with its own shade in dark appearance.
    public static var green: Color { NamedColor.green }
    /// Apple's system mint, with its own shade in dark appearance.
    public static var mint: Color { NamedColor.mint }
    /// Apple's system teal, with its own shade in dark appearance.
    public static var teal: Color { NamedColor.teal }
    /// Apple's system cyan, with its own shade in dark appearance.
    public static var cyan: Color { NamedColor.cyan }
    /// Apple's system blue, with its own shade in dark appearance.
    public static var blue: Color { NamedColor.blue }
    /// Apple's system indigo, with its own shade in dark appearance.
    public static var indigo: Color { NamedColor.indigo }
    /// Apple's system purple, with its own shade in dark appearance.
    public static var purple: Color { NamedColor.purple }
    /// Apple's system pink, with its own shade in dark appearance.
    public static var pink: Color { NamedColor.pink }
    /// Apple's system brown, with its own shade in dark appearance.
    public static var brown: Color { NamedColor.brown }
    /// Apple's system gray, the same in both appearances.
    public static var gray: Color { NamedColor.gray }
}
