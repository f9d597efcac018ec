import CGTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A single drawing of a canvas with cairo.
@MainActor
final class CanvasTarget {
    let size: CGSize
    private let cr: OpaquePointer
    private let context: DrawContext
    private let fiber: _Fiber
    private let symbols: [Element]
    /// The transform of the canvas's own space.
    private var base = cairo_matrix_t()
    private var hasEnded = false
    private var layers = 0

    init(_ cr: OpaquePointer, _ context: DrawContext, _ size: CGSize, _ fiber: _Fiber, _ symbols: [Element]) {
        self.cr = cr
        self.context = context
        self.size = size
        self.fiber = fiber
        self.symbols = symbols
        cairo_get_matrix(cr, &base)
    }

    /// Ends the drawing. Copies of its contexts have no effect from now on.
    func finish() { hasEnded = true }

    private func apply(_ t: CGAffineTransform) {
        var matrix = cairo_matrix_t(xx: t.a, yx: t.b, xy: t.c, yy: t.d, x0: t.tx, y0: t.ty)
        cairo_set_matrix(cr, &base)
        cairo_transform(cr, &matrix)
    }

    private func clip(_ clips: [GraphicsContext.Clip]) {
        for clip in clips {
            // A clip that is squeezed to nothing hides everything; an inverse one hides nothing.
            guard clip.transform.isDrawable else {
                if !clip.isInverse {
                    cairo_new_path(cr)
                    cairo_clip(cr)
                }
                continue
            }
            apply(clip.transform)
            clip.path.trace(cr)
            var isEvenOdd = clip.isEOFilled
            if clip.isInverse {
                cairo_set_matrix(cr, &base)
                cairo_rectangle(cr, -1, -1, size.width + 2, size.height + 2)
                isEvenOdd = true
            }
            cairo_set_fill_rule(cr, isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
            cairo_clip(cr)
        }
    }

    /// Runs `body` with the transform, clips and blend mode of a context.
    private func drawing(_ state: GraphicsContext, _ body: () -> Void) {
        guard !hasEnded, state.transform.isDrawable else { return }
        cairo_save(cr)
        clip(state.clips)
        apply(state.transform)
        cairo_set_operator(cr, cairo_operator_t(UInt32(state.blendMode.rawValue)))
        body()
        cairo_restore(cr)
    }

    private func paint(_ state: GraphicsContext, _ shading: GraphicsContext.Shading, _ bounds: CGRect) {
        let rect = shading.unitRect(bounds)
        Paint(shading.style(in: rect), state.environment, opacity: Color.clamped(state.opacity)).source(cr, rect)
    }

    func fill(_ state: GraphicsContext, _ path: Path, _ shading: GraphicsContext.Shading, _ isEOFilled: Bool) {
        guard !path.isEmpty else { return }
        drawing(state) {
            path.trace(cr)
            cairo_set_fill_rule(cr, isEOFilled ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
            paint(state, shading, path.boundingRect)
            cairo_fill(cr)
        }
    }

    func stroke(_ state: GraphicsContext, _ path: Path, _ shading: GraphicsContext.Shading, _ requested: StrokeStyle) {
        let style = requested.sanitized
        guard !path.isEmpty, style.lineWidth > 0 else { return }
        drawing(state) {
            path.trace(cr)
            style.apply(cr)
            paint(state, shading, path.boundingRect)
            cairo_stroke(cr)
        }
    }

    // MARK: layers

    /// Begins a layer. Returns false if the drawing has ended.
    func beginLayer() -> Bool {
        guard !hasEnded else { return false }
        layers += 1
        cairo_save(cr)
        cairo_push_group(cr)
        return true
    }

    func endLayer(_ state: GraphicsContext) {
        guard !hasEnded, layers > 0 else { return }
        layers -= 1
        cairo_pop_group_to_source(cr)
        clip(state.clips)
        cairo_set_matrix(cr, &base)
        cairo_set_operator(cr, cairo_operator_t(UInt32(state.blendMode.rawValue)))
        cairo_paint_with_alpha(cr, Color.clamped(state.opacity))
        cairo_restore(cr)
    }

    // MARK: elements

    func element(_ image: Image) -> ImageElement {
        let element = ImageElement()
        element.set(image, fiber)
        return element
    }

    func symbol(_ id: AnyHashable) -> Element? {
        let tagged = fiber.children.flatMap { taggedElements($0) }
        return tagged.first { $0.tag.plain == Tag.plain(id.base) }?.element
            ?? symbols.first { $0.trait(Tag.self)?.plain == id }
    }

    /// Draws an element into a rectangle.
    /// - Parameter rect: The rectangle in the context's space.
    func draw(_ state: GraphicsContext, _ element: Element, _ rect: CGRect) {
        let rect = rect.sanitized
        guard rect.width > 0, rect.height > 0 else { return }
        element.place(CGRect(origin: .zero, size: rect.size), ProposedViewSize(rect.size))
        guard let node = context.node({ element.render($0) }) else { return }
        defer { gsk_render_node_unref(node) }
        drawing(state) {
            cairo_translate(cr, rect.minX, rect.minY)
            // The element is drawn as one layer, because its letters and lines may overlap.
            cairo_push_group(cr)
            // The blend mode applies to the layer. The group has copied the operator, which would blend the element's
            // parts with the empty group.
            cairo_set_operator(cr, CAIRO_OPERATOR_OVER)
            gsk_render_node_draw(node, cr)
            cairo_pop_group_to_source(cr)
            cairo_paint_with_alpha(cr, Color.clamped(state.opacity))
        }
    }
}

extension Tag {
    /// Returns the comparable form of `value`, whose type is not known.
    fileprivate static func plain(_ value: Any) -> AnyHashable? { Tag(value: value).plain }
}

extension StrokeStyle {
    /// Sets this style on a cairo context.
    @MainActor func apply(_ cr: OpaquePointer) {
        cairo_set_line_width(cr, lineWidth)
        cairo_set_line_cap(cr, cairo_line_cap_t(UInt32(lineCap.rawValue)))
        cairo_set_line_join(cr, cairo_line_join_t(UInt32(lineJoin.rawValue)))
        cairo_set_miter_limit(cr, miterLimit)
        if !dash.isEmpty { cairo_set_dash(cr, dash.map(Double.init), Int32(dash.count), dashPhase) }
    }
}
