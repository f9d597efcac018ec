import Foundation
import MediaCore

/// A transition that zooms an element out of another element when it is inserted, and back into it when it is removed.
///
/// The transition runs with its own animation, also if the current change has none. Without a source, the element is
/// crossfaded.
@MainActor
package final class Zoom {
    weak var source: Element?
    let animation: Animation

    /// Creates a zoom.
    /// - Parameters:
    ///   - source: The element from whose frame the transition starts, and to whose frame it returns. It may be in
    ///     another host of the same window. Nil means a crossfade.
    ///   - animation: The animation, which is used even if the user prefers reduced motion.
    package init(source: Element?, animation: Animation) {
        self.source = source
        self.animation = animation
    }
}

/// The look of an element at one time of its zoom.
package struct ZoomedPlace {
    /// The visible rectangle, in the space of the element's frame without the zoom.
    package let rect: CGRect
    /// The transform from the element's own space to that space.
    package let transform: CGAffineTransform
    /// The nearness to the source: 1 at the source, 0 at the end of the insertion.
    package let nearness: Double
    package let opacity: Double
    /// The source, or nil for a crossfade.
    package let source: Element?

    /// The nearness to the source below which the element is opaque.
    private static let opaqueBelow = 0.6

    /// Creates the look of `element`, which zooms within the bounds of its parent.
    @MainActor
    init(_ element: Element, from source: Element?, nearness: Double) {
        let nearness = min(1, max(0, nearness))
        let frame = element.frame
        let whole = CGRect(
            origin: CGPoint(x: -frame.minX, y: -frame.minY), size: element.parent?.frame.size ?? frame.size)
        let origin = element.frameInWindow.origin
        let start = source?.frameInWindow.offsetBy(dx: -origin.x, dy: -origin.y) ?? .zero
        self.nearness = nearness
        guard let source, source.host != nil, start.width > 0, start.height > 0, whole.width > 0, whole.height > 0
        else {
            (self.rect, transform, opacity, self.source) = (whole, .identity, 1 - nearness, nil)
            return
        }
        func between(_ a: CGFloat, _ b: CGFloat) -> CGFloat { a + (b - a) * nearness }
        let rect = CGRect(
            x: between(whole.minX, start.minX), y: between(whole.minY, start.minY),
            width: between(whole.width, start.width), height: between(whole.height, start.height))
        // The content fills the rectangle in both directions, and is cut off in one of them.
        let scale = max(rect.width / whole.width, rect.height / whole.height)
        transform = CGAffineTransform(scaleX: scale, y: scale).concatenating(
            CGAffineTransform(translationX: rect.midX - whole.midX * scale, y: rect.midY - whole.midY * scale))
        self.rect = rect
        self.source = source
        opacity = min(1, (1 - nearness) / (1 - ZoomedPlace.opaqueBelow))
    }
}
