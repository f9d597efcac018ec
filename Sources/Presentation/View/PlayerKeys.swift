import CGTK
import Foundation
import GTK
import PlayerControls

/// The player window's keys and its double click.
@MainActor
final class PlayerKeys {
    private weak var owner: PlayerWindow?
    private let keys = GTKKeyController()
    private let signals = Signals()
    /// Before whatever in the window has the keyboard: a button of the controls does not keep the space bar for itself.
    func goFirst() { keys.setPhase(GTK_PHASE_CAPTURE) }

    private let map = KeyMap.window

    /// - Parameters:
    ///   - widget: has the keys: the window.
    ///   - picture: has the double click; nil: the window.
    func install(
        on widget: GTKWidget, picture: GTKWidget?, for owner: PlayerWindow
    ) {
        self.owner = owner
        signals.answer(keys, "key-pressed") { [weak self] (key: UInt32, _: UInt32, state: UInt32) in
            self?.pressed(key, state) ?? false
        }
        widget.add(keys)
        let click = GTKClickGesture()
        signals.on(click, "pressed") { [weak self] (count: Int32) in
            if count == 2 { self?.owner?.perform(.toggleFullScreen) }
        }
        (picture ?? widget).add(click)
    }

    /// Whether the key was for us.
    private func pressed(_ key: UInt32, _ state: UInt32) -> Bool {
        guard let owner else { return false }
        // In an open menu keys are the menu's.
        if let focus = owner.window.focus,
            focus.native != owner.window.native
        {
            return false
        }
        if let onKey = owner.onKey { return onKey(key, state) }
        guard let key = PlayerKey(symbol: key, state: state), let action = map[key] else { return false }
        owner.perform(action)
        return true
    }
}

extension PlayerKey {
    /// A key that GDK reports, with the modifiers of its event; nil with Super, whose keys belong to the desktop.
    package init?(symbol: UInt32, state: UInt32) {
        guard state & GDK_SUPER_MASK.rawValue == 0 else { return nil }
        self.init(
            symbol: symbol, shift: state & GDK_SHIFT_MASK.rawValue != 0,
            control: state & GDK_CONTROL_MASK.rawValue != 0, alt: state & GDK_ALT_MASK.rawValue != 0)
    }
}
