import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// The ring that shows the keyboard focus.
///
/// The ring is a line in the accent color just inside the focused view, with that view's corners. A thin line in the
/// window's color is inside the ring. One of the two lines is visible on every background, even on the accent color.
@MainActor
enum FocusRing {
    /// The widths of the outer line in the accent color and of the inner line, in points.
    static let width: CGFloat = 2, gap: CGFloat = 1

    /// The colors of the outer and the inner line.
    struct Look: Equatable {
        let accent, inner: Color.Components
    }

    /// Draws the ring inside an outline.
    ///
    /// - Parameters:
    ///   - look: The colors.
    ///   - box: The outline of the focused view.
    ///   - context: The context to draw in.
    static func draw(_ look: Look, around box: RoundedRect, _ context: DrawContext) {
        let rect = box.rect
        guard rect.width > 2 * (width + gap), rect.height > 2 * (width + gap) else { return }
        context.cairo(rect) { cr in
            for (color, line, inset) in [(look.accent, width, width / 2), (look.inner, gap, width + gap / 2)] {
                trace(rect.insetBy(dx: inset, dy: inset), box.radii.width - inset, cr)
                cairo_set_line_width(cr, line)
                cairo_set_source_rgba(cr, color.red, color.green, color.blue, color.opacity)
                cairo_stroke(cr)
            }
        }
    }

    private static func trace(_ rect: CGRect, _ cornerRadius: CGFloat, _ cr: OpaquePointer) {
        let radius = max(0, min(cornerRadius, min(rect.width, rect.height) / 2))
        cairo_new_sub_path(cr)
        cairo_arc(cr, rect.maxX - radius, rect.minY + radius, radius, -.pi / 2, 0)
        cairo_arc(cr, rect.maxX - radius, rect.maxY - radius, radius, 0, .pi / 2)
        cairo_arc(cr, rect.minX + radius, rect.maxY - radius, radius, .pi / 2, .pi)
        cairo_arc(cr, rect.minX + radius, rect.minY + radius, radius, .pi, 1.5 * .pi)
        cairo_close_path(cr)
    }

    /// Returns the outline of `element`. If its content draws a background over the whole element, the outline has that
    /// background's corners. Otherwise, it has the corners of a control.
    static func outline(of element: Element, _ size: CGSize) -> RoundedRect {
        let whole = CGRect(origin: .zero, size: size)
        return ground(in: element, whole, at: .zero)
            ?? RoundedRect(rect: whole, radii: CGSize(width: Radius.control, height: Radius.control))
    }

    private static func ground(in element: Element, _ whole: CGRect, at origin: CGPoint) -> RoundedRect? {
        for child in element.children where !child.isHidden {
            let frame = child.frame.offsetBy(dx: origin.x, dy: origin.y)
            if let shape = child as? ShapeElement, frame.insetBy(dx: -1, dy: -1).contains(whole),
                let box = shape.box
            {
                return RoundedRect(rect: whole, radii: box.radii)
            }
            if let found = ground(in: child, whole, at: frame.origin) { return found }
        }
        return nil
    }
}

extension EnvironmentValues {
    /// The colors of the focus ring in this environment, or nil if focus rings are disabled.
    var focusRing: FocusRing.Look? {
        guard isFocusEffectEnabled else { return nil }
        let isDark = colorScheme == .dark
        return FocusRing.Look(
            accent: Color.accentColor.resolved(dark: isDark, accent: tintColor),
            inner: Paint.windowColor.resolved(dark: isDark, accent: nil))
    }
}
