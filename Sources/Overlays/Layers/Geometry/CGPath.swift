import Foundation
import MediaCore

/// Which points a path that crosses itself holds.
public enum CGPathFillRule: Int, Sendable {
    /// Those around which it winds, in sum.
    case winding = 0
    /// Those from which an odd number of crossings lies to the outside.
    case evenOdd = 1
}

/// An outline of lines and curves. Core Graphics' type. Points, y downwards; angles in radians.
///
/// An element with a coordinate that is not finite is left out.
public class CGPath: Equatable {
    package fileprivate(set) var data: PathData

    package init(data: PathData) { self.data = data }
    fileprivate convenience init(_ transform: UnsafePointer<CGAffineTransform>?, _ make: (inout PathData) -> Void) {
        var data = PathData()
        make(&data)
        self.init(data: transform.map { data.applying($0.pointee) } ?? data)
    }
    /// A closed rectangle, from its top left on clockwise as seen.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>? = nil) {
        self.init(transform) { $0.rect(rect) }
    }
    /// The closed ellipse that fills a rectangle, as four curves.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>? = nil) {
        self.init(transform) { $0.ellipse(rect) }
    }
    /// Radii larger than half the sides are cut to them.
    public convenience init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>? = nil
    ) {
        self.init(transform) { $0.roundedRect(rect, cornerWidth, cornerHeight) }
    }

    /// It has no element.
    public var isEmpty: Bool { data.isEmpty }
    /// Where the next element begins; zero in an empty path.
    public var currentPoint: CGPoint { data.currentPoint ?? .zero }
    /// Around all points and control points; null when empty.
    public var boundingBox: CGRect { data.controlBox }
    /// Around the outline itself; null when empty.
    public var boundingBoxOfPath: CGRect { data.tightBox }

    /// Whether a point lies within the filled outline; open parts count as closed, and curves are followed to 0.05
    /// points.
    /// - Parameter transform: applied to the point, not to the path.
    public func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool {
        data.contains(point.applying(transform), evenOdd: rule == .evenOdd)
    }
    /// One that does not change any more.
    public func copy() -> CGPath? { CGPath(data: data) }
    /// A transformed copy that does not change any more; nil transforms nothing. The result is never nil.
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        CGPath(data: transform.map { data.applying($0.pointee) } ?? data)
    }
    /// A copy that can be drawn on; never nil.
    public func mutableCopy() -> CGMutablePath? { CGMutablePath(data: data) }
    /// A transformed copy that can be drawn on; nil transforms nothing. The result is never nil.
    public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
        CGMutablePath(data: transform.map { data.applying($0.pointee) } ?? data)
    }

    public static func == (a: CGPath, b: CGPath) -> Bool { a === b || a.data == b.data }
}

/// An outline that is being drawn. Core Graphics' type.
public final class CGMutablePath: CGPath {
    /// An empty one.
    public convenience init() { self.init(data: PathData()) }

    /// Begins a part at a point, with nothing drawn to it.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        data.move(point.applying(transform))
    }
    /// Without a current point, begins there; as of all that adds.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        data.line(point.applying(transform))
    }
    /// Begins a part at the first point, with lines to the others; none adds nothing.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }
    /// A quadratic curve from the current point; without one it begins at `control`.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        data.quad(control.applying(transform), end.applying(transform))
    }
    /// A cubic curve from the current point; without one it begins at `control1`.
    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        data.curve(control1.applying(transform), control2.applying(transform), end.applying(transform))
    }
    /// A line back to where the part began, joined there; the next element begins there. Nothing in an empty path.
    public func closeSubpath() { data.close() }

    /// A closed rectangle as a part of its own; one whose numbers are not finite is left out.
    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) { add(transform) { $0.rect(rect) } }
    /// Rectangles, each as a part of its own.
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }
    /// A closed rectangle with elliptical corners as a part of its own; radii larger than half the sides are cut to
    /// them, and without one the corners are sharp.
    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        add(transform) { $0.roundedRect(rect, cornerWidth, cornerHeight) }
    }
    /// The closed ellipse that fills a rectangle, as a part of its own.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        add(transform) { $0.ellipse(rect) }
    }
    /// The parts of another path; an empty one adds nothing.
    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        data.append(path.data.applying(transform))
    }

    /// A part of a circle, joined by a line to what is there.
    ///
    /// - Parameter clockwise: towards falling angles. With y downwards, as in layers, that is seen counter-clockwise,
    ///   as on Apple's screens (`UIBezierPath` names the direction as it is seen).
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        addRelativeArc(
            center: center, radius: radius, startAngle: startAngle,
            delta: PathData.sweep(from: startAngle, to: endAngle, growing: !clockwise), transform: transform)
    }
    /// - Parameter delta: the angle it spans, positive towards growing angles; at most a whole turn.
    public func addRelativeArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat, transform: CGAffineTransform = .identity
    ) {
        add(transform, joined: true) { $0.arc(center: center, radius: radius, start: startAngle, sweep: delta) }
    }
    /// The circle that touches the lines from the current point to `tangent1End` and on to `tangent2End`.
    public func addArc(
        tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat, transform: CGAffineTransform = .identity
    ) {
        guard !transform.isIdentity else { return data.arc(tangent: tangent1End, tangent2End, radius: radius) }
        guard transform.isInvertible else { return }
        // The circle is one before the transform: the current point is taken back there.
        var part = PathData()
        if let point = data.currentPoint { part.move(point.applying(transform.inverted())) }
        part.arc(tangent: tangent1End, tangent2End, radius: radius)
        join(part.applying(transform))
    }

    private func add(_ transform: CGAffineTransform, joined: Bool = false, _ make: (inout PathData) -> Void) {
        guard !transform.isIdentity || joined else { return make(&data) }
        var part = PathData()
        make(&part)
        part = part.applying(transform)
        if joined { join(part) } else { data.append(part) }
    }
    /// Its first `move` becomes a line from the current point, if there is one.
    private func join(_ part: PathData) {
        for element in part.elements {
            switch element {
            case .move(let p), .line(let p): if data.currentPoint != p { data.line(p) }
            case .quad(let c, let p): data.quad(c, p)
            case .curve(let c, let d, let p): data.curve(c, d, p)
            case .close: data.close()
            }
        }
    }
}
