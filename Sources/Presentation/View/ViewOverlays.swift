import Filters
import MediaEngine
import Overlays

/// The overlays of a view: the selected subtitles of the player's item, and the overlays of a composition.
///
/// The subtitle tracks of an item are not read before a frame is drawn, because other code may draw the subtitles.
@MainActor
final class ViewOverlays {
    /// The height of a bar at the bottom of the view, in points.
    var coveredBottom = 0.0
    var showsSubtitles = true
    /// Called when the subtitles have changed, even if the frame has not.
    var onChange: @MainActor () -> Void = {}
    private var subtitles: ItemSubtitleOverlay?

    /// Discards the subtitles of the previous player.
    func forgetPlayer() { subtitles = nil }

    /// Returns the overlays in drawing order, with the topmost last.
    func all(_ composition: PictureComposition?, _ player: AVPlayer?) -> [any FrameOverlay] {
        let composed = composition?.overlays ?? []
        guard showsSubtitles, let player, !composed.contains(where: { $0 is SubtitleOverlay }) else {
            subtitles = nil
            return composed
        }
        let shown = subtitles ?? ItemSubtitleOverlay(player) { [weak self] in self?.onChange() }
        subtitles = shown
        return [shown.overlay] + composed
    }

    /// Returns the geometry in which overlays are drawn.
    /// - Parameters:
    ///   - p: The placement of the frame.
    ///   - space: The size of the view.
    ///   - designWidth: The width in points of the view for which the overlays were designed. Nil is the width of this
    ///     view.
    func geometry(_ p: VideoPlacement, in space: CanvasSpace, madeFor designWidth: Double?) -> OverlayGeometry {
        let factor = Double(space.scale)
        let width = Double(space.width) / factor
        return OverlayGeometry(
            width: space.width, height: space.height,
            frameX: p.x, frameY: p.y, frameWidth: p.width, frameHeight: p.height,
            scale: factor * (designWidth.map { $0 > 0 ? width / $0 : 1 } ?? 1),
            coveredBottom: Int((coveredBottom * factor).rounded()))
    }
}
