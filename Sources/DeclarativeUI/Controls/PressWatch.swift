import CGTK
import GLibSupport

/// Sees pointers and fingers go down on a widget and up again, whatever the widget does with them. Main actor.
@MainActor
final class PressWatch {
    private let controller: OpaquePointer
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let signals = Signals()
    private(set) var isPressed = false
    private let changed: @MainActor (Bool) -> Void

    /// - Parameter changed: told true when it goes down and false when it goes up.
    init?(_ widget: UnsafeMutablePointer<GtkWidget>, _ changed: @escaping @MainActor (Bool) -> Void) {
        // Gestures are cancelled when the widget's own claims the sequence; raw events are not.
        guard let controller = gtk_event_controller_legacy_new() else { return nil }
        self.controller = controller
        self.widget = widget
        self.changed = changed
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(widget, controller)
        signals.on(controller, "event") { [weak self] (event: OpaquePointer?) in
            if let event { self?.saw(gdk_event_get_event_type(event)) }
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
        gtk_widget_remove_controller(widget, controller)
    }
}
