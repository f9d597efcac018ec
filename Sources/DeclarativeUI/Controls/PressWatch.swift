import CGTK
import GTK

/// Sees pointers and fingers go down on a widget and up again, whatever the widget does with them. Main actor.
@MainActor
final class PressWatch {
    private let controller = GTKController.all()
    private let widget: GTKWidget
    private let signals = Signals()
    private(set) var isPressed = false
    private let changed: @MainActor (Bool) -> Void

    /// - Parameter changed: told true when it goes down and false when it goes up.
    init(_ widget: GTKWidget, _ changed: @escaping @MainActor (Bool) -> Void) {
        self.widget = widget
        self.changed = changed
        // Gestures are cancelled when the widget's own claims the sequence; raw events are not.
        controller.setPhase(GTK_PHASE_CAPTURE)
        widget.add(controller)
        signals.on(controller, "event") { [weak self] (event: OpaquePointer?) in
            if let event { self?.saw(GDKEvent(event).type) }
        }
    }

    private func saw(_ type: GdkEventType) {
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

    /// Takes it for released, as when the widget no longer takes input.
    func release() { set(false) }

    func end() {
        release()
        signals.disconnect()
        widget.remove(controller)
    }
}
