import Foundation
import GTK
import Presentation

/// A GTK window that shows elements, with its keyboard shortcuts and layers.
@MainActor
final class HostWindow {
    private let reference: GTKReference<GTKWindow>
    var window: GTKWindow { reference.object }
    let surface: ElementSurface
    let root = WindowRoot()
    private(set) var isClosed = false
    /// Called after the window has closed.
    var closeListeners: [ObjectIdentifier: @MainActor () -> Void] = [:]
    private let events: WindowEvents
    private let frame: WindowFrame
    let fullScreen: WindowFullScreen
    private var fullScreenToken = 0
    private lazy var sizing = WindowSizing(window)
    let keys: WindowKeys
    /// The open windows, the oldest first.
    private static var open: [WeakWindow] = []
    private struct WeakWindow { weak var window: HostWindow? }
    static var all: [HostWindow] { open.compactMap(\.window) }
    /// The window for code that uses AppKit's names.
    private(set) lazy var facade = NSWindow(self)

    /// Creates a window that is not visible yet. Returns nil without a display.
    init?(title: String, graph: ViewGraph, parent: GTKWindow? = nil) {
        guard GTKStart.ensure() else { return nil }
        let window = GTKWindow()
        reference = GTKReference(window)
        frame = WindowFrame(of: window, title: title)
        events = WindowEvents(window)
        fullScreen = WindowFullScreen.of(window)
        surface = ElementSurface(root: root, graph: graph)
        keys = WindowKeys(surface, root, fullScreen)
        MainLoop.attach()
        window.setIcon("video-x-generic")
        if let content = surface.widget { window.child = content }
        if let parent {
            window.setModal(over: parent)
        }
        HostWindow.open.removeAll { $0.window == nil }
        HostWindow.open.append(WeakWindow(window: self))
        fullScreenToken = fullScreen.addListener { [weak self] isOn in
            guard let self else { return }
            NotificationCenter.default.post(
                name: isOn ? NSWindow.didEnterFullScreenNotification : NSWindow.didExitFullScreenNotification,
                object: facade)
            CommandMenus.check()
        }
        if parent == nil { keys.takeOwn() }
    }

    // MARK: a window in place of a screen

    /// Whether the whole window has the look of a phone.
    var isPhone = false {
        // The content can be as large as the screen, and the window must still be able to shrink.
        didSet { if isPhone, UIScreen.isReadWithoutWindow { surface.hasMinimum = false } }
    }
    /// The size in points with which the window opens, and then the size of its content.
    private let screenSize = ControlValues(WindowSize.useful)
    /// Returns the size that the window's content has in place of a screen, in points. Views that read it are evaluated
    /// again when it changes.
    func sizeAsScreen() -> CGSize {
        // The content may now be as large as the window. The window must still be able to shrink.
        surface.hasMinimum = false
        return screenSize.shown
    }
    func setScreenSize(_ size: CGSize) {
        if size != .zero, size != screenSize.current { screenSize.current = size }
    }

    var isActive: Bool { window.isActive }
    func raise() { if !isClosed { window.present() } }

    /// Applies the settings of the app and the preferences of its views.
    func follow(_ settings: WindowSettings, _ behavior: WindowBehavior) {
        fullScreen.isAllowed = behavior.fullScreen?.isAllowed ?? true
        let resizes =
            (behavior.resize?.isAllowed ?? true) && !(settings.resizability == .contentSize && WindowSize.isFixed(root))
        frame.follow(
            isResizable: resizes, isDeletable: behavior.dismiss?.isAllowed ?? true, isPlain: settings.isPlain)
    }

    /// Shows the window.
    /// - Parameter size: The size in points. Nil means the content's preferred size; see `WindowSize`.
    func present(size: CGSize?, isSheet: Bool = false) {
        guard !isClosed else { return }
        sizing.set(WindowSize.opening(root, asked: size, isSheet: isSheet, isPhone: isPhone, screen: WindowSize.screen))
        window.present()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        events.close()
        fullScreen.removeListener(fullScreenToken)
        keys.remove()
        frame.close()
        HostWindow.open.removeAll { $0.window == nil || $0.window === self }
        sizing.close()
        surface.close()
        window.destroy()
        let listeners = closeListeners.values
        closeListeners = [:]
        for listener in listeners { listener() }
    }
}

// MARK: frame and events

extension HostWindow {
    var title: String {
        get { frame.title }
        set { frame.title = newValue }
    }
    var look: WindowFrame.Look {
        get { frame.look }
        set { frame.look = newValue }
    }
    func becomeDialog() { frame.becomeDialog() }
    /// The number of device pixels per point.
    var scale: CGFloat { CGFloat(max(1, window.scaleFactor)) }

    /// Called when the user closes the window.
    var onClose: (() -> Void)? {
        get { events.onClose }
        set { events.onClose = newValue }
    }
    /// Called when the window's scale changes, for example on another screen.
    var onScale: (() -> Void)? {
        get { events.onScale }
        set { events.onScale = newValue }
    }
    /// Called when the window receives keyboard focus.
    var onActive: (() -> Void)? {
        get { events.onActive }
        set { events.onActive = newValue }
    }
}
