import Foundation
import GTK

/// A window's full screen: asked for, given up, and told whoever did it (the app, a key, the desktop).
///
/// Whoever manages windows carries it out. On an X server where nobody does, or where the manager knows no full screen,
/// the window takes the monitor's place itself, and its old one afterwards. Main actor.
@MainActor
package final class WindowFullScreen {
    private static var all: [GTKWindow: WindowFullScreen] = [:]

    /// That of `window`: one, which goes with the window.
    package static func of(_ window: GTKWindow) -> WindowFullScreen {
        if let known = all[window] { return known }
        let fresh = WindowFullScreen(window)
        all[window] = fresh
        return fresh
    }

    /// That of the window around `widget`; nil when there is none.
    package static func around(_ widget: GTKWidget) -> WindowFullScreen? {
        widget.window.map { of($0) }
    }

    /// Whether the window fills the screen now.
    package private(set) var isOn = false
    /// What users want by a key is granted; the app's own words always are.
    package var isAllowed = true

    // The window has this, not the other way round.
    private let window: GTKWindow
    private let signals = Signals()
    private var listeners: [(token: Int, told: (Bool) -> Void)] = []
    private var tokens = 0
    /// What was asked for last: the desktop takes its time.
    private var wanted = false
    /// Where the window was before it took the monitor's place itself.
    private var own: (x11: X11Floating, frame: CGRect)?

    private init(_ window: GTKWindow) {
        self.window = window
        isOn = window.isFullScreen
        wanted = isOn
        signals.on(window, "notify::fullscreened") { [weak self] in self?.stateChanged() }
        window.whenFreed { WindowFullScreen.all[window] = nil }
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
        window.setFullScreen(on)
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
        let now = own != nil || window.isFullScreen
        guard now != isOn else { return }
        isOn = now
        wanted = now
        for listener in listeners { listener.told(now) }
    }

    /// The window on X11, where nobody would answer GTK's request.
    private var unmanaged: X11Floating? {
        guard window.isMapped, let surface = window.surface, surface.display?.windowing == .x11,
            !surface.x11Supports("_NET_WM_STATE_FULLSCREEN")
        else { return nil }
        return X11Floating(surface: surface)
    }

    /// The monitor that shows most of the window, points.
    private var monitor: CGRect {
        window.surface.flatMap { surface in surface.display?.monitor(at: surface)?.frame } ?? .zero
    }
}
