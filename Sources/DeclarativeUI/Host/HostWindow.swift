import CGTK
import Foundation
import GTK
import MediaCore
import Presentation

/// A GTK window that shows elements, with the keys and the layers that go with it.
@MainActor
final class HostWindow {
    let window: GTKWindow
    private let reference: GTKReference<GTKWindow>
    let surface: ElementSurface
    let root = WindowRoot()
    private(set) var isClosed = false
    /// The user wants to close it.
    var onClose: (() -> Void)?
    /// It came to a screen of another scale.
    var onScale: (() -> Void)?
    /// Device pixels a point.
    var scale: CGFloat { CGFloat(max(1, window.scaleFactor)) }
    /// It has the keyboard now.
    var onActive: (() -> Void)?
    let fullScreen: WindowFullScreen
    private var fullScreenToken = 0
    private lazy var sizing = WindowSizing(window)
    private var signals: [SignalConnection] = []
    /// Keys of the window itself, and of the app's menus.
    private var ownKeys: WindowShortcuts?, menuKeys: WindowShortcuts?
    /// Those that are open, the oldest first.
    private static var open: [WeakWindow] = []
    private struct WeakWindow { weak var window: HostWindow? }
    static var all: [HostWindow] { open.compactMap(\.window) }
    /// What AppKit's names stand for.
    private(set) lazy var facade = NSWindow(self)

    var title: String {
        didSet { if title != oldValue { window.setTitle(title) } }
    }

    /// Nil without a display.
    init?(title: String, graph: ViewGraph, parent: GTKWindow? = nil) {
        guard GTKStart.ensure() else { return nil }
        window = GTKWindow()
        reference = GTKReference(window)
        self.title = title
        fullScreen = WindowFullScreen.of(window)
        surface = ElementSurface(root: root, graph: graph)
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
                // Left to us.
                return true
            },
            SignalConnection(window, "notify::scale-factor") { [weak self] in self?.onScale?() },
            SignalConnection(window, "notify::is-active") { [weak self] in
                if self?.isActive == true { self?.onActive?() }
                AppActivity.windowChanged()
            },
        ]
        HostWindow.open.removeAll { $0.window == nil }
        HostWindow.open.append(WeakWindow(window: self))
        fullScreenToken = fullScreen.addListener { [weak self] isOn in
            guard let self else { return }
            NotificationCenter.default.post(
                name: isOn ? NSWindow.didEnterFullScreenNotification : NSWindow.didExitFullScreenNotification,
                object: facade)
        }
        if parent == nil { takeOwnKeys() }
    }

    /// F11 to full screen and back, unless a view has use for it; Escape back, as there is no frame to do it with.
    private func takeOwnKeys() {
        guard let content = surface.widget else { return }
        ownKeys = WindowShortcuts(on: content)
        ownKeys?.add(GDK_KEY_F11) { [weak self] in self?.fullScreen.toggle() ?? false }
        ownKeys?.add(GDK_KEY_Escape) { [weak self] in
            // What covers the window goes first.
            guard let self, fullScreen.isOn, root.covers.isEmpty else { return false }
            fullScreen.set(false)
            return true
        }
    }

    /// The keys of the app's menus hold wherever the focus is.
    func takeKeys(of menus: [MenuEntry]) {
        menuKeys?.remove()
        menuKeys = nil
        let entries = menus.flatMap(\.withKeys)
        guard !entries.isEmpty, let content = surface.widget else { return }
        menuKeys = WindowShortcuts(on: content, phase: GTK_PHASE_CAPTURE)
        for (shortcut, entry) in entries {
            menuKeys?.add(Int32(bitPattern: shortcut.key.symbol), shortcut.modifiers.gdk) { [weak self] in
                guard let action = entry.action, entry.isEnabled, self?.menuKeys?.isForFocus(shortcut) == false else {
                    return false
                }
                action()
                return true
            }
        }
    }

    var isActive: Bool { window.isActive }
    func raise() { if !isClosed { window.present() } }

    private var isResizable = true, isDeletable = true, isPlain = false

    /// What the app says of it.
    func follow(_ settings: WindowSettings, _ behavior: WindowBehavior) {
        fullScreen.isAllowed = behavior.fullScreen?.isAllowed ?? true
        let resizes =
            (behavior.resize?.isAllowed ?? true) && !(settings.resizability == .contentSize && WindowSize.isFixed(root))
        if resizes != isResizable {
            isResizable = resizes
            window.isResizable = resizes
        }
        let deletes = behavior.dismiss?.isAllowed ?? true
        if deletes != isDeletable {
            isDeletable = deletes
            window.isDeletable = deletes
        }
        if settings.isPlain != isPlain {
            isPlain = settings.isPlain
            window.isDecorated = !isPlain
        }
    }

    /// No frame of the desktop's, with its buttons to minimise and maximise; its corners and its shadow are ours, where
    /// the display can show them.
    func becomeDialog() {
        Stylesheet.modals.ensure()
        window.isResizable = false
        window.addClass("zt-dialog")
        if GDKDisplay.standard?.isComposited == true {
            let none = GTKBox(GTK_ORIENTATION_HORIZONTAL)
            none.isVisible = false
            window.setTitlebar(none.widget)
        } else {
            window.isDecorated = false
        }
    }

    /// - Parameter size: points; nil is what the content likes best: see `WindowSize`.
    func present(size: CGSize?, isSheet: Bool = false) {
        guard !isClosed else { return }
        sizing.set(WindowSize.opening(root, asked: size, isSheet: isSheet, screen: WindowSize.screen))
        window.present()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        for signal in signals { signal.disconnect() }
        fullScreen.removeListener(fullScreenToken)
        for keys in [ownKeys, menuKeys] { keys?.remove() }
        (ownKeys, menuKeys) = (nil, nil)
        HostWindow.open.removeAll { $0.window == nil || $0.window === self }
        sizing.close()
        surface.close()
        window.destroy()
    }
}
