import Foundation
import MediaCore

/// The size that a container proposes to a view: nil is "what you like best", infinite "as much as you like". SwiftUI's
/// type.
public struct ProposedViewSize: Hashable, Sendable {
    /// Points; nil is what the view likes best.
    public var width: CGFloat?
    /// Points; nil is what the view likes best.
    public var height: CGFloat?
    /// Proposes a width and a height, points; nil is what the view likes best.
    public init(width: CGFloat?, height: CGFloat?) {
        self.width = width
        self.height = height
    }
    /// Proposes exactly a size, points.
    public init(_ size: CGSize) { self.init(width: size.width, height: size.height) }
    /// Asks for the least size.
    public static let zero = ProposedViewSize(width: 0, height: 0)
    /// Asks for the size that the view likes best.
    public static let unspecified = ProposedViewSize(width: nil, height: nil)
    /// Asks for the greatest size.
    public static let infinity = ProposedViewSize(width: .infinity, height: .infinity)
    /// The size proposed, with `size` where nothing is; 10 × 10 points if not said.
    public func replacingUnspecifiedDimensions(by size: CGSize = CGSize(width: 10, height: 10)) -> CGSize {
        CGSize(width: width ?? size.width, height: height ?? size.height)
    }
}

/// Across, or up and down. SwiftUI's type.
@frozen public enum Axis: Int8, CaseIterable, Sendable {
    /// Across; up and down.
    case horizontal, vertical
    /// None, one or both of the axes.
    public struct Set: OptionSet, Sendable {
        /// One bit an axis: 1 is horizontal, 2 vertical.
        public let rawValue: Int8
        /// Makes a set of raw bits; bits other than 1 and 2 mean nothing.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Across alone.
        public static let horizontal = Set(rawValue: 1)
        /// Up and down alone.
        public static let vertical = Set(rawValue: 2)
    }
}

/// An edge of a rectangle. SwiftUI's type; which one is leading is the layout direction's affair.
@frozen public enum Edge: Int8, CaseIterable, Sendable {
    /// In this order, from 0.
    case top, leading, bottom, trailing
    /// Some of the edges.
    public struct Set: OptionSet, Sendable {
        /// One bit an edge: 1 is top, 2 leading, 4 bottom, 8 trailing.
        public let rawValue: Int8
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Makes a set of one edge.
        public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }
        /// One edge alone.
        public static let top = Set(.top), leading = Set(.leading), bottom = Set(.bottom), trailing = Set(.trailing)
        /// Both edges at the sides; both above and below.
        public static let horizontal: Set = [.leading, .trailing], vertical: Set = [.top, .bottom]
        /// All four edges.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
    }
}

/// Distances from a rectangle's edges inwards, points.
public struct EdgeInsets: Hashable, Sendable {
    /// Points from each edge; negative goes outwards.
    public var top, leading, bottom, trailing: CGFloat
    /// Makes distances in points; what is not said is 0.
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

/// A point in a rectangle of size 1 × 1.
public struct UnitPoint: Hashable, Sendable {
    /// From the leading edge (0) to the trailing one (1), and from the top (0) to the bottom (1); values outside lie
    /// outside.
    public var x, y: CGFloat
    /// Makes a point; by default the corner at top and leading edge.
    public init(x: CGFloat = 0, y: CGFloat = 0) {
        self.x = x
        self.y = y
    }
    /// The corner at top and leading edge; the middle.
    public static let zero = UnitPoint(), center = UnitPoint(x: 0.5, y: 0.5)
    /// The middles of the leading and of the trailing edge.
    public static let leading = UnitPoint(x: 0, y: 0.5), trailing = UnitPoint(x: 1, y: 0.5)
    /// The middles of the upper and of the lower edge.
    public static let top = UnitPoint(x: 0.5, y: 0), bottom = UnitPoint(x: 0.5, y: 1)
    /// The upper corners.
    public static let topLeading = UnitPoint(x: 0, y: 0), topTrailing = UnitPoint(x: 1, y: 0)
    /// The lower corners.
    public static let bottomLeading = UnitPoint(x: 0, y: 1), bottomTrailing = UnitPoint(x: 1, y: 1)
}

/// How far something is turned; more than 0 is clockwise. SwiftUI's type.
public struct Angle: Hashable, Comparable, Sendable, VectorArithmetic {
    /// In radians; a whole turn is 2π.
    public var radians: Double
    /// In degrees; a whole turn is 360.
    public var degrees: Double {
        get { radians * 180 / .pi }
        set { radians = newValue * .pi / 180 }
    }
    /// Makes an angle of radians.
    public init(radians: Double = 0) { self.radians = radians }
    /// Makes an angle of degrees.
    public init(degrees: Double) { radians = degrees * .pi / 180 }
    /// An angle of degrees.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
    /// An angle of radians.
    public static func radians(_ radians: Double) -> Angle { Angle(radians: radians) }
    /// Not turned at all.
    public static let zero = Angle()
    public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }
    /// Both turns one after the other.
    public static func + (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians + b.radians) }
    /// The turn that leads from `b` to `a`.
    public static func - (a: Angle, b: Angle) -> Angle { Angle(radians: a.radians - b.radians) }
    /// Multiplies the angle by `rhs`.
    public mutating func scale(by rhs: Double) { radians *= rhs }
    /// The square of the radians.
    public var magnitudeSquared: Double { radians * radians }
}

extension CGAffineTransform {
    /// The same, leaving a point of `rect` where it is.
    package func around(_ anchor: UnitPoint, _ rect: CGRect) -> CGAffineTransform {
        let x = rect.minX + rect.width * anchor.x
        let y = rect.minY + rect.height * anchor.y
        return concatenating(CGAffineTransform(translationX: x, y: y)).translatedBy(x: -x, y: -y)
    }
}
