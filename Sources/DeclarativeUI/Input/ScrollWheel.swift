import Foundation
@_spi(Graph) import ViewGraph

/// A movement of a mouse wheel, or of two fingers on a touchpad, over a view that does not scroll.
///
/// SwiftUI has no such event. The names are those of AppKit's `NSEvent`.
public struct ScrollWheelEvent: Equatable, Sendable {
    /// The phase of an event in a sequence of scroll events.
    public enum Phase: Hashable, Sendable {
        /// An event of a mouse wheel, which is not part of a sequence.
        case none
        /// The first event of a finger movement, a later one, and the last one.
        ///
        /// Events have the phase `began` until the action returns true for one of them. After that, `ended` is sent
        /// when the fingers are lifted; its deltas are 0.
        case began, changed, ended
    }
    /// The event's phase; `none` for a mouse wheel.
    public let phase: Phase
    /// The distance in the direction in which content would move: right and down are positive.
    ///
    /// A wheel turned away from the user has a positive `scrollingDeltaY`. The unit is points if
    /// ``hasPreciseScrollingDeltas`` is true, otherwise notches of the wheel, which can be fractions. The values are
    /// always finite.
    public let scrollingDeltaX: CGFloat, scrollingDeltaY: CGFloat
    /// Whether the deltas are in points. X11 reports notches for touchpads too.
    public let hasPreciseScrollingDeltas: Bool
    /// The pointer's position in the view, in points.
    public let location: CGPoint
    /// The modifier keys that are held. Ctrl is both `.control` and `.command`; Alt is `.option`.
    public let modifiers: EventModifiers
}

extension View {
    /// Calls `action` when the user scrolls over this view with a mouse wheel or with two fingers on a touchpad.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4", command: .constant(.volume(volume)))
    ///     .onScrollWheel { event in
    ///         volume = min(max(volume + Float(event.scrollingDeltaY) * 0.02, 0), 1)
    ///         return true
    ///     }
    /// ```
    /// The action is not called if a view inside this one, or a view around it, scrolls in that direction. The action
    /// runs on the main actor.
    /// - Parameter action: Returns true if it has handled the event. If it returns false, views around this one receive
    ///   the event.
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

/// An element that receives scroll events over its content.
///
/// The controller is on the host's widget, so the widgets inside, such as lists, receive the events first. GTK calls
/// several controllers in the reverse order of their addition, so the innermost element is first.
final class ScrollWheelElement: WrapperElement {
    var isEnabled = true
    var action: @MainActor (ScrollWheelEvent) -> Bool = { _ in false }
    private var scroll: EventController?
    private var motion: MotionController?
    /// The pointer's position in the host. GDK's scroll events do not contain the position.
    var pointer: CGPoint?
    /// Whether the action has handled an event of the current finger movement; nil while no fingers scroll.
    private var hasBegun: Bool?
    /// The position of the last event, in the element.
    private var lastLocation = CGPoint.zero

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        scroll = EventController(GTKScrollController(), on: container)
        scroll?.on("scroll-begin") { [weak self] in self?.began() }
        scroll?.onScroll { [weak self] dx, dy in
            guard let self, let container = self.host?.container, scroll?.event?.isOwn(of: container) == true else {
                return false
            }
            return scrolled(dx, dy)
        }
        scroll?.on("scroll-end") { [weak self] in self?.ended() }
        motion = MotionController(container) { [weak self] in self?.pointer = $0 }
    }
    override func detached(from host: any ElementHost) {
        scroll?.remove()
        motion?.remove()
        (scroll, motion, pointer, hasBegun) = (nil, nil, nil, nil)
    }

    func began() { hasBegun = false }

    func scrolled(_ dx: Double, _ dy: Double) -> Bool {
        guard isEnabled, !isInert, dx.isFinite, dy.isFinite, dx != 0 || dy != 0, let pointer,
            let own = fromHost(pointer)
        else { return false }
        // A movement that began here continues here. The pointer does not move meanwhile, but views may move under it.
        guard hasBegun == true || !isPageScrolled(dx, dy) && hit(pointer) != nil else { return false }
        lastLocation = own
        return report(hasBegun.map { $0 ? .changed : .began } ?? .none, -dx, -dy, own)
    }

    /// Whether the element is inside a page that is larger than its visible part in the direction of the event.
    private func isPageScrolled(_ dx: Double, _ dy: Double) -> Bool {
        let isVertical = abs(dy) >= abs(dx)
        var surfaceHost = host
        while let surface = surfaceHost as? ElementSurface, let outer = surface.enclosing {
            if let visibleRect = surface.visibleRect,
                isVertical
                    ? visibleRect.height + 0.5 < surface.size.height : visibleRect.width + 0.5 < surface.size.width
            {
                return true
            }
            surfaceHost = outer.host
        }
        return false
    }

    func ended() {
        if hasBegun == true { _ = report(.ended, 0, 0, lastLocation) }
        hasBegun = nil
    }

    private func report(_ phase: ScrollWheelEvent.Phase, _ x: Double, _ y: Double, _ location: CGPoint) -> Bool {
        let isHandled = action(
            ScrollWheelEvent(
                phase: phase, scrollingDeltaX: x, scrollingDeltaY: y,
                hasPreciseScrollingDeltas: scroll?.isScrollPrecise ?? false, location: location,
                modifiers: scroll.map { EventModifiers($0.modifiers) } ?? []))
        if phase == .began, isHandled { hasBegun = true }
        return isHandled
    }
}
