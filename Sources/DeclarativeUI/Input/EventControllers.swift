import CGTK
import Foundation
import GLibSupport

/// A GTK event controller on a widget, and the Swift closures it calls. Taken off by `remove()`. Main actor.
@MainActor
final class EventController {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let controller: OpaquePointer
    private let signals = Signals()

    /// - Parameter controller: a new one; the widget takes it.
    init?(
        _ controller: OpaquePointer?, on widget: UnsafeMutablePointer<GtkWidget>,
        phase: GtkPropagationPhase = GTK_PHASE_BUBBLE
    ) {
        guard let controller else { return nil }
        self.widget = widget
        self.controller = controller
        g_object_ref(UnsafeMutableRawPointer(controller))
        g_object_ref(widget)
        gtk_event_controller_set_propagation_phase(controller, phase)
        gtk_widget_add_controller(widget, controller)
    }

    isolated deinit {
        g_object_unref(UnsafeMutableRawPointer(controller))
        g_object_unref(widget)
    }

    func remove() {
        signals.disconnect()
        // A widget that is being destroyed has let go of it already.
        if gtk_event_controller_get_widget(controller) == widget { gtk_widget_remove_controller(widget, controller) }
    }

    /// The keys held with the event under way.
    var modifiers: GdkModifierType { gtk_event_controller_get_current_event_state(controller) }
    /// When the event under way happened, milliseconds of the display's; 0: unknown.
    var time: UInt32 { gtk_event_controller_get_current_event_time(controller) }
    /// Takes the sequence of events for itself: nobody else is told from now on.
    func claim() { gtk_gesture_set_state(controller, GTK_EVENT_SEQUENCE_CLAIMED) }
    /// Wants no more of the sequence.
    func deny() { gtk_gesture_set_state(controller, GTK_EVENT_SEQUENCE_DENIED) }

    typealias Plain = @MainActor () -> Void
    typealias Point = @MainActor (Double, Double) -> Void
    typealias Click = @MainActor (Int, Double, Double) -> Void
    typealias Key = @MainActor (UInt32, GdkModifierType) -> Bool
    typealias KeyDown = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Bool
    typealias KeyUp = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Void
    typealias Scroll = @MainActor (Double, Double) -> Bool

    /// "leave", "cancel"; of focus "enter" too.
    func on(_ signal: String, _ handler: @escaping Plain) { signals.on(controller, signal) { handler() } }

    /// "motion", "enter", "drag-begin", "drag-update", "drag-end": two numbers, points.
    func onPoint(_ signal: String, _ handler: @escaping Point) {
        signals.on(controller, signal) { (x: Double, y: Double) in handler(x, y) }
    }

    /// "pressed", "released" of a click: how many, and where.
    func onClick(_ signal: String, _ handler: @escaping Click) {
        signals.on(controller, signal) { (count: Int32, x: Double, y: Double) in handler(Int(count), x, y) }
    }

    /// "key-pressed": true when the key was for us.
    func onKey(_ handler: @escaping Key) {
        signals.answer(controller, "key-pressed") { (symbol: UInt32, _: UInt32, held: UInt32) in
            handler(symbol, GdkModifierType(rawValue: held))
        }
    }

    /// "key-pressed" and "key-released", with the number of the key on the keyboard: true when a press was for us.
    func onKeys(pressed: @escaping KeyDown, released: @escaping KeyUp) {
        signals.answer(controller, "key-pressed") { (symbol: UInt32, code: UInt32, held: UInt32) in
            pressed(symbol, code, GdkModifierType(rawValue: held))
        }
        signals.on(controller, "key-released") { (symbol: UInt32, code: UInt32, held: UInt32) in
            released(symbol, code, GdkModifierType(rawValue: held))
        }
    }

    /// "scroll": right and down, true when it was for us.
    func onScroll(_ handler: @escaping Scroll) {
        signals.answer(controller, "scroll") { (dx: Double, dy: Double) in handler(dx, dy) }
    }

    /// The event under way.
    var event: OpaquePointer? { gtk_event_controller_get_current_event(controller) }
    /// Of a scroll under way: its numbers are points, not notches of a wheel.
    var isScrollPrecise: Bool { gtk_event_controller_scroll_get_unit(controller) == GDK_SCROLL_UNIT_SURFACE }
}
