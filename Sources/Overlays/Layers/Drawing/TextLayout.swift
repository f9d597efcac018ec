import CDrawing
import Foundation

/// Text set by Pango for one drawing or measuring; not kept, as Pango's font maps belong to threads.
final class TextLayout {
    private let layout: OpaquePointer
    /// Where its first line's top left lies, in the layer's space.
    private var origin = CGPoint.zero
    private(set) var size = CGSize.zero

    /// In a layer's bounds.
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

    /// - Parameters:
    ///   - width: lines are broken, or cut, there; points. - height: what is beyond is cut, when something is cut at
    ///     all.
    init?(_ text: TextValues, width: CGFloat?, height: CGFloat? = nil) {
        guard !text.string.isEmpty, text.fontSize > 0, let map = pango_cairo_font_map_get_default(),
            let context = pango_font_map_create_context(map)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        // Grey edges and unhinted outlines: the layer may be turned, scaled, or moved by parts of a pixel.
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
        // More than a screen could ever hold.
        let string = text.string.count > 20_000 ? String(text.string.prefix(20_000)) : text.string
        pango_layout_set_text(layout, string, Int32(string.utf8.count))
        if let font = TextLayout.font(text.fontName) {
            pango_font_description_set_absolute_size(font, Double(text.fontSize) * 1024)
            pango_layout_set_font_description(layout, font)
            pango_font_description_free(font)
        }
        isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        // Pango turns left and right around in such paragraphs.
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
            // Without a height Pango cuts each paragraph to one line.
            if let height { pango_layout_set_height(layout, Int32(min(max(height, 1), 1e6) * 1024)) }
        }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        size = CGSize(width: Double(logical.width) / 1024, height: Double(logical.height) / 1024)
    }
    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    private var isRightToLeft = false

    /// Around the glyphs themselves, in the layer's space; nil for spaces alone.
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

    /// With the context's source, in its space.
    func draw(_ cr: OpaquePointer) {
        cairo_move_to(cr, origin.x, origin.y)
        pango_cairo_show_layout(cr, layout)
        cairo_new_path(cr)
    }

    /// Apple's names for faces ("Helvetica-BoldOblique") are Pango's with the style spelled out.
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
