import CDrawing
import Foundation

/// A text layout by Pango for a single drawing or measurement. Layouts are not cached, because each font map of Pango
/// belongs to one thread.
final class TextLayout {
    private let layout: OpaquePointer
    /// The top left corner of the first line, in the layer's space.
    private var origin = CGPoint.zero
    private(set) var size = CGSize.zero

    /// Lays text out in the bounds of a layer. Returns nil if there is nothing to draw.
    convenience init?(_ text: TextValues, in bounds: CGRect) {
        let isBounded = bounds.width > 0 && (text.isWrapped || text.truncation != .none)
        self.init(
            text, width: isBounded ? bounds.width : nil,
            height: text.isWrapped && text.truncation != .none && bounds.height > 0 ? bounds.height : nil)
        origin = bounds.origin
        if !isBounded {
            let part: CGFloat =
                switch text.alignment {
                case .center: 0.5
                case .right: 1
                case .left: 0
                default: isRightToLeft ? 1 : 0
                }
            origin.x += (bounds.width - size.width) * part
        }
    }

    /// Lays text out. Returns nil if the text is empty or the font size is 0.
    ///
    /// - Parameters:
    ///   - width: The width at which lines are wrapped or truncated, in points. Nil is no limit.
    ///   - height: The height at which truncated text ends, in points. Nil is no limit.
    init?(_ text: TextValues, width: CGFloat?, height: CGFloat? = nil) {
        guard !text.string.isEmpty, text.fontSize > 0, let map = pango_cairo_font_map_get_default(),
            let context = pango_font_map_create_context(map)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        // Gray antialiasing without hinting, because layers may be rotated, scaled or moved by fractions of a pixel.
        if let options = cairo_font_options_create() {
            cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
            cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
            cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
            pango_cairo_context_set_font_options(context, options)
            cairo_font_options_destroy(options)
        }
        pango_context_set_round_glyph_positions(context, 0)
        guard let layout = pango_layout_new(context) else { return nil }
        self.layout = layout
        // No screen can show more characters.
        let string = text.string.count > 20_000 ? String(text.string.prefix(20_000)) : text.string
        pango_layout_set_text(layout, string, Int32(string.utf8.count))
        if let font = TextLayout.font(text.fontName) {
            pango_font_description_set_absolute_size(font, Double(text.fontSize) * 1024)
            pango_layout_set_font_description(layout, font)
            pango_font_description_free(font)
        }
        isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        // In right-to-left paragraphs, Pango swaps left and right.
        let left = isRightToLeft ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT
        let right = isRightToLeft ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT
        switch text.alignment {
        case .left: pango_layout_set_alignment(layout, left)
        case .right: pango_layout_set_alignment(layout, right)
        case .center: pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER)
        case .justified: pango_layout_set_justify(layout, 1)
        default: pango_layout_set_alignment(layout, PANGO_ALIGN_LEFT)
        }
        if let width {
            pango_layout_set_width(layout, Int32(min(max(width, 0), 1e6) * 1024))
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
            switch text.truncation {
            case .start: pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_START)
            case .middle: pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_MIDDLE)
            case .end: pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
            default: break
            }
            // Without a height, Pango truncates each paragraph to one line.
            if let height { pango_layout_set_height(layout, Int32(min(max(height, 1), 1e6) * 1024)) }
        }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        size = CGSize(width: Double(logical.width) / 1024, height: Double(logical.height) / 1024)
    }
    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    private var isRightToLeft = false

    /// The rectangle around the visible glyphs, in the layer's space; nil if there are only spaces.
    var ink: CGRect? {
        var rect = PangoRectangle()
        pango_layout_get_extents(layout, &rect, nil)
        guard rect.width > 0, rect.height > 0 else { return nil }
        return CGRect(
            x: Double(rect.x) / 1024, y: Double(rect.y) / 1024, width: Double(rect.width) / 1024,
            height: Double(rect.height) / 1024
        )
        .offsetBy(dx: origin.x, dy: origin.y)
    }

    /// Draws the text with the source and in the space of `cr`.
    func draw(_ cr: OpaquePointer) {
        cairo_move_to(cr, origin.x, origin.y)
        pango_cairo_show_layout(cr, layout)
        cairo_new_path(cr)
    }

    /// Converts Apple's font names ("Helvetica-BoldOblique") to Pango's, which write the style as separate words.
    private static func font(_ name: String) -> OpaquePointer? {
        var spelled = name
        if let dash = name.lastIndex(of: "-") {
            var style = ""
            for character in name[name.index(after: dash)...] {
                if character.isUppercase, !style.isEmpty { style.append(" ") }
                style.append(character)
            }
            let known: Set<String> = [
                "Thin", "Light", "Regular", "Medium", "Bold", "Black", "Heavy", "Italic", "Oblique", "Condensed",
                "Roman", "Book",
            ]
            if style.split(separator: " ").allSatisfy({ known.contains(String($0)) }) {
                spelled =
                    name[..<dash] + " "
                    + style.replacingOccurrences(of: "Roman", with: "").replacingOccurrences(of: "Book", with: "")
            }
        }
        return pango_font_description_from_string(spelled)
    }
}
