import CGTK
import Foundation
@_spi(Graph) import ViewGraph

extension ElementSurface {
    /// The directions in which the surface scrolls, and therefore is as long as its content.
    enum Sizing { case window, scrolledVertically, scrolledHorizontally, scrolledBoth }
}

/// The lengths that a surface requests from GTK for its content.
struct ContentLengths {
    var sizing = ElementSurface.Sizing.window
    /// Whether the content determines the window's minimum size. If false, the window can be smaller than its content.
    var hasMinimum = true

    /// Returns the minimum and the preferred length in points, as whole numbers.
    /// - Parameters:
    ///   - root: The content.
    ///   - orientation: The dimension of the length.
    ///   - forSize: The length in the other dimension, or −1 if it is not known.
    ///   - screen: The size of the screen. The minimum size of a window is not larger.
    @MainActor
    func measure(
        _ root: Element, _ orientation: GtkOrientation, _ forSize: Int, screen: @autoclosure () -> CGSize
    ) -> (minimum: Int, natural: Int) {
        let availableSize: CGFloat? = forSize < 0 ? nil : CGFloat(forSize)
        let roundedUp: (CGFloat) -> Int = { $0.isFinite ? Int(min(100_000_000, max(0, $0)).rounded(.up)) : 0 }
        if orientation == GTK_ORIENTATION_HORIZONTAL {
            switch sizing {
            case .scrolledVertically: return (0, roundedUp(root.sizeThatFits(.unspecified).width))
            case .scrolledHorizontally, .scrolledBoth:
                let width = roundedUp(
                    root.sizeThatFits(
                        ProposedViewSize(width: nil, height: sizing == .scrolledBoth ? nil : availableSize)
                    ).width
                )
                return (width, width)
            case .window:
                // A window must fit on the screen, even if its content needs more.
                return (
                    hasMinimum
                        ? roundedUp(
                            min(
                                screen().width,
                                root.sizeThatFits(ProposedViewSize(width: 0, height: availableSize)).width)
                        ) : 0,
                    roundedUp(min(16_000, root.sizeThatFits(ProposedViewSize(width: nil, height: availableSize)).width))
                )
            }
        }
        switch sizing {
        case .scrolledVertically, .scrolledBoth:
            let height = roundedUp(
                root.sizeThatFits(ProposedViewSize(width: sizing == .scrolledBoth ? nil : availableSize, height: nil))
                    .height)
            return (height, height)
        case .scrolledHorizontally: return (0, roundedUp(root.sizeThatFits(.unspecified).height))
        case .window:
            return (
                hasMinimum
                    ? roundedUp(
                        min(
                            screen().height,
                            root.sizeThatFits(ProposedViewSize(width: availableSize, height: 0)).height)) : 0,
                roundedUp(min(16_000, root.sizeThatFits(ProposedViewSize(width: availableSize, height: nil)).height))
            )
        }
    }
}
