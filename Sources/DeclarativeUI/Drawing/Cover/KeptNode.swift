import GTK
import CGTK
import Foundation

/// Whether drawings are kept from frame to frame. Off, everything is drawn again each time: what tests compare with.
@MainActor
package enum KeptDrawings {
    package static var areOn = true
}

/// All that decides how something drawn by cairo looks.
///
/// The drawing is given nothing else to draw from, so two equal looks are the same pixels.
protocol KeptLook: Equatable {
    /// The rectangle that may be drawn into, in the element's space.
    var bounds: CGRect { get }
    @MainActor func draw(_ cr: OpaquePointer)
}

/// What an element has drawn by cairo, kept while it would draw the same again: GTK, and what lies over a video, know
/// by the node that nothing has changed.
@MainActor
final class KeptNode<Look: KeptLook> {
    private var look: Look?
    private var kept: NodeReference?

    func draw(_ look: Look, _ context: DrawContext) {
        if look != self.look || !KeptDrawings.areOn {
            self.look = look
            kept = context.node { inner in inner.cairo(look.bounds, look.draw) }.map(NodeReference.init(owning:))
        }
        if let kept { context.snapshot.append(kept.node) }
    }
}

/// What is done to the drawing of other content as a whole, and reaches beyond it.
enum SoftEffect: Equatable {
    /// Points.
    case blur(radius: Float)
    /// Points.
    case shadow(Color.Components, radius: Float, dx: Float, dy: Float)

    /// How far beyond the content it draws, points.
    var reach: CGSize {
        switch self {
        case .blur(let radius):
            let reach = CGFloat(radius) * 3 + 2
            return CGSize(width: reach, height: reach)
        case .shadow(_, let radius, let dx, let dy):
            let reach = CGFloat(radius) * 3 + 2
            return CGSize(width: reach + CGFloat(abs(dx)), height: reach + CGFloat(abs(dy)))
        }
    }

    /// A node of it around `content`; the caller owns it.
    @MainActor func node(around content: OpaquePointer) -> OpaquePointer? {
        switch self {
        case .blur(let radius): return gsk_blur_node_new(content, radius)
        case .shadow(let color, let radius, let dx, let dy):
            var shadow = GskShadow(color: color.gdk, dx: dx, dy: dy, radius: radius)
            return gsk_shadow_node_new(content, &shadow, 1)
        }
    }

    /// Everything drawn until the matching `pop` goes through it.
    @MainActor func push(on snapshot: GTKSnapshot) {
        switch self {
        case .blur(let radius): snapshot.pushBlur(Double(radius))
        case .shadow(let color, let radius, let dx, let dy):
            snapshot.pushShadow(GskShadow(color: color.gdk, dx: dx, dy: dy, radius: radius))
        }
    }
}

/// An effect as it was drawn around some content, kept while the content's nodes draw the same.
@MainActor
final class KeptEffect {
    private var effect: SoftEffect?
    private var content: NodeReference?
    private var kept: NodeReference?

    func node(_ effect: SoftEffect, _ content: OpaquePointer, _ make: () -> OpaquePointer?) -> OpaquePointer? {
        if KeptDrawings.areOn, let old = self.content, let kept, self.effect == effect,
            NodeEquality.are(old.node, content)
        {
            return kept.node
        }
        (self.effect, self.content) = (effect, NodeReference(content))
        kept = make().map(NodeReference.init(owning:))
        return kept?.node
    }
}
