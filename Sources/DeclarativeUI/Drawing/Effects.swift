import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A modifier that changes everything its content draws: opacity, offset, scale, rotation, blur or shadow.
struct Effect: ElementModifier {
    enum Kind {
        case opacity(Double)
        case offset(CGSize)
        case scale(CGSize, UnitPoint)
        case rotation(Angle, UnitPoint)
        case blur(CGFloat)
        case shadow(Paint?, AnyShapeStyle, CGFloat, CGSize)
    }
    let kind: Kind
    func makeElement() -> EffectElement { EffectElement(kind) }
    func update(_ element: EffectElement, _ fiber: _Fiber) {
        var kind = kind
        if case .shadow(_, let style, let radius, let offset) = kind {
            kind = .shadow(style.resolved(fiber.environment), style, radius, offset)
        }
        element.set(kind, fiber.graph)
    }
}

final class EffectElement: WrapperElement, DrawnElement {
    private var kind: Effect.Kind
    private var numbers: Animated<AnimatableNumbers>
    private let kept = CachedEffect()

    init(_ kind: Effect.Kind) {
        self.kind = kind
        numbers = Animated(AnimatableNumbers(EffectElement.numbers(kind)))
    }

    private static func numbers(_ kind: Effect.Kind) -> [Double] {
        switch kind {
        case .opacity(let o): [o]
        case .offset(let s): [s.width.bounded, s.height.bounded]
        case .scale(let s, let a):
            [s.width.within(10_000, else: 1), s.height.within(10_000, else: 1), a.sanitized.x, a.sanitized.y]
        case .rotation(let r, let a): [r.radians.isFinite ? r.radians : 0, a.sanitized.x, a.sanitized.y]
        // A blur wider than 250 points hides all content, and costs much time.
        case .blur(let r): [max(0, r.within(250))]
        case .shadow(let paint, _, let r, let o):
            [max(0, r.within(250)), o.width.within(100_000), o.height.within(100_000)]
                + (paint?.numbers ?? [])
        }
    }

    func set(_ kind: Effect.Kind, _ graph: ViewGraph) {
        self.kind = kind
        let next = EffectElement.numbers(kind)
        guard next != numbers.target.values else { return }
        // A shadow has no color before its first update, so there is nothing from which the color could be animated.
        let isSameKind = next.count == numbers.target.values.count
        let animation = isSameKind ? graph.transaction.effective : nil
        let wasPassingThrough = letsPointerThrough
        numbers.set(AnimatableNumbers(next), animation, now: graph.now())
        if letsPointerThrough != wasPassingThrough { pointerChanged() }
        if animation != nil { host?.animate() }
        host?.needsPlacement()
        setNeedsDisplay()
    }

    override func isAnimatingItself(_ now: Double) -> Bool { numbers.isRunning(now) }

    private func transform(_ size: CGSize, _ now: Double) -> CGAffineTransform {
        let n = numbers.value(now).values
        let rect = CGRect(origin: .zero, size: size)
        switch kind {
        case .offset: return CGAffineTransform(translationX: n[0], y: n[1])
        case .scale:
            return CGAffineTransform(scaleX: n[0], y: n[1]).around(UnitPoint(x: n[2], y: n[3]), rect)
        case .rotation:
            return CGAffineTransform(rotationAngle: n[0]).around(UnitPoint(x: n[1], y: n[2]), rect)
        default: return .identity
        }
    }

    override func childTransform(_ size: CGSize) -> CGAffineTransform { transform(size, host?.now ?? 0) }

    /// Whether the content takes no input. True as soon as the content begins to fade to an opacity of 0.
    override var letsPointerThrough: Bool {
        if case .opacity = kind { numbers.target.values[0] <= 0 } else { false }
    }

    func draw(_ context: DrawContext, _ size: CGSize) {
        let n = numbers.value(context.now).values
        switch kind {
        case .opacity: context.faded(min(1, max(0, n[0]))) { drawChildren(context) }
        case .offset: context.translated(CGPoint(x: n[0], y: n[1])) { drawChildren(context) }
        case .scale, .rotation:
            let t = transform(size, context.now)
            guard t.isDrawable else { return }
            context.transformed(t) { drawChildren(context) }
        case .blur:
            guard n[0] > 0 else { return drawChildren(context) }
            context.drawThrough(.blur(radius: Float(n[0])), kept) { self.drawChildren($0) }
        case .shadow:
            guard n.count >= 7, n[6] > 0 else { return drawChildren(context) }
            let color = Color.Components(red: n[3], green: n[4], blue: n[5], opacity: n[6])
            context.drawThrough(.shadow(color, radius: Float(max(0, n[0])), dx: Float(n[1]), dy: Float(n[2])), kept) {
                self.drawChildren($0)
            }
        }
    }
}

