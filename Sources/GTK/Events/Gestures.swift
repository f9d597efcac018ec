import CGTK
import Foundation

/// A controller that sees a sequence of presses and motions.
package protocol GTKGestureObject: GTKControllerObject {}

@MainActor
extension GTKGestureObject {
    /// Takes the sequence of events: no other gesture sees it from now on.
    package func claim() { gtk_gesture_set_state(pointer, GTK_EVENT_SEQUENCE_CLAIMED) }
    /// Wants no more of the sequence.
    package func deny() { gtk_gesture_set_state(pointer, GTK_EVENT_SEQUENCE_DENIED) }
    /// Both are on one widget: what is said of a sequence holds for both.
    package func join<Other: GTKGestureObject>(_ other: Other) { gtk_gesture_group(pointer, other.pointer) }
    /// The middle of all fingers.
    package var center: CGPoint? {
        var x = 0.0
        var y = 0.0
        return gtk_gesture_get_bounding_box_center(pointer, &x, &y) != 0 ? CGPoint(x: x, y: y) : nil
    }
    /// The device of the sequence.
    package var sequenceDevice: GDKDevice? { gtk_gesture_get_device(pointer).map { GDKDevice($0) } }
}

/// A gesture of one button or one finger.
package protocol GTKSingleGestureObject: GTKGestureObject {}

@MainActor
extension GTKSingleGestureObject {
    /// - Parameter button: 1: the first one, which is the default; 0: any.
    package func setButton(_ button: UInt32) { gtk_gesture_single_set_button(pointer, button) }
    package func setTouchOnly(_ isTouchOnly: Bool) { gtk_gesture_single_set_touch_only(pointer, isTouchOnly.gboolean) }
    /// The button that is down.
    package var button: UInt32 { gtk_gesture_single_get_current_button(pointer) }
}

/// A gesture of any class.
package struct GTKGesture: GTKGestureObject {
    package static var type: GType { gtk_gesture_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

/// "pressed", "released": how many clicks in a row, and where.
package struct GTKClickGesture: GTKSingleGestureObject {
    package static var type: GType { gtk_gesture_click_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_click_new()) }
}

/// "drag-begin" where, "drag-update" and "drag-end" how far.
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

/// "pressed": where.
package struct GTKLongPressGesture: GTKSingleGestureObject {
    package static var type: GType { gtk_gesture_long_press_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_long_press_new()) }

    /// - Parameter factor: Of GTK's own half second, 0.5…2.
    @MainActor package func setDelay(factor: Double) { gtk_gesture_long_press_set_delay_factor(pointer, factor) }
}

/// "scale-changed".
package struct GTKZoomGesture: GTKGestureObject {
    package static var type: GType { gtk_gesture_zoom_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_zoom_new()) }

    @MainActor package var scale: Double { gtk_gesture_zoom_get_scale_delta(pointer) }
}

/// "angle-changed".
package struct GTKRotateGesture: GTKGestureObject {
    package static var type: GType { gtk_gesture_rotate_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_gesture_rotate_new()) }
}
