/// The chosen subtitles of an item. The last ones are remembered while no subtitles are chosen.
struct ChosenSubtitles {
    private(set) var current = PlayerSubtitles.Choice.none
    private var last: PlayerSubtitles.Choice?

    /// Chooses subtitles, or none.
    /// - Returns: Whether the choice has changed.
    mutating func choose(_ new: PlayerSubtitles.Choice) -> Bool {
        let hasChanged = new != current
        current = new
        if new != .none { last = new }
        return hasChanged
    }

    /// Forgets the last subtitles: another item plays, or they can't be loaded.
    mutating func forgetLast() { last = nil }

    /// Returns the choice that hides the current subtitles, or shows the last ones again.
    /// - Parameter first: The choice if no subtitles are remembered.
    func toggled(first: PlayerSubtitles.Choice) -> PlayerSubtitles.Choice {
        current == .none ? last ?? first : .none
    }
}