extension EffectElement: InspectableElement {
    private var current: [Double] { numbers.value(host?.now ?? 0).values }

    var inspection: String? {
        let values = current.map(\.inspection).joined(separator: " ")
        return switch kind {
        case .opacity: current[0] < 1 ? "opacity \(values)" : nil
        case .blur: current[0] > 0 ? "blur \(values)" : nil
        case .rotation: current[0] != 0 ? "rotation \(values)" : nil
        case .shadow: "shadow \(values)"
        // The inspector shows these effects in the frames of the content.
        case .offset, .scale: nil
        }
    }
    var showsContent: Bool {
        if case .opacity = kind { current[0] > 0 } else { true }
    }
}

/// The modifier behind `clipShape`, `clipped` and `cornerRadius`. Parts outside a shape are not drawn and take no
/// input.
struct Clip<S: Shape>: ElementModifier {
    let shape: S
    let style: FillStyle
    func makeElement() -> ClipElement { ClipElement() }
    func update(_ element: ClipElement, _ fiber: _Fiber) {
        let shape = shape
        element.style = style
        element.rounded = { shape.rounded(in: $0) }
        element.path = { shape.path(in: $0) }
        element.setNeedsDisplay()
    }
}

final class ClipElement: WrapperElement, DrawnElement {
    override var stackItemKind: StackItemKind { .other }
    var style = FillStyle()
    var rounded: (@MainActor (CGRect) -> RoundedRect?)?
    var path: (@MainActor (CGRect) -> Path)?

    override func admits(_ point: CGPoint) -> Bool {
        path?(bounds).contains(point, eoFill: style.isEOFilled) ?? true
    }
    override func admitsSome(of rect: CGRect) -> Bool {
        path.map { !$0(bounds).boundingRect.intersection(rect).isEmpty } ?? true
    }
    override func contains(_ point: CGPoint) -> Bool { admits(point) && super.contains(point) }

    func draw(_ context: DrawContext, _ size: CGSize) {
        let rect = CGRect(origin: .zero, size: size)
        if let box = rounded?(rect) { return context.clipped(box) { drawChildren(context) } }
        guard let path else { return drawChildren(context) }
        let outline = path(rect)
        let even = style.isEOFilled
        guard let node = context.node({ self.drawChildren($0) }) else { return }
        defer { gsk_render_node_unref(node) }
        context.cairo(rect) { cr in
            outline.trace(cr)
            cairo_set_fill_rule(cr, even ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
            cairo_clip(cr)
            gsk_render_node_draw(node, cr)
        }
    }
}

extension ClipElement: InspectableElement {
    var inspection: String? {
        let radius = rounded?(CGRect(origin: .zero, size: frame.size))?.radii.width
        return radius.map { $0 > 0 ? "radius \(Double($0).inspection)" : "" } ?? "path"
    }
}

/// The view behind `mask`, which draws the content only where another view draws.
struct Masked<Content: View, Mask: View>: _PrimitiveView {
    let content: Content
    let mask: Mask
    let alignment: Alignment
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { MaskFiber(view, inputs) }
}

final class MaskFiber<Content: View, Mask: View>: _ViewFiber<Masked<Content, Mask>> {
    private var content: _ViewFiber<Content>?
    private var mask: _ViewFiber<Mask>?
    private let element = MaskElement()
    private let contentLayers = LayersElement(), maskLayers = LayersElement()

    override init(_ view: Masked<Content, Mask>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        element.alignment = view.alignment
        content = Content._makeFiber(view.content, self.inputs())
        mask = Mask._makeFiber(view.mask, self.inputs())
        element.contentLayers = contentLayers
        element.maskLayers = maskLayers
        structureChanged()
        element.setChildren([contentLayers, maskLayers])
    }
    override var children: [_Fiber] { [content, mask].compactMap { $0 } }
    override var elements: [Element] { [element] }
    override func update(_ view: Masked<Content, Mask>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        element.alignment = view.alignment
        content?.update(view.content, environment)
        mask?.update(view.mask, environment)
    }
    override func structureChanged() {
        contentLayers.setChildren(content?.elements ?? [])
        maskLayers.setChildren(mask?.elements ?? [])
    }
}

final class MaskElement: WrapperElement, DrawnElement {
    override var stackItemKind: StackItemKind { .other }
    var alignment = Alignment.center
    weak var contentLayers: LayersElement?
    weak var maskLayers: LayersElement?
    override var content: Element? { contentLayers }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        contentLayers?.place(CGRect(origin: .zero, size: size), proposal)
        guard let maskLayers else { return }
        let offered = ProposedViewSize(size)
        let inner = maskLayers.sizeThatFits(offered)
        maskLayers.place(CGRect(origin: alignment.origin(of: maskLayers, inner, in: size), size: inner), offered)
    }
    override func contains(_ point: CGPoint) -> Bool { contentLayers?.contains(point) ?? false }
    func draw(_ context: DrawContext, _ size: CGSize) {
        guard let contentLayers, let maskLayers else { return }
        // A mask that is one opaque rounded rectangle has the same effect as a clip, which costs almost nothing.
        if maskLayers.children.count == 1, let shape = maskLayers.children[0] as? ShapeElement,
            let box = shape.opaqueBox(context.now)
        {
            let origin = CGPoint(
                x: maskLayers.frame.minX + shape.frame.minX, y: maskLayers.frame.minY + shape.frame.minY)
            return context.clipped(RoundedRect(rect: box.rect.offsetBy(dx: origin.x, dy: origin.y), radii: box.radii)) {
                contentLayers.render(context)
            }
        }
        context.masked(
            CGRect(origin: .zero, size: size), content: { contentLayers.render($0) }, mask: { maskLayers.render($0) })
    }
}

