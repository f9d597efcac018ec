import Foundation
@_spi(Graph) import ViewGraph

/// A turn of a mouse's wheel, or two fingers that move on a touchpad, over a view that does not scroll. Its names are
/// those of AppKit's `NSEvent`; SwiftUI tells of no such thing.
public struct ScrollWheelEvent: Equatable, Sendable {
    /// Where in a row of events this one stands.
    public enum Phase: Hashable, Sendable {
        /// A wheel: each event is one of its own.
        case none
        /// Fingers: the first of a row, one that follows, and the last, which moves nothing: they were lifted.
        case began, changed, ended
    }
    /// Where in a row of events this one stands; `none` for a wheel.
    public let phase: Phase
    /// How far, in the direction that content would go: to the right, and down (a wheel turned away from the user is
    /// more than 0). Notches of a wheel, which may be broken ones; points where ``hasPreciseScrollingDeltas``. Always
    /// finite.
    public let scrollingDeltaX: CGFloat, scrollingDeltaY: CGFloat
    /// The deltas are points. X11 tells notches also of a touchpad.
    public let hasPreciseScrollingDeltas: Bool
    /// Where the pointer is, in the view, points.
    public let location: CGPoint
    /// Ctrl is both `.control` and `.command`, Alt is `.option`.
    public let modifiers: EventModifiers
}

extension View {
    /// Called when a wheel is turned, or two fingers move on a touchpad, with the pointer over this view, unless
    /// something in it scrolls that way, or it stands in something that does: a page goes on under the pointer. Main
    /// actor.
    /// - Parameter action: true when it was for this view; else views around it are asked.
    public func onScrollWheel(perform action: @escaping @MainActor (ScrollWheelEvent) -> Bool) -> some View {
        elementModifier(ScrollWheelModifier(action: action))
    }
}

struct ScrollWheelModifier: ElementModifier {
    let action: @MainActor (ScrollWheelEvent) -> Bool
    func makeElement() -> ScrollWheelElement { ScrollWheelElement() }
    func update(_ element: ScrollWheelElement, _ fiber: _Fiber) {
        element.isEnabled = fiber.environment.isEnabled
        element.action = action
    }
}

/// Hears scrolling over its content: on the host's widget, after the widgets in it, so that lists come first. Of
/// several elements GTK asks the one that came last first, which is the innermost.
final class ScrollWheelElement: WrapperElement {
    var isEnabled = true
    var action: @MainActor (ScrollWheelEvent) -> Bool = { _ in false }
    private var scroll: EventController?
    private var motion: MotionController?
    /// Where the pointer is in the host: GDK's scroll events do not say.
    private var pointer: CGPoint?
    /// Fingers are down: nil none, false nothing has been told of them.
    private var hasBegun: Bool?

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        scroll = EventController(GTKScrollController(), on: container)
        scroll?.on("scroll-begin") { [weak self] in self?.hasBegun = false }
        scroll?.onScroll { [weak self] dx, dy in self?.scrolled(dx, dy) ?? false }
        scroll?.on("scroll-end") { [weak self] in self?.ended() }
        motion = MotionController(container) { [weak self] in self?.pointer = $0 }
    }
    override func detached(from host: any ElementHost) {
        scroll?.remove()
        motion?.remove()
        (scroll, motion, pointer, hasBegun) = (nil, nil, nil, nil)
    }

    private func scrolled(_ dx: Double, _ dy: Double) -> Bool {
        guard isEnabled, !isInert, dx.isFinite, dy.isFinite, dx != 0 || dy != 0, let container = host?.container,
            let event = scroll?.event, event.isOwn(of: container), let pointer, let own = fromHost(pointer)
        else { return false }
        // Fingers that have begun here may go on with the pointer elsewhere: it does not move meanwhile, but views may.
        guard hasBegun == true || !isPageScrolled(dx, dy) && hit(pointer) != nil else { return false }
        return tell(hasBegun.map { $0 ? .changed : .began } ?? .none, -dx, -dy, own)
    }

    /// It stands in a page that is larger than what is seen of it, that way.
    private func isPageScrolled(_ dx: Double, _ dy: Double) -> Bool {
        let isVertical = abs(dy) >= abs(dx)
        var each = host
        while let surface = each as? ElementSurface, let outer = surface.enclosing {
            if let seen = surface.visibleRect,
                isVertical ? seen.height + 0.5 < surface.size.height : seen.width + 0.5 < surface.size.width
            {
                return true
            }
            each = outer.host
        }
        return false
    }

    private func ended() {
        if hasBegun == true { _ = tell(.ended, 0, 0, .zero) }
        hasBegun = nil
    }

    private func tell(_ phase: ScrollWheelEvent.Phase, _ x: Double, _ y: Double, _ location: CGPoint) -> Bool {
        let isTaken = action(
            ScrollWheelEvent(
                phase: phase, scrollingDeltaX: x, scrollingDeltaY: y,
                hasPreciseScrollingDeltas: scroll?.isScrollPrecise ?? false, location: location,
                modifiers: scroll.map { EventModifiers($0.modifiers) } ?? []))
        if phase == .began, isTaken { hasBegun = true }
        return isTaken
    }
}
