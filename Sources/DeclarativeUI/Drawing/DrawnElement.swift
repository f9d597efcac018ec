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
        if let zoomed = presence.zoomed(self, context.now) {
            // A page that slides in a column must not cover the columns beside it.
            guard let limit = zoomed.limit else { return drawZoomed(context, size, zoomed) }
            return context.clipped(limit) { drawZoomed(context, size, zoomed) }
        }
        let transform = presence.transform(size, context.now)
        guard transform.isDrawable else { return }
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

    private func drawZoomed(_ context: DrawContext, _ size: CGSize, _ zoomed: ZoomedPlace) {
        guard zoomed.transform.isDrawable else { return }
        let source = zoomed.source as? MatchedSourceElement
        let nearness = CGFloat(zoomed.nearness)
        let corner = source?.look.cornerSize ?? .zero
        let outline = RoundedRect(
            rect: zoomed.rect,
            radii: CGSize(
                width: min(max(0, corner.width * nearness), zoomed.rect.width / 2),
                height: min(max(0, corner.height * nearness), zoomed.rect.height / 2)))
        func faded(_ color: Color.Components?) -> Color.Components? {
            color.map { with($0) { $0.opacity *= zoomed.nearness } }
        }
        context.throughEffect {
            context.faded(zoomed.opacity) {
                if let shadow = source?.look.shadow, let color = faded(source?.shadowColor), color.opacity > 0 {
                    context.snapshot.append(
                        shadow: color.gdk, around: outline.gsk, dx: Float(shadow.offset.width * nearness),
                        dy: Float(shadow.offset.height * nearness), blur: Float(2 * shadow.radius * nearness))
                }
                context.clipped(outline) {
                    if let ground = (self as? HideableLayers)?.ground { context.color(ground, zoomed.rect) }
                    if let color = faded(source?.backgroundColor) { context.color(color, zoomed.rect) }
                    context.transformed(zoomed.transform) { drawItself(context, size) }
                    if zoomed.dimming > 0 {
                        let shade = Color.Components(red: 0, green: 0, blue: 0, opacity: zoomed.dimming)
                        context.color(shade, zoomed.rect)
                    }
                }
            }
        }
    }
}
