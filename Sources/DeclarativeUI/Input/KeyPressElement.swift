import GTK
import CGTK
import Foundation
@_spi(Graph) import ViewGraph

struct KeyPressModifier: ElementModifier {
    let phases: KeyPress.Phases
    let action: @MainActor (KeyPress) -> KeyPress.Result
    func makeElement() -> KeyPressElement { KeyPressElement() }
    func update(_ element: KeyPressElement, _ fiber: _Fiber) {
        element.isEnabled = fiber.environment.isEnabled
        element.phases = phases
        element.action = action
    }
}

/// Hears keys that what has the keyboard below it made nothing of.
///
/// On the host's widget, which all widgets of the host are children of: GTK asks it after the widget with the keyboard.
/// Of several elements GTK asks the one that came last first, which is the innermost.
final class KeyPressElement: WrapperElement {
    var isEnabled = true
    var phases: KeyPress.Phases = []
    var action: @MainActor (KeyPress) -> KeyPress.Result = { _ in .ignored }
    private var keys: EventController?
    private var focus: EventController?
    /// Those that are down, by the number of the key on the keyboard: GTK does not tell a repeat from a press.
    private var down: Set<UInt32> = []

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        keys = EventController(GTKKeyController(), on: container)
        keys?.onKeys(
            pressed: { [weak self] in self?.pressed($0, $1, $2) ?? false },
            released: { [weak self] in self?.released($0, $1, $2) })
        // Where a key is let go after the keyboard has gone elsewhere nobody tells.
        focus = EventController(GTKController.focus(), on: container)
        focus?.on("leave") { [weak self] in self?.down = [] }
    }

    override func detached(from host: any ElementHost) {
        for controller in [keys, focus] { controller?.remove() }
        (keys, focus, down) = (nil, nil, [])
    }

    private func pressed(_ symbol: UInt32, _ code: UInt32, _ state: GdkModifierType) -> Bool {
        let isNew = down.insert(code).inserted
        return tell(isNew ? .down : .repeat, symbol, state)
    }
    private func released(_ symbol: UInt32, _ code: UInt32, _ state: GdkModifierType) {
        down.remove(code)
        _ = tell(.up, symbol, state)
    }

    private func tell(_ phase: KeyPress.Phases, _ symbol: UInt32, _ state: GdkModifierType) -> Bool {
        guard phases.contains(phase), isEnabled, !isInert, hasKeyboard, let key = KeyEquivalent(symbol: symbol) else {
            return false
        }
        let typed = Unicode.Scalar(gdk_keyval_to_unicode(symbol)).flatMap {
            $0.value >= 0x20 ? String(Character($0)) : nil
        }
        return action(
            KeyPress(
                phase: phase, key: key, characters: typed ?? String(key.character), modifiers: EventModifiers(state)))
            == .handled
    }

    /// Something below it has the keyboard, in the host's own window: a menu that is open over it has its own use for
    /// keys.
    private var hasKeyboard: Bool {
        guard let container = host?.container, let focus = container.root?.focus, focus.native == container.native
        else { return false }
        return holds(focus)
    }
}

extension Element {
    /// Whether a widget of it or of one below is `widget`, or around it.
    func holds(_ widget: GTKWidget) -> Bool {
        if let own = (self as? any FocusHolder)?.focusWidget, widget.isWithin(own) { return true }
        return children.contains { $0.holds(widget) }
    }
}
