import Foundation
import MediaCore

/// A list of numbers, such as a point, an offset, a rectangle or coefficients. Mirrors Core Image's type of the same
/// name.
///
/// A vector is immutable and safe on any thread.
///
/// ```swift
/// let zoomBlur = CIFilter(name: "CIZoomBlur")
/// zoomBlur?.setValue(CIVector(x: 960, y: 540), forKey: kCIInputCenterKey)
/// ```
public final class CIVector: Sendable, Hashable {
    let values: [CGFloat]

    /// Creates a vector of any number of values, or of none.
    public init(values: [CGFloat]) { self.values = values }
    /// Creates a vector of one number.
    public convenience init(x: CGFloat) { self.init(values: [x]) }
    /// Creates a vector of two numbers, such as a point or an offset.
    public convenience init(x: CGFloat, y: CGFloat) { self.init(values: [x, y]) }
    /// Creates a vector of three numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) { self.init(values: [x, y, z]) }
    /// Creates a vector of four numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) { self.init(values: [x, y, z, w]) }
    /// Creates a vector of a point's x and y.
    public convenience init(cgPoint point: CGPoint) { self.init(values: [point.x, point.y]) }
    /// Creates a vector of a rectangle's x, y, width and height.
    public convenience init(cgRect rect: CGRect) {
        self.init(values: [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
    }
    /// Creates a vector of a transform's a, b, c, d, tx and ty.
    public convenience init(cgAffineTransform t: CGAffineTransform) {
        self.init(values: [t.a, t.b, t.c, t.d, t.tx, t.ty])
    }
    /// Creates a vector from a text such as `"[0.1 0.2]"`. The first part that is not a number ends the vector.
    public convenience init(string: String) {
        let parts = string.split { $0.isWhitespace || ",[]".contains($0) }
        self.init(values: parts.map { Double($0).map { CGFloat($0) } }.prefix { $0 != nil }.compactMap { $0 })
    }

    /// The number of values.
    public var count: Int { values.count }
    /// Returns the value at `index`, or 0 if there is none.
    public func value(at index: Int) -> CGFloat { values.indices.contains(index) ? values[index] : 0 }
    /// The first number, or 0 if there is none.
    public var x: CGFloat { value(at: 0) }
    /// The second number, or 0 if there is none.
    public var y: CGFloat { value(at: 1) }
    /// The third number, or 0 if there is none.
    public var z: CGFloat { value(at: 2) }
    /// The fourth number, or 0 if there is none.
    public var w: CGFloat { value(at: 3) }
    /// The first two numbers as x and y. Missing numbers are 0.
    public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
    /// The first four numbers as x, y, width and height. Missing numbers are 0.
    public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }
    /// The first six numbers as a, b, c, d, tx and ty. Missing numbers are 0.
    public var cgAffineTransformValue: CGAffineTransform {
        CGAffineTransform(a: x, b: y, c: z, d: w, tx: value(at: 4), ty: value(at: 5))
    }
    /// The numbers in brackets, separated by spaces. `init(string:)` reads this text.
    public var stringRepresentation: String { "[" + values.map { "\($0)" }.joined(separator: " ") + "]" }

    public static func == (a: CIVector, b: CIVector) -> Bool { a.values == b.values }
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension CIVector: CustomStringConvertible {
    /// The `stringRepresentation`, for logs.
    public var description: String { stringRepresentation }
}
