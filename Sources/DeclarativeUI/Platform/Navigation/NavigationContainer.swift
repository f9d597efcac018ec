import Foundation
@_spi(Graph) import ViewGraph

/// The view of a navigation controller: a bar, and the view of the top controller.
final class NavigationContainer: UIView {
    let bar = UIView(frame: .zero)
    let pages = UIView(frame: .zero)
    var isBarHidden = false
    private var barHeight = ControlExtent.bar
    private var page: UIView?
    /// The duration of a transition between two controllers, in seconds.
    private static let duration = 0.35

    override init(frame: CGRect) {
        super.init(frame: frame)
        pages.clipsToBounds = true
        clipsToBounds = true
        addSubview(pages)
        addSubview(bar)
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Applies the height that the bar's content prefers.
    func measureBar() {
        guard let host = bar.content?.host else { return }
        // The change of the bar's content may not have been evaluated yet.
        host.graph.flush()
        let width = bounds.width > 0 ? bounds.width : 400
        let height = host.surface.root.sizeThatFits(ProposedViewSize(width: width, height: nil)).height
        let new = height > 0 ? height.rounded(.up) : ControlExtent.bar
        guard new != barHeight else { return }
        barHeight = new
        setNeedsLayout()
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        let top = isBarHidden ? 0 : barHeight
        bar.frame = CGRect(x: 0, y: top - barHeight, width: bounds.width, height: barHeight)
        pages.frame = CGRect(x: 0, y: top, width: bounds.width, height: max(0, bounds.height - top))
    }

    /// Replaces the shown view.
    /// - Parameters:
    ///   - new: The view of the new top controller, or nil for none.
    ///   - isBack: Whether the new view moves in from the left.
    ///   - completion: Called when the new view is at its place.
    func show(_ new: UIView?, isBack: Bool, animated: Bool, _ completion: @escaping @MainActor () -> Void) {
        let old = page
        page = new
        guard new !== old else { return completion() }
        if let new {
            new.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            new.translatesAutoresizingMaskIntoConstraints = true
            pages.insertSubview(new, at: isBack ? 0 : pages.subviews.count)
            UIView.performWithoutAnimation { new.frame = pages.bounds }
        }
        guard animated, let new, let old, pages.shownWindow != nil, pages.bounds.width > 0 else {
            old?.removeFromSuperview()
            return completion()
        }
        let width = pages.bounds.width
        let place = pages.bounds
        UIView.performWithoutAnimation { new.frame = place.offsetBy(dx: isBack ? -width * 0.3 : width, dy: 0) }
        UIView.animate(
            withDuration: NavigationContainer.duration,
            animations: {
                new.frame = place
                old.frame = place.offsetBy(dx: isBack ? width : -width * 0.3, dy: 0)
            },
            completion: { [weak self] _ in
                // The old view may be shown again in the meantime.
                if old !== self?.page { old.removeFromSuperview() }
                completion()
            })
    }
}
