import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// Keyboard shortcuts for the whole window of a widget, wherever the focus is.
///
/// In the bubble phase, the widget with the focus has precedence for keys that it handles itself.
@MainActor
final class WindowShortcuts {
    private let widget: GTKReference<GTKWidget>
    private let controller: GTKReference<GTKShortcutController>

    /// Creates a set of shortcuts in the window of `widget`.
    /// - Parameter phase: In `GTK_PHASE_CAPTURE`, the shortcuts receive keys before the widget with the focus and
    ///   before the window.
    init(on widget: GTKWidget, phase: GtkPropagationPhase = GTK_PHASE_BUBBLE) {
        self.widget = GTKReference(widget)
        let controller = GTKShortcutController()
        self.controller = GTKReference(controller)
        controller.setPhase(phase)
        widget.add(controller)
    }

    private var focus: GTKWidget? { widget.object.root?.focus }

    /// Whether the focus is on a button or on no widget. A button uses arrow keys only to move the focus.
    var isFocusIdle: Bool { focus?.isKind(GTKButton.self) ?? true }

    /// Whether a `focusable` view has the focus. Such a view handles keys after the app's shortcuts.
    private var isFocusOnView: Bool { focus.map { FocusableElement.has($0) } ?? false }

    /// Whether a button has the focus.
    var isFocusOnButton: Bool { focus?.isKind(GTKButton.self) ?? false }

    /// Returns whether the control with the focus handles the shortcut's key itself.
    ///
    /// Without Ctrl or Alt, a text field handles letters, a button handles Space and Return, and a slider handles arrow
    /// keys.
    func isForFocus(_ shortcut: KeyboardShortcut) -> Bool {
        guard shortcut.modifiers.isDisjoint(with: [.control, .command, .option]), shortcut.key != .escape,
            shortcut.key.functionKey == nil
        else { return false }
        return !isFocusIdle && !isFocusOnView || isFocusOnButton && [.space, .return].contains(shortcut.key)
    }

    func remove() { widget.object.remove(controller.object) }

    /// Adds a shortcut for a key and for the keys of the number pad with the same function.
    /// - Parameter action: Returns true if it has handled the key. If it returns false, other widgets receive the key.
    func add(
        _ key: Int32, _ modifiers: GdkModifierType = GdkModifierType(rawValue: 0),
        _ action: @escaping @MainActor () -> Bool
    ) {
        for symbol in KeyEquivalent.symbols(like: guint(bitPattern: key)) {
            controller.object.add(symbol, modifiers, action)
        }
    }
}
