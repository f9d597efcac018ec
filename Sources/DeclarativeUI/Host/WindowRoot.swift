@_spi(Graph) import ViewGraph

/// The root element of a window: its views in layers, as in a `ZStack`, and the views that cover them.
final class WindowRoot: LayersElement {
    private let base = HideableLayers()
    /// The elements shown over the window's content or instead of it. The last one is on top.
    var covers: [CoverElement] = [] {
        didSet { show() }
    }

    override init() {
        super.init()
        show()
    }

    override func setChildren(_ new: [Element]) { base.setChildren(new) }
    /// The window's own elements, below the covers.
    var content: [Element] { base.children }

    /// Checks again whether the covers hide what is below, after the content of a cover has changed.
    func coversMayShowMore() { show() }

    private func show() {
        let below: [HideableLayers] = [base] + covers
        for (index, layer) in below.enumerated() {
            layer.isHiddenByParent = covers.dropFirst(index).contains { !$0.showsBelow }
        }
        super.setChildren([base] + covers.flatMap(layers))
        (host as? ElementSurface)?.reportsStructure = covers.contains(where: \.showsOnlyPicker)
        // What stays visible below a cover takes no input.
        let top = covers.last.map(layers) ?? [base]
        for layer in children { layer.setInert(!top.contains { $0 === layer }) }
    }
    private func layers(of cover: CoverElement) -> [Element] {
        (cover as? SheetPanelElement).map { [$0.shade, $0] } ?? [cover]
    }
}

/// Layers that can be hidden while they keep all their views.
class HideableLayers: LayersElement {
    final var isHiddenByParent = false {
        didSet {
            guard isHiddenByParent != oldValue else { return }
            scope?.isOn = !isHiddenByParent
            setNeedsLayout()
        }
    }
    /// The scope of the views in the layers, which appear and disappear with them. Nil for none.
    final var scope: AppearanceScope?
    override var isHidden: Bool { isHiddenByParent }
    /// The color behind the layers during a zoom.
    final var ground: Color.Components?
}
