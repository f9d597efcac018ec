@_spi(Graph) import ViewGraph

/// The root element of a window: its views in layers, as in a `ZStack`, or the views that cover them.
final class WindowRoot: LayersElement {
    private let base = HideableLayers()
    /// The elements shown instead of the window's content. The last one is on top.
    var covers: [Element] = [] {
        didSet { show() }
    }

    override init() {
        super.init()
        show()
    }

    override func setChildren(_ new: [Element]) { base.setChildren(new) }
    /// The window's own elements, below the covers.
    var content: [Element] { base.children }

    private func show() {
        base.isHiddenByParent = !covers.isEmpty
        super.setChildren([base] + covers)
    }
}

/// Layers that can be hidden while they keep all their views.
final class HideableLayers: LayersElement {
    var isHiddenByParent = false {
        didSet { if isHiddenByParent != oldValue { setNeedsLayout() } }
    }
    override var isHidden: Bool { isHiddenByParent }
    /// The color behind the layers during a zoom.
    var ground: Color.Components?
}
