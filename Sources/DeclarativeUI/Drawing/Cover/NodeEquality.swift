import CGTK

/// A comparison of render nodes. The result is true only if two nodes certainly draw the same pixels.
///
/// Most elements create new nodes each time they draw; a GTK widget keeps its node until it changes. The comparison
/// covers all values that affect drawing. Unlisted kinds of nodes, and everything drawn with cairo, count as changed.
@MainActor
enum NodeEquality {
    static func are(_ a: OpaquePointer, _ b: OpaquePointer) -> Bool {
        if a == b { return true }
        let kind = gsk_render_node_get_node_type(a)
        guard kind == gsk_render_node_get_node_type(b), bounds(a) == bounds(b) else { return false }
        switch kind {
        case GSK_CONTAINER_NODE:
            let count = gsk_container_node_get_n_children(a)
            guard count == gsk_container_node_get_n_children(b) else { return false }
            return (0..<count).allSatisfy {
                areChildren(gsk_container_node_get_child(a, $0), gsk_container_node_get_child(b, $0))
            }
        case GSK_COLOR_NODE: return bytes(gsk_color_node_get_color(a), gsk_color_node_get_color(b))
        case GSK_TEXTURE_NODE: return gsk_texture_node_get_texture(a) == gsk_texture_node_get_texture(b)
        case GSK_TEXT_NODE: return areTexts(a, b)
        case GSK_TRANSFORM_NODE:
            return gsk_transform_equal(gsk_transform_node_get_transform(a), gsk_transform_node_get_transform(b)) != 0
                && areChildren(gsk_transform_node_get_child(a), gsk_transform_node_get_child(b))
        case GSK_OPACITY_NODE:
            return gsk_opacity_node_get_opacity(a) == gsk_opacity_node_get_opacity(b)
                && areChildren(gsk_opacity_node_get_child(a), gsk_opacity_node_get_child(b))
        case GSK_CLIP_NODE:
            return bytes(gsk_clip_node_get_clip(a), gsk_clip_node_get_clip(b))
                && areChildren(gsk_clip_node_get_child(a), gsk_clip_node_get_child(b))
        case GSK_ROUNDED_CLIP_NODE:
            return bytes(gsk_rounded_clip_node_get_clip(a), gsk_rounded_clip_node_get_clip(b))
                && areChildren(gsk_rounded_clip_node_get_child(a), gsk_rounded_clip_node_get_child(b))
        case GSK_DEBUG_NODE:
            // A debug message draws nothing, but may identify the video that is shown there.
            return message(a) == message(b)
                && areChildren(gsk_debug_node_get_child(a), gsk_debug_node_get_child(b))
        case GSK_BLUR_NODE:
            return gsk_blur_node_get_radius(a) == gsk_blur_node_get_radius(b)
                && areChildren(gsk_blur_node_get_child(a), gsk_blur_node_get_child(b))
        case GSK_BORDER_NODE:
            return bytes(gsk_border_node_get_outline(a), gsk_border_node_get_outline(b))
                && bytes(gsk_border_node_get_widths(a), gsk_border_node_get_widths(b), count: 4)
                && bytes(gsk_border_node_get_colors(a), gsk_border_node_get_colors(b), count: 4)
        case GSK_OUTSET_SHADOW_NODE:
            return bytes(gsk_outset_shadow_node_get_outline(a), gsk_outset_shadow_node_get_outline(b))
                && bytes(gsk_outset_shadow_node_get_color(a), gsk_outset_shadow_node_get_color(b))
                && gsk_outset_shadow_node_get_dx(a) == gsk_outset_shadow_node_get_dx(b)
                && gsk_outset_shadow_node_get_dy(a) == gsk_outset_shadow_node_get_dy(b)
                && gsk_outset_shadow_node_get_spread(a) == gsk_outset_shadow_node_get_spread(b)
                && gsk_outset_shadow_node_get_blur_radius(a) == gsk_outset_shadow_node_get_blur_radius(b)
        case GSK_INSET_SHADOW_NODE:
            return bytes(gsk_inset_shadow_node_get_outline(a), gsk_inset_shadow_node_get_outline(b))
                && bytes(gsk_inset_shadow_node_get_color(a), gsk_inset_shadow_node_get_color(b))
                && gsk_inset_shadow_node_get_dx(a) == gsk_inset_shadow_node_get_dx(b)
                && gsk_inset_shadow_node_get_dy(a) == gsk_inset_shadow_node_get_dy(b)
                && gsk_inset_shadow_node_get_spread(a) == gsk_inset_shadow_node_get_spread(b)
                && gsk_inset_shadow_node_get_blur_radius(a) == gsk_inset_shadow_node_get_blur_radius(b)
        // The content of a cairo node can't be compared.
        default: return false
        }
    }

