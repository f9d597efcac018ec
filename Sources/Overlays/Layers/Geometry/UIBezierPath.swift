import Foundation
import MediaCore

/// AppKit's name for `UIBezierPath`, which also has AppKit's methods.
public typealias NSBezierPath = UIBezierPath

/// An outline with attributes for drawing it. Mirrors UIKit's type of the same name. Coordinates are in points, with y
/// downward.
///
/// A layer uses only `cgPath`. Drawing into images also uses `lineWidth` and `usesEvenOddFillRule`.
///
/// ```swift
/// let path = UIBezierPath(roundedRect: CGRect(x: 0, y: 0, width: 120, height: 40), cornerRadius: 12)
/// layer.path = path.cgPath
/// ```
public final class UIBezierPath: Equatable {
    private var path = CGMutablePath()
    /// The width of lines that `stroke()` draws, in points. A layer uses its own `lineWidth`.
    public var lineWidth: CGFloat = 1
    /// Whether `contains(_:)`, `fill()` and `addClip()` use the even-odd rule. A layer uses its own `fillRule`.
    public var usesEvenOddFillRule = false

    /// Creates an empty path.
    public init() {}
    /// Creates a closed rectangle.
    public init(rect: CGRect) { path.addRect(rect) }
    /// Creates the closed ellipse that fills a rectangle.
    public init(ovalIn rect: CGRect) { path.addEllipse(in: rect) }
    /// Creates a closed rectangle with round corners.
    ///
    /// - Parameter cornerRadius: The radius, limited to half of the shorter side.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        let radius = min(cornerRadius, min(rect.width, rect.height) / 2)
        path.addRoundedRect(in: rect, cornerWidth: radius, cornerHeight: radius)
    }
    /// Creates an arc. Angles are in radians from the right, and increase clockwise, as displayed.
    ///
    /// - Parameter clockwise: Whether the arc runs clockwise, as displayed, which is toward increasing angles.
    public init(arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }
    /// Creates a path with a copy of an outline.
    public init(cgPath: CGPath) { self.cgPath = cgPath }

    /// A copy of the outline. Setting it replaces the outline by a copy.
    public var cgPath: CGPath {
        get { CGPath(data: path.data) }
        set { path = CGMutablePath(data: newValue.data) }
    }
    /// Whether the path has no elements.
    public var isEmpty: Bool { path.isEmpty }
    /// The point where the next element begins; zero in an empty path.
    public var currentPoint: CGPoint { path.currentPoint }
    /// The smallest rectangle around the outline; zero for an empty path.
    public var bounds: CGRect { path.isEmpty ? .zero : path.boundingBoxOfPath }

    /// Begins a subpath at `point`.
    public func move(to point: CGPoint) { path.move(to: point) }
    /// Adds a line from the current point. In an empty path, this begins a subpath at `point` instead.
    public func addLine(to point: CGPoint) { path.addLine(to: point) }
    /// Adds a cubic curve from the current point.
    public func addCurve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addCurve(to: end, control1: controlPoint1, control2: controlPoint2)
    }
    /// Adds a quadratic curve from the current point.
    public func addQuadCurve(to end: CGPoint, controlPoint: CGPoint) {
        path.addQuadCurve(to: end, control: controlPoint)
    }
    /// Adds an arc, and a line from the current point to the start of the arc. Angles are in radians from the right,
    /// and increase clockwise, as displayed.
    ///
    /// - Parameter clockwise: Whether the arc runs clockwise, as displayed, which is toward increasing angles.
    public func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        path.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
    }
    /// Closes the subpath with a line to its start.
    public func close() { path.closeSubpath() }
    /// Adds the subpaths of another path, without its attributes.
    public func append(_ other: UIBezierPath) { path.addPath(other.path) }
    /// Transforms all existing elements.
    public func apply(_ transform: CGAffineTransform) { path = CGMutablePath(data: path.data.applying(transform)) }
    /// Removes all elements. The attributes stay.
    public func removeAllPoints() { path = CGMutablePath() }
    /// Returns whether a point is inside the filled outline, by `usesEvenOddFillRule`. Open subpaths count as closed.
    public func contains(_ point: CGPoint) -> Bool {
        path.contains(point, using: usesEvenOddFillRule ? .evenOdd : .winding)
    }

    public static func == (a: UIBezierPath, b: UIBezierPath) -> Bool {
        a === b || a.path == b.path && a.lineWidth == b.lineWidth && a.usesEvenOddFillRule == b.usesEvenOddFillRule
    }

    // AppKit's names

    /// Creates a closed rectangle with elliptical corners. The radii are limited to half of the sides.
    public convenience init(roundedRect rect: CGRect, xRadius: CGFloat, yRadius: CGFloat) {
        self.init()
        appendRoundedRect(rect, xRadius: xRadius, yRadius: yRadius)
    }
    /// Adds a line, like `addLine(to:)`.
    public func line(to point: CGPoint) { addLine(to: point) }
    /// Adds a cubic curve, like `addCurve(to:controlPoint1:controlPoint2:)`.
    public func curve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        addCurve(to: end, controlPoint1: controlPoint1, controlPoint2: controlPoint2)
    }
    /// Adds a quadratic curve, like `addQuadCurve(to:controlPoint:)`.
    public func curve(to end: CGPoint, controlPoint: CGPoint) { addQuadCurve(to: end, controlPoint: controlPoint) }
    /// Adds a closed rectangle as a subpath.
    public func appendRect(_ rect: CGRect) { path.addRect(rect) }
    /// Adds the closed ellipse that fills a rectangle, as a subpath.
    public func appendOval(in rect: CGRect) { path.addEllipse(in: rect) }
    /// Adds a closed rectangle with elliptical corners as a subpath. The radii are limited to half of the sides.
    public func appendRoundedRect(_ rect: CGRect, xRadius: CGFloat, yRadius: CGFloat) {
        path.addRoundedRect(in: rect, cornerWidth: xRadius, cornerHeight: yRadius)
    }
    /// Adds an arc, and a line from the current point to the start of the arc. Angles are in degrees, as in AppKit.
    ///
    /// - Parameter clockwise: Whether the angle decreases along the arc. With y downward, such an arc is displayed
    ///   counterclockwise.
    public func appendArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool = false
    ) {
        let radiansPerDegree = CGFloat.pi / 180
        path.addArc(
            center: center, radius: radius, startAngle: startAngle * radiansPerDegree,
            endAngle: endAngle * radiansPerDegree,
            clockwise: clockwise)
    }
    /// Transforms all existing elements, like `apply(_:)`, by Foundation's transform type.
    public func transform(using transform: AffineTransform) {
        apply(
            CGAffineTransform(
                a: transform.m11, b: transform.m12, c: transform.m21, d: transform.m22, tx: transform.tX,
                ty: transform.tY))
    }
}
