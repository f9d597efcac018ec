import Foundation
import GTK

/// The full-screen state of a window, which an app, a key or the desktop can change.
///
/// The window manager carries out a change. Without a window manager on X11, or with one that does not support full
/// screen, the window takes the monitor's frame itself, once it is on the screen. When full screen ends, the window then
/// restores its own frame.
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
    /// The frame of the window before the window took the monitor's frame without a window manager, and whether it
    /// opened in full screen, so that it never had a size of its own.
    private var own: (x11: X11Floating, frame: CGRect, isFirst: Bool)?
    /// Whether the window takes the monitor's frame when it appears.
    private var isOpening = false
    private var isFollowingLayout = false
    /// The size that was requested for the time after full screen, before the window appeared.
    private var laterSize: CGSize?

    private init(_ window: GTKWindow) {
        self.window = window
        isOn = isGranted
        requestedState = isOn
        signals.on(window, "notify::fullscreened") { [weak self] in self?.stateChanged() }
        signals.on(window, "map") { [weak self] in self?.mapped() }
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
        isOpening = on && isUnmanaged && !window.isMapped
        if isOpening || on && takeMonitor(isFirst: false) { return }
        if let laterSize { window.setDefaultSize(Int32(laterSize.width), Int32(laterSize.height)) }
        laterSize = nil
        window.setFullScreen(on)
    }

    /// Keeps a size, in points, for the time after full screen, if the window opens in full screen and takes the monitor's
    /// frame itself.
    /// - Returns: False if the window can have the size now.
    func keep(_ size: CGSize) -> Bool {
        if isOpening { laterSize = size }
        guard own?.isFirst == true else { return isOpening }
        own?.frame.size = size
        return true
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
        let now = own != nil || isGranted
        guard now != isOn else { return }
        isOn = now
        requestedState = now
        for listener in listeners { listener.handler(now) }
    }

    // MARK: without a window manager

    /// Whether the window is on X11 and no window manager would answer GTK's request.
    private var isUnmanaged: Bool {
        guard let display = window.display, display.windowing == .x11 else { return false }
        return !display.x11Supports("_NET_WM_STATE_FULLSCREEN")
    }

    /// Whether the desktop has carried out GTK's request. On X11, GTK reports a window that opens in full screen as
    /// full-screen even if nobody answers its request.
    private var isGranted: Bool { window.isFullScreen && !isUnmanaged }

    /// Gives the window the monitor's frame. Returns false if a window manager does that, or the window is not mapped.
    private func takeMonitor(isFirst: Bool) -> Bool {
        guard isUnmanaged, window.isMapped, let surface = window.surface, let x11 = X11Floating(surface: surface) else {
            return false
        }
        var frame = x11.frame
        if let laterSize { frame.size = laterSize }
        (own, laterSize) = ((x11, frame, isFirst), nil)
        x11.place(monitor)
        stateChanged()
        return true
    }

    private func mapped() {
        guard isOpening, !isFollowingLayout, let surface = window.surface else { return }
        isFollowingLayout = true
        signals.on(surface, "layout") { [weak self] in self?.laidOut() }
    }

    /// Takes the monitor's frame after the first layout, because GTK may request the window's own size until then.
    private func laidOut() {
        guard isOpening else { return }
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.isOpening else { return }
                self.isOpening = !self.takeMonitor(isFirst: true)
            }
        }
    }

    /// The frame of the monitor that shows most of the window, in points.
    private var monitor: CGRect {
        window.surface.flatMap { surface in surface.display?.monitor(at: surface)?.frame } ?? .zero
    }
}
