import GTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// What a window opens with.
@MainActor
enum WindowSize {
    /// For a root that takes whatever it gets, points: wide enough to work in, and a film without bars.
    static let useful = CGSize(width: 960, height: 540)
    /// The most that content which has a size of its own opens with, and the least of any window.
    private static let most = CGSize(width: 1280, height: 720), least = CGSize(width: 200, height: 100)

    /// - Parameters:
    ///   - asked: by the app; nil leaves it to the content.
    ///   - isSheet: it is as large as its content likes best, even if that takes more.
    ///   - screen: no window is larger.
    static func opening(_ root: Element, asked: CGSize?, isSheet: Bool, screen: CGSize) -> CGSize {
        var size = asked ?? .zero
        if asked == nil {
            // A menu bar takes all the width there is and says nothing of what the content likes.
            let menu = menuPage(root)
            let bar = menu?.barSize ?? .zero
            let root = menu?.page ?? root
            let ideal = root.sizeThatFits(.unspecified)
            let named = ideals(root)
            let isWide = root.sizeThatFits(ProposedViewSize(width: .infinity, height: nil)).width > ideal.width + 0.5
            size.width = side(ideal.width, isWide && !named.width && !isSheet, useful.width, least.width, most.width)
            size.width = max(size.width, root.sizeThatFits(ProposedViewSize(width: 0, height: nil)).width)
            // Words wrap in a width, so the height that is liked best is that in this width.
            let height = root.sizeThatFits(ProposedViewSize(width: size.width, height: nil)).height
            let isHigh = root.sizeThatFits(ProposedViewSize(width: size.width, height: .infinity)).height > height + 0.5
            size.height =
                side(
                    named.height ? ideal.height : height, isHigh && !named.height && !isSheet, useful.height,
                    least.height, most.height) + bar.height
            size.width = max(size.width, bar.width)
        }
        return CGSize(
            width: max(1, min(size.width.bounded.rounded(.up), screen.width)),
            height: max(1, min(size.height.bounded.rounded(.up), screen.height)))
    }

    /// The content below the menus, if there are some, can have one size only.
    static func isFixed(_ root: Element) -> Bool {
        let content = menuPage(root)?.page ?? root
        let least = content.sizeThatFits(.zero)
        let most = content.sizeThatFits(.infinity)
        return abs(least.width - most.width) < 0.5 && abs(least.height - most.height) < 0.5
    }

    private static func menuPage(_ root: Element) -> MenuPageElement? {
        let content = (root as? WindowRoot)?.content ?? root.children
        return content.count == 1 ? content.first as? MenuPageElement : nil
    }

    private static func side(_ ideal: CGFloat, _ isFlexible: Bool, _ useful: CGFloat, _ least: CGFloat, _ most: CGFloat)
        -> CGFloat
    {
        min(most, max(isFlexible ? useful : least, ideal))
    }

    /// Which sides the root itself says to like best, by a frame around all of it.
    private static func ideals(_ root: Element) -> (width: Bool, height: Bool) {
        var element: Element? = root
        var result = (width: false, height: false)
        while let current = element {
            if let frame = current as? FrameElement {
                result = (result.width || frame.ideals.width, result.height || frame.ideals.height)
            }
            element = (current as? BarredElement)?.page ?? (current.children.count == 1 ? current.children.first : nil)
        }
        return result
    }

    /// The size of the first screen, points; without one no limit but GTK's.
    static var screen: CGSize {
        let unknown = CGSize(width: 16_000, height: 16_000)
        guard let frame = GDKDisplay.standard?.firstMonitor?.frame, frame.width > 0, frame.height > 0 else {
            return unknown
        }
        return frame.size
    }
}
