import Foundation
import MediaCore

/// The rule that determines which points are inside a path that crosses itself. Mirrors Core Graphics' type of the same
/// name.
public enum CGPathFillRule: Int, Sendable {
    /// Points are inside if the path winds around them, with opposite directions canceling out.
    case winding = 0
    /// Points are inside if a line from them to the outside crosses the path an odd number of times.
    case evenOdd = 1
}

/// An outline of lines and curves. Mirrors Core Graphics' type of the same name.
///
/// Coordinates are in points, with y downward; angles are in radians. Elements with a coordinate that is not finite are
/// ignored.
public class CGPath: Equatable {
    package fileprivate(set) var data: PathData

    package init(data: PathData) { self.data = data }
    fileprivate convenience init(_ transform: UnsafePointer<CGAffineTransform>?, _ make: (inout PathData) -> Void) {
        var data = PathData()
        make(&data)
        self.init(data: transform.map { data.applying($0.pointee) } ?? data)
    }
    /// Creates a closed rectangle that starts at its top left corner and runs clockwise, as displayed.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>? = nil) {
        self.init(transform) { $0.rect(rect) }
    }
    /// Creates the closed ellipse that fills a rectangle, as four curves.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>? = nil) {
        self.init(transform) { $0.ellipse(rect) }
    }
    /// Creates a closed rectangle with elliptical corners. The radii are limited to half of the sides.
    public convenience init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>? = nil
    ) {
        self.init(transform) { $0.roundedRect(rect, cornerWidth, cornerHeight) }
    }

    /// Whether the path has no elements.
    public var isEmpty: Bool { data.isEmpty }
    /// The point where the next element begins; zero in an empty path.
    public var currentPoint: CGPoint { data.currentPoint ?? .zero }
    /// The smallest rectangle around all points and control points; null for an empty path.
    public var boundingBox: CGRect { data.controlBox }
    /// The smallest rectangle around the outline, without control points; null for an empty path.
    public var boundingBoxOfPath: CGRect { data.tightBox }

    /// Returns whether a point is inside the filled outline.
    ///
    /// Open subpaths count as closed. Curves are approximated with an error of at most 0.05 points.
    /// - Parameter transform: A transform of the point, not of the path.
    public func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool {
        data.contains(point.applying(transform), evenOdd: rule == .evenOdd)
    }
    /// Returns an immutable copy; never nil.
    public func copy() -> CGPath? { CGPath(data: data) }
    /// Returns an immutable copy, transformed unless `transform` is nil; never nil.
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        CGPath(data: transform.map { data.applying($0.pointee) } ?? data)
    }
    /// Returns a mutable copy; never nil.
    public func mutableCopy() -> CGMutablePath? { CGMutablePath(data: data) }
    /// Returns a mutable copy, transformed unless `transform` is nil; never nil.
    public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
        CGMutablePath(data: transform.map { data.applying($0.pointee) } ?? data)
    }

    public static func == (a: CGPath, b: CGPath) -> Bool { a === b || a.data == b.data }
}

/// A mutable outline. Mirrors Core Graphics' type of the same name.
///
/// ```swift
/// let triangle = CGMutablePath()
/// triangle.move(to: CGPoint(x: 0, y: 0))
/// triangle.addLine(to: CGPoint(x: 40, y: 20))
/// triangle.addLine(to: CGPoint(x: 0, y: 40))
/// triangle.closeSubpath()
/// layer.path = triangle
/// ```
public final class CGMutablePath: CGPath {
    /// Creates an empty path.
    public convenience init() { self.init(data: PathData()) }

    /// Begins a subpath at `point`.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        data.move(point.applying(transform))
    }
    /// Adds a line from the current point. In an empty path, this begins a subpath at `point` instead.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        data.line(point.applying(transform))
    }
    /// Begins a subpath at the first point and adds lines to the others. Does nothing without points.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }
    /// Adds a quadratic curve from the current point. In an empty path, the curve begins at `control`.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        data.quad(control.applying(transform), end.applying(transform))
    }
    /// Adds a cubic curve from the current point. In an empty path, the curve begins at `control1`.
    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        data.curve(control1.applying(transform), control2.applying(transform), end.applying(transform))
    }
    /// Closes the subpath with a line to its start, where the next element begins. Does nothing in an empty path.
    public func closeSubpath() { data.close() }

    /// Adds a closed rectangle as a subpath. A rectangle that is not finite is ignored.
    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) { add(transform) { $0.rect(rect) } }
    /// Adds closed rectangles, each as a subpath.
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }
    /// Adds a closed rectangle with elliptical corners as a subpath. The radii are limited to half of the sides. If a
    /// radius is 0, the corners are sharp.
    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        add(transform) { $0.roundedRect(rect, cornerWidth, cornerHeight) }
    }
    /// Adds the closed ellipse that fills a rectangle, as a subpath.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        add(transform) { $0.ellipse(rect) }
    }
    /// Adds the subpaths of another path.
    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        data.append(path.data.applying(transform))
    }

    /// Adds an arc of a circle, and a line from the current point to the start of the arc. Adds nothing if the radius
    /// is negative.
    ///
    /// - Parameter clockwise: Whether the angle decreases along the arc. With y downward, as in layers, such an arc is
    ///   displayed counterclockwise, as on Apple's platforms. (`UIBezierPath` names the displayed direction.)
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        addRelativeArc(
            center: center, radius: radius, startAngle: startAngle,
            delta: PathData.sweep(from: startAngle, to: endAngle, growing: !clockwise), transform: transform)
    }
    /// Adds an arc of a circle, and a line from the current point to the start of the arc. Adds nothing if the radius
    /// is negative.
    ///
    /// - Parameter delta: The angle of the arc, positive for increasing angles. Clamped to a full circle.
    public func addRelativeArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat, transform: CGAffineTransform = .identity
    ) {
        add(transform, joined: true) { $0.arc(center: center, radius: radius, start: startAngle, sweep: delta) }
    }
    /// Adds an arc that touches two lines: from the current point to `tangent1End`, and from there to `tangent2End`. A
    /// line from the current point leads to the start of the arc.
    ///
    /// If the points are on one line or the radius is not above 0, this adds a line to `tangent1End`. In an empty path,
    /// this begins a subpath there.
    public func addArc(
        tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat, transform: CGAffineTransform = .identity
    ) {
        guard !transform.isIdentity else { return data.arc(tangent: tangent1End, tangent2End, radius: radius) }
        guard let inverse = transform.inverse else { return }
        // The arc is a circle only before the transform, so the current point is transformed back.
        var part = PathData()
        if let point = data.currentPoint { part.move(point.applying(inverse)) }
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
    /// Appends `part`. Its first `move` becomes a line from the current point, if there is one.
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
