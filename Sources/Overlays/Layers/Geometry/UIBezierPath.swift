import Foundation
import MediaCore

/// AppKit's name for it; its spellings stand below.
public typealias NSBezierPath = UIBezierPath

/// An outline with the manner in which it is meant to be drawn. UIKit's type. Points, y downwards.
///
/// A layer takes its `cgPath` only; `lineWidth` and `usesEvenOddFillRule` are carried for who draws it otherwise.
public final class UIBezierPath: Equatable {
    private var path = CGMutablePath()
    /// Points; carried, not drawn with: a layer has its own `lineWidth`.
    public var lineWidth: CGFloat = 1
    /// How `contains(_:)` counts where the path crosses itself; a layer has its own `fillRule`.
    public var usesEvenOddFillRule = false

    /// An empty one.
    public init() {}
    /// A closed rectangle.
    public init(rect: CGRect) { path.addRect(rect) }
    /// The closed ellipse that fills a rectangle.
    public init(ovalIn rect: CGRect) { path.addEllipse(in: rect) }
    /// - Parameter cornerRadius: at most half the shorter side.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        let radius = min(cornerRadius, min(rect.width, rect.height) / 2)
        path.addRoundedRect(in: rect, cornerWidth: radius, cornerHeight: radius)
    }
    /// Angles in radians from the right; `clockwise` as seen, towards growing angles.
    public init(arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }
    /// A copy of an outline.
    public init(cgPath: CGPath) { self.cgPath = cgPath }

    /// A copy of the outline.
    public var cgPath: CGPath {
        get { CGPath(data: path.data) }
        set { path = CGMutablePath(data: newValue.data) }
    }
    /// It has no element.
    public var isEmpty: Bool { path.isEmpty }
    /// Where the next element begins; zero in an empty path.
    public var currentPoint: CGPoint { path.currentPoint }
    /// Around the outline; zero when empty.
    public var bounds: CGRect { path.isEmpty ? .zero : path.boundingBoxOfPath }

    /// Begins a part at a point, with nothing drawn to it.
    public func move(to point: CGPoint) { path.move(to: point) }
    /// A line from the current point; without one the path begins there.
    public func addLine(to point: CGPoint) { path.addLine(to: point) }
    /// A cubic curve from the current point.
    public func addCurve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addCurve(to: end, control1: controlPoint1, control2: controlPoint2)
    }
    /// A quadratic curve from the current point.
    public func addQuadCurve(to end: CGPoint, controlPoint: CGPoint) {
        path.addQuadCurve(to: end, control: controlPoint)
    }
    /// A part of a circle, joined by a line to what is there. Angles in radians from the right; `clockwise` as seen,
    /// towards growing angles.
    public func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        path.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
    }
    /// A line back to where the part began, joined there.
    public func close() { path.closeSubpath() }
    /// Adds the parts of another path; its manner of drawing is not taken over.
    public func append(_ other: UIBezierPath) { path.addPath(other.path) }
    /// Transforms what is there, at once.
    public func apply(_ transform: CGAffineTransform) { path = CGMutablePath(data: path.data.applying(transform)) }
    /// Empties the outline; the manner of drawing stays.
    public func removeAllPoints() { path = CGMutablePath() }
    /// Whether a point lies within the filled outline, by `usesEvenOddFillRule`; open parts count as closed.
    public func contains(_ point: CGPoint) -> Bool {
        path.contains(point, using: usesEvenOddFillRule ? .evenOdd : .winding)
    }

    public static func == (a: UIBezierPath, b: UIBezierPath) -> Bool {
        a === b || a.path == b.path && a.lineWidth == b.lineWidth && a.usesEvenOddFillRule == b.usesEvenOddFillRule
    }

    // AppKit's spellings.

    /// A closed rectangle with elliptical corners; radii larger than half the sides are cut to them.
    public convenience init(roundedRect rect: CGRect, xRadius: CGFloat, yRadius: CGFloat) {
        self.init()
        appendRoundedRect(rect, xRadius: xRadius, yRadius: yRadius)
    }
    /// The same as `addLine(to:)`.
    public func line(to point: CGPoint) { addLine(to: point) }
    /// The same as `addCurve(to:controlPoint1:controlPoint2:)`.
    public func curve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        addCurve(to: end, controlPoint1: controlPoint1, controlPoint2: controlPoint2)
    }
    /// The same as `addQuadCurve(to:controlPoint:)`.
    public func curve(to end: CGPoint, controlPoint: CGPoint) { addQuadCurve(to: end, controlPoint: controlPoint) }
    /// A closed rectangle as a part of its own.
    public func appendRect(_ rect: CGRect) { path.addRect(rect) }
    /// The closed ellipse that fills a rectangle, as a part of its own.
    public func appendOval(in rect: CGRect) { path.addEllipse(in: rect) }
    /// A closed rectangle with elliptical corners as a part of its own; radii larger than half the sides are cut to
    /// them.
    public func appendRoundedRect(_ rect: CGRect, xRadius: CGFloat, yRadius: CGFloat) {
        path.addRoundedRect(in: rect, cornerWidth: xRadius, cornerHeight: yRadius)
    }
    /// Angles in degrees, as AppKit has them; `clockwise` towards falling angles.
    public func appendArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool = false
    ) {
        let turn = CGFloat.pi / 180
        path.addArc(
            center: center, radius: radius, startAngle: startAngle * turn, endAngle: endAngle * turn,
            clockwise: clockwise)
    }
    /// The same as `apply(_:)`, by Foundation's transform.
    public func transform(using transform: AffineTransform) {
        apply(
            CGAffineTransform(
                a: transform.m11, b: transform.m12, c: transform.m21, d: transform.m22, tx: transform.tX,
                ty: transform.tY))
    }
}
