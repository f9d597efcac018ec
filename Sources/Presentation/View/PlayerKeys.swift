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
    private var held = HeldKey()

    /// Starts handling input.
    /// - Parameters:
    ///   - widget: The widget that receives keys, which is the window.
    ///   - picture: The widget that receives double clicks. Nil is the window.
    ///   - owner: The window that performs the actions.
    func install(
        on widget: GTKWidget, picture: GTKWidget?, for owner: PlayerWindow
    ) {
        self.owner = owner
        signals.answer(keys, "key-pressed") { [weak self] (key: UInt32, code: UInt32, state: UInt32) in
            self?.pressed(key, code, state) ?? false
        }
        signals.on(keys, "key-released") { [weak self] (key: UInt32, code: UInt32) in
            guard let self else { return }
            held.release(code)
            _ = self.owner?.onKeyFirst?(keys, key, false)
        }
        // A window that is not active does not receive the release of a key.
        signals.on(widget, "notify::is-active") { [weak self] in self?.held.forget() }
        widget.add(keys)
        let click = GTKClickGesture()
        signals.on(click, "pressed") { [weak self] (count: Int32) in
            if count == 2 { self?.owner?.perform(.toggleFullScreen) }
        }
        (picture ?? widget).add(click)
    }

    /// Performs the action of a key. Returns whether the key has an action.
    private func pressed(_ key: UInt32, _ code: UInt32, _ state: UInt32) -> Bool {
        let isRepeat = held.press(code)
        guard let owner else { return false }
        if owner.onKeyFirst?(keys, key, true) == true { return true }
        // In an open menu, keys belong to the menu.
        if let focus = owner.window.focus,
            focus.native != owner.window.native
        {
            return false
        }
        if let onKey = owner.onKey { return onKey(key, state, isRepeat) }
        guard let key = PlayerKey(symbol: key, state: state), let action = map[key] else { return false }
        // A held key is not passed on either, even if its action does not repeat.
        if action.repeats || !isRepeat { owner.perform(action) }
        return true
    }
}

/// The key that is held down. GTK does not distinguish repeats from presses.
struct HeldKey {
    /// The hardware code of the key that was pressed last; nil if it is no longer held. Only this key repeats.
    private var code: UInt32?

    /// Handles a press. Returns whether it is a repeat.
    mutating func press(_ code: UInt32) -> Bool {
        defer { self.code = code }
        return code == self.code
    }
    mutating func release(_ code: UInt32) { if code == self.code { self.code = nil } }
    /// Forgets the key, because its release may not be reported.
    mutating func forget() { code = nil }
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
