import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// An element that draws more than its children.
@MainActor
protocol DrawnElement: Element {
    /// Draws itself and its children into a space of `size` with the origin at its own top left.
    func draw(_ context: DrawContext, _ size: CGSize)
}

extension Element {
    /// Draws the element where it is now, on its way in or out as far as it has come.
    func render(_ context: DrawContext) {
        guard !isHidden else { return }
        let frame = presentedFrame(context.now)
        context.translated(frame.origin) {
            if let presence, presence.isRunning(context.now) {
                drawOnItsWay(context, frame.size, presence)
            } else {
                drawItself(context, frame.size)
            }
        }
    }

    func drawChildren(_ context: DrawContext) {
        for child in inDrawingOrder { child.render(context) }
        // One that is over is taken out at the next tick.
        for child in leaving where child.presence?.isRunning(context.now) == true { child.render(context) }
    }

    /// Draws the element and its children into a space of `size`, without its place and its way in or out.
    func drawItself(_ context: DrawContext, _ size: CGSize) {
        if let drawn = self as? any DrawnElement { drawn.draw(context, size) } else { drawChildren(context) }
    }

    private func drawOnItsWay(_ context: DrawContext, _ size: CGSize, _ presence: Presence) {
        let transform = presence.transform(size, context.now)
        guard transform.inverse != nil else { return }
        // GTK draws the videos in it too, so that they move and fade with everything else, frame by frame.
        context.throughEffect {
            context.faded(presence.opacity(context.now)) {
                context.transformed(transform) { drawItself(context, size) }
            }
        }
    }
}
