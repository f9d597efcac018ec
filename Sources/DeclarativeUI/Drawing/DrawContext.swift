import CGTK
import Foundation
import GTK
import MediaCore

/// The destination of drawing: a GtkSnapshot, and the transform from the element's space to the host's space.
@MainActor
final class DrawContext {
    let snapshot: GTKSnapshot
    let now: Double
    /// The host's widget, or nil when elements are drawn without a window.
    let container: GTKWidget?
    private(set) var transform = CGAffineTransform.identity
    /// The number of effects (opacity, masks, blur) that surround the current drawing.
    private(set) var effects = 0
    private var settling: [() -> Void] = []
    /// The color of text and symbols on a control's own background, where the app sets no foreground style.
    private var controlInk: Color.Components?
    /// The control's frame behind the label that is being drawn.
    private var frame: LabelFrame?
    /// The texts drawn so far that hide while other text covers them: their rectangles, and the closures to call when
    /// they are covered.
    private var yielding: [(rect: CGRect, yield: () -> Void)] = []
    /// The context of the whole host, if this context records a part of it separately.
    private var outer: DrawContext?

    init(snapshot: GTKSnapshot, now: Double, container: GTKWidget?) {
        self.snapshot = snapshot
        self.now = now
        self.container = container
    }

    func translated(_ offset: CGPoint, _ body: () -> Void) {
        guard offset.x != 0 || offset.y != 0 else { return body() }
        let outer = transform
        transform = transform.translatedBy(x: offset.x, y: offset.y)
        snapshot.save()
        snapshot.translate(x: Float(offset.x), y: Float(offset.y))
        body()
        snapshot.restore()
        transform = outer
    }

    func transformed(_ t: CGAffineTransform, _ body: () -> Void) {
        guard !t.isIdentity else { return body() }
        // A transform that is not drawable squeezes the content to nothing.
        guard t.isDrawable else { return }
        let outer = transform
        transform = t.concatenating(transform)
        snapshot.save()
        apply(t)
        body()
        snapshot.restore()
        transform = outer
    }

    private func apply(_ t: CGAffineTransform) {
        let transform = t.gsk
        snapshot.transform(transform)
        gsk_transform_unref(transform)
    }

    /// Runs `body`, whose drawing passes through an effect. No video inside may have its own surface.
    func throughEffect(_ body: () -> Void) {
        effects += 1
        body()
        effects -= 1
    }

    /// Draws `body` as one layer with `opacity`, 0…1.
    func faded(_ opacity: Double, _ body: () -> Void) {
        if opacity >= 1 { return body() }
        guard opacity > 0 else { return }
        snapshot.pushOpacity(opacity)
        throughEffect(body)
        snapshot.pop()
    }

    func clipped(_ rect: CGRect, _ body: () -> Void) {
        snapshot.pushClip(rect.graphene)
        body()
        snapshot.pop()
    }

    func clipped(_ rounded: RoundedRect, _ body: () -> Void) {
        if rounded.radii == .zero { return clipped(rounded.rect, body) }
        snapshot.pushClip(rounded.gsk)
        throughEffect(body)
        snapshot.pop()
    }

    /// Returns the render node of what `body` draws, in the current space, or nil if `body` draws nothing. The caller
    /// owns the node.
    func node(_ body: (DrawContext) -> Void) -> OpaquePointer? {
        GTKSnapshot.node { fresh in
            let inner = DrawContext(snapshot: fresh, now: now, container: container)
            inner.transform = transform
            inner.effects = effects + 1
            inner.controlInk = controlInk
            inner.frame = frame
            inner.outer = self
            body(inner)
        }
    }

    /// Draws `content` with the opacity of `mask` at each pixel.
    func masked(_ rect: CGRect, content: (DrawContext) -> Void, mask: (DrawContext) -> Void) {
        guard let node = node(content) else { return }
        defer { gsk_render_node_unref(node) }
        guard let maskNode = self.node(mask) else { return }
        defer { gsk_render_node_unref(maskNode) }
        cairo(rect) { cr in
            cairo_push_group(cr)
            gsk_render_node_draw(node, cr)
            cairo_pop_group_to_source(cr)
            let contentPattern = cairo_pattern_reference(cairo_get_source(cr))
            cairo_push_group(cr)
            gsk_render_node_draw(maskNode, cr)
            let maskPattern = cairo_pop_group(cr)
            cairo_set_source(cr, contentPattern)
            cairo_mask(cr, maskPattern)
            cairo_pattern_destroy(maskPattern)
            cairo_pattern_destroy(contentPattern)
        }
    }

