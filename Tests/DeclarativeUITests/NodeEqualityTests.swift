import CGTK
import Foundation
import Testing

@testable import DeclarativeUI

/// Tests that nodes which compare as equal draw the same pixels. Cached drawings depend on this.
@Suite("Equality of render nodes") @MainActor
struct NodeEqualityTests {
    /// A kind of node, with all properties that affect its drawing. Each node in `others` has one property changed.
    private struct Kind {
        let name: String
        /// Whether two nodes with the same properties compare as equal, so that their drawing is cached.
        let isKnown: Bool
        let base: () -> OpaquePointer?
        let others: [(property: String, make: () -> OpaquePointer?)]
    }

    private static let size = CGSize(width: 130, height: 60)

    private static func rect(_ x: Float = 5, _ y: Float = 5, _ w: Float = 30, _ h: Float = 20) -> graphene_rect_t {
        CGRect(x: Double(x), y: Double(y), width: Double(w), height: Double(h)).graphene
    }
    private static func rgba(_ r: Float, _ g: Float, _ b: Float, _ a: Float = 1) -> GdkRGBA {
        GdkRGBA(red: r, green: g, blue: b, alpha: a)
    }
    private static let red = rgba(1, 0, 0), blue = rgba(0, 0, 1)

    private static func color(_ color: GdkRGBA = red, _ rect: graphene_rect_t = rect()) -> OpaquePointer? {
        var (color, rect) = (color, rect)
        return gsk_color_node_new(&color, &rect)
    }
    private static func outline(_ rect: graphene_rect_t = rect(), _ radius: Float = 6) -> GskRoundedRect {
        var (rect, result) = (rect, GskRoundedRect())
        gsk_rounded_rect_init_from_rect(&result, &rect, radius)
        return result
    }
    /// Returns the node that `make` creates around `child`, and releases `child`.
    private static func around(_ child: OpaquePointer?, _ make: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        guard let child else { return nil }
        defer { gsk_render_node_unref(child) }
        return make(child)
    }
    private static func container(_ children: [OpaquePointer?]) -> OpaquePointer? {
        var all = children
        defer { for case let child? in all { gsk_render_node_unref(child) } }
        return gsk_container_node_new(&all, guint(all.count))
    }
    /// A run of glyphs with its own baseline, as `gtk_snapshot_append_layout` makes it.
    private static func text(
        _ words: String, font: String = "Sans 14", color: GdkRGBA = red, x: Float = 4, spacing: Int32 = 0
    ) -> OpaquePointer? {
        guard let context = TextContext.shared, let layout = pango_layout_new(context),
            let snapshot = gtk_snapshot_new()
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let description = pango_font_description_from_string(font)
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        pango_layout_set_text(layout, words, -1)
        if spacing != 0, let attributes = pango_attr_list_new() {
            pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(spacing))
            pango_layout_set_attributes(layout, attributes)
            pango_attr_list_unref(attributes)
        }
        var (point, color) = (graphene_point_t(x: x, y: 20), color)
        gtk_snapshot_translate(snapshot, &point)
        gtk_snapshot_append_layout(snapshot, layout, &color)
        return gtk_snapshot_free_to_node(snapshot)
    }
    private static func texture(_ pixel: UInt32) -> OpaquePointer? {
        let pixels = [UInt32](repeating: pixel, count: 16)
        return pixels.withUnsafeBytes { raw in
            guard let bytes = g_bytes_new(raw.baseAddress, gsize(raw.count)) else { return nil }
            defer { g_bytes_unref(bytes) }
            return gdk_memory_texture_new(4, 4, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, 16)
        }
    }
    private static let textures = (texture(0xFFFF_0000), texture(0xFF00_FF00))
    private static func textured(_ texture: OpaquePointer?, _ rect: graphene_rect_t = rect()) -> OpaquePointer? {
        var rect = rect
        return texture.flatMap { gsk_texture_node_new($0, &rect) }
    }
    private static func border(
        _ outline: GskRoundedRect = outline(), _ widths: [Float] = [3, 3, 3, 3], _ colors: [GdkRGBA]? = nil
    ) -> OpaquePointer? {
        var outline = outline
        return gsk_border_node_new(&outline, widths, colors ?? [red, red, red, red])
    }
    private static func shadow(
        inset: Bool, _ outline: GskRoundedRect = outline(), _ color: GdkRGBA = red, dx: Float = 2, dy: Float = 2,
        spread: Float = 2, blur: Float = 4
    ) -> OpaquePointer? {
        var (outline, color) = (outline, color)
        return inset
            ? gsk_inset_shadow_node_new(&outline, &color, dx, dy, spread, blur)
            : gsk_outset_shadow_node_new(&outline, &color, dx, dy, spread, blur)
    }
    private static func moved(_ x: Float, _ y: Float, turn: Float = 0, scale: Float = 1) -> OpaquePointer? {
        around(color()) { child in
            var point = graphene_point_t(x: x, y: y)
            let transform = gsk_transform_scale(
                gsk_transform_rotate(gsk_transform_translate(nil, &point), turn), scale, scale)
            defer { gsk_transform_unref(transform) }
            return gsk_transform_node_new(child, transform)
        }
    }
    private static func cairo(_ width: Double) -> OpaquePointer? {
        var rect = rect()
        guard let node = gsk_cairo_node_new(&rect), let cr = gsk_cairo_node_get_draw_context(node) else { return nil }
        cairo_rectangle(cr, 6, 6, width, 8)
        cairo_fill(cr)
        cairo_destroy(cr)
        return node
    }
    private static func drawnShadow(_ color: GdkRGBA = red, dx: Float = 3, dy: Float = 3, radius: Float = 8)
        -> OpaquePointer?
    {
        around(Self.color(blue)) { child in
            var shadow = GskShadow(color: color, dx: dx, dy: dy, radius: radius)
            return gsk_shadow_node_new(child, &shadow, 1)
        }
    }
    private static func gradient(_ stops: [(Float, GdkRGBA)], end: Float = 35) -> OpaquePointer? {
        var (rect, from, to) = (rect(), graphene_point_t(x: 5, y: 5), graphene_point_t(x: end, y: 5))
        let all = stops.map { GskColorStop(offset: $0.0, color: $0.1) }
        return gsk_linear_gradient_node_new(&rect, &from, &to, all, gsize(all.count))
    }
    private static func clip(_ box: graphene_rect_t, _ child: OpaquePointer?) -> OpaquePointer? {
        around(child) { child in
            var box = box
            return gsk_clip_node_new(child, &box)
        }
    }
    private static func roundClip(_ outline: GskRoundedRect, _ child: OpaquePointer?) -> OpaquePointer? {
        around(child) { child in
            var outline = outline
            return gsk_rounded_clip_node_new(child, &outline)
        }
    }
    private static func tiled(_ tile: Float, _ color: GdkRGBA = red) -> OpaquePointer? {
        around(Self.color(color, rect(0, 0, 4, 4))) { child in
            var (whole, one) = (rect(), rect(0, 0, tile, tile))
            return gsk_repeat_node_new(&whole, child, &one)
        }
    }

    private nonisolated static let kindCount = 18
    private static let kinds: [Kind] = [
        Kind(
            name: "color", isKnown: true, base: { color() },
            others: [
                ("colour", { color(blue) }), ("opacity", { color(rgba(1, 0, 0, 0.5)) }),
                ("place", { color(red, rect(9)) }), ("size", { color(red, rect(5, 5, 31)) }),
            ]),
        Kind(
            name: "text", isKnown: true, base: { text("0:01 / 9:59") },
            others: [
                ("last digit", { text("0:01 / 9:58") }), ("first digit", { text("1:01 / 9:59") }),
                ("order of letters", { text("0:10 / 9:59") }), ("colour", { text("0:01 / 9:59", color: blue) }),
                ("opacity", { text("0:01 / 9:59", color: rgba(1, 0, 0, 0.4)) }),
                ("weight", { text("0:01 / 9:59", font: "Sans Bold 14") }),
                ("size", { text("0:01 / 9:59", font: "Sans 15") }),
                ("family", { text("0:01 / 9:59", font: "Serif 14") }),
                ("place", { text("0:01 / 9:59", x: 5) }), ("part of a point", { text("0:01 / 9:59", x: 4.5) }),
                ("spacing", { text("0:01 / 9:59", spacing: 2048) }), ("letters", { text("0:01") }),
            ]),
        Kind(
            name: "texture", isKnown: true, base: { textured(textures.0) },
            others: [("pixels", { textured(textures.1) }), ("place", { textured(textures.0, rect(8)) })]),
        Kind(
            name: "border", isKnown: true, base: { border() },
            others: [
                ("corners", { border(outline(rect(), 2)) }), ("one width", { border(outline(), [3, 3, 5, 3]) }),
                ("one colour", { border(outline(), [3, 3, 3, 3], [red, red, red, blue]) }),
                ("place", { border(outline(rect(7))) }),
            ]),
        Kind(
            name: "inset shadow", isKnown: true, base: { shadow(inset: true) },
            others: [
                ("colour", { shadow(inset: true, outline(), blue) }), ("dx", { shadow(inset: true, dx: 5) }),
                ("dy", { shadow(inset: true, dy: 5) }), ("spread", { shadow(inset: true, spread: 5) }),
                ("blur", { shadow(inset: true, blur: 0) }), ("outline", { shadow(inset: true, outline(rect(), 1)) }),
            ]),
        Kind(
            name: "outset shadow", isKnown: true, base: { shadow(inset: false) },
            others: [
                ("colour", { shadow(inset: false, outline(), blue) }), ("dx", { shadow(inset: false, dx: 5) }),
                ("dy", { shadow(inset: false, dy: 5) }), ("spread", { shadow(inset: false, spread: 5) }),
                ("blur", { shadow(inset: false, blur: 0) }), ("outline", { shadow(inset: false, outline(rect(), 1)) }),
            ]),
        Kind(
            name: "transform", isKnown: true, base: { moved(3, 3) },
            others: [
                ("x", { moved(4, 3) }), ("y", { moved(3, 4) }), ("turn", { moved(3, 3, turn: 20) }),
                ("scale", { moved(3, 3, scale: 0.8) }),
            ]),
        Kind(
            name: "opacity", isKnown: true, base: { around(color()) { gsk_opacity_node_new($0, 0.5) } },
            others: [
                ("opacity", { around(color()) { gsk_opacity_node_new($0, 0.6) } }),
                ("content", { around(text("0:01")) { gsk_opacity_node_new($0, 0.5) } }),
                ("content's colour", { around(color(blue)) { gsk_opacity_node_new($0, 0.5) } }),
            ]),
        Kind(
            name: "clip", isKnown: true, base: { clip(rect(8, 8, 10, 10), color()) },
            others: [
                ("box", { clip(rect(8, 8, 10, 11), color()) }), ("content", { clip(rect(8, 8, 10, 10), color(blue)) }),
            ]),
        Kind(
            name: "rounded clip", isKnown: true, base: { roundClip(outline(), color()) },
            others: [
                ("corners", { roundClip(outline(rect(), 2), color()) }),
                ("content", { roundClip(outline(), color(blue)) }),
            ]),
        Kind(
            name: "container", isKnown: true, base: { container([color(), color(blue, rect(15))]) },
            others: [
                ("order", { container([color(blue, rect(15)), color()]) }),
                ("a child", { container([color(), color(blue, rect(15)), color(blue, rect(8, 8, 3, 3))]) }),
                ("text within text", { container([text("0:01"), container([text("0:02", x: 20)])]) }),
                ("deep text", { container([text("0:01"), container([text("0:03", x: 20)])]) }),
            ]),
        Kind(
            name: "debug", isKnown: true, base: { around(color()) { gsk_debug_node_new($0, g_strdup("a")) } },
            others: [("content", { around(color(blue)) { gsk_debug_node_new($0, g_strdup("a")) } })]),
        Kind(
            name: "blur", isKnown: true, base: { around(color()) { gsk_blur_node_new($0, 2) } },
            others: [
                ("radius", { around(color()) { gsk_blur_node_new($0, 5) } }),
                ("content", { around(text("0:01")) { gsk_blur_node_new($0, 2) } }),
            ]),
        // Unknown kinds of nodes always compare as different.
        Kind(name: "cairo", isKnown: false, base: { cairo(10) }, others: [("drawing", { cairo(12) })]),
        Kind(
            name: "shadow", isKnown: false, base: { drawnShadow() },
            others: [
                ("colour", { drawnShadow(blue) }), ("dx", { drawnShadow(dx: 6) }),
                ("radius", { drawnShadow(radius: 0) }),
            ]),
        Kind(
            name: "gradient", isKnown: false, base: { gradient([(0, red), (1, blue)]) },
            others: [
                ("stop", { gradient([(0, red), (0.5, blue), (1, red)]) }),
                ("end", { gradient([(0, red), (1, blue)], end: 20) }),
            ]),
        Kind(
            name: "repeat", isKnown: false, base: { tiled(6) },
            others: [("tile", { tiled(8) }), ("content", { tiled(6, blue) })]),
        Kind(
            name: "cross fade", isKnown: false,
            base: { around(color()) { a in around(color(blue)) { gsk_cross_fade_node_new(a, $0, 0.3) } } },
            others: [
                ("progress", { around(color()) { a in around(color(blue)) { gsk_cross_fade_node_new(a, $0, 0.6) } } })
            ]),
    ]

    private static func made(_ make: () -> OpaquePointer?) throws -> NodeReference {
        NodePixels.registerNodes
        return NodeReference(owning: try #require(make()))
    }

    @Test("nodes made alike are equal if their kind is known", arguments: 0..<kindCount)
    func alike(_ index: Int) throws {
        let kind = Self.kinds[index]
        let (a, b) = (try Self.made(kind.base), try Self.made(kind.base))
        #expect(NodeEquality.are(a.node, b.node) == kind.isKnown, "\(kind.name)")
        #expect(NodePixels(a.node, Self.size) == NodePixels(b.node, Self.size), "\(kind.name)")
    }

    @Test("every changed property makes nodes unequal", arguments: 0..<kindCount)
    func changed(_ index: Int) throws {
        let kind = Self.kinds[index]
        let base = try Self.made(kind.base)
        for other in kind.others {
            let node = try Self.made(other.make)
            let words = "\(kind.name): \(other.property)"
            #expect(NodePixels(base.node, Self.size) != NodePixels(node.node, Self.size), "no change: \(words)")
            #expect(!NodeEquality.are(base.node, node.node), "\(words)")
            #expect(!NodeEquality.are(node.node, base.node), "\(words)")
        }
    }

    @Test("equal nodes have equal pixels, also inside other nodes")
    func pairs() throws {
        #expect(Self.kinds.count == Self.kindCount)
        let plain = try Self.kinds.flatMap { kind in
            try ([kind.base] + kind.others.map(\.make)).map { try Self.made($0) }
        }
        // Each node is also compared inside each kind of node that has content.
        let wraps: [(OpaquePointer) -> OpaquePointer?] = [
            { gsk_opacity_node_new($0, 0.5) },
            { Self.clip(Self.rect(0, 0, 50, 50), gsk_render_node_ref($0)) },
            { gsk_blur_node_new($0, 1) },
            { Self.container([gsk_render_node_ref($0), Self.color()]) },
            { child in
                var point = graphene_point_t(x: 2, y: 1)
                let transform = gsk_transform_translate(nil, &point)
                defer { gsk_transform_unref(transform) }
                return gsk_transform_node_new(child, transform)
            },
        ]
        let all =
            plain
            + (try wraps.flatMap { wrap in
                try plain.map { inner in try Self.made { wrap(inner.node) } }
            })
        let pixels = all.map { NodePixels($0.node, Self.size) }
        for i in all.indices {
            for j in all.indices where i != j && NodeEquality.are(all[i].node, all[j].node) {
                #expect(pixels[i] == pixels[j], "\(i) and \(j)")
            }
        }
    }
}
