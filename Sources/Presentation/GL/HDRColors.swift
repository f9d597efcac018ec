import Filters
import GTK
import MediaEngine

/// The colors in which HDR is drawn without tone mapping.
@MainActor
struct HDRColors {
    /// Whether textures of half floats can be drawn.
    private var isPossible = true
    /// The colors for `map`. Nil if tone mapping is needed.
    private var colors: TextureColors?
    private var map: ToneMap?
    /// Whether the uploaded frame is drawn in `colors`. Otherwise tone mapping applies.
    private(set) var areUsed = false

    /// The colors of the uploaded frame. Nil for the colors of the screen.
    var used: TextureColors? { areUsed ? colors : nil }

    /// Starts a frame, which is drawn in the colors of the screen until `mapsTones` decides otherwise.
    mutating func begin() { areUsed = false }

    /// Returns whether tone mapping applies to the uploaded frame. If not, the texture carries its colors.
    /// - Parameters:
    ///   - newMap: The tone mapping of the frame. Nil if the frame has the colors of the screen.
    ///   - hasAlpha: Whether the frame has alpha.
    mutating func mapsTones(_ newMap: ToneMap?, hasAlpha: Bool) -> Bool {
        guard let newMap else { return false }
        if map != newMap {
            map = newMap
            colors = ColorCode(hdr: newMap)?.colors
        }
        areUsed = isPossible && !hasAlpha && colors != nil
        return !areUsed
    }

    /// Applies tone mapping from now on, because textures of half floats can't be drawn.
    mutating func giveUp() { isPossible = false }
}
