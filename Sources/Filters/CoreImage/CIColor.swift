import Foundation

/// A color in sRGB's encoding, not premultiplied. Mirrors Core Image's type of the same name.
///
/// Components are usually 0…1, but other values are allowed. A color is immutable and safe on any thread.
///
/// ```swift
/// let monochrome = CIFilter.colorMonochrome()
/// monochrome.color = CIColor(red: 0.2, green: 0.4, blue: 1)
/// ```
public final class CIColor: Sendable, Hashable {
    /// A component in sRGB's encoding, not premultiplied. Usually 0…1; other values are kept.
    public let red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat

    /// Creates a color from components in sRGB's encoding, not premultiplied. Components are not clamped.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
    /// Creates a color with the components and the alpha of `color`.
    public convenience init(cgColor color: CGColor) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }
    /// Creates the same color as `init(cgColor:)`. If the module of `UIColor` is imported, the initializer for
    /// `UIColor` takes precedence.
    @_disfavoredOverload public convenience init(color: CGColor) { self.init(cgColor: color) }
    /// Creates a color from a text such as `"0.5 0.7 0.3 1.0"`: red, green, blue and, optionally, alpha.
    ///
    /// A component that is missing or not a number is 0. A missing alpha is 1.
    public convenience init(string: String) {
        let numbers = string.split { " ,\t".contains($0) }.map { Double($0) ?? 0 }
        func number(_ index: Int) -> CGFloat { index < numbers.count ? CGFloat(numbers[index]) : index == 3 ? 1 : 0 }
        self.init(red: number(0), green: number(1), blue: number(2), alpha: number(3))
    }

    /// The number of components. Always 4, for a gray color as well: red, green, blue and alpha.
    public var numberOfComponents: Int { 4 }
    /// The components red, green, blue and alpha, separated by spaces. `init(string:)` reads this text.
    public var stringRepresentation: String { "\(red) \(green) \(blue) \(alpha)" }

    /// Opaque black: (0, 0, 0, 1).
    public static let black = CIColor(red: 0, green: 0, blue: 0)
    /// Opaque white: (1, 1, 1, 1).
    public static let white = CIColor(red: 1, green: 1, blue: 1)
    /// Opaque gray, half of the encoded range: (0.5, 0.5, 0.5, 1).
    public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
    /// Opaque red: (1, 0, 0, 1).
    public static let red = CIColor(red: 1, green: 0, blue: 0)
    /// Opaque green: (0, 1, 0, 1).
    public static let green = CIColor(red: 0, green: 1, blue: 0)
    /// Opaque blue: (0, 0, 1, 1).
    public static let blue = CIColor(red: 0, green: 0, blue: 1)
    /// Opaque cyan: (0, 1, 1, 1).
    public static let cyan = CIColor(red: 0, green: 1, blue: 1)
    /// Opaque magenta: (1, 0, 1, 1).
    public static let magenta = CIColor(red: 1, green: 0, blue: 1)
    /// Opaque yellow: (1, 1, 0, 1).
    public static let yellow = CIColor(red: 1, green: 1, blue: 0)
    /// Transparent black: (0, 0, 0, 0).
    public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)

    public static func == (a: CIColor, b: CIColor) -> Bool { a.simd == b.simd }
    public func hash(into hasher: inout Hasher) { hasher.combine(simd) }

    convenience init(_ c: SIMD4<Float>) {
        self.init(red: CGFloat(c.x), green: CGFloat(c.y), blue: CGFloat(c.z), alpha: CGFloat(c.w))
    }
    var simd: SIMD4<Float> { [Float(red), Float(green), Float(blue), Float(alpha)] }
}

extension CIColor: CustomStringConvertible {
    /// The `stringRepresentation` in parentheses, for logs.
    public var description: String { "(\(stringRepresentation))" }
}