    /// Draws with cairo into `rect`.
    func cairo(_ rect: CGRect, _ body: (OpaquePointer) -> Void) {
        guard rect.width > 0, rect.height > 0, rect.width.isFinite, rect.height.isFinite, rect.minX.isFinite,
            rect.minY.isFinite
        else { return }
        guard let cr = snapshot.cairo(rect.graphene) else { return }
        body(cr)
        cairo_destroy(cr)
    }

    /// Fills `rect` with `color`.
    func color(_ color: Color.Components, _ rect: CGRect) {
        guard color.opacity > 0, rect.width > 0, rect.height > 0 else { return }
        snapshot.append(color.gdk, rect.graphene)
    }

    /// The larger of the two factors by which the current transform scales x and y.
    var scale: CGFloat { max(hypot(transform.a, transform.b), hypot(transform.c, transform.d)) }

    /// Draws `body` through `effect`. `kept` caches the result while the effect and the content stay the same.
    ///
    /// GTK 4.8 assumes that a shadow extends half as far as it is drawn. GTK cuts the shadow off there, or leaves
    /// traces of it. With the CPU renderer, cairo draws the effect anyway, so this method draws it with its correct
    /// bounds.
    func drawThrough(_ effect: SoftEffect, _ kept: CachedEffect, _ body: (DrawContext) -> Void) {
        guard Renderer.chosen == .cpu, let content = node(body) else {
            effect.push(on: snapshot)
            throughEffect { body(self) }
            snapshot.pop()
            return
        }
        defer { gsk_render_node_unref(content) }
        var bounds = graphene_rect_t()
        gsk_render_node_get_bounds(content, &bounds)
        let reach = effect.reach
        let all = CGRect(bounds).insetBy(dx: -reach.width.rounded(.up), dy: -reach.height.rounded(.up))
        // A larger bitmap can't be allocated; the content is then shown without the effect.
        guard all.width * all.height <= DrawContext.largestArea,
            let drawn = kept.node(
                effect, content,
                {
                    guard let node = effect.node(around: content) else { return nil }
                    defer { gsk_render_node_unref(node) }
                    return self.node { inner in inner.cairo(all) { gsk_render_node_draw(node, $0) } }
                })
        else { return snapshot.append(content) }
        snapshot.append(drawn)
    }
    /// The largest area of a drawn effect, in square points.
    private static let largestArea: CGFloat = 4096 * 4096

    // MARK: text

    /// Returns the paint of text and symbols in `rect`.
    func ink(_ environment: EnvironmentValues, in rect: CGRect) -> Paint {
        if let controlInk, environment.foregroundStyle == nil, environment.isEnabled { return .color(controlInk) }
        let paint = environment.ink
        guard case .color(let color) = paint, let ground = backgroundColor(under: rect) else { return paint }
        return .color(color.readable(on: ground))
    }

    /// Runs `body`, which draws the label of a control whose frame has the color `ground`. Nil means that there is no
    /// frame.
    func withBackground(_ ground: Color.Components?, _ body: () -> Void) {
        let outerFrame = frame
        frame = ground.map { LabelFrame($0) }
        body()
        frame = outerFrame
    }
    /// Records that a label has drawn something into `rect`. Text over it is no longer directly on the control's frame.
    func recordCover(_ rect: CGRect) { frame?.covered.append(rect.applying(transform)) }
    /// Returns the color of the control's frame under `rect`, or nil if something else is under it.
    func backgroundColor(under rect: CGRect) -> Color.Components? {
        guard let frame else { return nil }
        let area = rect.applying(transform)
        let middle = CGPoint(x: area.midX, y: area.midY)
        return frame.covered.contains { $0.contains(middle) } ? nil : frame.color
    }

    /// Runs `body`, which draws text in the color `ink` on a control's own background. Nil means the usual color.
    func withTextColor(_ ink: Color.Components?, _ body: () -> Void) {
        let outerInk = controlInk
        controlInk = ink
        body()
        controlInk = outerInk
    }

    /// Records that text is drawn into `rect` of the current space.
    func recordText(_ rect: CGRect) {
        // Text without a letter covers nothing.
        guard rect.width > 0, rect.height > 0 else { return }
        if let outer { return outer.hideTexts(under: rect.applying(transform)) }
        hideTexts(under: rect.applying(transform))
    }
    private func hideTexts(under area: CGRect) {
        if let outer { return outer.hideTexts(under: area) }
        for text in yielding where text.rect.intersects(area) { text.yield() }
    }

