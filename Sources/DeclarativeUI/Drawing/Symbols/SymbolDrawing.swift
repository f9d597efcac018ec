import CGTK
import Foundation

extension [SymbolStep] {
    /// Draws a symbol in the center of `rect`, as large as possible.
    /// - Parameters:
    ///   - weight: The width of lines in units of the grid, which has 24 units on each side.
    ///   - ink: The part of the grid that is stretched to `rect`, or nil for the whole grid in its proportions.
    ///   - source: A closure that sets the color or pattern of the symbol as cairo's source.
    @MainActor func draw(
        _ cr: OpaquePointer, in rect: CGRect, weight: CGFloat, ink: CGRect? = nil, source: () -> Void
    ) {
        let side = Swift.min(rect.width, rect.height)
        guard side > 0 else { return }
        let grid = CGRect(x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side)
        let (part, target) = ink.map { ($0, rect) } ?? (CGRect(x: 0, y: 0, width: 24, height: 24), grid)
        guard part.width > 0, part.height > 0 else { return }
        // The symbol is drawn as one mask, because its parts may overlap and some erase others.
        cairo_push_group_with_content(cr, CAIRO_CONTENT_ALPHA)
        cairo_save(cr)
        cairo_translate(cr, target.minX, target.minY)
        cairo_scale(cr, target.width / part.width, target.height / part.height)
        cairo_translate(cr, -part.minX, -part.minY)
        cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND)
        cairo_set_source_rgba(cr, 0, 0, 0, 1)
        for step in self {
            cairo_set_operator(cr, step.isErasing ? CAIRO_OPERATOR_DEST_OUT : CAIRO_OPERATOR_OVER)
            step.outline.trace(cr)
            if step.isFilled { cairo_fill_preserve(cr) }
            if let stroke = step.stroke {
                cairo_set_line_width(cr, stroke * weight + step.margin)
                cairo_stroke_preserve(cr)
            }
        }
        cairo_new_path(cr)
        cairo_restore(cr)
        let mask = cairo_pop_group(cr)
        source()
        cairo_mask(cr, mask)
        cairo_pattern_destroy(mask)
    }

    /// Returns the bounds of what the symbol draws, in units of the grid. Parts that other parts erase count too.
    /// - Parameter weight: The width of lines in units of the grid.
    @MainActor func ink(weight: CGFloat) -> CGRect {
        let whole = CGRect(x: 0, y: 0, width: 24, height: 24)
        guard let surface = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nil) else { return whole }
        defer { cairo_surface_destroy(surface) }
        guard let cr = cairo_create(surface) else { return whole }
        defer { cairo_destroy(cr) }
        cairo_set_tolerance(cr, 0.01)
        cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND)
        var result = CGRect.null
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        func addExtents() {
            guard right > left, bottom > top else { return }
            result = result.union(CGRect(x: left, y: top, width: right - left, height: bottom - top))
        }
        for step in self where !step.isErasing {
            step.outline.trace(cr)
            if step.isFilled {
                cairo_fill_extents(cr, &left, &top, &right, &bottom)
                addExtents()
            }
            if let stroke = step.stroke {
                cairo_set_line_width(cr, stroke * weight + step.margin)
                cairo_stroke_extents(cr, &left, &top, &right, &bottom)
                addExtents()
            }
        }
        return result.width > 0 && result.height > 0 ? result : whole
    }
}

extension Font.Weight {
    /// The width of a symbol's lines beside text of this weight, in units of the grid.
    var symbolLine: CGFloat {
        // The weights are those of CSS, 100…900; 400 is regular.
        let points: [(CGFloat, CGFloat)] = [(100, 0.9), (300, 1.5), (400, 1.9), (600, 2.3), (700, 2.5), (900, 3)]
        let value = CGFloat(value)
        guard let upper = points.firstIndex(where: { $0.0 >= value }) else { return points[points.count - 1].1 }
        guard upper > 0 else { return points[0].1 }
        let (a, b) = (points[upper - 1], points[upper])
        return a.1 + (b.1 - a.1) * (value - a.0) / (b.0 - a.0)
    }
}
