import CGTK
import Foundation
@_spi(Graph) import ViewGraph

enum PaintKind: Equatable {
    case fill(FillStyle)
    case stroke(StrokeStyle)
}

/// A filled or stroked shape as a view.
struct ShapeView<S: Shape>: _PrimitiveView {
    let shape: S
    let style: AnyShapeStyle
    let paint: PaintKind
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, ShapeElement()) { element, view, fiber in
            element.set(view.shape, view.style.resolved(fiber.environment), view.paint, fiber)
        }
    }
}

/// An element that draws a shape. It takes the size it is offered, and 10 points for an unspecified length. A circle
/// takes a square.
final class ShapeElement: Element, DrawnElement {
    private var path: (@MainActor (CGRect, Double) -> Path)?
    private var rounded: (@MainActor (CGRect, Double) -> RoundedRect?)?
    private var isShapeMoving: (Double) -> Bool = { _ in false }
    private var shape: Any?
    private var isSquare = false
    private var paint: Paint?
    private var colors = Animated(AnimatableNumbers([]))
    private var kind = PaintKind.fill(FillStyle())

    private struct Look: CachedDrawing {
        let outline: Path
        let paint: Paint
        let kind: PaintKind
        /// The rectangle to which unit points of the paint refer.
        let rect: CGRect
        let bounds: CGRect

        func draw(_ cr: OpaquePointer) {
            outline.trace(cr)
            switch kind {
            case .fill(let style):
                cairo_set_fill_rule(cr, style.isEOFilled ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
                paint.source(cr, rect)
                cairo_fill(cr)
            case .stroke(let style):
                style.apply(cr)
                paint.source(cr, rect)
                cairo_stroke(cr)
            }
        }
    }
    private let kept = CachedNode<Look>()

    func set<S: Shape>(_ shape: S, _ paint: Paint, _ kind: PaintKind, _ fiber: _Fiber) {
        let graph = fiber.graph
        let animation = graph.transaction.effective
        setShape(shape, animation, graph)
        isSquare = S.self == Circle.self
        if let old = self.paint, old.numbers.count == paint.numbers.count {
            colors.set(AnimatableNumbers(paint.numbers), animation, now: graph.now())
        } else {
            colors = Animated(AnimatableNumbers(paint.numbers))
        }
        self.paint = paint
        if case .stroke(let style) = kind { self.kind = .stroke(style.sanitized) } else { self.kind = kind }
        if animation != nil { host?.animate() }
        setNeedsDisplay()
    }

    private func setShape<S: Shape>(_ shape: S, _ animation: Animation?, _ graph: ViewGraph) {
        var moving = Animated(shape.animatableData)
        if let old = self.shape as? ShapeInMotion<S> {
            moving = old.data
            moving.set(shape.animatableData, animation, now: graph.now())
        }
        let motion = ShapeInMotion(shape: shape, data: moving)
        self.shape = motion
        path = { rect, now in motion.at(now).path(in: rect) }
        rounded = { rect, now in motion.at(now).rounded(in: rect) }
        isShapeMoving = { motion.data.isRunning($0) }
    }

    private struct ShapeInMotion<S: Shape>: NamedShape {
        var name: String { "\(S.self)" }
        let shape: S
        let data: Animated<S.AnimatableData>
        @MainActor func at(_ now: Double) -> S {
            guard data.isRunning(now) else { return shape }
            var copy = shape
            copy.animatableData = data.value(now)
            return copy
        }
    }

    override func isAnimatingItself(_ now: Double) -> Bool { colors.isRunning(now) || isShapeMoving(now) }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let size = proposal.replacingUnspecifiedDimensions()
        guard isSquare else { return size }
        let side = min(size.width, size.height)
        return CGSize(width: side, height: side)
    }

    override func contains(_ point: CGPoint) -> Bool {
        guard let path, let paint,
            paint.numbers.indices.contains(where: { $0 % 5 == 3 && paint.numbers[$0] > 0 }) || !isColor
        else { return false }
        var isEvenOdd = false
        if case .fill(let style) = kind { isEvenOdd = style.isEOFilled }
        return path(bounds, host?.now ?? 0).contains(point, eoFill: isEvenOdd)
    }
    private var isColor: Bool { if case .color = paint { true } else { false } }

    /// The rounded rectangle that equals this shape, or nil if the shape is not filled or is not a rounded rectangle.
    var box: RoundedRect? {
        guard case .fill = kind else { return nil }
        return rounded?(CGRect(origin: .zero, size: frame.size), host?.now ?? 0)
    }

    /// Returns the rounded rectangle that equals this shape. Returns nil if the shape is not a rounded rectangle, or is
    /// not filled with an opaque color.
    func opaqueBox(_ now: Double) -> RoundedRect? {
        guard case .fill = kind, case .color(let color) = paint?.with(colors.value(now).values), color.opacity >= 1
        else { return nil }
        return rounded?(CGRect(origin: .zero, size: frame.size), now)
    }

    func draw(_ context: DrawContext, _ size: CGSize) {
        guard let paint, let path, let rounded, size.width.isFinite, size.height.isFinite else { return }
        let now = context.now
        let rect = CGRect(origin: .zero, size: size)
        let shown = paint.with(colors.value(now).values)
        // A shape that is almost transparent does not count as a background.
        if case .color(let color) = shown, color.opacity < 0.2 {} else { context.recordCover(rect) }
        let margin: CGFloat
        switch kind {
        case .fill:
            if let box = rounded(rect, now), case .color(let color) = shown {
                guard color.opacity > 0 else { return }
                if box.radii == .zero { return context.color(color, box.rect) }
                return context.clipped(box) { context.color(color, box.rect) }
            }
            margin = 1
        case .stroke(let style):
            guard style.lineWidth > 0 else { return }
            margin = style.lineWidth * (style.lineJoin == .miter ? max(1, style.miterLimit / 2) : 1) + 1
        }
        let outline = path(rect, now)
        let bounds = outline.boundingRect
        guard !bounds.isNull else { return }
        kept.draw(
            Look(
                outline: outline, paint: shown, kind: kind, rect: rect,
                bounds: bounds.insetBy(dx: -margin, dy: -margin)), context)
    }
}

