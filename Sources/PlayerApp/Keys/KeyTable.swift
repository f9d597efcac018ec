import CGTK
import Presentation

/// A key as it is pressed.
package struct PlayerKey: Hashable, Sendable {
    /// As in gdkkeysyms.h.
    package let symbol: UInt32
    package let shift: Bool
    package let control: Bool
    /// As people write it.
    package let name: String

    init(_ symbol: Int32, _ name: String, shift: Bool = false, control: Bool = false) {
        self.symbol = UInt32(bitPattern: symbol)
        self.shift = shift
        self.control = control
        self.name = (control ? "Ctrl+" : "") + (shift ? "Shift+" : "") + name
    }
    /// What prints is what it prints, whatever has to be held for it.
    init(_ character: Unicode.Scalar) {
        self.init(Int32(gdk_unicode_to_keyval(character.value)), String(character))
    }
}

/// Keys that mean one thing.
package struct KeyBinding: Sendable {
    package let keys: [PlayerKey]
    package let command: PlayerCommand
    /// In English.
    package let words: String
    /// Told in one line with the one before.
    let isSameLine: Bool
}

/// All keys of a player's window: what they do, what the help over the picture, `zoetrope play --help` and docs/keys.md
/// say of them. They are mpv's where it has one for it.
package enum KeyTable {
    package struct Section: Sendable {
        package let title: String
        package let bindings: [KeyBinding]
    }

    private static func ask(_ command: PlayerCommand, _ words: String, _ keys: PlayerKey...) -> KeyBinding {
        KeyBinding(keys: keys, command: command, words: words, isSameLine: false)
    }
    private static func act(_ action: PlayerAction, _ words: String, _ keys: PlayerKey...) -> KeyBinding {
        KeyBinding(keys: keys, command: .action(action), words: words, isSameLine: false)
    }
    /// In the same line.
    private static func orAsk(_ command: PlayerCommand, _ keys: PlayerKey...) -> KeyBinding {
        KeyBinding(keys: keys, command: command, words: "", isSameLine: true)
    }
    private static func orAct(_ action: PlayerAction, _ keys: PlayerKey...) -> KeyBinding {
        KeyBinding(keys: keys, command: .action(action), words: "", isSameLine: true)
    }
    private static func key(_ character: Unicode.Scalar) -> PlayerKey { PlayerKey(character) }
    private static func key(
        _ symbol: Int32, _ name: String, shift: Bool = false, control: Bool = false
    ) -> PlayerKey { PlayerKey(symbol, name, shift: shift, control: control) }

    package static let sections: [Section] = [
        Section(title: "Playing", bindings: moving + speeds),
        Section(title: "The list", bindings: listed),
        Section(title: "Sound", bindings: sounds),
        Section(title: "Subtitles", bindings: words),
        Section(title: "The window", bindings: windows),
    ]

    private static let moving: [KeyBinding] = [
        act(.playPause, "Play or pause", key(GDK_KEY_space, "Space"), key("p")),
        act(.seek(-5), "5 seconds back, on", key(GDK_KEY_Left, "←")),
        orAct(.seek(5), key(GDK_KEY_Right, "→")),
        act(.seek(-1), "1 second back, on", key(GDK_KEY_Left, "←", shift: true)),
        orAct(.seek(1), key(GDK_KEY_Right, "→", shift: true)),
        act(.seek(-60), "1 minute back, on", key(GDK_KEY_Left, "←", control: true)),
        orAct(.seek(60), key(GDK_KEY_Right, "→", control: true)),
        act(.step(-1), "1 picture back, on", key(",")),
        orAct(.step(1), key(".")),
        act(.start, "The start, the end", key(GDK_KEY_Home, "Home")),
        orAct(.end, key(GDK_KEY_End, "End")),
        act(.place(0.1), "10 % of it … 80 %", key("1")),
        orAct(.place(0.2), key("2")), orAct(.place(0.3), key("3")), orAct(.place(0.4), key("4")),
        orAct(.place(0.5), key("5")), orAct(.place(0.6), key("6")), orAct(.place(0.7), key("7")),
        orAct(.place(0.8), key("8")),
    ]
    private static let speeds: [KeyBinding] = [
        act(.speed(-1), "Slower, faster", key("[")),
        orAct(.speed(1), key("]")),
        act(.speedTimes(0.5), "Half as fast, twice as fast", key("{")),
        orAct(.speedTimes(2), key("}")),
        act(.speed(0), "Normal speed", key(GDK_KEY_BackSpace, "Backspace")),
        act(.loop, "Loop it, or not", key("l"), key("L")),
        ask(.loopSection, "Loop a section: its start, its end, no more", key("b")),
        ask(.progress, "Show how far it is", key("o")),
    ]
    private static let listed: [KeyBinding] = [
        ask(.entry(-1), "The previous, the next", key("<")),
        orAsk(.entry(1), key(">"), key(GDK_KEY_Return, "Enter")),
        ask(.chapter(1), "The next chapter, the previous, or in the list", key(GDK_KEY_Page_Up, "PgUp")),
        orAsk(.chapter(-1), key(GDK_KEY_Page_Down, "PgDn")),
        ask(.list, "Show the list", key(GDK_KEY_F8, "F8")),
        ask(.open, "Open a file", key(GDK_KEY_o, "O", control: true)),
    ]
    private static let sounds: [KeyBinding] = [
        act(.volume(0.05), "Louder, quieter", key(GDK_KEY_Up, "↑"), key("0"), key("*")),
        orAct(.volume(-0.05), key(GDK_KEY_Down, "↓"), key("9"), key("/")),
        act(.mute, "Mute, or not", key("m")),
        ask(.audio(1), "The next sound track", key("#")),
    ]
    private static let words: [KeyBinding] = [
        ask(.subtitles(1), "The next subtitles, the previous", key("j")),
        orAsk(.subtitles(-1), key("J")),
        ask(.subtitleVisibility, "Show subtitles, or not", key("v")),
        ask(.subtitleDelay(-0.1), "Subtitles 0.1 seconds earlier, later", key("z")),
        orAsk(.subtitleDelay(0.1), key("Z"), key("x")),
    ]
    private static let windows: [KeyBinding] = [
        act(.fullscreen, "Full screen, or not", key("f"), key(GDK_KEY_F11, "F11")),
        act(.leaveFullscreen, "Leave full screen", key(GDK_KEY_Escape, "Esc")),
        ask(.aspect, "Fit, fill or stretch the picture", key("A")),
        ask(.picture(withSubtitles: true), "Take a picture", key("s")),
        ask(.picture(withSubtitles: false), "Take a picture without subtitles", key("S")),
        ask(.information, "Show information, or hide it", key("i")),
        ask(.help, "Show these keys, or hide them", key("?"), key(GDK_KEY_F1, "F1")),
        ask(.menu, "Open the menu", key(GDK_KEY_Menu, "Menu"), key(GDK_KEY_F10, "F10", shift: true)),
        act(.close, "Quit", key("q"), key(GDK_KEY_w, "W", control: true)),
    ]

    package static let bindings = sections.flatMap(\.bindings)

    /// What the mouse does, in the same form.
    package static let mouse: [(what: String, words: String)] = [
        ("Wheel", "Louder, quieter"),
        ("Wheel sideways", "5 seconds back, on"),
        ("Drag on the bar", "To that place, with its picture"),
        ("Drag elsewhere", "Move the window"),
        ("Double click", "Full screen, or not"),
        ("Right click", "The menu"),
        ("Back, forward", "The previous, the next in the list"),
    ]

    private static let commands: [PlayerKey.Pressed: PlayerCommand] = {
        var all: [PlayerKey.Pressed: PlayerCommand] = [:]
        for binding in bindings {
            for key in binding.keys { all[key.pressed] = binding.command }
        }
        return all
    }()

    /// What a key means; nil when it is none of ours.
    /// - Parameters:
    ///   - symbol: as in gdkkeysyms.h; the keypad's keys are those beside it.
    ///   - state: the modifiers, as GDK has them. With Alt or Super a key is the desktop's.
    package static func command(_ symbol: UInt32, state: UInt32) -> PlayerCommand? {
        guard state & (GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue) == 0 else { return nil }
        let plain = keypad[Int32(bitPattern: symbol)].map { UInt32(bitPattern: $0) } ?? symbol
        let control = state & GDK_CONTROL_MASK.rawValue != 0
        let lower = control ? gdk_keyval_to_lower(plain) : plain
        return commands[
            PlayerKey.Pressed(symbol: lower, shift: state & GDK_SHIFT_MASK.rawValue != 0, control: control)]
    }

    private static let keypad: [Int32: Int32] = [
        GDK_KEY_KP_Enter: GDK_KEY_Return, GDK_KEY_KP_Left: GDK_KEY_Left, GDK_KEY_KP_Right: GDK_KEY_Right,
        GDK_KEY_KP_Up: GDK_KEY_Up, GDK_KEY_KP_Down: GDK_KEY_Down, GDK_KEY_KP_Home: GDK_KEY_Home,
        GDK_KEY_KP_End: GDK_KEY_End, GDK_KEY_KP_Page_Up: GDK_KEY_Page_Up, GDK_KEY_KP_Page_Down: GDK_KEY_Page_Down,
        GDK_KEY_KP_Multiply: GDK_KEY_asterisk, GDK_KEY_KP_Divide: GDK_KEY_slash,
        GDK_KEY_KP_1: GDK_KEY_1, GDK_KEY_KP_2: GDK_KEY_2, GDK_KEY_KP_3: GDK_KEY_3, GDK_KEY_KP_4: GDK_KEY_4,
        GDK_KEY_KP_5: GDK_KEY_5, GDK_KEY_KP_6: GDK_KEY_6, GDK_KEY_KP_7: GDK_KEY_7, GDK_KEY_KP_8: GDK_KEY_8,
        GDK_KEY_KP_9: GDK_KEY_9, GDK_KEY_KP_0: GDK_KEY_0,
    ]
}

extension PlayerKey {
    struct Pressed: Hashable {
        let symbol: UInt32, shift: Bool, control: Bool
        init(symbol: UInt32, shift: Bool, control: Bool) {
            self.symbol = symbol
            self.control = control
            self.shift = shift && !(symbol > 0x20 && symbol < 0xFF00)
        }
    }
    var pressed: Pressed { Pressed(symbol: symbol, shift: shift, control: control) }

    /// As GTK writes it in menus and tables, where a letter alone is its key: a capital one is that with Shift.
    var accelerator: String? {
        let plain = gdk_keyval_to_lower(symbol)
        var modifiers: UInt32 = 0
        if shift || plain != symbol { modifiers |= GDK_SHIFT_MASK.rawValue }
        if control { modifiers |= GDK_CONTROL_MASK.rawValue }
        guard let words = gtk_accelerator_name(plain, GdkModifierType(rawValue: modifiers)) else { return nil }
        defer { g_free(words) }
        return String(cString: words)
    }
}
