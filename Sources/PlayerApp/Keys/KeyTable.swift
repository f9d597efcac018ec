import CGTK
import Presentation

/// A key, with the modifiers that are held.
package struct PlayerKey: Hashable, Sendable {
    /// As in gdkkeysyms.h.
    package let symbol: UInt32
    package let shift: Bool
    package let control: Bool
    /// The name for people, such as `Ctrl+O`.
    package let name: String

    init(_ symbol: Int32, _ name: String, shift: Bool = false, control: Bool = false) {
        self.symbol = UInt32(bitPattern: symbol)
        self.shift = shift
        self.control = control
        self.name = ((control ? ["Ctrl"] : []) + (shift ? ["Shift"] : []) + [name]).joined(separator: "+")
    }
    /// A key named by the character it types, whichever modifiers that needs.
    init(_ character: Unicode.Scalar) {
        self.init(Int32(gdk_unicode_to_keyval(character.value)), String(character))
    }
}

/// The keys of one action.
package struct KeyBinding: Sendable {
    package let keys: [PlayerKey]
    package let command: PlayerCommand
    /// The action in English.
    package let words: String
    /// Whether it is shown on one line with the binding before it.
    let isSameLine: Bool
}

/// All keys of a player's window and their actions, as the `?` panel, `zoetrope play --help` and docs/keys.md show
/// them. Most keys are the same as in mpv.
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
    /// On the same line as the binding before.
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
        Section(title: "Playback", bindings: moving + speeds),
        Section(title: "Playlist", bindings: listed),
        Section(title: "Audio", bindings: sounds),
        Section(title: "Subtitles", bindings: words),
        Section(title: "Window", bindings: windows),
    ]

    private static let moving: [KeyBinding] = [
        act(.playPause, "Play / pause", key(GDK_KEY_space, "Space"), key("p")),
        act(.seek(-5), "Seek −5 s / +5 s", key(GDK_KEY_Left, "←")),
        orAct(.seek(5), key(GDK_KEY_Right, "→")),
        act(.seek(-1), "Seek −1 s / +1 s", key(GDK_KEY_Left, "←", shift: true)),
        orAct(.seek(1), key(GDK_KEY_Right, "→", shift: true)),
        act(.seek(-60), "Seek −1 min / +1 min", key(GDK_KEY_Left, "←", control: true)),
        orAct(.seek(60), key(GDK_KEY_Right, "→", control: true)),
        act(.step(-1), "Previous / next frame", key(",")),
        orAct(.step(1), key(".")),
        act(.start, "Go to the start / end", key(GDK_KEY_Home, "Home")),
        orAct(.end, key(GDK_KEY_End, "End")),
        act(.place(0.1), "Go to 10% … 80%", key("1")),
        orAct(.place(0.2), key("2")), orAct(.place(0.3), key("3")), orAct(.place(0.4), key("4")),
        orAct(.place(0.5), key("5")), orAct(.place(0.6), key("6")), orAct(.place(0.7), key("7")),
        orAct(.place(0.8), key("8")),
    ]
    private static let speeds: [KeyBinding] = [
        act(.speed(-1), "Decrease / increase speed", key("[")),
        orAct(.speed(1), key("]")),
        act(.speedTimes(0.5), "Halve / double speed", key("{")),
        orAct(.speedTimes(2), key("}")),
        act(.speed(0), "Reset speed to normal", key(GDK_KEY_BackSpace, "Backspace")),
        act(.loop, "Toggle looping", key("l"), key("L")),
        ask(.loopSection, "Set A–B loop start, set its end, clear it", key("b")),
        ask(.progress, "Show position and duration", key("o")),
    ]
    private static let listed: [KeyBinding] = [
        ask(.entry(-1), "Previous / next video", key("<")),
        orAsk(.entry(1), key(">"), key(GDK_KEY_Return, "Enter")),
        ask(.chapter(1), "Next / previous chapter or video", key(GDK_KEY_Page_Up, "PgUp")),
        orAsk(.chapter(-1), key(GDK_KEY_Page_Down, "PgDn")),
        ask(.list, "Show nearby playlist videos", key(GDK_KEY_F8, "F8")),
        ask(.open, "Open a file", key(GDK_KEY_o, "O", control: true)),
    ]
    private static let sounds: [KeyBinding] = [
        act(.volume(0.05), "Volume +5% / −5%", key(GDK_KEY_Up, "↑"), key("0"), key("*")),
        orAct(.volume(-0.05), key(GDK_KEY_Down, "↓"), key("9"), key("/")),
        act(.mute, "Toggle mute", key("m")),
        ask(.audio(1), "Next audio track", key("#")),
    ]
    private static let words: [KeyBinding] = [
        ask(.subtitles(1), "Next / previous subtitle track", key("j")),
        orAsk(.subtitles(-1), key("J")),
        ask(.subtitleVisibility, "Show or hide subtitles", key("v")),
        ask(.subtitleDelay(-0.1), "Subtitle delay −0.1 s / +0.1 s", key("z")),
        orAsk(.subtitleDelay(0.1), key("Z"), key("x")),
    ]
    private static let windows: [KeyBinding] = [
        act(.fullscreen, "Toggle full screen", key("f"), key(GDK_KEY_F11, "F11")),
        act(.leaveFullscreen, "Exit full screen", key(GDK_KEY_Escape, "Esc")),
        ask(.aspect, "Fit, fill or stretch the video", key("A")),
        ask(.picture(withSubtitles: true), "Save a screenshot", key("s")),
        ask(.picture(withSubtitles: false), "Save a screenshot without subtitles", key("S")),
        ask(.information, "Show or hide playback information", key("i")),
        ask(.help, "Show or hide keyboard shortcuts", key("?"), key(GDK_KEY_F1, "F1")),
        ask(.menu, "Open the menu", key(GDK_KEY_Menu, "Menu"), key(GDK_KEY_F10, "F10", shift: true)),
        act(.close, "Close the window", key("q"), key(GDK_KEY_w, "W", control: true)),
    ]

    package static let bindings = sections.flatMap(\.bindings)

    /// The actions of the mouse, in the same form.
    package static let mouse: [(what: String, words: String)] = [
        ("Scroll up / down", "Volume +5% / −5%"),
        ("Scroll left / right", "Seek −5 s / +5 s"),
        ("Drag the seek bar", "Seek with a thumbnail"),
        ("Drag the video", "Move the window"),
        ("Double-click", "Toggle full screen"),
        ("Right-click", "Open the menu"),
        ("Back / forward button", "Previous / next video"),
    ]

    private static let commands: [PlayerKey.Pressed: PlayerCommand] = {
        var all: [PlayerKey.Pressed: PlayerCommand] = [:]
        for binding in bindings {
            for key in binding.keys { all[key.pressed] = binding.command }
        }
        return all
    }()

    /// The command of a key; nil if the player has none.
    /// - Parameters:
    ///   - symbol: as in gdkkeysyms.h; a key of the keypad counts as its twin on the keyboard.
    ///   - state: GDK's modifiers. Keys with Alt or Super belong to the desktop.
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

    /// GTK's notation for menus and tables, in which a capital letter is Shift and the small one.
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
