import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays

// Pictures through GTK: with the GL renderer, on Wayland, with alpha, and through masks and turns.
extension PlayerView: PaintableContent {
    package var intrinsicSize: CGSize { video.frame?.presentationSize ?? .zero }

    package func snapshot(_ snapshot: GTKSnapshot, width: Double, height: Double) {
        // Last: what of its own GTK draws lies over nothing.
        defer { if !painter.triesGL { VideoMark.append(mark, to: snapshot) } }
        defer {
            if let text = notice.text {
                painter.append(text, to: snapshot, width: width, height: height, above: coveredBottom)
            }
        }
        // GTK draws when there is a size, and another one: the moment to place the video anew.
        if video.state == nil || video.state?.placement != canvas.placement(video.frame?.presentationSize) { wake() }
        // The window has just got its size, and a first picture may wait for it: a turn of the display would come 16 ms
        // later, when the second one is almost due.
        if video.isWaitingForFirst {
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.woken() } }
        }
        // A view that fades in over others must not begin with its black background.
        if video.frame == nil, isDrawnByGTK { video.frame = currentFrame() }
        let scale = canvas.picture.scaleFactor
        let space = CanvasSpace(
            width: Int((width * Double(scale)).rounded()), height: Int((height * Double(scale)).rounded()), scale: scale
        )
        let placement = VideoPlacement(
            picture: video.frame?.presentationSize ?? .zero, width: space.width, height: space.height,
            gravity: videoGravity)
        // What the video's own surface does not show yet, or soon no more, GTK shows.
        let isOnSurface = surface.isStaying && !isDrawnByGTK
        let frame = isOnSurface || placement.width <= 0 ? nil : video.frame
        painter.appendBackground(of: frame, placement, snapshot, in: space, width: width, height: height)
        guard let frame else { return }
        let contents = contents(over: frame, placement, .now())
        if painter.triesGL {
            if painter.appendTexture(of: frame, placement, contents, snapshot, in: space) { return }
            if !painter.triesGL {
                composition?.displayTakesColors = true
                redraw()
            }
        }
        // Drawn by GTK, a cover would be drawn again with each picture.
        painter.appendImage(
            SnapshotPainter.Picture(
                frame: frame, placement: placement, overlays: contents, colors: composition?.colors,
                tiles: isDrawnByGTK ? [] : cover.tiles),
            snapshot, in: space)
    }
}
