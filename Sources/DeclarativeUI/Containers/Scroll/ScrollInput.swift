import CGTK
import GTK

/// The controllers for the keys and the wheel of a scroll area. They handle events before GTK scrolls.
@MainActor
final class ScrollInput {
    /// Handles a key while the scrolled window itself has the focus. Returns whether it has used the key.
    var onKey: ((UInt32, GdkModifierType) -> Bool)?
    private var keys: EventController?
    private var wheel: EventController?

    /// Adds the controllers to a scrolled window.
    ///
    /// - Parameters:
    ///   - scroller: The scrolled window.
    ///   - keyUsed: Called after `onKey` has used a key.
    ///   - notch: Called with the number of wheel notches to the right and downward. Returns whether it has used the
    ///     event. Not called for touch gestures.
    func connect(
        to scroller: GTKScrolledWindow, keyUsed: @escaping () -> Void, notch: @escaping (Double, Double) -> Bool
    ) {
        keys = EventController(GTKKeyController(), on: scroller.widget, phase: GTK_PHASE_CAPTURE)
        keys?.onKey { [weak self] key, modifiers in
            guard let self, scroller.isFocus else { return false }
            guard onKey?(key, modifiers) ?? false else { return false }
            keyUsed()
            return true
        }
        wheel = EventController(GTKScrollController(), on: scroller.widget, phase: GTK_PHASE_CAPTURE)
        wheel?.onScroll { [weak self] dx, dy in
            guard self?.wheel?.isScrollPrecise == false else { return false }
            return notch(dx, dy)
        }
    }

    func remove() {
        keys?.remove()
        keys = nil
        wheel?.remove()
        wheel = nil
    }
}
