import CGTK

/// An object that receives the events of a widget. Add a new controller with the widget's `add(_:)`.
package protocol GTKControllerObject: GTKObject {}

@MainActor
extension GTKControllerObject {
    package func setPhase(_ phase: GtkPropagationPhase) { gtk_event_controller_set_propagation_phase(pointer, phase) }
    /// The widget to which the controller is added, or nil.
    package var widget: GTKWidget? { GTKWidget(gtk_event_controller_get_widget(pointer)) }
    package func reset() { gtk_event_controller_reset(pointer) }

    // MARK: the current event

    package var event: GDKEvent? { gtk_event_controller_get_current_event(pointer).map { GDKEvent($0) } }
    /// The modifier keys pressed during the event.
    package var modifiers: GdkModifierType { gtk_event_controller_get_current_event_state(pointer) }
    /// The time of the event on the display's clock, in milliseconds; 0 if unknown.
    package var time: UInt32 { gtk_event_controller_get_current_event_time(pointer) }
    package var device: GDKDevice? { gtk_event_controller_get_current_event_device(pointer).map { GDKDevice($0) } }
}

/// An event controller of any class.
package struct GTKController: GTKControllerObject {
    package static var type: GType { gtk_event_controller_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Creates a controller for the pointer. Signals: "enter", "leave" and "motion".
    @MainActor package static func motion() -> GTKController { GTKController(gtk_event_controller_motion_new()) }
    /// Creates a controller for the keyboard focus. Signals: "enter" and "leave".
    @MainActor package static func focus() -> GTKController { GTKController(gtk_event_controller_focus_new()) }
    /// Creates a controller for all events, including those that gestures have claimed. Signal: "event".
    @MainActor package static func all() -> GTKController { GTKController(gtk_event_controller_legacy_new()) }
}

/// A controller for keys. Signals: "key-pressed" and "key-released".
package struct GTKKeyController: GTKControllerObject {
    package static var type: GType { gtk_event_controller_key_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_event_controller_key_new()) }

    /// Passes the current key event to another widget. Returns whether that widget handled it.
    @MainActor package func forward(to widget: GTKWidget) -> Bool {
        gtk_event_controller_key_forward(pointer, widget.raw()) != 0
    }
}

/// A controller for scrolling along both axes. Signals: "scroll", "scroll-begin" and "scroll-end".
package struct GTKScrollController: GTKControllerObject {
    package static var type: GType { gtk_event_controller_scroll_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES)) }

    /// Whether the current event's values are in points, instead of steps of a wheel.
    @MainActor package var isPrecise: Bool {
        gtk_event_controller_scroll_get_unit(pointer) == GDK_SCROLL_UNIT_SURFACE
    }
}
