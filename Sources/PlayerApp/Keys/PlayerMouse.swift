import CGTK
import Foundation
import GLibSupport
import PlayerControls
import Presentation

/// Handles the mouse on a player's video: wheel, right button, side buttons and drags. Main actor.
@MainActor
package final class PlayerMouse {
    private let signals = Signals()
    private var controllers: [OpaquePointer] = []
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let perform: @MainActor (PlayerCommand) -> Void
    /// The scrolled distance that is not a full step yet, for wheels with fine steps.
    private var rest = (x: 0.0, y: 0.0)

    /// - Parameters:
    ///   - widget: The window, or the widget that shows the video. Its children handle clicks first.
    ///   - menu: Opens the menu at a point of `widget`.
    package init(
        _ widget: UnsafeMutablePointer<GtkWidget>, perform: @escaping @MainActor (PlayerCommand) -> Void,
        menu: @escaping @MainActor (_ x: Double, _ y: Double) -> Void
    ) {
        self.widget = widget
        self.perform = perform
        signals.on(widget, "destroy") { [weak self] in self?.controllers = [] }
        let both = GtkEventControllerScrollFlags(
            rawValue: GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES.rawValue)
        if let scroll = gtk_event_controller_scroll_new(both) {
            signals.answer(scroll, "scroll") { [weak self] (x: Double, y: Double) in
                self?.scrolled(x, y)
                return true
            }
            add(scroll)
        }
        // A long touch opens the menu, too.
        if let click = gtk_gesture_click_new() {
            gtk_gesture_single_set_button(click, 3)
            signals.on(click, "pressed") { (_: Int32, x: Double, y: Double) in menu(x, y) }
            add(click)
        }
        if let hold = gtk_gesture_long_press_new() {
            gtk_gesture_single_set_touch_only(hold, 1)
            signals.on(hold, "pressed") { (x: Double, y: Double) in menu(x, y) }
            add(hold)
        }
        for (button, step) in [(UInt32(8), -1), (9, 1)] {
            guard let click = gtk_gesture_click_new() else { continue }
            gtk_gesture_single_set_button(click, button)
            signals.on(click, "pressed") { [weak self] in self?.perform(.entry(step)) }
            add(click)
        }
        if let drag = gtk_gesture_drag_new() {
            signals.on(drag, "drag-update") { [weak self] (x: Double, y: Double) in
                // A small movement belongs to a click.
                if abs(x) + abs(y) > 8 { self?.moveWindow(drag) }
            }
            add(drag)
        }
    }

    private func add(_ controller: OpaquePointer) {
        gtk_widget_add_controller(widget, controller)
        controllers.append(controller)
    }

    /// Can be called at any time: a destroyed widget has removed its controllers already.
    package func close() {
        signals.disconnect()
        for controller in controllers { gtk_widget_remove_controller(widget, controller) }
        controllers = []
    }

    private func scrolled(_ x: Double, _ y: Double) {
        guard x.isFinite, y.isFinite else { return }
        // A change of direction starts a new step.
        if rest.x * x < 0 { rest.x = 0 }
        if rest.y * y < 0 { rest.y = 0 }
        rest = (rest.x + min(max(-10, x), 10), rest.y + min(max(-10, y), 10))
        let steps = (x: Int(rest.x.rounded(.towardZero)), y: Int(rest.y.rounded(.towardZero)))
        rest = (rest.x - Double(steps.x), rest.y - Double(steps.y))
        if steps.y != 0 { perform(.action(.volume(Double(-steps.y) * 0.05))) }
        if steps.x != 0 { perform(.action(.seek(Double(steps.x) * 5))) }
    }

    /// Lets the window manager move the window.
    private func moveWindow(_ drag: OpaquePointer) {
        guard let native = gtk_widget_get_native(widget), let surface = gtk_native_get_surface(native),
            let device = gtk_gesture_get_device(drag)
        else { return }
        var x = 0.0
        var y = 0.0
        gtk_gesture_drag_get_start_point(drag, &x, &y)
        var left = 0.0
        var top = 0.0
        gtk_native_get_surface_transform(native, &left, &top)
        let button = gtk_gesture_single_get_current_button(drag)
        gtk_gesture_set_state(drag, GTK_EVENT_SEQUENCE_CLAIMED)
        gdk_toplevel_begin_move(
            surface, device, Int32(button), x + left, y + top,
            gtk_event_controller_get_current_event_time(drag))
        gtk_event_controller_reset(drag)
    }
}
