import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// The size with which a window opens.
@MainActor
enum WindowSize {
    /// The size in points for content that takes any size: wide enough to work in, and with the proportions of a 16:9
    /// video.
    static let useful = CGSize(width: 960, height: 540)
    /// The size in points of a phone's screen: upright, or turned if Info.plist allows no upright orientation.
    static let phone = phone(info: Bundle.main.infoDictionary)
    static func phone(info: [String: Any]?) -> CGSize {
        let upright = CGSize(width: 390, height: 844)
        let allowed = (info?["UISupportedInterfaceOrientations"] as? [String]) ?? []
        guard !allowed.isEmpty, !allowed.contains(where: { $0.contains("Portrait") }) else { return upright }
        return CGSize(width: upright.height, height: upright.width)
    }
    /// Returns the size in points of a window for content that takes any size.
    static func useful(isPhone: Bool, on screen: CGSize) -> CGSize {
        let size = isPhone ? phone : useful
        return CGSize(width: min(size.width, screen.width), height: min(size.height, screen.height))
    }
    /// The maximum and the minimum in points of a size that the content determines. A frame's ideal length may be
    /// larger.
    private static let most = CGSize(width: 1280, height: 720), least = CGSize(width: 200, height: 100)

    /// Returns the size with which a window opens, in points.
    /// - Parameters:
    ///   - asked: The size that the app requests. Nil leaves the size to the content.
    ///   - isSheet: Whether the window is a sheet. A sheet has its content's preferred size, even if the content could
    ///     take more space.
    ///   - isPhone: Whether the window has the look of a phone, and so a phone's size.
    ///   - screen: The size of the screen, which is the maximum.
    static func opening(_ root: Element, asked: CGSize?, isSheet: Bool, isPhone: Bool = false, screen: CGSize)
        -> CGSize
    {
        var size = asked ?? .zero
        if asked == nil, isPhone, !isSheet {
            let minimum = root.sizeThatFits(.zero)
            size = useful(isPhone: true, on: screen)
            size = CGSize(width: max(size.width, minimum.width), height: max(size.height, minimum.height))
        } else if asked == nil {
            // A menu bar takes the full width, and so hides the content's preferred width.
            let menu = menuPage(root)
            let bar = menu?.barSize ?? .zero
            let root = menu?.page ?? root
            let ideal = root.sizeThatFits(.unspecified)
            let hasIdeal = ideals(root)
            let isWide = root.sizeThatFits(ProposedViewSize(width: .infinity, height: nil)).width > ideal.width + 0.5
            size.width = side(
                ideal.width, isWide && !hasIdeal.width && !isSheet, useful.width, least.width,
                hasIdeal.width ? .infinity : most.width)
            size.width = max(size.width, root.sizeThatFits(ProposedViewSize(width: 0, height: nil)).width)
            // Text wraps, so the preferred height is the one for this width.
            let height = root.sizeThatFits(ProposedViewSize(width: size.width, height: nil)).height
            let isHigh = root.sizeThatFits(ProposedViewSize(width: size.width, height: .infinity)).height > height + 0.5
            size.height =
                side(
                    hasIdeal.height ? ideal.height : height, isHigh && !hasIdeal.height && !isSheet, useful.height,
                    least.height, hasIdeal.height ? .infinity : most.height) + bar.height
            size.width = max(size.width, bar.width)
        }
        return CGSize(
            width: max(1, min(size.width.bounded.rounded(.up), screen.width)),
            height: max(1, min(size.height.bounded.rounded(.up), screen.height)))
    }

    /// Returns whether the content below any menus can have only one size.
    static func isFixed(_ root: Element) -> Bool {
        let content = menuPage(root)?.page ?? root
        let minimum = content.sizeThatFits(.zero)
        let maximum = content.sizeThatFits(.infinity)
        return abs(minimum.width - maximum.width) < 0.5 && abs(minimum.height - maximum.height) < 0.5
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

    /// Returns the dimensions for which a frame around all content sets an ideal length.
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

    /// The size of the first screen in points. Without a screen, GTK's own limit applies.
    static var screen: CGSize {
        let unknown = CGSize(width: 16_000, height: 16_000)
        guard let frame = GDKDisplay.standard?.firstMonitor?.frame, frame.width > 0, frame.height > 0 else {
            return unknown
        }
        return frame.size
    }
}
