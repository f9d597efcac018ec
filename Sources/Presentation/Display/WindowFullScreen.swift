import CGTK
import Foundation
import GLibSupport

/// A window's full screen: asked for, given up, and told whoever did it (the app, a key, the desktop).
///
/// Whoever manages windows carries it out. On an X server where nobody does, or where the manager knows no full screen,
/// the window takes the monitor's place itself, and its old one afterwards. Main actor.
@MainActor
package final class WindowFullScreen {
    private static var all: [UnsafeMutablePointer<GtkWindow>: WindowFullScreen] = [:]

    /// That of `window`: one, which goes with the window.
    package static func of(_ window: UnsafeMutablePointer<GtkWindow>) -> WindowFullScreen {
        if let known = all[window] { return known }
        let fresh = WindowFullScreen(window)
        all[window] = fresh
        return fresh
    }

    /// That of the window around `widget`; nil when there is none.
    package static func around(_ widget: UnsafeMutablePointer<GtkWidget>) -> WindowFullScreen? {
        gtk_widget_get_root(widget).map { of(UnsafeMutablePointer<GtkWindow>($0)) }
    }

    /// Whether the window fills the screen now.
    package private(set) var isOn = false
    /// What users want by a key is granted; the app's own words always are.
    package var isAllowed = true

    // The window has this, not the other way round.
    private let window: UnsafeMutablePointer<GtkWindow>
    private var widget: UnsafeMutablePointer<GtkWidget> { UnsafeMutablePointer<GtkWidget>(OpaquePointer(window)) }
    private let signals = Signals()
    private var listeners: [(token: Int, told: (Bool) -> Void)] = []
    private var tokens = 0
    /// What was asked for last: the desktop takes its time.
    private var wanted = false
    /// Where the window was before it took the monitor's place itself.
    private var own: (x11: X11Floating, frame: CGRect)?

    private init(_ window: UnsafeMutablePointer<GtkWindow>) {
        self.window = window
        isOn = gtk_window_is_fullscreen(window) != 0
        wanted = isOn
        signals.on(window, "notify::fullscreened") { [weak self] in self?.stateChanged() }
        g_object_weak_ref(
            UnsafeMutableRawPointer(window).assumingMemoryBound(to: GObject.self),
            { _, window in
                // GLib names it by its address, as a GObject.
                MainThread.run(window) { window in
                    if let window { WindowFullScreen.all[UnsafeMutablePointer<GtkWindow>(OpaquePointer(window))] = nil }
                }
            }, nil)
    }

    /// - Parameter told: called after each change.
    /// - Returns: what `removeListener` takes.
    package func addListener(_ told: @escaping (Bool) -> Void) -> Int {
        tokens += 1
        listeners.append((tokens, told))
        return tokens
    }
    package func removeListener(_ token: Int) { listeners.removeAll { $0.token == token } }

    /// What is so already is nothing. It is so when the listeners are told: at once, or when the desktop has done it.
    package func set(_ on: Bool) {
        if let own {
            guard !on else { return }
            self.own = nil
            wanted = false
            own.x11.place(own.frame)
            return stateChanged()
        }
        guard on != wanted || on != isOn else { return }
        wanted = on
        if on, let x11 = unmanaged {
            own = (x11, x11.frame)
            x11.place(monitor)
            return stateChanged()
        }
        if on { gtk_window_fullscreen(window) } else { gtk_window_unfullscreen(window) }
    }

    /// What a user's key does.
    /// - Returns: false where it may not.
    @discardableResult
    package func toggle() -> Bool {
        guard isAllowed || isOn else { return false }
        set(!isOn)
        return true
    }

    private func stateChanged() {
        let now = own != nil || gtk_window_is_fullscreen(window) != 0
        guard now != isOn else { return }
        isOn = now
        wanted = now
        for listener in listeners { listener.told(now) }
    }

    /// The window on X11, where nobody would answer GTK's request.
    private var unmanaged: X11Floating? {
        guard gtk_widget_get_mapped(widget) != 0, let surface = gtk_native_get_surface(OpaquePointer(widget)),
            let display = gdk_surface_get_display(surface),
            zt_gdk_windowing(display) == 1,
            gdk_x11_screen_supports_net_wm_hint(gdk_x11_display_get_screen(display), "_NET_WM_STATE_FULLSCREEN") == 0
        else { return nil }
        return X11Floating(surface: surface)
    }

    /// The monitor that shows most of the window, points.
    private var monitor: CGRect {
        var area = GdkRectangle()
        guard let surface = gtk_native_get_surface(OpaquePointer(widget)),
            let display = gdk_surface_get_display(surface),
            let monitor = gdk_display_get_monitor_at_surface(display, surface)
        else { return .zero }
        gdk_monitor_get_geometry(monitor, &area)
        return CGRect(x: Double(area.x), y: Double(area.y), width: Double(area.width), height: Double(area.height))
    }
}
