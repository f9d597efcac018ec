import Filters

/// What displays do to the colors of the pixels that they show.
struct DisplayedColors {
    /// Nil: nothing.
    private(set) var colors: FoldedColors?
    /// Another number: the same frame looks different.
    private(set) var look: UInt64 = 1
    /// The settings that `colors` are for; 0 without any.
    private var version: UInt64 = 0

    /// - Parameter new: the version of the settings that `colors` are for.
    mutating func set(_ colors: FoldedColors?, of new: UInt64 = 0) {
        guard new != version else { return }
        self.colors = colors
        version = new
        look += 1
    }
}
