import CGTK
import Foundation

/// A render node, kept as long as this is.
final class NodeReference {
    let node: OpaquePointer
    init(_ node: OpaquePointer) { self.node = gsk_render_node_ref(node) }
    init(owning node: OpaquePointer) { self.node = node }
    deinit { gsk_render_node_unref(node) }
}

/// Something drawn over a video: a node that is not taken apart further.
@MainActor
struct CoverPiece {
    let reference: NodeReference
    /// Where the node's space lies in the host's, points.
    var origin: CGPoint
    /// What of the host may show it.
    var clip: CGRect?
    /// What it may draw into, of the host.
    let bounds: CGRect
    /// Pieces of one number fade as a whole; 0: not at all.
    let group: Int
    let opacity: Double
    /// GTK alone can draw it: turned in space, or by a shader.
    let isUnfit: Bool

    /// The same in a space that begins at `point`.
    func relative(to point: CGPoint) -> CoverPiece {
        var copy = self
        copy.origin = CGPoint(x: origin.x - point.x, y: origin.y - point.y)
        copy.clip = clip?.offsetBy(dx: -point.x, dy: -point.y)
        return copy
    }

    /// Draws the same pixels.
    func looks(like other: CoverPiece) -> Bool {
        origin == other.origin && clip == other.clip && NodeEquality.are(reference.node, other.reference.node)
    }

    func draw(_ cr: OpaquePointer) {
        cairo_save(cr)
        if let clip {
            cairo_rectangle(cr, clip.minX, clip.minY, clip.width, clip.height)
            cairo_clip(cr)
        }
        cairo_translate(cr, origin.x, origin.y)
        gsk_render_node_draw(reference.node, cr)
        cairo_restore(cr)
    }
}
