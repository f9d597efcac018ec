import Foundation
@_spi(Graph) import ViewGraph

/// What is at the top of a window: its views one over the other, as in a `ZStack`, or what covers all of them.
final class WindowRoot: LayersElement {
    private let base = HideableLayers()
    /// Shown instead of the window's content, the last one on top.
    var covers: [Element] = [] {
        didSet { show() }
    }

    override init() {
        super.init()
        show()
    }

    override func setChildren(_ new: [Element]) { base.setChildren(new) }
    /// What lies below the covers: the window's own.
    var content: [Element] { base.children }

    private func show() {
        base.isOut = !covers.isEmpty
        super.setChildren([base] + covers)
    }
}

/// Layers that can be left out of what is seen while they keep all their views.
final class HideableLayers: LayersElement {
    var isOut = false {
        didSet { if isOut != oldValue { setNeedsLayout() } }
    }
    override var isHidden: Bool { isOut }
}
