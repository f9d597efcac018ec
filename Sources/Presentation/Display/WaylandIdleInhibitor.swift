import CWayland
import GTK

/// A request to a Wayland compositor to keep the screen on while a window is visible (idle-inhibit-unstable-v1 of
/// wayland-protocols). It needs no desktop service.
@MainActor
package final class WaylandIdleInhibitor {
    private var inhibitor: OpaquePointer?

    /// Sends the request. Returns nil if the window is not mapped on Wayland, or the compositor does not support it.
    package init?(_ window: GTKWindow) {
        guard let gtk = window.surface, let display = gtk.display, let connection = WaylandConnection.of(display),
            let surface = gtk.waylandSurface
        else { return nil }
        var globals = connection.globals
        guard let inhibitor = zt_wayland_inhibit_idle(&globals, surface) else { return nil }
        self.inhibitor = inhibitor
        _ = wl_display_flush(connection.display)
    }

    /// Withdraws the request. A second call has no effect.
    package func release() {
        if let inhibitor { zt_wayland_allow_idle(inhibitor) }
        inhibitor = nil
    }
}
