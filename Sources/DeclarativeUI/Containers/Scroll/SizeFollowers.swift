import Foundation
@_spi(Graph) import ViewGraph

/// The size of a scroll area's visible area, and the elements that follow it.
@MainActor
final class SizeFollowers {
    private struct Follower { weak var element: Element? }
    private var followers: [Follower] = []
    /// The size of the visible area, in points.
    private(set) var size = CGSize.zero
    /// Whether the elements are being notified of a new size.
    private(set) var isNotifying = false

    func add(_ element: Element) {
        followers.removeAll { $0.element == nil }
        followers.append(Follower(element: element))
    }

    /// Sets the size of the visible area, in points. If the size is new, the elements are laid out again.
    func update(_ size: CGSize) {
        guard size != self.size else { return }
        self.size = size
        isNotifying = true
        for follower in followers { follower.element?.setNeedsLayout() }
        isNotifying = false
    }
}
