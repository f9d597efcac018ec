import CGTK
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
    /// Called when the user closes the window.
    var onClose: (() -> Void)?
    /// Called after the window has closed.
    var closeListeners: [ObjectIdentifier: @MainActor () -> Void] = [:]
    /// Called when the window's scale changes, for example on another screen.
    var onScale: (() -> Void)?
    /// The number of device pixels per point.
    var scale: CGFloat { CGFloat(max(1, window.scaleFactor)) }
    /// Called when the window receives keyboard focus.
    var onActive: (() -> Void)?
    let fullScreen: WindowFullScreen
    private var fullScreenToken = 0
    private lazy var sizing = WindowSizing(window)
    private var signals: [SignalConnection] = []
    private var surfaceState: SignalConnection?
    let keys: WindowKeys
    /// The values that `follow` has set.
    private var frame = Frame()
    private struct Frame {
        var isResizable = true
        var isDeletable = true
        var isPlain = false
    }
    /// The open windows, the oldest first.
    private static var open: [WeakWindow] = []
    private struct WeakWindow { weak var window: HostWindow? }
    static var all: [HostWindow] { open.compactMap(\.window) }
    /// The window for code that uses AppKit's names.
    private(set) lazy var facade = NSWindow(self)

    var title: String {
        didSet { if title != oldValue { showTitle() } }
    }
    private func showTitle() { window.setTitle(look.showsTitle ? title : "") }

    /// The properties that apps set by AppKit's names.
    struct Look: Equatable {
        var isMinimizable = true
        var showsTitle = true
        var hasClearTitlebar = false
        var isMovedByContent = false
    }
    var look = Look() {
        didSet {
            guard look != oldValue, !isClosed else { return }
            if look.showsTitle != oldValue.showsTitle { showTitle() }
            if look.hasClearTitlebar != oldValue.hasClearTitlebar {
                Stylesheet.titlebars.ensure()
                window.setClass("zt-clear-titlebar", look.hasClearTitlebar)
            }
            if look.isMovedByContent != oldValue.isMovedByContent {
                contentDrag?.close()
                contentDrag = look.isMovedByContent ? ContentDrag(of: window) : nil
            }
        }
    }
    private var contentDrag: ContentDrag?

    /// Creates a window that is not visible yet. Returns nil without a display.
    init?(title: String, graph: ViewGraph, parent: GTKWindow? = nil) {
        guard GTKStart.ensure() else { return nil }
        let window = GTKWindow()
        reference = GTKReference(window)
        self.title = title
        fullScreen = WindowFullScreen.of(window)
        surface = ElementSurface(root: root, graph: graph)
        keys = WindowKeys(surface, root, fullScreen)
        MainLoop.attach()
        window.setTitle(title)
        window.setIcon("video-x-generic")
        if let content = surface.widget { window.child = content }
        if let parent {
            window.setModal(over: parent)
        }
        signals = [
            SignalConnection(asking: window, "close-request") { [weak self] in
                self?.onClose?()
                // Zoetrope closes the window itself.
                return true
            },
            SignalConnection(window, "notify::scale-factor") { [weak self] in self?.onScale?() },
            SignalConnection(window, "notify::is-active") { [weak self] in
                if self?.isActive == true { self?.onActive?() }
                AppActivity.windowChanged()
            },
            SignalConnection(window, "realize") { [weak self] in self?.watchSurface() },
        ]
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

    /// Watches whether the window is minimized. A window without the focus can be minimized too.
    private func watchSurface() {
        surfaceState = window.surface.map { SignalConnection($0, "notify::state") { AppActivity.windowChanged() } }
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
        if resizes != frame.isResizable {
            frame.isResizable = resizes
            window.isResizable = resizes
        }
        let deletes = behavior.dismiss?.isAllowed ?? true
        if deletes != frame.isDeletable {
            frame.isDeletable = deletes
            window.isDeletable = deletes
        }
        if settings.isPlain != frame.isPlain {
            frame.isPlain = settings.isPlain
            window.isDecorated = !settings.isPlain
        }
    }

    /// Removes the desktop's frame with its buttons. The window draws its own corners and shadow if the display
    /// supports transparency.
    func becomeDialog() {
        Stylesheet.modals.ensure()
        window.isResizable = false
        window.addClass("zt-dialog")
        if GDKDisplay.standard?.isComposited == true {
            let emptyTitlebar = GTKBox(GTK_ORIENTATION_HORIZONTAL)
            emptyTitlebar.isVisible = false
            window.setTitlebar(emptyTitlebar.widget)
        } else {
            window.isDecorated = false
        }
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
        for signal in signals { signal.disconnect() }
        surfaceState?.disconnect()
        fullScreen.removeListener(fullScreenToken)
        keys.remove()
        contentDrag?.close()
        contentDrag = nil
        HostWindow.open.removeAll { $0.window == nil || $0.window === self }
        sizing.close()
        surface.close()
        window.destroy()
        let listeners = closeListeners.values
        closeListeners = [:]
        for listener in listeners { listener() }
    }
}
