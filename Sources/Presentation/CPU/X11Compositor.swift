import CX11
import Foundation

/// Whether somebody composes the windows of the X server that GTK is about to open.
enum X11Compositor {
    /// A connection to that server; nil without one, and on Wayland.
    static func connect() -> OpaquePointer? {
        let environment = ProcessInfo.processInfo.environment
        let backend = environment["GDK_BACKEND"] ?? ""
        // GDK tries Wayland first.
        if !backend.hasPrefix("x11"), environment["WAYLAND_DISPLAY"] != nil || !backend.isEmpty { return nil }
        return XOpenDisplay(nil)
    }

    /// No compositing manager runs (Extended Window Manager Hints, `_NET_WM_CM_Sn`).
    static func isMissing(on display: OpaquePointer) -> Bool {
        XGetSelectionOwner(display, XInternAtom(display, "_NET_WM_CM_S\(zt_x11_screen(display))", 0)) == 0
    }

    static func disconnect(_ display: OpaquePointer) { XCloseDisplay(display) }
}
