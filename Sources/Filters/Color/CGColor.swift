import Foundation

/// A colour of vector layers: sRGB components with alpha, not premultiplied. Core Graphics' type.
///
/// Immutable, safe on any thread. Components are clamped to 0…1; one that is not a number is 0.
public final class CGColor: Sendable, Hashable, CustomStringConvertible {
    package let red: CGFloat, green: CGFloat, blue: CGFloat
    /// 0 is transparent, 1 opaque.
    public let alpha: CGFloat
    private let isGray: Bool

    /// Of sRGB components, not premultiplied; each is clamped to 0…1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = CGColor.clamped(red)
        self.green = CGColor.clamped(green)
        self.blue = CGColor.clamped(blue)
        self.alpha = CGColor.clamped(alpha)
        isGray = false
    }
    /// The same as `init(red:green:blue:alpha:)`: all colours here are sRGB's.
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// - Parameter gray: 0 black, 1 white.
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

    /// Red, green, blue, alpha; of a gray colour gray and alpha.
    public var components: [CGFloat]? { isGray ? [red, alpha] : [red, green, blue, alpha] }
    /// How many `components` there are, alpha among them: 4, of a gray colour 2.
    public var numberOfComponents: Int { isGray ? 2 : 4 }
    /// The same colour with another alpha.
    public func copy(alpha: CGFloat) -> CGColor? {
        isGray ? CGColor(gray: red, alpha: alpha) : CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Equal when they look the same.
    public static func == (a: CGColor, b: CGColor) -> Bool {
        a === b || a.red == b.red && a.green == b.green && a.blue == b.blue && a.alpha == b.alpha
    }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(red)
        hasher.combine(green)
        hasher.combine(blue)
        hasher.combine(alpha)
    }
    /// Its components; for logs.
    public var description: String { "CGColor(red: \(red), green: \(green), blue: \(blue), alpha: \(alpha))" }
}
