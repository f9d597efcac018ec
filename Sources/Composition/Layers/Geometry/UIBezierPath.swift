import Foundation
import MediaCore

/// AppKit's name for it; its spellings stand below.
public typealias NSBezierPath = UIBezierPath

/// An outline with the manner in which it is meant to be drawn. UIKit's type. Points, y downwards.
///
/// A layer takes its `cgPath` only; `lineWidth` and `usesEvenOddFillRule` are carried for who draws it otherwise.
public final class UIBezierPath: Equatable {
    private var path = CGMutablePath()
    public var lineWidth: CGFloat = 1
    public var usesEvenOddFillRule = false

    public init() {}
    public init(rect: CGRect) { path.addRect(rect) }
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
    public init(cgPath: CGPath) { self.cgPath = cgPath }

    /// A copy of the outline.
    public var cgPath: CGPath {
        get { CGPath(data: path.data) }
        set { path = CGMutablePath(data: newValue.data) }
    }
    public var isEmpty: Bool { path.isEmpty }
    public var currentPoint: CGPoint { path.currentPoint }
    /// Around the outline; zero when empty.
    public var bounds: CGRect { path.isEmpty ? .zero : path.boundingBoxOfPath }

    public func move(to point: CGPoint) { path.move(to: point) }
    public func addLine(to point: CGPoint) { path.addLine(to: point) }
    public func addCurve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addCurve(to: end, control1: controlPoint1, control2: controlPoint2)
    }
    public func addQuadCurve(to end: CGPoint, controlPoint: CGPoint) {
        path.addQuadCurve(to: end, control: controlPoint)
    }
    public func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        path.addArc(center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
    }
    public func close() { path.closeSubpath() }
    public func append(_ other: UIBezierPath) { path.addPath(other.path) }
    public func apply(_ transform: CGAffineTransform) { path = CGMutablePath(data: path.data.applying(transform)) }
    public func removeAllPoints() { path = CGMutablePath() }
    public func contains(_ point: CGPoint) -> Bool {
        path.contains(point, using: usesEvenOddFillRule ? .evenOdd : .winding)
    }

    public static func == (a: UIBezierPath, b: UIBezierPath) -> Bool {
        a === b || a.path == b.path && a.lineWidth == b.lineWidth && a.usesEvenOddFillRule == b.usesEvenOddFillRule
    }

    // AppKit's spellings.

    public convenience init(roundedRect rect: CGRect, xRadius: CGFloat, yRadius: CGFloat) {
        self.init()
        appendRoundedRect(rect, xRadius: xRadius, yRadius: yRadius)
    }
    public func line(to point: CGPoint) { addLine(to: point) }
    public func curve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        addCurve(to: end, controlPoint1: controlPoint1, controlPoint2: controlPoint2)
    }
    public func curve(to end: CGPoint, controlPoint: CGPoint) { addQuadCurve(to: end, controlPoint: controlPoint) }
    public func appendRect(_ rect: CGRect) { path.addRect(rect) }
    public func appendOval(in rect: CGRect) { path.addEllipse(in: rect) }
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
    public func transform(using transform: AffineTransform) {
        apply(
            CGAffineTransform(
                a: transform.m11, b: transform.m12, c: transform.m21, d: transform.m22, tx: transform.tX,
                ty: transform.tY))
    }
}
