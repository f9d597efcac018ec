import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// An element that draws more than its children.
@MainActor
protocol DrawnElement: Element {
    /// Draws the element and its children into a space of `size`, with the origin at the element's top left.
    func draw(_ context: DrawContext, _ size: CGSize)
}

extension Element {
    /// Draws the element at its current frame, and with its current transition if it appears or disappears.
    func render(_ context: DrawContext) {
        guard !isHidden else { return }
        let frame = presentedFrame(context.now)
        context.translated(frame.origin) {
            if let presence, presence.isRunning(context.now) {
                drawTransition(context, frame.size, presence)
            } else {
                drawItself(context, frame.size)
            }
        }
    }

    func drawChildren(_ context: DrawContext) {
        for child in inDrawingOrder { child.render(context) }
        // A child whose transition has ended is removed at the next tick.
        for child in leaving where child.presence?.isRunning(context.now) == true { child.render(context) }
    }

    /// Draws the element and its children into a space of `size`, without its position and transition.
    func drawItself(_ context: DrawContext, _ size: CGSize) {
        if let drawn = self as? any DrawnElement { drawn.draw(context, size) } else { drawChildren(context) }
    }

    private func drawTransition(_ context: DrawContext, _ size: CGSize, _ presence: Presence) {
        let transform = presence.transform(size, context.now)
        guard transform.inverse != nil else { return }
        // GTK also draws the videos inside, so that they move and fade together with everything else.
        context.throughEffect {
            context.faded(presence.opacity(context.now)) {
                context.transformed(transform) {
                    let blur = presence.blur(context.now)
                    guard blur > 0 else { return drawItself(context, size) }
                    // The radius changes in each frame, so a kept drawing would never be used again.
                    context.drawThrough(.blur(radius: Float(blur)), CachedEffect()) { self.drawItself($0, size) }
                }
            }
        }
    }
}
