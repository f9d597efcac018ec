import CGTK
import Foundation
import GLibSupport
@_spi(Graph) import ViewGraph

/// Keys that hold for the whole window a widget stands in, wherever the focus is, unless what has the focus takes
/// them itself. Main actor.
@MainActor
final class WindowShortcuts {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let controller: OpaquePointer

    private final class Box {
        let action: @MainActor () -> Bool
        init(_ action: @escaping @MainActor () -> Bool) { self.action = action }
    }

    /// - Parameter phase: `GTK_PHASE_CAPTURE` comes before what has the focus, and before the window's own keys.
    init?(on widget: UnsafeMutablePointer<GtkWidget>, phase: GtkPropagationPhase = GTK_PHASE_BUBBLE) {
        guard let controller = gtk_shortcut_controller_new() else { return nil }
        self.widget = widget
        self.controller = controller
        g_object_ref(UnsafeMutableRawPointer(controller))
        g_object_ref(widget)
        gtk_event_controller_set_propagation_phase(controller, phase)
        gtk_shortcut_controller_set_scope(controller, GTK_SHORTCUT_SCOPE_GLOBAL)
        gtk_widget_add_controller(widget, controller)
    }

    isolated deinit {
        g_object_unref(UnsafeMutableRawPointer(controller))
        g_object_unref(widget)
    }

    /// Whether what has the focus, if anything, makes nothing of the arrow keys but to move it on.
    var isFocusIdle: Bool {
        guard let root = gtk_widget_get_root(widget), let focus = gtk_root_get_focus(root) else { return true }
        return zt_gtk_is_button(focus) != 0
    }

    /// Whether a view that is `focusable` has the focus: what it makes of keys comes after the app's shortcuts.
    private var isFocusOnView: Bool {
        guard let root = gtk_widget_get_root(widget), let focus = gtk_root_get_focus(root) else { return false }
        return FocusableElement.has(focus)
    }

    /// Whether a button has the focus.
    var isFocusOnButton: Bool {
        guard let root = gtk_widget_get_root(widget), let focus = gtk_root_get_focus(root) else { return false }
        return zt_gtk_is_button(focus) != 0
    }

    /// A key without Ctrl or Alt is first that of a control that has the focus and makes something of it: letters of a
    /// text, Space and Return of a button, arrows of a slider.
    func isForFocus(_ shortcut: KeyboardShortcut) -> Bool {
        guard shortcut.modifiers.isDisjoint(with: [.control, .command, .option]), shortcut.key != .escape,
            shortcut.key.functionKey == nil
        else { return false }
        return !isFocusIdle && !isFocusOnView || isFocusOnButton && [.space, .return].contains(shortcut.key)
    }

    func remove() { gtk_widget_remove_controller(widget, controller) }

    /// - Parameter action: false leaves the key to others.
    func add(
        _ key: Int32, _ modifiers: GdkModifierType = GdkModifierType(rawValue: 0),
        _ action: @escaping @MainActor () -> Bool
    ) {
        let box = Unmanaged.passRetained(Box(action)).toOpaque()
        let call: GtkShortcutFunc = { _, _, me in
            MainThread.run(me, as: Box.self) { $0.action() } ?? false ? 1 : 0
        }
        let end: GDestroyNotify = { me in if let me { Unmanaged<Box>.fromOpaque(me).release() } }
        guard let action = gtk_callback_action_new(call, box, end) else { return }
        gtk_shortcut_controller_add_shortcut(
            controller, gtk_shortcut_new(gtk_keyval_trigger_new(guint(key), modifiers), action))
    }
}
