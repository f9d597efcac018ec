import CGTK
import Foundation

/// A controller that recognizes sequences of presses and movements.
package protocol GTKGestureObject: GTKControllerObject {}

@MainActor
extension GTKGestureObject {
    /// Claims the sequence of events, so that other gestures no longer receive it.
    package func claim() { gtk_gesture_set_state(pointer, GTK_EVENT_SEQUENCE_CLAIMED) }
    /// Ignores the rest of the sequence of events.
    package func deny() { gtk_gesture_set_state(pointer, GTK_EVENT_SEQUENCE_DENIED) }
    /// Joins two gestures of one widget, so that claiming or denying a sequence applies to both.
    package func join<Other: GTKGestureObject>(_ other: Other) { gtk_gesture_group(pointer, other.pointer) }
    /// The center of all touches.
    package var center: CGPoint? {
        var x = 0.0
        var y = 0.0
        return gtk_gesture_get_bounding_box_center(pointer, &x, &y) != 0 ? CGPoint(x: x, y: y) : nil
    }
    /// The input device of the sequence.
    package var sequenceDevice: GDKDevice? { gtk_gesture_get_device(pointer).map { GDKDevice($0) } }
}

/// A gesture of one button or one finger.
package protocol GTKSingleGestureObject: GTKGestureObject {}

@MainActor
extension GTKSingleGestureObject {
    /// - Parameter button: The button's number. 1, the default, is the primary button; 0 is any.
    package func setButton(_ button: UInt32) { gtk_gesture_single_set_button(pointer, button) }
    package func setTouchOnly(_ isTouchOnly: Bool) { gtk_gesture_single_set_touch_only(pointer, isTouchOnly.gboolean) }
    /// The button that is pressed.
    package var button: UInt32 { gtk_gesture_single_get_current_button(pointer) }
}

/// A gesture of any class.
package struct GTKGesture: GTKGestureObject {
    package static var type: GType { gtk_gesture_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

/// A gesture that recognizes clicks. Signals: "pressed" and "released", with the number of clicks and the position.
package struct GTKClickGesture: GTKSingleGestureObject {
    package static var type: GType { gtk_gesture_click_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_click_new()) }
}

/// A gesture that recognizes dragging. Signals: "drag-begin" with the position, "drag-update" and "drag-end" with the
/// distance.
package struct GTKDragGesture: GTKSingleGestureObject {
    package static var type: GType { gtk_gesture_drag_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_drag_new()) }

    @MainActor package var start: CGPoint {
        var x = 0.0
        var y = 0.0
        gtk_gesture_drag_get_start_point(pointer, &x, &y)
        return CGPoint(x: x, y: y)
    }
}

/// A gesture that recognizes long presses. Signal: "pressed", with the position.
package struct GTKLongPressGesture: GTKSingleGestureObject {
    package static var type: GType { gtk_gesture_long_press_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_long_press_new()) }

    /// Sets the delay.
    ///
    /// - Parameter factor: The delay relative to GTK's default of half a second, 0.5…2.
    @MainActor package func setDelay(factor: Double) { gtk_gesture_long_press_set_delay_factor(pointer, factor) }
}

/// A gesture that recognizes zooming with two fingers. Signal: "scale-changed".
package struct GTKZoomGesture: GTKGestureObject {
    package static var type: GType { gtk_gesture_zoom_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_zoom_new()) }

    @MainActor package var scale: Double { gtk_gesture_zoom_get_scale_delta(pointer) }
}

/// A gesture that recognizes rotation with two fingers. Signal: "angle-changed".
package struct GTKRotateGesture: GTKGestureObject {
    package static var type: GType { gtk_gesture_rotate_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_rotate_new()) }
}
