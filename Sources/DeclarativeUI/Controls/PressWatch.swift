import CGTK
import GTK

/// An observer of presses on a widget by pointers and fingers, even if the widget handles the events itself.
@MainActor
final class PressWatch {
    private let controller = GTKController.all()
    private let widget: GTKWidget
    private let signals = Signals()
    private(set) var isPressed = false
    private let changed: @MainActor (Bool) -> Void

    /// Starts observing `widget`.
    ///
    /// - Parameter changed: Called with true when a press begins and with false when it ends.
    init(_ widget: GTKWidget, _ changed: @escaping @MainActor (Bool) -> Void) {
        self.widget = widget
        self.changed = changed
        // GTK cancels a gesture when the widget's own gesture claims the sequence. Raw events still arrive.
        controller.setPhase(GTK_PHASE_CAPTURE)
        widget.add(controller)
        signals.on(controller, "event") { [weak self] (event: OpaquePointer?) in
            if let event { self?.handleEvent(GDKEvent(event).type) }
        }
    }

    private func handleEvent(_ type: GdkEventType) {
        switch type {
        case GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN: set(true)
        case GDK_BUTTON_RELEASE, GDK_TOUCH_END, GDK_TOUCH_CANCEL, GDK_GRAB_BROKEN: set(false)
        default: break
        }
    }

    private func set(_ pressed: Bool) {
        guard pressed != isPressed else { return }
        isPressed = pressed
        changed(pressed)
    }

    /// Ends a press, for example because the widget no longer takes input.
    func release() { set(false) }

    func end() {
        release()
        signals.disconnect()
        widget.remove(controller)
    }
}
