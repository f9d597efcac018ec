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
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>? = nil) {
        self.init(transform) { $0.rect(rect) }
    }
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

    public var isEmpty: Bool { data.isEmpty }
    /// Where the next element begins; zero in an empty path.
    public var currentPoint: CGPoint { data.currentPoint ?? .zero }
    /// Around all points and control points; null when empty.
    public var boundingBox: CGRect { data.controlBox }
    /// Around the outline itself; null when empty.
    public var boundingBoxOfPath: CGRect { data.tightBox }

    public func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool {
        data.contains(point.applying(transform), evenOdd: rule == .evenOdd)
    }
    /// One that does not change any more.
    public func copy() -> CGPath? { CGPath(data: data) }
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        CGPath(data: transform.map { data.applying($0.pointee) } ?? data)
    }
    public func mutableCopy() -> CGMutablePath? { CGMutablePath(data: data) }
    public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
        CGMutablePath(data: transform.map { data.applying($0.pointee) } ?? data)
    }

    public static func == (a: CGPath, b: CGPath) -> Bool { a === b || a.data == b.data }
}

/// An outline that is being drawn. Core Graphics' type.
public final class CGMutablePath: CGPath {
    public convenience init() { self.init(data: PathData()) }

    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        data.move(point.applying(transform))
    }
    /// Without a current point, begins there; as of all that adds.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        data.line(point.applying(transform))
    }
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        data.quad(control.applying(transform), end.applying(transform))
    }
    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        data.curve(control1.applying(transform), control2.applying(transform), end.applying(transform))
    }
    public func closeSubpath() { data.close() }

    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) { add(transform) { $0.rect(rect) } }
    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }
    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        add(transform) { $0.roundedRect(rect, cornerWidth, cornerHeight) }
    }
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        add(transform) { $0.ellipse(rect) }
    }
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
