import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// Keys that hold for the whole window a widget stands in, wherever the focus is, unless what has the focus takes
/// them itself. Main actor.
@MainActor
final class WindowShortcuts {
    private let widget: GTKReference<GTKWidget>
    private let controller: GTKReference<GTKShortcutController>

    /// - Parameter phase: `GTK_PHASE_CAPTURE` comes before what has the focus, and before the window's own keys.
    init(on widget: GTKWidget, phase: GtkPropagationPhase = GTK_PHASE_BUBBLE) {
        self.widget = GTKReference(widget)
        let controller = GTKShortcutController()
        self.controller = GTKReference(controller)
        controller.setPhase(phase)
        widget.add(controller)
    }

    private var focus: GTKWidget? { widget.object.root?.focus }

    /// Whether what has the focus, if anything, makes nothing of the arrow keys but to move it on.
    var isFocusIdle: Bool { focus?.isKind(GTKButton.self) ?? true }

    /// Whether a view that is `focusable` has the focus: what it makes of keys comes after the app's shortcuts.
    private var isFocusOnView: Bool { focus.map { FocusableElement.has($0) } ?? false }

    /// Whether a button has the focus.
    var isFocusOnButton: Bool { focus?.isKind(GTKButton.self) ?? false }

    /// A key without Ctrl or Alt is first that of a control that has the focus and makes something of it: letters of a
    /// text, Space and Return of a button, arrows of a slider.
    func isForFocus(_ shortcut: KeyboardShortcut) -> Bool {
        guard shortcut.modifiers.isDisjoint(with: [.control, .command, .option]), shortcut.key != .escape,
            shortcut.key.functionKey == nil
        else { return false }
        return !isFocusIdle && !isFocusOnView || isFocusOnButton && [.space, .return].contains(shortcut.key)
    }

    func remove() { widget.object.remove(controller.object) }

    /// - Parameter action: false leaves the key to others.
    func add(
        _ key: Int32, _ modifiers: GdkModifierType = GdkModifierType(rawValue: 0),
        _ action: @escaping @MainActor () -> Bool
    ) {
        controller.object.add(UInt32(bitPattern: key), modifiers, action)
    }
}
