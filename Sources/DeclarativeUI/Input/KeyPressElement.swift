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

/// A modifier that handles the keys that play and pause.
struct PlayPauseModifier: ElementModifier {
    let action: (@MainActor () -> Void)?
    func makeElement() -> KeyPressElement { KeyPressElement() }
    func update(_ element: KeyPressElement, _ fiber: _Fiber) {
        element.isEnabled = fiber.environment.isEnabled
        element.phases = action == nil ? [] : .down
        element.playPause = action ?? {}
    }

    /// Returns whether a key plays and pauses: the play and pause keys of a keyboard or a remote control, and the space
    /// bar without Ctrl, Alt and Shift.
    static func isCommand(_ symbol: UInt32, _ modifiers: EventModifiers) -> Bool {
        switch Int32(bitPattern: symbol) {
        case GDK_KEY_AudioPlay, GDK_KEY_AudioPause: true
        case GDK_KEY_space: modifiers.isDisjoint(with: [.control, .command, .option, .shift])
        default: false
        }
    }
}

/// An element that receives the keys that the focused widget below it has not handled.
///
/// The controller is on the host's widget, the parent of all widgets of the host, so GTK calls it after the focused
/// widget. GTK calls several controllers in the reverse order of their addition, so the innermost element is first.
final class KeyPressElement: WrapperElement {
    var isEnabled = true
    var phases: KeyPress.Phases = []
    var action: @MainActor (KeyPress) -> KeyPress.Result = { _ in .ignored }
    /// The action for the keys that play and pause. If it is set, the element handles no other keys.
    var playPause: (@MainActor () -> Void)?
    private var keys: EventController?
    private var focus: EventController?
    /// The hardware codes of the keys that are held. GTK does not distinguish repeats from presses.
    private var heldKeys: Set<UInt32> = []

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        keys = EventController(GTKKeyController(), on: container)
        keys?.onKeys(
            pressed: { [weak self] in self?.pressed($0, $1, $2) ?? false },
            released: { [weak self] in self?.released($0, $1, $2) })
        // GTK reports no release of a key to this widget after the focus has moved elsewhere.
        focus = EventController(GTKController.focus(), on: container)
        focus?.on("leave") { [weak self] in self?.heldKeys = [] }
    }

    override func detached(from host: any ElementHost) {
        for controller in [keys, focus] { controller?.remove() }
        (keys, focus, heldKeys) = (nil, nil, [])
    }

    private func pressed(_ symbol: UInt32, _ code: UInt32, _ state: GdkModifierType) -> Bool {
        let isNew = heldKeys.insert(code).inserted
        return report(isNew ? .down : .repeat, symbol, state)
    }
    private func released(_ symbol: UInt32, _ code: UInt32, _ state: GdkModifierType) {
        heldKeys.remove(code)
        _ = report(.up, symbol, state)
    }

    private func report(_ phase: KeyPress.Phases, _ symbol: UInt32, _ state: GdkModifierType) -> Bool {
        guard phases.contains(phase), isEnabled, !isInert, hasKeyboard else { return false }
        if let playPause {
            guard PlayPauseModifier.isCommand(symbol, EventModifiers(state)) else { return false }
            playPause()
            return true
        }
        guard let key = KeyEquivalent(symbol: symbol) else { return false }
        let characters = Unicode.Scalar(gdk_keyval_to_unicode(symbol)).flatMap {
            $0.value >= 0x20 ? String(Character($0)) : nil
        }
        return action(
            KeyPress(
                phase: phase, key: key, characters: characters ?? String(key.character),
                modifiers: EventModifiers(state)))
            == .handled
    }

    /// Whether a widget below the element has the focus, in the host's own window.
    ///
    /// An open menu over the host has its own surface and handles keys itself.
    private var hasKeyboard: Bool {
        guard let container = host?.container, let focus = container.root?.focus, focus.native == container.native
        else { return false }
        return holds(focus)
    }
}

extension Element {
    /// Returns whether `widget` is, or is inside, the focus widget of this element or of an element below.
    func holds(_ widget: GTKWidget) -> Bool {
        if let own = (self as? any FocusHolder)?.focusWidget, widget.isWithin(own) { return true }
        return children.contains { $0.holds(widget) }
    }
}
