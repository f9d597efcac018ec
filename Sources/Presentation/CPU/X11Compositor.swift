import CX11
import Foundation

/// Whether somebody composes the windows of the X server that GTK is about to open.
enum X11Compositor {
    /// True when there is an X server and no compositing manager on it (Extended Window Manager Hints,
    /// `_NET_WM_CM_Sn`). False on Wayland.
    static var isMissing: Bool {
        let environment = ProcessInfo.processInfo.environment
        let backend = environment["GDK_BACKEND"] ?? ""
        // GDK tries Wayland first.
        if !backend.hasPrefix("x11"), environment["WAYLAND_DISPLAY"] != nil || !backend.isEmpty { return false }
        guard let display = XOpenDisplay(nil) else { return false }
        defer { XCloseDisplay(display) }
        return XGetSelectionOwner(display, XInternAtom(display, "_NET_WM_CM_S\(zt_x11_screen(display))", 0)) == 0
    }
}