extension MaskElement: InspectableElement {
    var inspection: String? { "" }
}

extension View {
    /// Sets the opacity of this view. At 0 the view takes no input.
    /// - Parameter opacity: The opacity, clamped to 0…1.
    public func opacity(_ opacity: Double) -> some View {
        elementModifier(Effect(kind: .opacity(Color.clamped(opacity))))
    }
    /// Draws this view at an offset, in points. The layout does not change.
    public func offset(_ offset: CGSize) -> some View { elementModifier(Effect(kind: .offset(offset))) }
    /// Draws this view moved by `x` and `y` points. The layout does not change.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { offset(CGSize(width: x, height: y)) }
    /// Scales the drawing of this view about `anchor`. The layout does not change.
    /// - Parameter scale: The factors of width and height, clamped to ±10 000. A factor that is not finite counts as 1.
    public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
        elementModifier(Effect(kind: .scale(scale, anchor)))
    }
    /// Scales the drawing of this view by `s` about `anchor`. The layout does not change.
    public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View {
        scaleEffect(CGSize(width: s, height: s), anchor: anchor)
    }
    /// Scales the drawing of this view by `x` and `y` about `anchor`. The layout does not change.
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
        scaleEffect(CGSize(width: x, height: y), anchor: anchor)
    }
    /// Rotates the drawing of this view clockwise about `anchor`. The layout does not change.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        elementModifier(Effect(kind: .rotation(angle, anchor)))
    }
    /// Blurs this view.
    /// - Parameters:
    ///   - radius: The radius in points, clamped to 0…250.
    ///   - opaque: Has no effect.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View {
        elementModifier(Effect(kind: .blur(radius)))
    }
    /// Draws a soft shadow behind everything that this view draws.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4")
    ///     .cornerRadius(12)
    ///     .shadow(radius: 8, y: 4)
    /// ```
    /// - Parameters:
    ///   - radius: The radius of the blur in points, clamped to 0…250.
    ///   - x: The horizontal offset of the shadow in points, clamped to ±100 000.
    ///   - y: The vertical offset of the shadow in points, clamped to ±100 000.
    public func shadow(color: Color = Color(white: 0, opacity: 0.33), radius: CGFloat, x: CGFloat = 0, y: CGFloat = 0)
        -> some View
    {
        elementModifier(Effect(kind: .shadow(nil, AnyShapeStyle(color), radius, CGSize(width: x, height: y))))
    }
    /// Limits the drawing and the input of this view to `shape`.
    public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
        elementModifier(Clip(shape: shape, style: style))
    }
    /// Limits the drawing and the input of this view to its bounds.
    /// - Parameter antialiased: Has no effect.
    public func clipped(antialiased: Bool = false) -> some View { clipShape(Rectangle()) }
    /// Limits the drawing and the input of this view to its bounds with rounded corners.
    /// - Parameters:
    ///   - radius: The radius in points, limited to half the shorter side.
    ///   - antialiased: Has no effect.
    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        clipShape(RoundedRectangle(cornerRadius: radius))
    }
    /// Draws this view with the opacity of `mask` at each point.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4")
    ///     .mask { Text("VIDEO").font(.system(size: 160, weight: .black)) }
    /// ```
    public func mask<M: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> M) -> some View {
        Masked(content: self, mask: mask(), alignment: alignment)
    }
    /// Draws this view with the opacity of the view `mask` at each point.
    public func mask<M: View>(_ mask: M) -> some View { Masked(content: self, mask: mask, alignment: .center) }
    /// Hides this view and ignores its input. The layout does not change.
    public func hidden() -> some View { opacity(0) }
}
