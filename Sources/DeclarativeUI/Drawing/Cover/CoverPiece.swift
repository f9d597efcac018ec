import CGTK
import Foundation

/// An object that keeps a render node alive.
final class NodeReference {
    let node: OpaquePointer
    init(_ node: OpaquePointer) { self.node = gsk_render_node_ref(node) }
    init(owning node: OpaquePointer) { self.node = node }
    deinit { gsk_render_node_unref(node) }
}

/// A part of what is drawn over a video: a node that is not split further.
@MainActor
struct CoverPiece {
    let reference: NodeReference
    /// The origin of the node's space in the host, in points.
    var origin: CGPoint
    /// The part of the host in which the piece is visible, or nil without a clip.
    var clip: CGRect?
    /// The area of the host into which the piece may draw.
    let bounds: CGRect
    /// The number of the group that fades as one layer, or 0 without a group.
    let group: Int
    let opacity: Double
    /// Whether only GTK can draw the piece, because it is rotated in space or drawn by a shader.
    let needsGTK: Bool

    /// Returns the piece in a space whose origin is `point`.
    func relative(to point: CGPoint) -> CoverPiece {
        var copy = self
        copy.origin = CGPoint(x: origin.x - point.x, y: origin.y - point.y)
        copy.clip = clip?.offsetBy(dx: -point.x, dy: -point.y)
        return copy
    }

    /// Returns whether both pieces draw the same pixels.
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
