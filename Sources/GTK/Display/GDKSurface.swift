import CGTK
import Foundation

/// The surface on which a window or a popover is drawn.
package struct GDKSurface: GTKObject {
    package static var type: GType { gdk_surface_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package var display: GDKDisplay? { gdk_surface_get_display(pointer).map { GDKDisplay($0) } }
    /// The number of device pixels per point.
    @MainActor package var scaleFactor: Int { Int(gdk_surface_get_scale_factor(pointer)) }

    // MARK: windows

    @MainActor package var state: GdkToplevelState { gdk_toplevel_get_state(pointer) }
    /// Whether this is the surface of a minimized window. A popover's surface has no such state.
    @MainActor package var isMinimized: Bool {
        g_type_check_instance_is_a(raw() as UnsafeMutablePointer<GTypeInstance>, gdk_toplevel_get_type()) != 0
            && state.rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue != 0
    }
    /// Lets the desktop move the window while a pointer button is pressed.
    ///
    /// - Parameter point: The position in the surface.
    @MainActor package func beginMove(_ device: GDKDevice, button: UInt32, at point: CGPoint, time: UInt32) {
        gdk_toplevel_begin_move(pointer, device.pointer, Int32(clamping: button), point.x, point.y, time)
    }
    /// Lets the desktop move an edge or a corner of the window while a pointer button is pressed.
    @MainActor package func beginResize(
        _ edge: GdkSurfaceEdge, _ device: GDKDevice, button: UInt32, at point: CGPoint, time: UInt32
    ) {
        gdk_toplevel_begin_resize(pointer, edge, device.pointer, Int32(clamping: button), point.x, point.y, time)
    }

    // MARK: Wayland

    /// GTK's `wl_surface *` if the surface is mapped. Nil on another windowing system.
    @MainActor package var waylandSurface: UnsafeMutableRawPointer? { zt_gdk_wl_surface(pointer) }

    // MARK: X11

    @MainActor package var x11Window: UInt { UInt(gdk_x11_surface_get_xid(pointer)) }
    /// Returns whether the window manager supports a hint of the Extended Window Manager Hints.
    @MainActor package func x11Supports(_ hint: String) -> Bool {
        display?.x11Supports(hint) == true
    }
}

/// An input device, such as a mouse or a touch screen.
package struct GDKDevice: GTKObject {
    package static var type: GType { gdk_device_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

/// An event, which is not a GObject.
package struct GDKEvent {
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

@MainActor
extension GDKEvent {
    package var type: GdkEventType { gdk_event_get_event_type(pointer) }

    /// Returns whether the event occurred in the widget's own surface, and not in a popover over it.
    package func isOwn<Widget: GTKWidgetObject>(of widget: Widget) -> Bool {
        widget.native?.surface.map { gdk_event_get_surface(pointer) == $0.pointer } ?? false
    }
    /// Returns the event's position in a widget, or nil if it occurred in another surface, such as a popover.
    package func position<Widget: GTKWidgetObject>(in widget: Widget) -> CGPoint? {
        var x = 0.0
        var y = 0.0
        guard isOwn(of: widget), let native = widget.native, gdk_event_get_position(pointer, &x, &y) != 0 else {
            return nil
        }
        let origin = native.surfaceOrigin
        return native.convert(CGPoint(x: x - origin.x, y: y - origin.y), to: widget)
    }
}

/// Functions for key codes, which are equal in X11 and GDK.
package enum GDKKey {
    /// Returns the text of a shortcut in GTK's format: “<Control>q”.
    package static func accelerator(_ key: UInt32, _ modifiers: GdkModifierType) -> String? {
        String(owned: gtk_accelerator_name(key, modifiers))
    }
}
