import CGTK
import Foundation

/// A connection to an X server or a Wayland compositor.
package struct GDKDisplay: GTKObject {
    package static var type: GType { gdk_display_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    package enum Windowing { case x11, wayland, other }

    /// The display that GTK has opened.
    @MainActor package static var standard: GDKDisplay? { gdk_display_get_default().map { GDKDisplay($0) } }

    @MainActor package var windowing: Windowing {
        switch zt_gdk_windowing(pointer) {
        case 1: .x11
        case 2: .wayland
        default: .other
        }
    }
    /// Returns whether the display is an X server whose window manager supports a hint of the Extended Window Manager
    /// Hints.
    @MainActor package func x11Supports(_ hint: String) -> Bool {
        windowing == .x11 && gdk_x11_screen_supports_net_wm_hint(gdk_x11_display_get_screen(pointer), hint) != 0
    }
    /// GTK's `wl_display *`, or nil on another windowing system.
    @MainActor package var waylandDisplay: UnsafeMutableRawPointer? { zt_gdk_wl_display(pointer) }
    @MainActor package var name: String? { gdk_display_get_name(pointer).map { String(cString: $0) } }
    /// Whether windows can be transparent.
    @MainActor package var isComposited: Bool { gdk_display_is_composited(pointer) != 0 }
    /// Waits until the display has processed all requests.
    @MainActor package func sync() { gdk_display_sync(pointer) }

    /// The first monitor, or nil if there is none. The display keeps it alive.
    @MainActor package var firstMonitor: GDKMonitor? {
        guard let monitors = gdk_display_get_monitors(pointer), let first = g_list_model_get_item(monitors, 0) else {
            return nil
        }
        defer { g_object_unref(first) }
        return GDKMonitor(OpaquePointer(first))
    }
    @MainActor package func monitor(at surface: GDKSurface) -> GDKMonitor? {
        gdk_display_get_monitor_at_surface(pointer, surface.pointer).map { GDKMonitor($0) }
    }
    @MainActor package func setClipboard(_ text: String) {
        if let clipboard = gdk_display_get_clipboard(pointer) { gdk_clipboard_set_text(clipboard, text) }
    }
}

/// A monitor.
package struct GDKMonitor: GTKObject {
    package static var type: GType { gdk_monitor_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// The position and size, in points.
    @MainActor package var frame: CGRect {
        var rect = GdkRectangle()
        gdk_monitor_get_geometry(pointer, &rect)
        return CGRect(rect)
    }
    /// The refresh rate, in frames per second; 0 if unknown.
    @MainActor package var framesPerSecond: Double { Double(gdk_monitor_get_refresh_rate(pointer)) / 1000 }
    /// The area that panels and docks leave free. Only on X11.
    @MainActor package var x11WorkArea: CGRect {
        var rect = GdkRectangle()
        gdk_x11_monitor_get_workarea(pointer, &rect)
        return CGRect(rect)
    }
}

extension CGRect {
    init(_ rect: GdkRectangle) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }
}
