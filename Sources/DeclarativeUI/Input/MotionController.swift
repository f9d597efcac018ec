import CGTK
import Foundation
import GLibSupport

/// The pointer's place in a widget; nil when it has left. While a menu is open over the widget the pointer is the
/// menu's, and has not left: whoever shows something while the pointer is there must not take away what the menu hangs
/// on.
@MainActor
final class MotionController {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let controller: OpaquePointer
    private let signals = Signals()
    private let moved: (CGPoint?) -> Void
    /// The menu that has the pointer.
    private var menu: SignalConnection?

    init?(_ widget: UnsafeMutablePointer<GtkWidget>, _ moved: @escaping (CGPoint?) -> Void) {
        guard let raw = gtk_event_controller_motion_new() else { return nil }
        self.widget = widget
        self.moved = moved
        controller = raw
        // Before the children see it, and whatever they make of it.
        gtk_event_controller_set_propagation_phase(raw, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(widget, raw)
        for signal in ["motion", "enter"] {
            signals.on(raw, signal) { [weak self] (x: Double, y: Double) in self?.came(CGPoint(x: x, y: y)) }
        }
        signals.on(raw, "leave") { [weak self] in self?.left() }
    }

    private func came(_ point: CGPoint) {
        // GTK tells what happens in a menu's own surface, too.
        if let event = gtk_event_controller_get_current_event(controller), !EventPlace.isOwn(event, of: widget) {
            return
        }
        menu?.disconnect()
        menu = nil
        moved(point)
    }

    private func left() {
        guard let open = MotionController.openMenu(below: widget) else { return moved(nil) }
        guard menu == nil else { return }
        menu = SignalConnection(open, "unmap") { [weak self] in
            guard let self, menu != nil else { return }
            // Not now: it is in the midst of going. Where the pointer is in the widget it has come by then.
            OnMain.later { [weak self] in
                guard let self, self.menu != nil else { return }
                self.menu?.disconnect()
                self.menu = nil
                self.moved(nil)
            }
        }
    }

    private static func openMenu(below widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget>? {
        var child = gtk_widget_get_first_child(widget)
        while let current = child {
            if gtk_widget_get_mapped(current) != 0 {
                if zt_gtk_is_popover(current) != 0 { return current }
                if let found = openMenu(below: current) { return found }
            }
            child = gtk_widget_get_next_sibling(current)
        }
        return nil
    }

    func remove() {
        menu?.disconnect()
        menu = nil
        signals.disconnect()
        gtk_widget_remove_controller(widget, controller)
    }
}
