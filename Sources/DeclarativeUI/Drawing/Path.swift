import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

extension CGSize {
    /// Returns the radii of a corner scaled to fit into `rect`. One factor applies to both, so that a round corner
    /// stays round.
    func corner(in rect: CGRect) -> CGSize {
        let w = max(0, width.bounded)
        let h = max(0, height.bounded)
        guard w > 0, h > 0 else { return .zero }
        let factor = max(0, min(1, rect.width / 2 / w, rect.height / 2 / h))
        return CGSize(width: w * factor, height: h * factor)
    }
}

/// The look of a stroked line. All lengths are in points.
public struct StrokeStyle: Equatable, Sendable {
    /// The width of the line in points, clamped to 0…100 000. 0 draws nothing.
    public var lineWidth: CGFloat
    /// The shape of the line's ends.
    public var lineCap: CGLineCap
    /// The shape of the line's corners.
    public var lineJoin: CGLineJoin
    /// The maximum length of a sharp corner's tip, in line widths, clamped to 1…100. A sharper corner is cut off.
    public var miterLimit: CGFloat
    /// The lengths of dash, gap, dash and so on, in points, repeated along the line.
    ///
    /// The line is solid if the array is empty, contains a number that is negative or not finite, or adds up to less
    /// than 0.05.
    public var dash: [CGFloat]
    /// The offset in the dash pattern at which the line begins, in points.
    public var dashPhase: CGFloat
    /// Creates a style. The default is a solid line, 1 point wide.
    public init(
        lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt, lineJoin: CGLineJoin = .miter, miterLimit: CGFloat = 10,
        dash: [CGFloat] = [], dashPhase: CGFloat = 0
    ) {
        self.lineWidth = lineWidth
        self.lineCap = lineCap
        self.lineJoin = lineJoin
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }
}

/// The shape of a line's end.
public enum CGLineCap: Int32, Sendable {
    /// A cut at the last point.
    case butt
    /// A half circle around the last point.
    case round
    /// An extension of half the line's width beyond the last point.
    case square
}
/// The shape of the corner between two lines.
public enum CGLineJoin: Int32, Sendable {
    /// A sharp corner, up to the length of `StrokeStyle.miterLimit`.
    case miter
    /// An arc of a circle.
    case round
    /// A cut-off corner.
    case bevel
}
/// The shape of rounded corners. Both cases draw arcs of circles, because GTK has no continuous corners.
public enum RoundedCornerStyle: Hashable, Sendable {
    /// Quarters of circles.
    case circular
    /// The same as `circular`.
    case continuous
}

/// The rule that decides which areas are inside an outline. Same API as in SwiftUI.
public struct FillStyle: Equatable, Sendable {
    /// Whether the even-odd rule decides which points are inside. If false, the nonzero winding rule applies.
    public var isEOFilled: Bool
    /// Creates a style.
    /// - Parameters:
    ///   - eoFill: Whether the even-odd rule applies.
    ///   - antialiased: Has no effect; edges are always smooth.
    public init(eoFill: Bool = false, antialiased: Bool = true) { isEOFilled = eoFill }
}

/// An outline of lines and curves, in points. Same API as in SwiftUI.
public struct Path: Equatable, Sendable {
    /// A step of an outline.
    public enum Element: Equatable, Sendable {
        /// The start of a new subpath at a point.
        case move(to: CGPoint)
        /// A straight line from the previous point.
        case line(to: CGPoint)
        /// A curve with one control point from the previous point.
        case quadCurve(to: CGPoint, control: CGPoint)
        /// A curve with two control points from the previous point.
        case curve(to: CGPoint, control1: CGPoint, control2: CGPoint)
        /// A straight line back to the start of the subpath.
        case closeSubpath
    }
    private(set) var elements: [Element] = []

