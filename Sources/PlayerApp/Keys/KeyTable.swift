import CGTK
import GTK
import PlayerControls
import Presentation

/// The keys and mouse actions of the player window, as the `?` panel, `zoetrope play --help` and docs/keys.md show
/// them. Most keys are the same as in mpv.
package enum KeyTable {
    package typealias Section = KeyMap<PlayerCommand>.Section
    private typealias Binding = KeyMap<PlayerCommand>.Binding

    package static let keys = KeyMap<PlayerCommand>([
        Section("Playback", actions(Presets.playback) + playback),
        Section("Playlist", playlist),
        Section("Audio", actions(Presets.audio) + [Binding(.audio(1), "Next audio track", PlayerKey("#"))]),
        Section("Subtitles", subtitles),
        Section("Window", windowActions(before: true) + window + windowActions(before: false)),
    ])
    package static var sections: [Section] { keys.sections }

    private static func actions(_ bindings: [Presets.Binding]) -> [Binding] {
        bindings.map { $0.map(PlayerCommand.action) }
    }
    /// “Close the window” is the last line of the table.
    private static func windowActions(before: Bool) -> [Binding] {
        actions(Presets.windows.filter { ($0.command != .close) == before })
    }

    private static let playback: [Binding] = [
        Binding(.loopSection, "Set A–B loop start, set its end, clear it", PlayerKey("b")),
        Binding(.progress, "Show position and duration", PlayerKey("o")),
    ]
    private static let playlist: [Binding] = [
        Binding(.entry(-1), "Previous / next video", PlayerKey("<")),
        Binding(and: .entry(1), PlayerKey(">"), .enter),
        Binding(.chapter(1), "Next / previous chapter or video", .pageUp), Binding(and: .chapter(-1), .pageDown),
        Binding(.list, "Show nearby playlist videos", .function(8)),
        Binding(.open, "Open a file", PlayerKey("o", control: true)),
    ]
    private static let subtitles: [Binding] = [
        Binding(.subtitles(1), "Next / previous subtitle track", PlayerKey("j")),
        Binding(and: .subtitles(-1), PlayerKey("J")),
        Binding(.subtitleVisibility, "Show or hide subtitles", PlayerKey("v")),
        Binding(.subtitleDelay(-0.1), "Subtitle delay −0.1 s / +0.1 s", PlayerKey("z")),
        Binding(and: .subtitleDelay(0.1), PlayerKey("Z"), PlayerKey("x")),
    ]
    private static let window: [Binding] = [
        Binding(.aspect, "Fit, fill or stretch the video", PlayerKey("A")),
        Binding(.screenshot(withSubtitles: true), "Save a screenshot", PlayerKey("s")),
        Binding(.screenshot(withSubtitles: false), "Save a screenshot without subtitles", PlayerKey("S")),
        Binding(.information, "Show or hide playback information", PlayerKey("i")),
        Binding(.help, "Show or hide keyboard shortcuts", PlayerKey("?"), .function(1)),
        Binding(.menu, "Open the menu", .menu, .function(10, shift: true)),
    ]

    /// The actions of the mouse, as texts.
    package static let mouse: [(what: String, text: String)] = [
        ("Scroll up / down", "Volume +5% / −5%"),
        ("Scroll left / right", "Seek −5 s / +5 s"),
        ("Drag the seek bar", "Seek with a thumbnail"),
        ("Drag the video", "Move the window"),
        ("Double-click", "Toggle full screen"),
        ("Right-click", "Open the menu"),
        ("Back / forward button", "Previous / next video"),
    ]

    /// Returns the command of a key that GDK reports; nil if the player has none.
    package static func command(_ symbol: UInt32, state: UInt32) -> PlayerCommand? {
        PlayerKey(symbol: symbol, state: state).flatMap { keys[$0] }
    }
}

extension PlayerKey {
    /// The key in GTK's notation for menus, in which a capital letter is the small letter with Shift.
    var accelerator: String? {
        let plain = gdk_keyval_to_lower(symbol)
        var modifiers: UInt32 = 0
        if shift || plain != symbol { modifiers |= GDK_SHIFT_MASK.rawValue }
        if control { modifiers |= GDK_CONTROL_MASK.rawValue }
        return GDKKey.accelerator(plain, GdkModifierType(rawValue: modifiers))
    }
}
