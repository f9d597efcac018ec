import CGTK
import Foundation
import PlayerControls

/// A key that was pressed, is held or was let go while a view had the keyboard. SwiftUI's type.
public struct KeyPress: Sendable {
    /// What becomes of a key. SwiftUI's type.
    public struct Phases: OptionSet, Hashable, Sendable {
        /// One bit a phase: 1 is `down`, 2 is `repeat`, 4 is `up`.
        public let rawValue: Int
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// The key went down; is held and repeats, as often as the desktop says; went up.
        public static let down = Phases(rawValue: 1), `repeat` = Phases(rawValue: 2), up = Phases(rawValue: 4)
        /// All three phases.
        public static let all: Phases = [.down, .repeat, .up]
    }
    /// Whether the key was for the view: one that is ignored goes on to the views around it, and to the window.
    @frozen public enum Result: Hashable, Sendable {
        /// It was for the view, and goes no further.
        case handled
        /// It goes on to the views around, and to the window.
        case ignored
    }

    /// One of the three.
    public let phase: Phases
    /// Letters as they are written small; the keys of the number pad are those with the same meaning.
    public let key: KeyEquivalent
    /// What it types, with Shift in it; of a key that types nothing what ``key`` is.
    public let characters: String
    /// Ctrl is both `.control` and `.command`, Alt is `.option`.
    public let modifiers: EventModifiers
}

extension PlayerKey {
    /// The key of a player's `KeyMap` that a key press or a shortcut stands for. `command` and `control` are both Ctrl.
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
    /// The key with one of X11's key symbols; nil where it is none of SwiftUI's and types nothing.
    init?(symbol: guint) {
        let named: [Int32: KeyEquivalent] = [
            GDK_KEY_Up: .upArrow, GDK_KEY_Down: .downArrow, GDK_KEY_Left: .leftArrow, GDK_KEY_Right: .rightArrow,
            GDK_KEY_Home: .home, GDK_KEY_End: .end,
            GDK_KEY_Page_Up: .pageUp, GDK_KEY_Page_Down: .pageDown, GDK_KEY_BackSpace: .delete,
            GDK_KEY_Delete: .deleteForward, GDK_KEY_Escape: .escape,
            GDK_KEY_Return: .return, GDK_KEY_Tab: .tab, GDK_KEY_ISO_Left_Tab: .tab,
            // The number pad.
            GDK_KEY_KP_Up: .upArrow, GDK_KEY_KP_Down: .downArrow, GDK_KEY_KP_Left: .leftArrow,
            GDK_KEY_KP_Right: .rightArrow, GDK_KEY_KP_Home: .home,
            GDK_KEY_KP_End: .end, GDK_KEY_KP_Page_Up: .pageUp, GDK_KEY_KP_Page_Down: .pageDown,
            GDK_KEY_KP_Delete: .deleteForward, GDK_KEY_KP_Enter: .return,
        ]
        if let known = named[Int32(bitPattern: symbol)] {
            self = known
        } else if (guint(GDK_KEY_F1)...guint(GDK_KEY_F35)).contains(symbol),
            let scalar = Unicode.Scalar(0xF704 + UInt32(symbol - guint(GDK_KEY_F1)))
        {
            self.init(Character(scalar))
        } else {
            guard let scalar = Unicode.Scalar(gdk_keyval_to_unicode(symbol)), scalar.value >= 0x20 else { return nil }
            // Small letters of some are more than one: those stay as they are.
            let small = String(Character(scalar)).lowercased()
            self.init(small.count == 1 ? Character(small) : Character(scalar))
        }
    }
}

extension EventModifiers {
    init(_ gdk: GdkModifierType) {
        func holds(_ mask: GdkModifierType) -> Bool { gdk.rawValue & mask.rawValue != 0 }
        self = []
        if holds(GDK_LOCK_MASK) { insert(.capsLock) }
        if holds(GDK_SHIFT_MASK) { insert(.shift) }
        if holds(GDK_CONTROL_MASK) { formUnion([.control, .command]) }
        if holds(GDK_ALT_MASK) { insert(.option) }
    }
}

extension View {
    /// Called when a key is pressed, or repeats, while this view or one in it has the keyboard (`focusable`, a control)
    /// and has no use for the key itself: letters are a text field's first. Main actor.
    public func onKeyPress(_ key: KeyEquivalent, action: @escaping @MainActor () -> KeyPress.Result) -> some View {
        onKeyPress(keys: [key]) { _ in action() }
    }
    /// The same, for some of what becomes of the key, with what is known of it.
    public func onKeyPress(
        _ key: KeyEquivalent, phases: KeyPress.Phases, action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        onKeyPress(keys: [key], phases: phases, action: action)
    }
    /// The same, of several keys.
    public func onKeyPress(
        keys: Set<KeyEquivalent>, phases: KeyPress.Phases = [.down, .repeat],
        action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        onKeyPress(phases: phases) { keys.contains($0.key) ? action($0) : .ignored }
    }
    /// The same, of keys that type one of the characters.
    public func onKeyPress(
        characters: CharacterSet, phases: KeyPress.Phases = [.down, .repeat],
        action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        onKeyPress(phases: phases) { press in
            !press.characters.isEmpty && press.characters.unicodeScalars.allSatisfy(characters.contains)
                ? action(press) : .ignored
        }
    }
    /// The same, of any key but those that only modify others.
    public func onKeyPress(
        phases: KeyPress.Phases = [.down, .repeat], action: @escaping @MainActor (KeyPress) -> KeyPress.Result
    ) -> some View {
        elementModifier(KeyPressModifier(phases: phases, action: action))
    }
}
