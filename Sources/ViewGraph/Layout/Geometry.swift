import Foundation
import MediaCore

/// The size that a container proposes to a view. Mirrors SwiftUI's type.
///
/// A nil side requests the ideal length, an infinite side the maximum length.
public struct ProposedViewSize: Hashable, Sendable {
    /// The proposed width in points. Nil requests the ideal width.
    public var width: CGFloat?
    /// The proposed height in points. Nil requests the ideal height.
    public var height: CGFloat?
    /// Creates a proposal from a width and a height in points. Nil requests the ideal length.
    public init(width: CGFloat?, height: CGFloat?) {
        self.width = width
        self.height = height
    }
    /// Creates a proposal of exactly one size, in points.
    public init(_ size: CGSize) { self.init(width: size.width, height: size.height) }
    /// A proposal that requests the minimum size.
    public static let zero = ProposedViewSize(width: 0, height: 0)
    /// A proposal that requests the ideal size.
    public static let unspecified = ProposedViewSize(width: nil, height: nil)
    /// A proposal that requests the maximum size.
    public static let infinity = ProposedViewSize(width: .infinity, height: .infinity)
    /// Returns the proposed size, with the sides of `size` in place of nil sides.
    public func replacingUnspecifiedDimensions(by size: CGSize = CGSize(width: 10, height: 10)) -> CGSize {
        CGSize(width: width ?? size.width, height: height ?? size.height)
    }
}

/// A horizontal or vertical direction. Mirrors SwiftUI's type.
@frozen public enum Axis: Int8, CaseIterable, Sendable {
    /// The horizontal and the vertical direction.
    case horizontal, vertical
    /// A set of axes.
    public struct Set: OptionSet, Sendable {
        /// The bits of the set: 1 is horizontal, 2 is vertical.
        public let rawValue: Int8
        /// Creates a set from raw bits. Bits other than 1 and 2 have no effect.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// The horizontal axis.
        public static let horizontal = Set(rawValue: 1)
        /// The vertical axis.
        public static let vertical = Set(rawValue: 2)
    }
}

/// An edge of a rectangle. The layout direction determines which side is leading. Mirrors SwiftUI's type.
@frozen public enum Edge: Int8, CaseIterable, Sendable {
    /// The four edges. Their raw values count from 0, in this order.
    case top, leading, bottom, trailing
    /// A set of edges.
    public struct Set: OptionSet, Sendable {
        /// The bits of the set: 1 is top, 2 is leading, 4 is bottom, 8 is trailing.
        public let rawValue: Int8
        /// Creates a set from raw bits. Unknown bits have no effect.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Creates a set of one edge.
        public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }
        /// The sets of a single edge.
        public static let top = Set(.top), leading = Set(.leading), bottom = Set(.bottom), trailing = Set(.trailing)
        /// The sets of the leading and trailing edges, and of the top and bottom edges.
        public static let horizontal: Set = [.leading, .trailing], vertical: Set = [.top, .bottom]
        /// The set of all four edges.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
    }
}

/// The distances from the edges of a rectangle inward. Mirrors SwiftUI's type.
public struct EdgeInsets: Hashable, Sendable {
    /// The distances in points. Negative values extend outward.
    public var top, leading, bottom, trailing: CGFloat
    /// Creates insets from distances in points.
    public init(top: CGFloat = 0, leading: CGFloat = 0, bottom: CGFloat = 0, trailing: CGFloat = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
    init(_ edges: Edge.Set, _ length: CGFloat) {
        self.init(
            top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
            bottom: edges.contains(.bottom) ? length : 0, trailing: edges.contains(.trailing) ? length : 0)
    }
    package var horizontal: CGFloat { leading + trailing }
    package var vertical: CGFloat { top + bottom }
}

/// A point relative to the size of a rectangle. Mirrors SwiftUI's type.
public struct UnitPoint: Hashable, Sendable {
    /// The position, from the leading edge (0) to the trailing edge (1) and from the top (0) to the bottom (1).
    ///
    /// Values outside of 0…1 are outside of the rectangle. Effects, shapes, gradients and transitions do not mirror
    /// their points: there, an `x` of 0 is the left edge also in a right-to-left layout.
    public var x, y: CGFloat
    /// Creates a point. The default is the corner of the top and the leading edge.
    public init(x: CGFloat = 0, y: CGFloat = 0) {
        self.x = x
        self.y = y
    }
    /// The corner of the top and the leading edge, and the center.
    public static let zero = UnitPoint(), center = UnitPoint(x: 0.5, y: 0.5)
    /// The centers of the leading and the trailing edge.
    public static let leading = UnitPoint(x: 0, y: 0.5), trailing = UnitPoint(x: 1, y: 0.5)
    /// The centers of the top and the bottom edge.
    public static let top = UnitPoint(x: 0.5, y: 0), bottom = UnitPoint(x: 0.5, y: 1)
    /// The corners at the top edge.
    public static let topLeading = UnitPoint(x: 0, y: 0), topTrailing = UnitPoint(x: 1, y: 0)
    /// The corners at the bottom edge.
    public static let bottomLeading = UnitPoint(x: 0, y: 1), bottomTrailing = UnitPoint(x: 1, y: 1)
}

/// An angle. Positive values are clockwise. Mirrors SwiftUI's type.
public struct Angle: Hashable, Comparable, Sendable, VectorArithmetic {
    /// The angle in radians. A full turn is 2π.
    public var radians: Double
    /// The angle in degrees. A full turn is 360.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }
    /// Creates an angle from radians.
    public init(radians: Double = 0) { self.radians = radians }
    /// Creates an angle from degrees.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// Returns an angle from degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    /// Returns an angle from radians.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// An angle of 0.
    public static let zero = Angle()
    public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }
    /// Adds two angles.
    public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }
    /// Subtracts `b` from `a`.
    public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }
    /// Multiplies the angle by `rhs`.
    public mutating func scale(by rhs: Double) { radians *= rhs }
    /// The square of the angle in radians.
    public var magnitudeSquared: Double { radians * radians }
}

extension CGAffineTransform {
    /// Returns the transform applied around a point of `rect`, which stays in place.
    package func around(_ anchor: UnitPoint, _ rect: CGRect) -> CGAffineTransform {
        let x = rect.minX + rect.width * anchor.x
        let y = rect.minY + rect.height * anchor.y
        return concatenating(CGAffineTransform(translationX: x, y: y)).translatedBy(x: -x, y: -y)
    }
}
