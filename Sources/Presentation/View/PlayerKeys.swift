import CGTK
import Foundation
import GTK
import PlayerControls

/// The keys and the double click of a player window.
@MainActor
final class PlayerKeys {
    private weak var owner: PlayerWindow?
    private let keys = GTKKeyController()
    private let signals = Signals()
    /// Handles keys before the focused widget does, so that a button of the controls does not consume the space bar.
    func goFirst() { keys.setPhase(GTK_PHASE_CAPTURE) }

    private let map = KeyMap.window

    /// Starts handling input.
    /// - Parameters:
    ///   - widget: The widget that receives keys, which is the window.
    ///   - picture: The widget that receives double clicks. Nil is the window.
    ///   - owner: The window that performs the actions.
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

    /// Performs the action of a key. Returns whether the key has an action.
    private func pressed(_ key: UInt32, _ state: UInt32) -> Bool {
        guard let owner else { return false }
        // In an open menu, keys belong to the menu.
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
    /// Creates a key from a GDK key event. Returns nil with Super, because its combinations belong to the desktop.
    package init?(symbol: UInt32, state: UInt32) {
        guard state & GDK_SUPER_MASK.rawValue == 0 else { return nil }
        // keysymdef.h: keyboards of other scripts send symbols that are older than Unicode.
        let scalar = (0x100..<0xFE00).contains(symbol) ? gdk_keyval_to_unicode(symbol) : 0
        let plain = scalar == 0 ? symbol : scalar < 0x100 ? scalar : 0x100_0000 + scalar
        self.init(
            symbol: plain, shift: state & GDK_SHIFT_MASK.rawValue != 0,
            control: state & GDK_CONTROL_MASK.rawValue != 0, alt: state & GDK_ALT_MASK.rawValue != 0)
    }
}
