import CGTK
import Foundation

/// What a window or a popover is drawn on.
package struct GDKSurface: GTKObject {
    package static var type: GType { gdk_surface_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package var display: GDKDisplay? { gdk_surface_get_display(pointer).map { GDKDisplay($0) } }
    /// Device pixels a point.
    @MainActor package var scaleFactor: Int { Int(gdk_surface_get_scale_factor(pointer)) }

    // MARK: of a window

    @MainActor package var state: GdkToplevelState { gdk_toplevel_get_state(pointer) }
    /// Lets the desktop move the window with a pointer that is down.
    /// - Parameter point: Of the surface.
    @MainActor package func beginMove(_ device: GDKDevice, button: UInt32, at point: CGPoint, time: UInt32) {
        gdk_toplevel_begin_move(pointer, device.pointer, Int32(clamping: button), point.x, point.y, time)
    }
    /// The same with an edge or a corner of the window.
    @MainActor package func beginResize(
        _ edge: GdkSurfaceEdge, _ device: GDKDevice, button: UInt32, at point: CGPoint, time: UInt32
    ) {
        gdk_toplevel_begin_resize(pointer, edge, device.pointer, Int32(clamping: button), point.x, point.y, time)
    }

    // MARK: on Wayland

    /// GTK's `wl_surface *`, of a surface that is mapped; nil on another windowing system.
    @MainActor package var waylandSurface: UnsafeMutableRawPointer? { zt_gdk_wl_surface(pointer) }

    // MARK: on X11

    @MainActor package var x11Window: UInt { UInt(gdk_x11_surface_get_xid(pointer)) }
    /// Whether the window manager knows a hint of the Extended Window Manager Hints.
    @MainActor package func x11Supports(_ hint: String) -> Bool {
        display.map { gdk_x11_screen_supports_net_wm_hint(gdk_x11_display_get_screen($0.pointer), hint) != 0 } ?? false
    }
}

/// A mouse, a touch screen or another device.
package struct GDKDevice: GTKObject {
    package static var type: GType { gdk_device_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

/// An event. It is not a GObject.
package struct GDKEvent {
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

@MainActor
extension GDKEvent {
    package var type: GdkEventType { gdk_event_get_event_type(pointer) }

    /// Whether it happened in the widget's own surface, not in a menu's over it.
    package func isOwn<Widget: GTKWidgetObject>(of widget: Widget) -> Bool {
        widget.native?.surface.map { gdk_event_get_surface(pointer) == $0.pointer } ?? false
    }
    /// Where it happened in a widget; nil where it was in another surface, as a menu over the widget's window is.
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

/// Keys, which X11 and GDK count in the same way.
package enum GDKKey {
    /// As GTK writes a shortcut: “<Control>q”.
    package static func accelerator(_ key: UInt32, _ modifiers: GdkModifierType) -> String? {
        String(owned: gtk_accelerator_name(key, modifiers))
    }
}