    private static func areChildren(_ a: OpaquePointer?, _ b: OpaquePointer?) -> Bool {
        guard let a, let b else { return a == b }
        return are(a, b)
    }

    private static func areTexts(_ a: OpaquePointer, _ b: OpaquePointer) -> Bool {
        guard gsk_text_node_get_font(a) == gsk_text_node_get_font(b),
            let offset = colorOffset(like: a), let colorA = gsk_text_node_get_color(a),
            let colorB = gsk_text_node_get_color(b),
            memcmp(UnsafeRawPointer(colorA) + offset, UnsafeRawPointer(colorB) + offset, MemoryLayout<GdkRGBA>.size)
                == 0,
            bytes(gsk_text_node_get_offset(a), gsk_text_node_get_offset(b))
        else { return false }
        // The count needs its own call. GTK's header declares the getter as free of side effects. The compiler
        // therefore assumes that a count passed by pointer stays 0.
        let count = gsk_text_node_get_num_glyphs(a)
        guard count == gsk_text_node_get_num_glyphs(b) else { return false }
        guard count > 0 else { return true }
        guard let glyphsA = gsk_text_node_get_glyphs(a, nil), let glyphsB = gsk_text_node_get_glyphs(b, nil) else {
            return false
        }
        return (0..<Int(count)).allSatisfy {
            let (x, y) = (glyphsA[$0], glyphsB[$0])
            return x.glyph == y.glyph && x.geometry.width == y.geometry.width
                && x.geometry.x_offset == y.geometry.x_offset && x.geometry.y_offset == y.geometry.y_offset
        }
    }

    private static var knownColorOffset: Int??

    /// Returns the offset in bytes from the pointer that GTK returns for a text's color to the color; `nil` if GTK does
    /// not return the color. Texts then count as changed.
    ///
    /// GTK 4.16 to 4.18 return a pointer to a private structure, in which a pointer precedes the color (`GdkColor`,
    /// gsktextnode.c). Therefore the first call creates a node with the font and glyphs of `text` and a known color,
    /// and searches for that color.
    private static func colorOffset(like text: OpaquePointer) -> Int? {
        if let knownColorOffset { return knownColorOffset }
        var glyphs = PangoGlyphString()
        glyphs.num_glyphs = Int32(clamping: gsk_text_node_get_num_glyphs(text))
        glyphs.glyphs = UnsafeMutablePointer(mutating: gsk_text_node_get_glyphs(text, nil))
        var color = GdkRGBA(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.625)
        var origin = graphene_point_t()
        guard let font = gsk_text_node_get_font(text), let node = gsk_text_node_new(font, &glyphs, &color, &origin)
        else { return nil }
        defer { gsk_render_node_unref(node) }
        let offset = gsk_text_node_get_color(node).flatMap { found in
            [0, MemoryLayout<UnsafeRawPointer>.size].first {
                memcmp(UnsafeRawPointer(found) + $0, &color, MemoryLayout<GdkRGBA>.size) == 0
            }
        }
        knownColorOffset = .some(offset)
        return offset
    }

    private static func message(_ node: OpaquePointer) -> String? {
        gsk_debug_node_get_message(node).map { String(cString: $0) }
    }

    private static func bounds(_ node: OpaquePointer) -> [Float] {
        var rect = graphene_rect_t()
        gsk_render_node_get_bounds(node, &rect)
        return [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height]
    }

    /// Compares structures byte by byte. They must contain only numbers, without padding.
    private static func bytes<T>(_ a: UnsafePointer<T>?, _ b: UnsafePointer<T>?, count: Int = 1) -> Bool {
        guard let a, let b else { return false }
        return memcmp(a, b, MemoryLayout<T>.size * count) == 0
    }
}
