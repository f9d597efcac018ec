import CGTK
import GTK
import Presentation

/// The keyboard shortcuts of a window and of the app's menus.
@MainActor
final class WindowKeys {
    private let surface: ElementSurface
    private let root: WindowRoot
    private let fullScreen: WindowFullScreen
    private var own: WindowShortcuts?
    private var menus: WindowShortcuts?

    init(_ surface: ElementSurface, _ root: WindowRoot, _ fullScreen: WindowFullScreen) {
        self.surface = surface
        self.root = root
        self.fullScreen = fullScreen
    }

    /// Adds F11, which toggles full screen unless a view handles it, and Escape, which ends full screen. Full screen
    /// has no window frame with a button for that.
    func takeOwn() {
        guard let content = surface.widget else { return }
        own = WindowShortcuts(on: content)
        own?.add(GDK_KEY_F11) { [weak self] in self?.fullScreen.toggle() ?? false }
        own?.add(GDK_KEY_Escape) { [weak self] in
            // Escape closes views that cover the window first.
            guard let self, fullScreen.isOn, root.covers.isEmpty else { return false }
            fullScreen.set(false)
            return true
        }
    }

    /// Sets the shortcuts of the app's menus. They work wherever the focus is, except for keys that the control with
    /// the focus handles itself.
    func take(_ entries: [MenuEntry]) {
        menus?.remove()
        menus = nil
        let entries = entries.flatMap(\.withKeys)
        guard !entries.isEmpty, let content = surface.widget else { return }
        menus = WindowShortcuts(on: content, phase: GTK_PHASE_CAPTURE)
        for (shortcut, entry) in entries {
            menus?.add(Int32(bitPattern: shortcut.key.symbol), shortcut.modifiers.gdk) { [weak self] in
                guard let action = entry.action, entry.isEnabled, self?.menus?.isForFocus(shortcut) == false else {
                    return false
                }
                action()
                return true
            }
        }
    }

    func remove() {
        for keys in [own, menus] { keys?.remove() }
        (own, menus) = (nil, nil)
    }
}
