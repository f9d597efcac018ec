import GTK
import CGTK
import Foundation

/// A switch for the cache of drawings. Tests turn it off to compare cached drawings with new ones.
@MainActor
package enum DrawingCache {
    /// Whether drawings are kept from frame to frame. If false, everything is drawn again each time.
    package static var isEnabled = true
}

/// The values that decide the look of something drawn with cairo.
///
/// The drawing uses no other values, so two equal looks have the same pixels.
protocol CachedDrawing: Equatable {
    /// The rectangle into which the drawing may draw, in the element's space.
    var bounds: CGRect { get }
    @MainActor func draw(_ cr: OpaquePointer)
}

/// An element's drawing with cairo, kept until its look changes.
///
/// If the node is the same as before, GTK and the cover of a video know that nothing has changed.
@MainActor
final class CachedNode<Look: CachedDrawing> {
    private var look: Look?
    private var kept: NodeReference?

    func draw(_ look: Look, _ context: DrawContext) {
        if look != self.look || !DrawingCache.isEnabled {
            self.look = look
            kept = context.node { inner in inner.cairo(look.bounds, look.draw) }.map(NodeReference.init(owning:))
        }
        if let kept { context.snapshot.append(kept.node) }
    }
}

/// A blur or shadow of content as a whole, which extends beyond the content's bounds.
enum SoftEffect: Equatable {
    /// A blur. The radius is in points.
    case blur(radius: Float)
    /// A shadow. The radius and the offset are in points.
    case shadow(Color.Components, radius: Float, dx: Float, dy: Float)

    /// The distance that the effect draws beyond the content, in points.
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

    /// Returns a node of the effect around `content`. The caller owns it.
    @MainActor func node(around content: OpaquePointer) -> OpaquePointer? {
        switch self {
        case .blur(let radius): return gsk_blur_node_new(content, radius)
        case .shadow(let color, let radius, let dx, let dy):
            var shadow = GskShadow(color: color.gdk, dx: dx, dy: dy, radius: radius)
            return gsk_shadow_node_new(content, &shadow, 1)
        }
    }

    /// Applies the effect to everything drawn until the matching `pop`.
    @MainActor func push(on snapshot: GTKSnapshot) {
        switch self {
        case .blur(let radius): snapshot.pushBlur(Double(radius))
        case .shadow(let color, let radius, let dx, let dy):
            snapshot.pushShadow(GskShadow(color: color.gdk, dx: dx, dy: dy, radius: radius))
        }
    }
}

/// The drawing of an effect around content, kept while the content's nodes draw the same pixels.
@MainActor
final class CachedEffect {
    private var effect: SoftEffect?
    private var content: NodeReference?
    private var kept: NodeReference?

    func node(_ effect: SoftEffect, _ content: OpaquePointer, _ make: () -> OpaquePointer?) -> OpaquePointer? {
        if DrawingCache.isEnabled, let old = self.content, let kept, self.effect == effect,
            NodeEquality.are(old.node, content)
        {
            return kept.node
        }
        (self.effect, self.content) = (effect, NodeReference(content))
        kept = make().map(NodeReference.init(owning:))
        return kept?.node
    }
}
