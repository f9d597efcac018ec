import CGTK
import Foundation
import GTK
import Overlays

/// The layers of a host whose old look is blended into the new one, for `UIView.transition(with:)`.
@MainActor
final class LayerBlends {
    struct Blend {
        weak var layer: CALayer?
        /// The old look in the space of the layer's superlayer, or nil if nothing was visible.
        let look: NodeReference?
        let timing: ChangeTiming
    }
    private var all: [ObjectIdentifier: Blend] = [:]

    var isEmpty: Bool { all.isEmpty }
    subscript(id: ObjectIdentifier?) -> Blend? { id.flatMap { all[$0] } }

    func add(_ layer: CALayer, _ look: NodeReference?, _ timing: ChangeTiming) {
        all[ObjectIdentifier(layer)] = Blend(layer: layer, look: look, timing: timing)
    }
    func removeEnded(at now: Double) {
        for (id, blend) in all where now >= blend.timing.begin + blend.timing.duration {
            all[id] = nil
            blend.layer?.setBlended(false)
        }
    }
    func removeAll() {
        for blend in all.values { blend.layer?.setBlended(false) }
        all = [:]
    }

    /// Returns the layer with an identity among layers and their sublayers, or nil if there is none.
    static func find(_ id: ObjectIdentifier, in layers: [PresentedLayer]) -> PresentedLayer? {
        for layer in layers {
            if layer.values.blended == id { return layer }
            if let found = find(id, in: layer.sublayers) { return found }
        }
        return nil
    }
}

extension DrawContext {
    /// Draws the blend of a render node and of what `body` draws. A nil node counts as transparent.
    /// - Parameter progress: The part of `body` in the blend, 0…1.
    func blended(from start: OpaquePointer?, _ progress: Double, _ body: (DrawContext) -> Void) {
        guard let start else { return faded(progress) { body(self) } }
        guard let end = node(body) else { return faded(1 - progress) { snapshot.append(start) } }
        defer { gsk_render_node_unref(end) }
        guard let mixed = gsk_cross_fade_node_new(start, end, Float(min(max(progress, 0), 1))) else { return }
        snapshot.append(mixed)
        gsk_render_node_unref(mixed)
    }

    /// Draws a widget as it was last shown, without drawing it again.
    /// - Parameter origin: The position of the widget in the current space.
    func lastDrawing(of widget: GTKWidget, at origin: CGPoint) {
        let size = widget.size
        guard size.width > 0, size.height > 0, let live = widget.lastDrawing else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(live)) }
        translated(origin) {
            gdk_paintable_snapshot(live, snapshot.pointer, Double(size.width), Double(size.height))
        }
    }
}
