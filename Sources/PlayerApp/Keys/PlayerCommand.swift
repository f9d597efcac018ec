import Presentation

/// What a user asks of a player, by a key, by the mouse or in a menu.
package enum PlayerCommand: Equatable, Sendable {
    /// What concerns what plays now, and the window.
    case action(PlayerAction)
    /// A part: its start, then its end, then none.
    case loopSection
    /// The next of several, or the one before: +1, −1.
    case subtitles(Int)
    case audio(Int)
    case subtitleVisibility
    /// Seconds later, or earlier.
    case subtitleDelay(Double)
    /// In the list: +1, −1.
    case entry(Int)
    /// +1, −1; where there are none, in the list.
    case chapter(Int)
    /// With what lies over it, or as the file has it.
    case picture(withSubtitles: Bool)
    case progress, list, information, help, aspect, menu, open
}
