import GTK

/// The events of a GTK window, with the closures that handle them.
@MainActor
final class WindowEvents {
    /// Called when the user closes the window.
    var onClose: (() -> Void)?
    /// Called when the window's scale changes, for example on another screen.
    var onScale: (() -> Void)?
    /// Called when the window receives keyboard focus.
    var onActive: (() -> Void)?
    private let window: GTKWindow
    private let signals = Signals()
    private var surfaceState: SignalConnection?

    /// Handles the events of a window until `close()`.
    /// - Parameter window: The window, which must outlive this object.
    init(_ window: GTKWindow) {
        self.window = window
        signals.answer(window, "close-request") { [weak self] in
            self?.onClose?()
            // Zoetrope closes the window itself.
            return true
        }
        signals.on(window, "notify::scale-factor") { [weak self] in self?.onScale?() }
        signals.on(window, "notify::is-active") { [weak self] in
            if self?.window.isActive == true { self?.onActive?() }
            AppActivity.windowChanged()
        }
        signals.on(window, "realize") { [weak self] in self?.watchSurface() }
    }

    /// Watches whether the window is minimized. A window without the focus can be minimized too.
    private func watchSurface() {
        surfaceState = window.surface.map { SignalConnection($0, "notify::state") { AppActivity.windowChanged() } }
    }

    func close() {
        signals.disconnect()
        surfaceState?.disconnect()
    }
}
