/// A key of the keyboard, with the modifiers that are held.
///
/// A key that types a character is named by the character, which already depends on Shift: `l`, `L`, `?`. Shift is a
/// modifier of other keys (`Shift+←`), and of letters with Ctrl or Alt (`Ctrl+Shift+O`).
public struct PlayerKey: Hashable, Sendable {
    /// The key symbol of X11, which GDK uses too (X11/keysymdef.h, gdk/gdkkeysyms.h).
    public let symbol: UInt32
    /// Whether Shift is held and is not part of the character.
    public let shift: Bool
    /// Whether Ctrl is held.
    public let control: Bool
    /// Whether Alt is held.
    public let alt: Bool

    /// Creates the key with a key symbol. A key on the keypad is treated as the same key of the main keyboard.
    public init(symbol: UInt32, shift: Bool = false, control: Bool = false, alt: Bool = false) {
        var plain = PlayerKey.sameKeys[symbol] ?? symbol
        let isCommand = control || alt
        if isCommand, (0x41...0x5A).contains(plain) { plain += 0x20 }
        let isLetter = (0x61...0x7A).contains(plain)
        let typesCharacter = plain > 0x20 && plain < 0xFF00 || plain >= 0x100_0000
        self.symbol = plain
        self.control = control
        self.alt = alt
        self.shift = shift && (!typesCharacter || isCommand && isLetter)
    }

    /// Creates the key that types a character. A capital letter is typed with Shift.
    ///
    /// With Ctrl or Alt, a capital letter is the same key as the small letter, without Shift. For `Ctrl+Shift+O`, use
    /// ``init(symbol:shift:control:alt:)``.
    public init(_ character: Unicode.Scalar, control: Bool = false, alt: Bool = false) {
        // keysymdef.h: the symbols of Latin-1 are its code points; others are the code points plus 0x1000000.
        let isLatin = character.value < 0x100
        self.init(symbol: isLatin ? character.value : 0x100_0000 + character.value, control: control, alt: alt)
    }

    /// Creates a key with other modifiers, which replace all modifiers of `key`.
    ///
    /// ```swift
    /// var keys = KeyMap.videoPlayer
    /// keys[PlayerKey(.rightArrow, shift: true)] = .seek(60)
    /// keys[.function(11)] = .toggleFullScreen
    /// ```
    public init(_ key: PlayerKey, shift: Bool = false, control: Bool = false) {
        self.init(symbol: key.symbol, shift: shift, control: control)
    }

    /// The arrow keys.
    public static let leftArrow = PlayerKey(symbol: 0xFF51), upArrow = PlayerKey(symbol: 0xFF52),
        rightArrow = PlayerKey(symbol: 0xFF53), downArrow = PlayerKey(symbol: 0xFF54)
    /// Home, End, Page Up and Page Down.
    public static let home = PlayerKey(symbol: 0xFF50), end = PlayerKey(symbol: 0xFF57),
        pageUp = PlayerKey(symbol: 0xFF55), pageDown = PlayerKey(symbol: 0xFF56)
    /// The space bar, Enter, Escape, Backspace and the menu key.
    public static let space = PlayerKey(symbol: 0x20), enter = PlayerKey(symbol: 0xFF0D),
        escape = PlayerKey(symbol: 0xFF1B), backspace = PlayerKey(symbol: 0xFF08), menu = PlayerKey(symbol: 0xFF67)

    /// Returns a function key; 1 is F1. The number is clamped to 1…35.
    public static func function(_ number: Int, shift: Bool = false) -> PlayerKey {
        PlayerKey(symbol: 0xFFBD + UInt32(min(max(1, number), 35)), shift: shift)
    }

    private static let names: [UInt32: String] = [
        0xFF51: "←", 0xFF52: "↑", 0xFF53: "→", 0xFF54: "↓", 0xFF50: "Home", 0xFF57: "End", 0xFF55: "PgUp",
        0xFF56: "PgDn", 0x20: "Space", 0xFF0D: "Enter", 0xFF1B: "Esc", 0xFF08: "Backspace", 0xFF67: "Menu",
        0xFF09: "Tab", 0xFF63: "Insert", 0xFFFF: "Delete", 0xFF13: "Pause", 0xFF61: "Print",
    ]

    /// The keys that count as another key: those of the keypad, and Tab, which has a symbol of its own with Shift.
    private static let sameKeys: [UInt32: UInt32] = [
        0xFE20: 0xFF09, 0xFF80: 0x20, 0xFF89: 0xFF09, 0xFF9E: 0xFF63, 0xFF9F: 0xFFFF, 0xFFAB: 0x2B, 0xFFAC: 0x2C,
        0xFFAD: 0x2D, 0xFFAE: 0x2E, 0xFFBD: 0x3D,
        0xFF8D: 0xFF0D, 0xFF96: 0xFF51, 0xFF97: 0xFF52, 0xFF98: 0xFF53, 0xFF99: 0xFF54, 0xFF95: 0xFF50, 0xFF9C: 0xFF57,
        0xFF9A: 0xFF55, 0xFF9B: 0xFF56, 0xFFAA: 0x2A, 0xFFAF: 0x2F,
        0xFFB0: 0x30, 0xFFB1: 0x31, 0xFFB2: 0x32, 0xFFB3: 0x33, 0xFFB4: 0x34, 0xFFB5: 0x35, 0xFFB6: 0x36, 0xFFB7: 0x37,
        0xFFB8: 0x38, 0xFFB9: 0x39,
    ]

    /// The name to display to users, in English, such as `Ctrl+O`, `Shift+←` or `F8`.
    public var name: String {
        var parts = (control ? ["Ctrl"] : []) + (alt ? ["Alt"] : []) + (shift ? ["Shift"] : [])
        if let name = PlayerKey.names[symbol] {
            parts.append(name)
        } else if (0xFFBE...0xFFE0).contains(symbol) {
            parts.append("F\(symbol - 0xFFBD)")
        } else if let character {
            let text = String(Character(character))
            parts.append(control || alt ? text.uppercased() : text)
        } else {
            parts.append("Key 0x\(String(symbol, radix: 16, uppercase: true))")
        }
        return parts.joined(separator: "+")
    }

    /// The character that the key types; nil for a special key, whose symbol is not a code point.
    private var character: Unicode.Scalar? {
        switch symbol {
        case 0x20...0x7E, 0xA0...0xFF: Unicode.Scalar(symbol)
        case 0x100_0100...0x110_FFFF: Unicode.Scalar(symbol - 0x100_0000)
        default: nil
        }
    }
}