private protocol NamedShape {
    var name: String { get }
}

extension ShapeElement: InspectableElement {
    var inspection: String? {
        guard let paint, let rounded else { return nil }
        let now = host?.now ?? 0
        var facts = [(shape as? any NamedShape)?.name ?? "", paint.with(colors.value(now).values).inspection]
        if case .stroke(let style) = kind { facts.append("line \(Double(style.lineWidth).inspection)") }
        if let radius = rounded(CGRect(origin: .zero, size: frame.size), now)?.radii.width, radius > 0 {
            facts.append("radius \(Double(radius).inspection)")
        }
        return facts.joined(separator: " ")
    }
}

extension StrokeStyle {
    /// The style with values that cairo draws in finite time. A dash pattern shorter than 0.05 points becomes a solid
    /// line.
    var sanitized: StrokeStyle {
        with(self) {
            $0.lineWidth = max(0, lineWidth.within(100_000, else: 0))
            $0.miterLimit = max(1, miterLimit.within(100, else: 10))
            $0.dashPhase = dashPhase.within(1_000_000, else: 0)
            if !dash.allSatisfy({ $0 >= 0 && $0.isFinite }) || dash.reduce(0, +) < 0.05 { $0.dash = [] }
        }
    }
}

extension Paint {
    /// Sets the paint as cairo's source. Unit points refer to `rect`.
    @MainActor func source(_ cr: OpaquePointer, _ rect: CGRect) {
        switch self {
        case .color(let c): cairo_set_source_rgba(cr, c.red, c.green, c.blue, c.opacity)
        case .gradient(let stops, let geometry):
            let point: (UnitPoint) -> CGPoint = {
                CGPoint(x: rect.minX + $0.sanitized.x * rect.width, y: rect.minY + $0.sanitized.y * rect.height)
            }
            let radius: (CGFloat) -> CGFloat = { max(0, $0.within(1_000_000)) }
            let angle: (Angle) -> Double = { $0.radians.isFinite ? $0.radians : 0 }
            let pattern: OpaquePointer?
            switch geometry {
            case .linear(let a, let b):
                pattern = cairo_pattern_create_linear(point(a).x, point(a).y, point(b).x, point(b).y)
            case .radial(let c, let r0, let r1):
                pattern = cairo_pattern_create_radial(
                    point(c).x, point(c).y, radius(r0), point(c).x, point(c).y, radius(r1))
            case .angular(let c, let start, let end):
                return angular(cr, stops, point(c), angle(start), angle(end), rect)
            }
            guard let pattern else { return }
            for stop in stops {
                cairo_pattern_add_color_stop_rgba(
                    pattern, max(0, stop.location.within(1)), stop.color.red, stop.color.green, stop.color.blue,
                    stop.color.opacity)
            }
            cairo_set_source(cr, pattern)
            cairo_pattern_destroy(pattern)
        }
    }

    /// Sets an angular gradient as cairo's source. Cairo has none, so it is a mesh of wedges of two degrees each.
    @MainActor private func angular(
        _ cr: OpaquePointer, _ stops: [Stop], _ center: CGPoint, _ start: Double, _ end: Double, _ rect: CGRect
    ) {
        guard let mesh = cairo_pattern_create_mesh() else { return }
        let radius = Double(hypot(rect.width, rect.height)) * 1.5
        let sweep = end - start == 0 ? 2 * Double.pi : end - start
        let count = 180
        for i in 0..<count {
            let a = start + 2 * .pi * Double(i) / Double(count)
            let b = start + 2 * .pi * Double(i + 1) / Double(count)
            let ca = color(at: (a - start) / sweep, stops)
            let cb = color(at: (b - start) / sweep, stops)
            cairo_mesh_pattern_begin_patch(mesh)
            cairo_mesh_pattern_move_to(mesh, center.x, center.y)
            cairo_mesh_pattern_line_to(mesh, center.x + radius * cos(a), center.y + radius * sin(a))
            cairo_mesh_pattern_line_to(mesh, center.x + radius * cos(b), center.y + radius * sin(b))
            for (corner, c) in [ca, ca, cb, cb].enumerated() {
                cairo_mesh_pattern_set_corner_color_rgba(mesh, UInt32(corner), c.red, c.green, c.blue, c.opacity)
            }
            cairo_mesh_pattern_end_patch(mesh)
        }
        cairo_set_source(cr, mesh)
        cairo_pattern_destroy(mesh)
    }

    private func color(at t: Double, _ stops: [Stop]) -> Color.Components {
        guard let first = stops.first, let last = stops.last else {
            return Color.Components(red: 0, green: 0, blue: 0, opacity: 0)
        }
        if t <= Double(first.location) { return first.color }
        for (a, b) in zip(stops, stops.dropFirst()) where t <= Double(b.location) {
            let span = Double(b.location - a.location)
            let fraction = span > 0 ? (t - Double(a.location)) / span : 1
            let mix: (Double, Double) -> Double = { $0 + ($1 - $0) * fraction }
            return Color.Components(
                red: mix(a.color.red, b.color.red), green: mix(a.color.green, b.color.green),
                blue: mix(a.color.blue, b.color.blue), opacity: mix(a.color.opacity, b.color.opacity))
        }
        return last.color
    }
}
