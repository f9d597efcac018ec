import PlayerControls

/// A command that a key, the mouse or a menu sends to a player.
package enum PlayerCommand: Equatable, Sendable {
    /// An action on the current item or the window.
    case action(PlaybackAction)
    /// Sets the start of the A–B loop, then its end, then clears it.
    case loopSection
    /// Selects the next (+1) or previous (−1) track.
    case subtitles(Int)
    case audio(Int)
    case subtitleVisibility
    /// Changes the delay of the subtitles by seconds.
    case subtitleDelay(Double)
    /// Plays the next (+1) or previous (−1) item.
    case entry(Int)
    /// Goes to the next (+1) or previous (−1) chapter, or item if there are no chapters.
    case chapter(Int)
    /// Saves a screenshot, with or without subtitles.
    case screenshot(withSubtitles: Bool)
    case progress, list, information, help, aspect, menu, open

    /// Whether the command is performed again while its key is held down.
    package var repeats: Bool {
        switch self {
        case .action(let action): action.repeats
        case .subtitleDelay: true
        default: false
        }
    }
}
