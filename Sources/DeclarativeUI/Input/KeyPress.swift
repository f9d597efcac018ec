import CGTK
import Foundation
import PlayerControls

/// A key event received by a view that has the keyboard focus. Modeled on SwiftUI's type.
public struct KeyPress: Sendable {
    /// The phases of a key press. Modeled on SwiftUI's type.
    public struct Phases: OptionSet, Hashable, Sendable {
        /// The bit mask of phases: 1 is `down`, 2 is `repeat`, 4 is `up`.
        public let rawValue: Int
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The phases of a key that was pressed, that is held and repeats at the desktop's rate, and that was released.
        public static let down = Phases(rawValue: 1), `repeat` = Phases(rawValue: 2), up = Phases(rawValue: 4)
        /// The set of all phases.
        public static let all: Phases = [.down, .repeat, .up]
    }
    /// The result of a key handler.
    @frozen public enum Result: Hashable, Sendable {
        /// The view has handled the key, and no other view receives it. In the phase `up`, the result has no effect:
        /// the views around the view also receive the key.
        case handled
        /// The view has not handled the key. The views around it, and then the window, receive the key.
        case ignored
    }

    /// The phase: exactly one of `down`, `repeat` and `up`.
    public let phase: Phases
    /// The key. Letters are lower case. A key of the number pad counts as the main key with the same function.
    public let key: KeyEquivalent
    /// The text that the key types, including the effect of Shift. For a key that types nothing, the character of
    /// ``key``.
    public let characters: String
    /// The modifier keys that are held. Ctrl is both `.control` and `.command`; Alt is `.option`.
    public let modifiers: EventModifiers
}

extension PlayerKey {
    /// Creates the key of a player's `KeyMap` for a key press or shortcut. `command` and `control` are both Ctrl.
    public init(key: KeyEquivalent, modifiers: EventModifiers = []) {
        let control = modifiers.contains(.control) || modifiers.contains(.command)
        let capital = key.character.uppercased().unicodeScalars
        if modifiers.contains(.shift), !control, key.character.isLetter, capital.count == 1, let scalar = capital.first
        {
            self.init(scalar, alt: modifiers.contains(.option))
        } else {
            self.init(
                symbol: key.symbol, shift: modifiers.contains(.shift), control: control,
                alt: modifiers.contains(.option))
        }
    }
}

extension KeyEquivalent {
    /// Creates the key for an X11 key symbol. Returns nil if the symbol has no SwiftUI key and types no text.
    init?(symbol: guint) {
        let named: [Int32: KeyEquivalent] = [
            GDK_KEY_Up: .upArrow, GDK_KEY_Down: .downArrow, GDK_KEY_Left: .leftArrow, GDK_KEY_Right: .rightArrow,
            GDK_KEY_Home: .home, GDK_KEY_End: .end,
            GDK_KEY_Page_Up: .pageUp, GDK_KEY_Page_Down: .pageDown, GDK_KEY_BackSpace: .delete,
            GDK_KEY_Delete: .deleteForward, GDK_KEY_Escape: .escape,
            GDK_KEY_Return: .return, GDK_KEY_ISO_Enter: .return, GDK_KEY_Tab: .tab, GDK_KEY_ISO_Left_Tab: .tab,
            // The number pad.
            GDK_KEY_KP_Up: .upArrow, GDK_KEY_KP_Down: .downArrow, GDK_KEY_KP_Left: .leftArrow,
            GDK_KEY_KP_Right: .rightArrow, GDK_KEY_KP_Home: .home,
            GDK_KEY_KP_End: .end, GDK_KEY_KP_Page_Up: .pageUp, GDK_KEY_KP_Page_Down: .pageDown,
            GDK_KEY_KP_Delete: .deleteForward, GDK_KEY_KP_Enter: .return, GDK_KEY_KP_Tab: .tab,
        ]
        if let known = named[Int32(bitPattern: symbol)] {
            self = known
        } else if (guint(GDK_KEY_F1)...guint(GDK_KEY_F35)).contains(symbol),
            let scalar = Unicode.Scalar(0xF704 + UInt32(symbol - guint(GDK_KEY_F1)))
        {
            self.init(Character(scalar))
        } else {
            guard let scalar = Unicode.Scalar(gdk_keyval_to_unicode(symbol)), scalar.value >= 0x20 else { return nil }
            // Some letters have a lower-case form of more than one character. Those letters stay unchanged.
            let small = String(Character(scalar)).lowercased()
            self.init(small.count == 1 ? Character(small) : Character(scalar))
        }
    }

