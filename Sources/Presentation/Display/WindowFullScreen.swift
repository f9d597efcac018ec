import Foundation
import GTK

/// The full-screen state of a window, which an app, a key or the desktop can change.
///
/// The window manager carries out a change. Without a window manager on X11, or with one that does not support full
/// screen, the window takes the monitor's frame itself. When full screen ends, the window then restores its own frame.
@MainActor
package final class WindowFullScreen {
    private static var all: [GTKWindow: WindowFullScreen] = [:]

    /// Returns the only instance for `window`. The instance exists as long as the window.
    package static func of(_ window: GTKWindow) -> WindowFullScreen {
        if let known = all[window] { return known }
        let fresh = WindowFullScreen(window)
        all[window] = fresh
        return fresh
    }

    /// Returns the instance for the window that contains `widget`, or nil if there is none.
    package static func around(_ widget: GTKWidget) -> WindowFullScreen? {
        widget.window.map { of($0) }
    }

    /// Whether the window fills the screen now.
    package private(set) var isOn = false
    /// Whether a user's key may enter full screen. Requests of the app are always granted.
    package var isAllowed = true
    /// Whether `toggle()` has an effect now. Leaving full screen is always possible.
    package var canToggle: Bool { isAllowed || isOn }

    // The window owns this object, not the other way round.
    private let window: GTKWindow
    private let signals = Signals()
    private var listeners: [(token: Int, handler: (Bool) -> Void)] = []
    private var tokens = 0
    /// The state that was requested last. The desktop may take a while to reach it.
    private var requestedState = false
    /// The frame of the window before the window took the monitor's frame without a window manager.
    private var own: (x11: X11Floating, frame: CGRect)?

    private init(_ window: GTKWindow) {
        self.window = window
        isOn = window.isFullScreen
        requestedState = isOn
        signals.on(window, "notify::fullscreened") { [weak self] in self?.stateChanged() }
        window.whenFreed { WindowFullScreen.all[window] = nil }
    }

    /// Adds a listener.
    /// - Parameter handler: Called after each change with the new state.
    /// - Returns: A token for `removeListener`.
    package func addListener(_ handler: @escaping (Bool) -> Void) -> Int {
        tokens += 1
        listeners.append((tokens, handler))
        return tokens
    }
    package func removeListener(_ token: Int) { listeners.removeAll { $0.token == token } }

    /// Requests a state. Does nothing if the window already has it.
    ///
    /// Listeners are notified when the window has reached the state: at once, or after the desktop has carried it out.
    package func set(_ on: Bool) {
        if let own {
            guard !on else { return }
            self.own = nil
            requestedState = false
            own.x11.place(own.frame)
            return stateChanged()
        }
        guard on != requestedState || on != isOn else { return }
        requestedState = on
        if on, let x11 = unmanaged {
            own = (x11, x11.frame)
            x11.place(monitor)
            return stateChanged()
        }
        window.setFullScreen(on)
    }

    /// Toggles full screen for a user's key.
    /// - Returns: False if that is not allowed.
    @discardableResult
    package func toggle() -> Bool {
        guard canToggle else { return false }
        set(!isOn)
        return true
    }

    private func stateChanged() {
        let now = own != nil || window.isFullScreen
        guard now != isOn else { return }
        isOn = now
        requestedState = now
        for listener in listeners { listener.handler(now) }
    }

    /// The window, if it is on X11 and no window manager would answer GTK's request. Otherwise nil.
    private var unmanaged: X11Floating? {
        guard window.isMapped, let surface = window.surface, surface.display?.windowing == .x11,
            !surface.x11Supports("_NET_WM_STATE_FULLSCREEN")
        else { return nil }
        return X11Floating(surface: surface)
    }

    /// The frame of the monitor that shows most of the window, in points.
    private var monitor: CGRect {
        window.surface.flatMap { surface in surface.display?.monitor(at: surface)?.frame } ?? .zero
    }
}
