import CGTK
import Foundation

/// A GTK event controller on a widget, and the Swift closures it calls. Taken off by `remove()`. Main actor.
@MainActor
final class EventController {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let controller: OpaquePointer
    private var signals: [(id: gulong, box: AnyObject)] = []

    private final class Box<Handler> {
        let handler: Handler
        init(_ handler: Handler) { self.handler = handler }
    }

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
        for signal in signals { g_signal_handler_disconnect(UnsafeMutableRawPointer(controller), signal.id) }
        signals = []
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

    private func connect<Handler>(_ signal: String, _ handler: Handler, _ call: GCallback) {
        let box = Box(handler)
        let id = g_signal_connect_data(
            UnsafeMutableRawPointer(controller), signal, call, Unmanaged.passUnretained(box).toOpaque(), nil,
            GConnectFlags(0))
        signals.append((id, box))
    }

    private static func handler<Handler>(_ raw: UnsafeMutableRawPointer?, _ type: Handler.Type) -> Handler? {
        raw.map { Unmanaged<Box<Handler>>.fromOpaque($0).takeUnretainedValue().handler }
    }

    typealias Plain = @MainActor () -> Void
    typealias Point = @MainActor (Double, Double) -> Void
    typealias Click = @MainActor (Int, Double, Double) -> Void
    typealias Key = @MainActor (UInt32, GdkModifierType) -> Bool
    typealias KeyDown = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Bool
    typealias KeyUp = @MainActor (_ symbol: UInt32, _ code: UInt32, GdkModifierType) -> Void
    typealias Scroll = @MainActor (Double, Double) -> Bool

    /// "leave", "cancel"; of focus "enter" too.
    func on(_ signal: String, _ handler: @escaping Plain) {
        let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { EventController.handler(me, Plain.self)?() }
        }
        connect(signal, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// "motion", "enter", "drag-begin", "drag-update", "drag-end": two numbers, points.
    func onPoint(_ signal: String, _ handler: @escaping Point) {
        let call: @convention(c) (UnsafeMutableRawPointer?, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void = {
            _, x, y, me in
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated { EventController.handler(me, Point.self)?(x, y) }
        }
        connect(signal, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// "pressed", "released" of a click: how many, and where.
    func onClick(_ signal: String, _ handler: @escaping Click) {
        let call: @convention(c) (UnsafeMutableRawPointer?, gint, gdouble, gdouble, UnsafeMutableRawPointer?) -> Void =
            { _, count, x, y, me in
                nonisolated(unsafe) let me = me
                MainActor.assumeIsolated { EventController.handler(me, Click.self)?(Int(count), x, y) }
            }
        connect(signal, handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// "key-pressed": true when the key was for us.
    func onKey(_ handler: @escaping Key) {
        let call:
            @convention(c) (UnsafeMutableRawPointer?, guint, guint, GdkModifierType, UnsafeMutableRawPointer?) ->
                gboolean = { _, key, _, state, me in
                    nonisolated(unsafe) let me = me
                    return MainActor.assumeIsolated { EventController.handler(me, Key.self)?(key, state) ?? false }
                        ? 1 : 0
                }
        connect("key-pressed", handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// "key-pressed" and "key-released", with the number of the key on the keyboard: true when a press was for us.
    func onKeys(pressed: @escaping KeyDown, released: @escaping KeyUp) {
        let down:
            @convention(c) (UnsafeMutableRawPointer?, guint, guint, GdkModifierType, UnsafeMutableRawPointer?) ->
                gboolean = { _, key, code, state, me in
                    nonisolated(unsafe) let me = me
                    return MainActor.assumeIsolated {
                        EventController.handler(me, KeyDown.self)?(key, code, state) ?? false
                    } ? 1 : 0
                }
        connect("key-pressed", pressed, unsafeBitCast(down, to: GCallback.self))
        let up:
            @convention(c) (UnsafeMutableRawPointer?, guint, guint, GdkModifierType, UnsafeMutableRawPointer?) -> Void =
                { _, key, code, state, me in
                    nonisolated(unsafe) let me = me
                    MainActor.assumeIsolated { EventController.handler(me, KeyUp.self)?(key, code, state) }
                }
        connect("key-released", released, unsafeBitCast(up, to: GCallback.self))
    }

    /// "scroll": right and down, true when it was for us.
    func onScroll(_ handler: @escaping Scroll) {
        let call: @convention(c) (UnsafeMutableRawPointer?, gdouble, gdouble, UnsafeMutableRawPointer?) -> gboolean = {
            _, dx, dy, me in
            nonisolated(unsafe) let me = me
            return MainActor.assumeIsolated { EventController.handler(me, Scroll.self)?(dx, dy) ?? false } ? 1 : 0
        }
        connect("scroll", handler, unsafeBitCast(call, to: GCallback.self))
    }

    /// The event under way.
    var event: OpaquePointer? { gtk_event_controller_get_current_event(controller) }
    /// Of a scroll under way: its numbers are points, not notches of a wheel.
    var isScrollPrecise: Bool { gtk_event_controller_scroll_get_unit(controller) == GDK_SCROLL_UNIT_SURFACE }
}
