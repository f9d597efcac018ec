import CGTK

/// What sees the events of a widget. `add(_:)` of the widget takes a new one.
package protocol GTKControllerObject: GTKObject {}

@MainActor
extension GTKControllerObject {
    package func setPhase(_ phase: GtkPropagationPhase) { gtk_event_controller_set_propagation_phase(pointer, phase) }
    /// The widget that it was added to; nil: none any more.
    package var widget: GTKWidget? { GTKWidget(gtk_event_controller_get_widget(pointer)) }
    package func reset() { gtk_event_controller_reset(pointer) }

    // MARK: the event under way

    package var event: GDKEvent? { gtk_event_controller_get_current_event(pointer).map { GDKEvent($0) } }
    /// The keys held with it.
    package var modifiers: GdkModifierType { gtk_event_controller_get_current_event_state(pointer) }
    /// When it happened, milliseconds of the display's; 0: unknown.
    package var time: UInt32 { gtk_event_controller_get_current_event_time(pointer) }
    package var device: GDKDevice? { gtk_event_controller_get_current_event_device(pointer).map { GDKDevice($0) } }
}

/// An event controller of any class.
package struct GTKController: GTKControllerObject {
    package static var type: GType { gtk_event_controller_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// "enter", "leave", "motion".
    @MainActor package static func motion() -> GTKController { GTKController(gtk_event_controller_motion_new()) }
    /// "enter", "leave" of the keyboard.
    @MainActor package static func focus() -> GTKController { GTKController(gtk_event_controller_focus_new()) }
    /// "event": all events, also those that gestures have claimed.
    @MainActor package static func all() -> GTKController { GTKController(gtk_event_controller_legacy_new()) }
}

/// "key-pressed", "key-released".
package struct GTKKeyController: GTKControllerObject {
    package static var type: GType { gtk_event_controller_key_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_event_controller_key_new()) }

    /// Gives the key under way to another widget; returns whether that took it.
    @MainActor package func forward(to widget: GTKWidget) -> Bool {
        gtk_event_controller_key_forward(pointer, widget.raw()) != 0
    }
}

/// "scroll", "scroll-begin", "scroll-end", along both axes.
package struct GTKScrollController: GTKControllerObject {
    package static var type: GType { gtk_event_controller_scroll_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES)) }

    /// Whether the numbers of the event under way are points, not notches of a wheel.
    @MainActor package var isPrecise: Bool {
        gtk_event_controller_scroll_get_unit(pointer) == GDK_SCROLL_UNIT_SURFACE
    }
}
