import CGTK
import Foundation
import GLibSupport
import GTKSupport
import MediaCore
import Presentation

/// A GTK window that shows elements, with the keys and the layers that go with it.
@MainActor
final class HostWindow {
    let window: UnsafeMutablePointer<GtkWidget>
    let surface: ElementSurface
    let root = WindowRoot()
    private(set) var isClosed = false
    /// The user wants to close it.
    var onClose: (() -> Void)?
    /// It came to a screen of another scale.
    var onScale: (() -> Void)?
    /// Device pixels a point.
    var scale: CGFloat { CGFloat(max(1, gtk_widget_get_scale_factor(window))) }
    /// It has the keyboard now.
    var onActive: (() -> Void)?
    let fullScreen: WindowFullScreen
    private var fullScreenToken = 0
    private lazy var sizing = WindowSizing(gtkWindow)
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
        didSet {
            if title != oldValue { gtk_window_set_title(UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)), title) }
        }
    }

    /// Nil without a display.
    init?(title: String, graph: ViewGraph, parent: UnsafeMutablePointer<GtkWidget>? = nil) {
        guard GTKStart.ensure(), let raw = gtk_window_new() else { return nil }
        window = raw
        self.title = title
        fullScreen = WindowFullScreen.of(UnsafeMutablePointer<GtkWindow>(OpaquePointer(raw)))
        surface = ElementSurface(root: root, graph: graph)
        MainLoop.attach()
        g_object_ref(raw)
        gtk_window_set_title(gtkWindow, title)
        gtk_window_set_icon_name(gtkWindow, "video-x-generic")
        if let content = surface.widget { gtk_window_set_child(gtkWindow, content) }
        if let parent {
            gtk_window_set_transient_for(gtkWindow, UnsafeMutablePointer<GtkWindow>(OpaquePointer(parent)))
            gtk_window_set_modal(gtkWindow, 1)
        }
        signals = [
            SignalConnection(asking: raw, "close-request") { [weak self] in
                self?.onClose?()
                // Left to us.
                return true
            },
            SignalConnection(raw, "notify::scale-factor") { [weak self] in self?.onScale?() },
            SignalConnection(raw, "notify::is-active") { [weak self] in
                if self?.isActive == true { self?.onActive?() }
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

    var isActive: Bool { gtk_window_is_active(gtkWindow) != 0 }
    func raise() { if !isClosed { gtk_window_present(gtkWindow) } }

    private var isResizable = true, isDeletable = true, isPlain = false

    /// What the app says of it.
    func follow(_ settings: WindowSettings, _ behavior: WindowBehavior) {
        fullScreen.isAllowed = behavior.fullScreen?.isAllowed ?? true
        let resizes =
            (behavior.resize?.isAllowed ?? true) && !(settings.resizability == .contentSize && WindowSize.isFixed(root))
        if resizes != isResizable {
            isResizable = resizes
            gtk_window_set_resizable(gtkWindow, resizes ? 1 : 0)
        }
        let deletes = behavior.dismiss?.isAllowed ?? true
        if deletes != isDeletable {
            isDeletable = deletes
            gtk_window_set_deletable(gtkWindow, deletes ? 1 : 0)
        }
        if settings.isPlain != isPlain {
            isPlain = settings.isPlain
            gtk_window_set_decorated(gtkWindow, isPlain ? 0 : 1)
        }
    }

    /// No frame of the desktop's, with its buttons to minimise and maximise; its corners and its shadow are ours, where
    /// the display can show them.
    func becomeDialog() {
        Stylesheet.modals.ensure()
        gtk_window_set_resizable(gtkWindow, 0)
        gtk_widget_add_css_class(window, "zt-dialog")
        if let display = gdk_display_get_default(), gdk_display_is_composited(display) != 0,
            let none = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        {
            gtk_widget_set_visible(none, 0)
            gtk_window_set_titlebar(gtkWindow, none)
        } else {
            gtk_window_set_decorated(gtkWindow, 0)
        }
    }

    isolated deinit { g_object_unref(window) }

    var gtkWindow: UnsafeMutablePointer<GtkWindow> { UnsafeMutablePointer<GtkWindow>(OpaquePointer(window)) }

    /// - Parameter size: points; nil is what the content likes best: see `WindowSize`.
    func present(size: CGSize?, isSheet: Bool = false) {
        guard !isClosed else { return }
        sizing.set(WindowSize.opening(root, asked: size, isSheet: isSheet, screen: WindowSize.screen))
        gtk_window_present(gtkWindow)
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
        gtk_window_destroy(gtkWindow)
    }
}
