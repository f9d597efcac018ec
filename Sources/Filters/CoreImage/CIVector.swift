import Foundation
import MediaCore

/// A few numbers: a point, an offset, a rectangle, coefficients. Core Image's type; immutable, safe on any thread.
public final class CIVector: Sendable, Hashable {
    let values: [CGFloat]

    /// As many numbers as are given, copied; there may be none.
    public init(values: [CGFloat]) { self.values = values }
    /// One number.
    public convenience init(x: CGFloat) { self.init(values: [x]) }
    /// Two numbers: a point or an offset.
    public convenience init(x: CGFloat, y: CGFloat) { self.init(values: [x, y]) }
    /// Three numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) { self.init(values: [x, y, z]) }
    /// Four numbers.
    public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) { self.init(values: [x, y, z, w]) }
    /// x, y.
    public convenience init(cgPoint point: CGPoint) { self.init(values: [point.x, point.y]) }
    /// x, y, width, height.
    public convenience init(cgRect rect: CGRect) {
        self.init(values: [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height])
    }
    /// a, b, c, d, tx, ty.
    public convenience init(cgAffineTransform t: CGAffineTransform) {
        self.init(values: [t.a, t.b, t.c, t.d, t.tx, t.ty])
    }
    /// `"[0.1 0.2]"`; what is no number ends it.
    public convenience init(string: String) {
        let parts = string.split { " ,[]\t\n".contains($0) }
        self.init(values: parts.map { Double($0).map { CGFloat($0) } }.prefix { $0 != nil }.compactMap { $0 })
    }

    /// How many numbers it has.
    public var count: Int { values.count }
    /// 0 beyond its numbers.
    public func value(at index: Int) -> CGFloat { values.indices.contains(index) ? values[index] : 0 }
    /// The first number; 0 without one.
    public var x: CGFloat { value(at: 0) }
    /// The second number; 0 without one.
    public var y: CGFloat { value(at: 1) }
    /// The third number; 0 without one.
    public var z: CGFloat { value(at: 2) }
    /// The fourth number; 0 without one.
    public var w: CGFloat { value(at: 3) }
    /// The first two numbers as x and y; missing ones are 0.
    public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
    /// The first four numbers as x, y, width and height; missing ones are 0.
    public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }
    /// The first six numbers as a, b, c, d, tx and ty; missing ones are 0.
    public var cgAffineTransformValue: CGAffineTransform {
        CGAffineTransform(a: x, b: y, c: z, d: w, tx: value(at: 4), ty: value(at: 5))
    }
    /// Its numbers with blanks between, in brackets; `init(string:)` reads it.
    public var stringRepresentation: String { "[" + values.map { "\($0)" }.joined(separator: " ") + "]" }

    public static func == (a: CIVector, b: CIVector) -> Bool { a.values == b.values }
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension CIVector: CustomStringConvertible {
    /// `stringRepresentation`; for logs.
    public var description: String { stringRepresentation }
}
