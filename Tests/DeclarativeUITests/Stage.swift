import CGTK
import Foundation
import GTK
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Views without a window, which a test evaluates, lays out and inspects in process.
@MainActor
final class Stage {
    let host = ViewHost(display: false)
    var time = 0.0

    init<V: View>(
        _ width: CGFloat = 400, _ height: CGFloat = 300, environment: EnvironmentValues = EnvironmentValues(),
        @ViewBuilder _ content: () -> V
    ) {
        host.graph.now = { [weak self] in MainActor.assumeIsolated { self?.time ?? 0 } }
        host.mount(content(), environment: environment)
        layOut(width, height)
    }

    isolated deinit { host.close() }

    func layOut(_ width: CGFloat? = nil, _ height: CGFloat? = nil) {
        host.graph.flush()
        host.surface.layOut(CGSize(width: width ?? host.surface.size.width, height: height ?? host.surface.size.height))
    }

    /// Every element except those in scrolled areas, parents first.
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

    /// Returns the frame of the first text `text`, in the stage's coordinates, or nil if there is none.
    func frame(_ text: String) -> CGRect? { elements.first { ($0 as? TextElement)?.string == text }?.frameInHost }

    /// Returns the frame of the first view named `mark`, in the stage's coordinates, or nil if there is none.
    func frame(of mark: String) -> CGRect? {
        elements.first { ($0 as? TraitElement<Mark>)?.value.name == mark }?.frameInHost
    }

    /// Draws the views and returns the pixels.
    func drawing() -> NodePixels {
        NodePixels.registerNodes
        let node = GTKSnapshot.node { snapshot in
            let context = DrawContext(snapshot: snapshot, now: time, container: nil)
            host.surface.root.render(context)
            context.finish()
        }
        defer { if let node { gsk_render_node_unref(node) } }
        return NodePixels(node, host.surface.size)
    }

    /// Returns the pixel at a point: red, green, blue and alpha, 0…255, premultiplied. Draws the views for each call.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] { drawing().pixel(x, y) }
}

/// The pixels of a render node, drawn by GSK with cairo.
@MainActor
struct NodePixels: Equatable, @MainActor CustomTestStringConvertible {
    var testDescription: String { "\(width) pixels wide, \(bytes.hashValue)" }
    /// The pixels in rows, four bytes per pixel: blue, green, red, alpha, premultiplied.
    private(set) var bytes: [UInt8] = []
    let width: Int

    /// Registers the types of render nodes, which `gtk_init` would register. Requesting a type registers it.
    static let registerNodes: Void = {
        for type in [
            gsk_container_node_get_type, gsk_cairo_node_get_type, gsk_color_node_get_type, gsk_transform_node_get_type,
            gsk_opacity_node_get_type, gsk_clip_node_get_type, gsk_rounded_clip_node_get_type, gsk_blur_node_get_type,
            gsk_shadow_node_get_type, gsk_texture_node_get_type, gsk_text_node_get_type, gsk_repeat_node_get_type,
            gsk_debug_node_get_type, gsk_color_matrix_node_get_type, gsk_border_node_get_type,
            gsk_inset_shadow_node_get_type,
            gsk_outset_shadow_node_get_type, gsk_linear_gradient_node_get_type, gsk_radial_gradient_node_get_type,
            gsk_conic_gradient_node_get_type, gsk_color_matrix_node_get_type, gsk_blend_node_get_type,
            gsk_cross_fade_node_get_type,
        ] { _ = type() }
    }()

    init(_ node: OpaquePointer?, _ size: CGSize) {
        width = Int(size.width)
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(size.height)) else {
            return
        }
        defer { cairo_surface_destroy(surface) }
        if let node, let cr = cairo_create(surface) {
            gsk_render_node_draw(node, cr)
            cairo_destroy(cr)
        }
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return }
        // With four bytes per pixel, rows have no padding.
        bytes = [UInt8](UnsafeBufferPointer(start: data, count: width * Int(size.height) * 4))
    }

    /// Returns red, green, blue and alpha, 0…255, premultiplied, or an empty array outside the pixels.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let at = (y * width + x) * 4
        guard at >= 0, at + 3 < bytes.count else { return [] }
        return [bytes[at + 2], bytes[at + 1], bytes[at], bytes[at + 3]]
    }
}

struct Mark { let name: String }
extension View {
    /// Names the view for `Stage.frame(of:)`.
    func mark(_ name: String) -> some View { elementModifier(TraitModifier(value: Mark(name: name))) }
}
