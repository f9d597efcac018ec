import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// What a view draws over its frames: the subtitles that are chosen in the player's item, and what a composition has.
///
/// An item's tracks are not read for their subtitles before a frame is drawn: until then it may turn out that somebody
/// else draws them. Main actor.
@MainActor
final class ViewOverlays {
    /// The height of a bar over the view's lower end, points.
    var coveredBottom = 0.0
    var showsSubtitles = true
    /// Called when other subtitles are to be seen, though the frame may stand.
    var onChange: @MainActor () -> Void = {}
    private var subtitles: ItemSubtitleOverlay?

    /// Another player is shown.
    func forgetPlayer() { subtitles = nil }

    /// The last on top.
    func all(_ composition: PictureComposition?, _ player: AVPlayer?) -> [any PictureOverlay] {
        let composed = composition?.overlays ?? []
        guard showsSubtitles, let player, !composed.contains(where: { $0 is SubtitleOverlay }) else {
            subtitles = nil
            return composed
        }
        let shown = subtitles ?? ItemSubtitleOverlay(player) { [weak self] in self?.onChange() }
        subtitles = shown
        return [shown.overlay] + composed
    }

    /// Where overlays are drawn.
    /// - Parameter wide: the width, points, of the view that they are made to measure for; nil: this one's.
    func geometry(_ p: VideoPlacement, in space: CanvasSpace, madeFor wide: Double?) -> OverlayGeometry {
        let factor = Double(space.scale)
        let width = Double(space.width) / factor
        return OverlayGeometry(
            width: space.width, height: space.height,
            pictureX: p.x, pictureY: p.y, pictureWidth: p.width, pictureHeight: p.height,
            scale: factor * (wide.map { $0 > 0 ? width / $0 : 1 } ?? 1),
            coveredBottom: Int((coveredBottom * factor).rounded()))
    }
}