    /// Creates an empty path.
    public init() {}
    /// Creates a path that the closure fills.
    public init(_ callback: (inout Path) -> Void) { callback(&self) }
    /// Creates a path of a rectangle.
    public init(_ rect: CGRect) { addRect(rect) }
    /// Creates a path of the ellipse that fills a rectangle.
    public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }
    /// Creates a path of a rectangle with rounded corners.
    /// - Parameter cornerRadius: The radius in points, limited to half the shorter side.
    public init(roundedRect rect: CGRect, cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius), style: style)
    }
    /// Creates a path of a rectangle whose corners are quarters of an ellipse.
    /// - Parameter cornerSize: The radii of the ellipse in points. One factor scales both down if they do not fit.
    public init(roundedRect rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        addRoundedRect(in: rect, cornerSize: cornerSize, style: style)
    }

    /// Whether the path has no elements.
    public var isEmpty: Bool { elements.isEmpty }
    /// The point at which the next line begins, or nil if the path is empty.
    public var currentPoint: CGPoint? {
        switch elements.last {
        case .move(let p), .line(let p), .quadCurve(let p, _), .curve(let p, _, _): p
        case .closeSubpath, nil: start
        }
    }
    private var start: CGPoint? {
        for element in elements.reversed() { if case .move(let p) = element { return p } }
        return nil
    }

    /// Calls `body` with each step in order.
    public func forEach(_ body: (Element) -> Void) { elements.forEach(body) }
    /// Appends an element. Drops it if a coordinate is NaN, and clamps coordinates to ±`far`. All methods that add
    /// points use this method.
    private mutating func add(_ element: Element) {
        if let proper = element.map({ p in
            p.x.isNaN || p.y.isNaN ? nil : CGPoint(x: p.x.within(Path.far), y: p.y.within(Path.far))
        }) {
            elements.append(proper)
        }
    }
    /// The limit of coordinates in points, which leaves a margin to cairo's own limit.
    private static let far: CGFloat = 1_000_000

    /// Begins a new subpath at `end`.
    ///
    /// All methods that add points clamp coordinates to ±1 000 000 points, and ignore a point with a coordinate that is
    /// NaN.
    public mutating func move(to end: CGPoint) { add(.move(to: end)) }
    /// Adds a straight line to `end`. Moves to `end` if the path is empty.
    public mutating func addLine(to end: CGPoint) { add(elements.isEmpty ? .move(to: end) : .line(to: end)) }
    /// Adds a curve with one control point. Begins at `control` if the path is empty.
    public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
        if elements.isEmpty { move(to: control) }
        add(.quadCurve(to: end, control: control))
    }
    /// Adds a curve with two control points. Begins at `control1` if the path is empty.
    public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        if elements.isEmpty { move(to: control1) }
        add(.curve(to: end, control1: control1, control2: control2))
    }
    /// Adds a line back to the start of the subpath. Has no effect on an empty path.
    public mutating func closeSubpath() { if !elements.isEmpty { elements.append(.closeSubpath) } }
    /// Adds a new subpath of straight lines through `lines`.
    public mutating func addLines(_ lines: [CGPoint]) {
        guard let first = lines.first else { return }
        move(to: first)
        for point in lines.dropFirst() { addLine(to: point) }
    }
    /// Adds a rectangle as a new subpath.
    public mutating func addRect(_ rect: CGRect) {
        move(to: CGPoint(x: rect.minX, y: rect.minY))
        addLine(to: CGPoint(x: rect.maxX, y: rect.minY))
        addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
        addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
        closeSubpath()
    }
    /// Adds a rectangle with rounded corners as a new subpath.
    /// - Parameter cornerSize: The radii in points. One factor scales both down if they do not fit. Corners are square
    ///   if either is 0 or less.
    public mutating func addRoundedRect(in rect: CGRect, cornerSize: CGSize, style: RoundedCornerStyle = .continuous) {
        let corner = cornerSize.corner(in: rect)
        let w = corner.width
        let h = corner.height
        guard w > 0, h > 0 else { return addRect(rect) }
        let kx = w * Path.kappa
        let ky = h * Path.kappa
        let (l, r, t, b) = (rect.minX, rect.maxX, rect.minY, rect.maxY)
        move(to: CGPoint(x: l + w, y: t))
        addLine(to: CGPoint(x: r - w, y: t))
        addCurve(
            to: CGPoint(x: r, y: t + h), control1: CGPoint(x: r - w + kx, y: t), control2: CGPoint(x: r, y: t + h - ky))
        addLine(to: CGPoint(x: r, y: b - h))
        addCurve(
            to: CGPoint(x: r - w, y: b), control1: CGPoint(x: r, y: b - h + ky), control2: CGPoint(x: r - w + kx, y: b))
        addLine(to: CGPoint(x: l + w, y: b))
        addCurve(
            to: CGPoint(x: l, y: b - h), control1: CGPoint(x: l + w - kx, y: b), control2: CGPoint(x: l, y: b - h + ky))
        addLine(to: CGPoint(x: l, y: t + h))
        addCurve(
            to: CGPoint(x: l + w, y: t), control1: CGPoint(x: l, y: t + h - ky), control2: CGPoint(x: l + w - kx, y: t))
        closeSubpath()
    }
    /// Adds the ellipse that fills `rect` as a new subpath.
    public mutating func addEllipse(in rect: CGRect) {
        addRoundedRect(in: rect, cornerSize: CGSize(width: rect.width / 2, height: rect.height / 2))
    }
    /// Adds an arc of a circle, and a straight line from the current point to the start of the arc.
    ///
    /// An empty path begins at the start of the arc. Nothing is added if the radius or an angle is not finite.
    /// - Parameters:
    ///   - center: The center of the circle.
    ///   - radius: The radius in points.
    ///   - startAngle: The angle of the arc's start. 0 is to the right, 90 degrees is down.
    ///   - endAngle: The angle of the arc's end. A difference of 360 degrees or more in the direction of the arc draws
    ///     a whole circle.
    ///   - clockwise: The direction in a space in which y grows upward. Here, y grows downward, as in SwiftUI.
    ///     Therefore `true` appears counterclockwise.
    public mutating func addArc(center: CGPoint, radius: CGFloat, startAngle: Angle, endAngle: Angle, clockwise: Bool) {
        var sweep = endAngle.radians - startAngle.radians
        guard sweep.isFinite, radius.isFinite else { return }
        let whole = 2 * Double.pi
        if abs(sweep) < whole || (sweep > 0) == clockwise {
            sweep = sweep.truncatingRemainder(dividingBy: whole)
            if !clockwise, sweep < 0 { sweep += whole }
            if clockwise, sweep > 0 { sweep -= whole }
        } else {
            sweep = clockwise ? -whole : whole
        }
        let point: (Double) -> CGPoint = { CGPoint(x: center.x + radius * cos($0), y: center.y + radius * sin($0)) }
        var angle = startAngle.radians
        addLine(to: point(angle))
        let count = max(1, Int((abs(sweep) / (.pi / 2)).rounded(.up)))
        let step = sweep / Double(count)
        let k = 4 / 3 * tan(step / 4) * Double(radius)
        for _ in 0..<count {
            let next = angle + step
            let a = point(angle)
            let b = point(next)
            addCurve(
                to: b, control1: CGPoint(x: a.x - k * sin(angle), y: a.y + k * cos(angle)),
                control2: CGPoint(x: b.x + k * sin(next), y: b.y - k * cos(next)))
            angle = next
        }
    }
    /// Adds all steps of another path.
    public mutating func addPath(_ path: Path) { elements += path.elements }

    /// The distance of a Bézier curve's control points that approximates a quarter of a circle of radius 1.
    static let kappa: CGFloat = 0.5522847498

    /// Returns the path moved by `dx` and `dy` points.
    public func offsetBy(dx: CGFloat, dy: CGFloat) -> Path {
        applying(CGAffineTransform(translationX: dx, y: dy))
    }

    /// Returns the path with each point transformed by `t`.
    public func applying(_ t: CGAffineTransform) -> Path {
        var copy = Path()
        for element in elements {
            if let moved = element.map({ $0.applying(t) }) { copy.add(moved) }
        }
        return copy
    }

    /// The smallest rectangle around all points and control points, or `.null` if the path is empty.
    public var boundingRect: CGRect {
        var points: [CGPoint] = []
        for element in elements {
            switch element {
            case .move(let p), .line(let p): points.append(p)
            case .quadCurve(let p, let c): points += [p, c]
            case .curve(let p, let a, let b): points += [p, a, b]
            case .closeSubpath: break
            }
        }
        guard let x0 = points.map(\.x).min(), let x1 = points.map(\.x).max(), let y0 = points.map(\.y).min(),
            let y1 = points.map(\.y).max()
        else { return .null }
        return CGRect(x: x0, y: y0, width: x1 - x0, height: y1 - y0)
    }

    /// The path with curves replaced by short lines, one list per subpath. The error is at most a quarter of a point
    /// for curves up to 10 000 points long.
    private var lines: [[CGPoint]] {
        var all: [[CGPoint]] = []
        var current: [CGPoint] = []
        func curve(_ a: CGPoint, _ b: CGPoint, _ c: CGPoint, _ d: CGPoint) {
            let length = hypot(b.x - a.x, b.y - a.y) + hypot(c.x - b.x, c.y - b.y) + hypot(d.x - c.x, d.y - c.y)
            let count = min(200, max(4, Int(Double(length).squareRoot() * 2)))
            for i in 1...count {
                let t = CGFloat(i) / CGFloat(count)
                let u = 1 - t
                let (p, q, r, s) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
                current.append(
                    CGPoint(x: p * a.x + q * b.x + r * c.x + s * d.x, y: p * a.y + q * b.y + r * c.y + s * d.y))
            }
        }
        for element in elements {
            let last = current.last ?? .zero
            switch element {
            case .move(let p):
                if current.count > 1 { all.append(current) }
                current = [p]
            case .line(let p): current.append(p)
            case .quadCurve(let p, let c):
                curve(
                    last, CGPoint(x: last.x + 2 / 3 * (c.x - last.x), y: last.y + 2 / 3 * (c.y - last.y)),
                    CGPoint(x: p.x + 2 / 3 * (c.x - p.x), y: p.y + 2 / 3 * (c.y - p.y)), p)
            case .curve(let p, let a, let b): curve(last, a, b, p)
            case .closeSubpath:
                if let first = current.first {
                    current.append(first)
                    if current.count > 1 { all.append(current) }
                    current = [first]
                }
            }
        }
        if current.count > 1 { all.append(current) }
        return all
    }

    /// Returns the part of the path between two fractions of its length.
    /// - Parameters:
    ///   - from: The start, clamped to 0…1.
    ///   - to: The end, clamped to 0…1. The result is empty if `to` is not greater than `from`.
    public func trimmedPath(from: CGFloat, to: CGFloat) -> Path {
        let a = max(0, min(1, from))
        let b = max(0, min(1, to))
        guard b > a else { return Path() }
        if a == 0, b == 1 { return self }
        let lines = lines
        let length: (CGPoint, CGPoint) -> CGFloat = { hypot($1.x - $0.x, $1.y - $0.y) }
        let total = lines.reduce(0) { $0 + zip($1, $1.dropFirst()).reduce(0) { $0 + length($1.0, $1.1) } }
        var walked: CGFloat = 0
        var result = Path()
        for line in lines {
            var isOpen = false
            for (p, q) in zip(line, line.dropFirst()) {
                let l = length(p, q)
                let begin = walked
                let end = walked + l
                walked = end
                guard l > 0, end > a * total, begin < b * total else {
                    isOpen = false
                    continue
                }
                let at: (CGFloat) -> CGPoint = { CGPoint(x: p.x + (q.x - p.x) * $0, y: p.y + (q.y - p.y) * $0) }
                if !isOpen { result.move(to: at(max(0, (a * total - begin) / l))) }
                isOpen = true
                result.addLine(to: at(min(1, (b * total - begin) / l)))
            }
        }
        return result
    }

    /// Returns whether a point is inside the path. Curves are approximated by short lines.
    /// - Parameter eoFill: Whether the even-odd rule applies, not the nonzero winding rule.
    public func contains(_ p: CGPoint, eoFill: Bool = false) -> Bool {
        var winding = 0
        var crossings = 0
        for line in lines {
            guard let first = line.first else { continue }
            for (a, b) in zip(line, line.dropFirst() + [first]) where (a.y <= p.y) != (b.y <= p.y) {
                let x = a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
                if x > p.x {
                    crossings += 1
                    winding += b.y > a.y ? 1 : -1
                }
            }
        }
        return eoFill ? crossings % 2 == 1 : winding != 0
    }

    /// Sets the path as the current path of a cairo context.
    @MainActor func trace(_ cr: OpaquePointer) {
        cairo_new_path(cr)
        var start = CGPoint.zero
        var last = CGPoint.zero
        for element in elements {
            switch element {
            case .move(let p):
                cairo_move_to(cr, p.x, p.y)
                start = p
                last = p
            case .line(let p):
                cairo_line_to(cr, p.x, p.y)
                last = p
            case .quadCurve(let p, let c):
                cairo_curve_to(
                    cr, last.x + 2 / 3 * (c.x - last.x), last.y + 2 / 3 * (c.y - last.y), p.x + 2 / 3 * (c.x - p.x),
                    p.y + 2 / 3 * (c.y - p.y), p.x, p.y)
                last = p
            case .curve(let p, let a, let b):
                cairo_curve_to(cr, a.x, a.y, b.x, b.y, p.x, p.y)
                last = p
            case .closeSubpath:
                cairo_close_path(cr)
                last = start
            }
        }
    }
}

extension Path.Element {
    /// Returns the element with each point replaced by the result of `change`, or nil if `change` returns nil for a
    /// point.
    func map(_ change: (CGPoint) -> CGPoint?) -> Path.Element? {
        switch self {
        case .move(let p): return change(p).map { .move(to: $0) }
        case .line(let p): return change(p).map { .line(to: $0) }
        case .quadCurve(let p, let c):
            guard let p = change(p), let c = change(c) else { return nil }
            return .quadCurve(to: p, control: c)
        case .curve(let p, let a, let b):
            guard let p = change(p), let a = change(a), let b = change(b) else { return nil }
            return .curve(to: p, control1: a, control2: b)
        case .closeSubpath: return self
        }
    }
}

extension Path: Shape {
    /// Returns this path unchanged. `rect` has no effect.
    public func path(in rect: CGRect) -> Path { self }
    /// An empty type, because a path is not animated. There is no `strokedPath(_:)`: to draw a stroke, use
    /// `stroke(_:style:)`.
    public typealias AnimatableData = EmptyAnimatableData
}
