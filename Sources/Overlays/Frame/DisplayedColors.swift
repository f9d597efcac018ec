import Filters

/// The color change that displays apply to the pixels that they show.
struct DisplayedColors {
    /// The color change, or nil for none.
    private(set) var colors: FoldedColors?
    /// A number that changes whenever the displays would show the same frame with other colors.
    private(set) var appearanceVersion: UInt64 = 1
    /// The version of the settings that `colors` belongs to; 0 if there are none.
    private var version: UInt64 = 0

    /// - Parameter new: The version of the settings that `colors` belongs to.
    mutating func set(_ colors: FoldedColors?, of new: UInt64 = 0) {
        guard new != version else { return }
        self.colors = colors
        version = new
        appearanceVersion += 1
    }
}
