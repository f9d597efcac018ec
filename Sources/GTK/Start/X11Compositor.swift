import CX11

/// A check for the compositing manager of an X server.
enum X11Compositor {
    /// Returns whether no compositing manager runs (Extended Window Manager Hints, `_NET_WM_CM_Sn`).
    static func isMissing(on display: OpaquePointer) -> Bool {
        XGetSelectionOwner(display, XInternAtom(display, "_NET_WM_CM_S\(zt_x11_screen(display))", 0)) == 0
    }
}
