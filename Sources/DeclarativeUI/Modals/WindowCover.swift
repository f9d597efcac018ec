import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// A container that shows elements in place of a window's content.
@MainActor
final class WindowCover: PresentationPlace {
    let root: LayersElement = CoverElement()
    var onClose: (() -> Void)? {
        didSet { (root as? CoverElement)?.onCancel = onClose }
    }
    func setDismissDisabled(_ isDisabled: Bool) { (root as? CoverElement)?.onCancel = isDisabled ? nil : onClose }
    private weak var window: WindowRoot?

    func open(over element: Element?) {
        // The element may be in the surfaces of nested scroll views. The outermost element is the window's root.
        var outermost = element
        while let above = outermost?.enclosingElement { outermost = above }
        guard let window = outermost as? WindowRoot else { return }
        self.window = window
        window.covers.append(root)
    }
    func close() { window?.covers.removeAll { $0 === root } }
}

/// An element that fills the whole window with the window's background color.
final class CoverElement: LayersElement, DrawnElement {
    var onCancel: (() -> Void)?
    private var shortcuts: WindowShortcuts?

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let ideal = super.measure(proposal)
        return CGSize(width: proposal.width ?? ideal.width, height: proposal.height ?? ideal.height)
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let offered = ProposedViewSize(size)
        for child in children {
            let inner = child.sizeThatFits(offered)
            child.place(
                CGRect(
                    x: (size.width - inner.width) / 2, y: (size.height - inner.height) / 2, width: inner.width,
                    height: inner.height), offered)
        }
    }
    override func contains(_ point: CGPoint) -> Bool { bounds.contains(point) }
    func draw(_ context: DrawContext, _ size: CGSize) {
        let isDark = host?.container != nil && Appearance.isDark
        context.color(Paint.windowColor.resolved(dark: isDark, accent: nil), CGRect(origin: .zero, size: size))
        drawChildren(context)
    }
    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        shortcuts = WindowShortcuts(on: container)
        shortcuts?.add(GDK_KEY_Escape) { [weak self] in
            guard let action = self?.onCancel else { return false }
            action()
            return true
        }
    }
    override func detached(from host: any ElementHost) {
        shortcuts?.remove()
        shortcuts = nil
    }
}
