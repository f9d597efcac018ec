import Foundation

/// A color of vector layers, as sRGB components with alpha, not premultiplied. Mirrors Core Graphics' type of the same
/// name.
///
/// A color is immutable and safe on any thread. Components are clamped to 0…1. A component that is not a number becomes
/// 0.
///
/// ```swift
/// layer.backgroundColor = CGColor(red: 0, green: 0, blue: 0, alpha: 0.6)
/// ```
public final class CGColor: Sendable, Hashable, CustomStringConvertible {
    package let red: CGFloat, green: CGFloat, blue: CGFloat
    /// The opacity: 0 is transparent, 1 is opaque.
    public let alpha: CGFloat
    private let isGray: Bool

    /// Creates a color from sRGB components that are not premultiplied. Each component is clamped to 0…1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = CGColor.clamped(red)
        self.green = CGColor.clamped(green)
        self.blue = CGColor.clamped(blue)
        self.alpha = CGColor.clamped(alpha)
        isGray = false
    }
    /// Creates the same color as `init(red:green:blue:alpha:)`, because all colors are sRGB colors.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// Creates a gray color.
    /// - Parameters:
    ///   - gray: The brightness: 0 is black, 1 is white. Clamped to 0…1.
    ///   - alpha: The opacity, clamped to 0…1.
    public init(gray: CGFloat, alpha: CGFloat) {
        red = CGColor.clamped(gray)
        green = red
        blue = red
        self.alpha = CGColor.clamped(alpha)
        isGray = true
    }
    private static func clamped(_ value: CGFloat) -> CGFloat { value.isNaN ? 0 : min(max(value, 0), 1) }

    /// Opaque black.
    public static let black = CGColor(gray: 0, alpha: 1)
    /// Opaque white.
    public static let white = CGColor(gray: 1, alpha: 1)
    /// Transparent black.
    public static let clear = CGColor(gray: 0, alpha: 0)

    /// The components red, green, blue and alpha, or gray and alpha of a gray color. Never nil.
    public var components: [CGFloat]? { isGray ? [red, alpha] : [red, green, blue, alpha] }
    /// The number of `components`, including alpha: 4, or 2 for a gray color.
    public var numberOfComponents: Int { isGray ? 2 : 4 }
    /// Returns the color with another alpha, clamped to 0…1. Never returns nil.
    public func copy(alpha: CGFloat) -> CGColor? {
        isGray ? CGColor(gray: red, alpha: alpha) : CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Returns whether two colors have equal red, green, blue and alpha. The initializers that created them do not
    /// matter.
    public static func == (a: CGColor, b: CGColor) -> Bool {
        a === b || a.red == b.red && a.green == b.green && a.blue == b.blue && a.alpha == b.alpha
    }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(red)
        hasher.combine(green)
        hasher.combine(blue)
        hasher.combine(alpha)
    }
    /// The components, for logs.
    public var description: String { "CGColor(red: \(red), green: \(green), blue: \(blue), alpha: \(alpha))" }
}