    /// Registers text in `rect` that hides while other text covers it.
    /// - Parameters:
    ///   - yield: Called for each text that is drawn over `rect`.
    ///   - settle: Called once when everything has been drawn.
    func yielding(_ rect: CGRect, yield: @escaping () -> Void, settle: @escaping () -> Void) {
        yields(rect.applying(transform), yield, settle)
    }
    private func yields(_ area: CGRect, _ yield: @escaping () -> Void, _ settle: @escaping () -> Void) {
        if let outer { return outer.yields(area, yield, settle) }
        yielding.append((area, yield))
        settling.append(settle)
    }

    // MARK: videos with their own surface

    /// Whether a video that is drawn now may have its own surface: no effect surrounds it, and it is only moved, not
    /// rotated or scaled. (`CoverScene` blends views over the video into its frames.)
    var allowsVideoSurface: Bool { outer == nil && effects == 0 && transform.isTranslation }

    /// Calls all registered `settle` closures, after everything has been drawn.
    func finish() { for settle in settling { settle() } }

    /// Draws a child widget of the host at the widget's allocation.
    func widget(_ widget: GTKWidget) {
        // A control at 100 times its size is not usable, and its theme's shadows would be larger than GTK can draw.
        guard let container, transform.isDrawable, let inverse = transform.inverse, scale < 100 else { return }
        snapshot.save()
        apply(inverse)
        snapshot.append(child: widget, of: container)
        snapshot.restore()
    }
}

/// The frame of a control, and the rectangles of it that the control's label has covered.
@MainActor
private final class LabelFrame {
    let color: Color.Components
    var covered: [CGRect] = []
    init(_ color: Color.Components) { self.color = color }
}

/// A rectangle with rounded corners.
struct RoundedRect: Equatable {
    var rect: CGRect
    var radii: CGSize
    var gsk: GskRoundedRect {
        var result = GskRoundedRect()
        var bounds = rect.graphene
        var corner = graphene_size_t(width: Float(radii.width), height: Float(radii.height))
        gsk_rounded_rect_init(&result, &bounds, &corner, &corner, &corner, &corner)
        return result
    }
}

extension CGAffineTransform {
    /// The transform as separate steps that GSK recognizes as two-dimensional, or nil for identity. The caller owns it.
    ///
    /// GSK does not recognize a matrix as two-dimensional, and its cairo renderer then draws nothing.
    var gsk: OpaquePointer? {
        var point = graphene_point_t(x: Float(tx), y: Float(ty))
        var result = gsk_transform_translate(nil, &point)
        guard !isTranslation else { return result }
        // The matrix's columns are split into a rotation, a shear along x, and a scale.
        let sx = hypot(a, b)
        guard sx > 0 else { return gsk_transform_scale(result, 0, 0) }
        let sy = (a * d - b * c) / sx
        let shear = (a * c + b * d) / sx
        result = gsk_transform_rotate(result, Float(atan2(b, a) * 180 / .pi))
        if shear != 0, sy != 0 { result = gsk_transform_skew(result, Float(atan(shear / sy) * 180 / .pi), 0) }
        return gsk_transform_scale(result, Float(sx), Float(sy))
    }
}

extension CGRect {
    var graphene: graphene_rect_t {
        var rect = graphene_rect_t()
        graphene_rect_init(&rect, Float(minX), Float(minY), Float(width), Float(height))
        return rect
    }
}

extension Color.Components {
    var gdk: GdkRGBA { GdkRGBA(red: Float(red), green: Float(green), blue: Float(blue), alpha: Float(opacity)) }
}

extension Shape {
    /// Returns the rounded rectangle that equals this shape in `rect`, or nil if none does. GSK draws and clips rounded
    /// rectangles without cairo.
    func rounded(in rect: CGRect) -> RoundedRect? {
        switch self {
        case let shape as Rectangle: return RoundedRect(rect: rect.smaller(by: shape.amount), radii: .zero)
        case let shape as RoundedRectangle:
            let inner = rect.smaller(by: shape.amount)
            return RoundedRect(
                rect: inner,
                radii: CGSize(
                    width: shape.cornerSize.width - shape.amount, height: shape.cornerSize.height - shape.amount
                ).corner(in: inner))
        case let shape as Capsule:
            let inner = rect.smaller(by: shape.amount)
            let radius = min(inner.width, inner.height) / 2
            return RoundedRect(rect: inner, radii: CGSize(width: radius, height: radius))
        case let shape as Circle:
            let side = min(rect.width, rect.height)
            let inner = CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side).smaller(
                by: shape.amount)
            return RoundedRect(rect: inner, radii: CGSize(width: inner.width / 2, height: inner.height / 2))
        case let shape as Ellipse:
            let inner = rect.smaller(by: shape.amount)
            return RoundedRect(rect: inner, radii: CGSize(width: inner.width / 2, height: inner.height / 2))
        default: return nil
        }
    }
}
