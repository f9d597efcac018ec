import Filters
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays

// Drawing of frames by GTK. GTK draws with the GL renderer, for frames with alpha, and where the video cannot use its
// own surface, such as in a mask or a rotated view.
extension PlayerView: PaintableContent {
    package var intrinsicSize: CGSize { video.frame?.presentationSize ?? .zero }

    package func snapshot(_ snapshot: GTKSnapshot, width: Double, height: Double) {
        // The mark is appended last, because nothing that GTK draws for this view is above the video's own surface.
        defer { if !painter.triesGL { VideoMark.append(mark, to: snapshot) } }
        defer {
            if let text = notice.text {
                painter.append(text, to: snapshot, width: width, height: height, above: coveredBottom)
            }
        }
        // GTK draws after the size of the widget has changed, so the video must be placed again.
        if video.state == nil || video.state?.placement != canvas.placement(video.frame?.presentationSize) {
            startTicking()
        }
        // The first frame may have waited for the size of the window. Show the frame now, because the next display
        // refresh would be 16 ms later, when the second frame is almost due.
        if video.isWaitingForFirst {
            DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.frameDidChange() } }
        }
        // A view that fades in above others must not start with a black background.
        if video.frame == nil, isDrawnByGTK { video.frame = currentFrame() }
        let scale = canvas.picture.scaleFactor
        let space = CanvasSpace(
            width: Int((width * Double(scale)).rounded()), height: Int((height * Double(scale)).rounded()), scale: scale
        )
        let placement = VideoPlacement(
            picture: video.frame?.presentationSize ?? .zero, width: space.width, height: space.height,
            gravity: videoGravity)
        // GTK draws the frame if the video's own surface does not show it yet or is about to be hidden.
        let isOnSurface = surface.isStaying && !isDrawnByGTK
        let frame = isOnSurface || placement.width <= 0 ? nil : video.frame
        painter.appendBackground(of: frame, placement, snapshot, in: space, width: width, height: height)
        guard let frame else { return }
        let contents = contents(over: frame, placement, .now())
        if painter.appendTexture(of: frame, placement, contents, snapshot, in: space) { return }
        // If GTK draws the video, GTK also draws the content above it, so no cover is blended in.
        painter.appendImage(
            SnapshotPainter.Picture(
                frame: frame, placement: placement, overlays: contents, colors: feed.composition?.colors,
                tiles: isDrawnByGTK ? [] : cover.tiles),
            snapshot, in: space)
    }
}
