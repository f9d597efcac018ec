import Foundation
import MediaCore

/// A transition that zooms an element out of another element when it is inserted, and back into it when it is removed.
///
/// The transition runs with its own animation, also if the current change has none. Without a source, the element is
/// crossfaded, or slides.
@MainActor
package final class Zoom {
    /// A move of an element across its parent's width or height.
    package struct Slide: Equatable, Sendable {
        /// The distance before the insertion, as a multiple of the parent's width or height. Positive values are toward
        /// the trailing or lower edge.
        let distance: CGFloat
        /// Whether the element moves up and down. It then fills its parent.
        let isVertical: Bool
        /// The opacity of the black over the element at that distance, 0…1.
        let dimming: Double
        package init(distance: CGFloat, isVertical: Bool = false, dimming: Double = 0) {
            self.distance = distance
            self.isVertical = isVertical
            self.dimming = dimming
        }
        /// The move of a page that is pushed and removed, and that of the page below it.
        package static let page = Slide(distance: 1), below = Slide(distance: -1 / 3, dimming: 0.1)
    }
    weak var source: Element?
    package let slide: Slide?
    package let animation: Animation

    /// Creates a zoom.
    /// - Parameters:
    ///   - source: The element from whose frame the transition starts, and to whose frame it returns. It may be in
    ///     another host of the same window. Nil means a crossfade.
    ///   - animation: The animation, which is used even if the user prefers reduced motion.
    package init(source: Element?, animation: Animation) {
        self.source = source
        self.animation = animation
        slide = nil
    }
    /// Creates a transition that moves the element. The animation is used even if the user prefers reduced motion.
    package init(slide: Slide, animation: Animation) {
        self.slide = slide
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
    /// The opacity of the black over the element, 0…1.
    package let dimming: Double
    /// The source, or nil for a crossfade or a slide.
    package let source: Element?
    /// The part of the space of `rect` outside of which a sliding element is not drawn, or nil for no limit.
    package let limit: CGRect?

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
        dimming = 0
        limit = nil
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

    /// Creates the look of `element`, which slides within the space that its parent has proposed.
    @MainActor
    init(_ element: Element, sliding slide: Zoom.Slide, nearness: Double) {
        let nearness = min(1, max(0, nearness))
        let frame = element.frame
        let parent = element.parent
        let space = CGSize(
            width: parent?.frame.width ?? frame.width, height: element.proposal.height ?? frame.height)
        let share = slide.distance * nearness
        let offset =
            slide.isVertical
            ? CGSize(width: 0, height: share * space.height)
            : CGSize(width: share * space.width * (parent?.isMirrored == true ? -1 : 1), height: 0)
        // The element is in the middle of the space.
        rect = CGRect(
            x: offset.width - frame.minX, y: offset.height + (frame.height - space.height) / 2, width: space.width,
            height: space.height)
        transform = CGAffineTransform(translationX: offset.width, y: offset.height)
        limit = parent.map { CGRect(x: -frame.minX, y: -frame.minY, width: $0.frame.width, height: $0.frame.height) }
        dimming = slide.dimming * nearness
        self.nearness = nearness
        (opacity, source) = (1, nil)
    }
}
