import CGTK
import Foundation

@testable import DeclarativeUI

/// Views without a window: evaluated, laid out and looked at in process.
@MainActor
final class Stage {
    let host = ViewHost(display: false)
    var time = 0.0

    init<V: View>(_ width: CGFloat = 400, _ height: CGFloat = 300, @ViewBuilder _ content: () -> V) {
        host.graph.now = { [unowned self] in MainActor.assumeIsolated { self.time } }
        host.mount(content())
        layOut(width, height)
    }

    isolated deinit { host.close() }

    func layOut(_ width: CGFloat? = nil, _ height: CGFloat? = nil) {
        host.graph.flush()
        host.surface.layOut(CGSize(width: width ?? host.surface.size.width, height: height ?? host.surface.size.height))
    }

    /// Without gtk_init nobody has registered the types of render nodes; asking for each does.
    private static let registerNodes: Void = {
        for type in [
            gsk_container_node_get_type, gsk_cairo_node_get_type, gsk_color_node_get_type, gsk_transform_node_get_type,
            gsk_opacity_node_get_type, gsk_clip_node_get_type, gsk_rounded_clip_node_get_type, gsk_blur_node_get_type,
            gsk_shadow_node_get_type, gsk_texture_node_get_type, gsk_text_node_get_type, gsk_repeat_node_get_type,
        ] { _ = type() }
    }()

    /// Every element, parents first.
    var elements: [Element] {
        var all: [Element] = []
        func walk(_ element: Element) {
            all.append(element)
            element.children.forEach(walk)
        }
        walk(host.surface.root)
        return all
    }

    var texts: [String] { elements.compactMap { ($0 as? TextElement)?.string } }

    /// Where the text lies.
    func frame(_ text: String) -> CGRect? { elements.first { ($0 as? TextElement)?.string == text }?.frameInHost }

    /// Where the views named by `mark` lie.
    func frame(of mark: String) -> CGRect? {
        elements.first { ($0 as? TraitElement<Mark>)?.value.name == mark }?.frameInHost
    }

    /// The pixel at a point, drawn by GSK through cairo: red, green, blue, alpha of 0…255, premultiplied.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let width = Int32(host.surface.size.width)
        let height = Int32(host.surface.size.height)
        Stage.registerNodes
        guard let snapshot = gtk_snapshot_new(),
            let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)
        else { return [] }
        defer { cairo_surface_destroy(surface) }
        let context = DrawContext(snapshot: snapshot, now: time, container: nil)
        host.surface.root.render(context)
        context.finish()
        if let node = gtk_snapshot_free_to_node(snapshot), let cr = cairo_create(surface) {
            gsk_render_node_draw(node, cr)
            gsk_render_node_unref(node)
            cairo_destroy(cr)
        }
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return [] }
        let at = Int(cairo_image_surface_get_stride(surface)) * y + x * 4
        return [data[at + 2], data[at + 1], data[at], data[at + 3]]
    }
}

struct Mark { let name: String }
extension View {
    /// Names a view for `Stage.frame(of:)`.
    func mark(_ name: String) -> some View { elementModifier(TraitModifier(value: Mark(name: name))) }
}
