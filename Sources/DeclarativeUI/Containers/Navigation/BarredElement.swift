import Foundation
@_spi(Graph) import ViewGraph

/// An element that lays out a page between two bars at its edges.
///
/// It takes the whole proposed size, and centers the page in the space between the bars.
class BarredElement: Element {
    let bar = LayersElement(), bottomBar = LayersElement()
    var page: Element?

    /// Sets the pages, and lays out only `page`. The caller hides the other pages.
    ///
    /// - Parameters:
    ///   - pages: All pages, from the bottom to the top.
    ///   - page: The page that is laid out.
    final func show(_ pages: [Element], _ page: Element?) {
        self.page = page
        setChildren(pages + [bar, bottomBar])
        setNeedsLayout()
    }

    /// The children in the order of the keyboard focus. The upper bar is first, although the bars are drawn last.
    override var inFocusOrder: [Element] { [bar] + children.filter { $0 !== bar } }

    /// Returns the proposed size, or a larger size if the page and the bars need it.
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let across = ProposedViewSize(width: proposal.width, height: nil)
        let above = bar.sizeThatFits(across)
        let below = bottomBar.sizeThatFits(across)
        let bars = above.height + below.height
        let inner =
            page?.sizeThatFits(
                ProposedViewSize(width: proposal.width, height: proposal.height.map { max(0, $0 - bars) })) ?? .zero
        return CGSize(
            width: max(proposal.width ?? 0, inner.width, above.width, below.width),
            height: max(proposal.height ?? 0, inner.height + bars))
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let across = ProposedViewSize(width: size.width, height: nil)
        let above = bar.sizeThatFits(across).height
        let below = bottomBar.sizeThatFits(across).height
        bar.place(CGRect(x: 0, y: 0, width: size.width, height: above), across)
        bottomBar.place(CGRect(x: 0, y: size.height - below, width: size.width, height: below), across)
        let space = CGSize(width: size.width, height: max(0, size.height - above - below))
        guard let page else { return }
        let inner = page.sizeThatFits(ProposedViewSize(space))
        page.place(
            CGRect(
                x: (space.width - inner.width) / 2, y: above + (space.height - inner.height) / 2, width: inner.width,
                height: inner.height), ProposedViewSize(space))
    }
}
