import CGTK
import Foundation
import GLibSupport

/// Where a pointer or a finger goes down on a widget, and to which of its children GTK gives that; whatever they do
/// with it. Main actor.
@MainActor
final class PressPlace {
    private let controller: OpaquePointer
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let signals = Signals()
    private let pressed: @MainActor (CGPoint, UnsafeMutablePointer<GtkWidget>?) -> Void

    init?(
        _ widget: UnsafeMutablePointer<GtkWidget>,
        _ pressed: @escaping @MainActor (CGPoint, UnsafeMutablePointer<GtkWidget>?) -> Void
    ) {
        // Gestures are cancelled when another claims the sequence; raw events are not.
        guard let controller = gtk_event_controller_legacy_new() else { return nil }
        self.controller = controller
        self.widget = widget
        self.pressed = pressed
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(widget, controller)
        signals.on(controller, "event") { [weak self] (event: OpaquePointer?) in
            guard let event, [GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN].contains(gdk_event_get_event_type(event)) else {
                return
            }
            self?.saw(event)
        }
    }

    private func saw(_ event: OpaquePointer) {
        guard let point = EventPlace.of(event, in: widget) else { return }
        pressed(point, gtk_widget_pick(widget, point.x, point.y, GTK_PICK_DEFAULT))
    }

    func end() {
        signals.disconnect()
        gtk_widget_remove_controller(widget, controller)
    }
}

@MainActor
enum EventPlace {
    /// It happened in the widget's own surface, not in a menu's over it.
    static func isOwn(_ event: OpaquePointer, of widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        gtk_widget_get_native(widget).map { gdk_event_get_surface(event) == gtk_native_get_surface($0) } ?? false
    }

    /// Where an event of the pointer happened, in a widget's space; nil where it was in another surface, as a menu over
    /// the widget's window is.
    static func of(_ event: OpaquePointer, in widget: UnsafeMutablePointer<GtkWidget>) -> CGPoint? {
        var x = 0.0
        var y = 0.0
        var dx = 0.0
        var dy = 0.0
        var ownX = 0.0
        var ownY = 0.0
        guard isOwn(event, of: widget), let native = gtk_widget_get_native(widget),
            gdk_event_get_position(event, &x, &y) != 0
        else { return nil }
        gtk_native_get_surface_transform(native, &dx, &dy)
        let top = UnsafeMutablePointer<GtkWidget>(native)
        guard gtk_widget_translate_coordinates(top, widget, x - dx, y - dy, &ownX, &ownY) != 0 else { return nil }
        return CGPoint(x: ownX, y: ownY)
    }
}