    /// Returns `symbol` and the symbols of other keys with the same function: those of the number pad, and a second
    /// Enter key.
    static func symbols(like symbol: guint) -> [guint] {
        guard let key = KeyEquivalent(symbol: symbol), key.symbol == symbol else { return [symbol] }
        let others = [guint(GDK_KEY_ISO_Enter)] + (guint(GDK_KEY_KP_Space)...guint(GDK_KEY_KP_Equal))
        return [symbol] + others.filter { KeyEquivalent(symbol: $0) == key }
    }
}

extension EventModifiers {
    init(_ gdk: GdkModifierType) {
        func isHeld(_ mask: GdkModifierType) -> Bool { gdk.rawValue & mask.rawValue != 0 }
        self = []
        if isHeld(GDK_LOCK_MASK) { insert(.capsLock) }
        if isHeld(GDK_SHIFT_MASK) { insert(.shift) }
        if isHeld(GDK_CONTROL_MASK) { formUnion([.control, .command]) }
        if isHeld(GDK_ALT_MASK) { insert(.option) }
    }
}

extension View {
    /// Calls `action` when a key is pressed or repeats while this view, or a view in it, has the keyboard focus.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4", command: $command)
    ///     .focusable()
    ///     .onKeyPress(.space) {
    ///         command = command == .play ? .pause : .play
    ///         return .handled
    ///     }
    /// ```
    /// The action is called only if the view with the focus does not handle the key itself: a text field, for example,
    /// handles letters. Controls and `focusable` views can have the focus. The action runs on the main actor.
    /// - Parameters:
    ///   - key: The key.
    ///   - action: Returns `.handled` to stop the event, or `.ignored` to pass it on.
    public func onKeyPress(_ key: KeyEquivalent, action: @escaping @MainActor () -> KeyPress.Result) -> some View {
        onKeyPress(keys: [key]) { _ in action() }
    }
    /// Calls `action` with the key event when a key enters one of `phases` while this view, or a view in it, has the
    /// keyboard focus.
    /// - Parameters:
    ///   - key: The key.
    ///   - phases: The phases in which the action is called.
    ///   - action: Returns `.handled` to stop the event, or `.ignored` to pass it on. Runs on the main actor.
    public func onKeyPress(
        _ key: KeyEquivalent, phases: KeyPress.Phases, action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        onKeyPress(keys: [key], phases: phases, action: action)
    }
    /// Calls `action` with the key event when one of several keys enters one of `phases` while this view, or a view in
    /// it, has the keyboard focus.
    /// - Parameters:
    ///   - keys: The keys.
    ///   - phases: The phases in which the action is called.
    ///   - action: Returns `.handled` to stop the event, or `.ignored` to pass it on. Runs on the main actor.
    public func onKeyPress(
        keys: Set<KeyEquivalent>, phases: KeyPress.Phases = [.down, .repeat],
        action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        onKeyPress(phases: phases) { press in
            keys.contains { $0.symbol == press.key.symbol } ? action(press) : .ignored
        }
    }
    /// Calls `action` with the key event when a key that types one of `characters` enters one of `phases` while this
    /// view, or a view in it, has the keyboard focus.
    /// - Parameters:
    ///   - characters: The characters.
    ///   - phases: The phases in which the action is called.
    ///   - action: Returns `.handled` to stop the event, or `.ignored` to pass it on. Runs on the main actor.
    public func onKeyPress(
        characters: CharacterSet, phases: KeyPress.Phases = [.down, .repeat],
        action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        onKeyPress(phases: phases) { press in
            !press.characters.isEmpty && press.characters.unicodeScalars.allSatisfy(characters.contains)
                ? action(press) : .ignored
        }
    }
    /// Calls `action` with the key event when any key enters one of `phases` while this view, or a view in it, has the
    /// keyboard focus. Modifier keys, and other keys without a `KeyEquivalent`, such as volume keys, are not reported.
    /// - Parameters:
    ///   - phases: The phases in which the action is called.
    ///   - action: Returns `.handled` to stop the event, or `.ignored` to pass it on. Runs on the main actor.
    public func onKeyPress(
        phases: KeyPress.Phases = [.down, .repeat], action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        elementModifier(KeyPressModifier(phases: phases, action: action))
    }

    /// Calls `action` when the keyboard's play or pause key or the space bar is pressed while this view, or a view in
    /// it, has the keyboard focus.
    ///
    /// The action is called only if the view with the focus does not handle the key itself: the space bar presses a
    /// button, for example. Many desktops handle the play key themselves and send it to the player that has started
    /// last, as a command of `MPRemoteCommandCenter`.
    /// - Parameter action: The action, which runs on the main actor. Nil handles no keys.
    public func onPlayPauseCommand(perform action: (@MainActor () -> Void)?) -> some View {
        elementModifier(PlayPauseModifier(action: action))
    }
}
