import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A container that shows elements in place of a window's content, or over it.
@MainActor
final class WindowCover: PresentationPlace {
    private let cover: CoverElement
    var root: LayersElement { cover }
    var onClose: (() -> Void)? {
        didSet { cover.onCancel = onClose }
    }
    func setDismissDisabled(_ isDisabled: Bool) { cover.onCancel = isDisabled ? nil : onClose }
    private weak var window: WindowRoot?
    /// The popovers whose content shows the cover, the innermost first.
    private var popovers: [PopoverRoot] = []

    /// Creates a container that is not shown yet.
    init(_ cover: CoverElement = CoverElement()) { self.cover = cover }

    func open(over element: Element?) {
        // The element may be in the surfaces of nested scroll views, popovers and hosted views, which have roots of their
        // own. The outermost element is the window's root.
        var outermost = element
        var popovers: [PopoverRoot] = []
        while let current = outermost {
            let popover = current as? PopoverRoot
            if let popover { popovers.append(popover) }
            guard let above = current.enclosingElement ?? popover?.anchor else { break }
            outermost = above
        }
        guard let window = outermost as? WindowRoot else { return }
        self.window = window
        self.popovers = popovers
        for popover in popovers { popover.coverCount += 1 }
        cover.changeCovers(of: window) { window.covers.append(cover) }
        // A picker is known only after it has been added to the window.
        window.coversMayShowMore()
    }
    func titled(_ title: String?) { window?.coversMayShowMore() }
    func close() {
        guard let window else { return }
        cover.changeCovers(of: window) { window.covers.removeAll { $0 === cover } }
        cover.returnFocus()
        for popover in popovers { popover.coverCount -= 1 }
        popovers = []
    }
}

/// An element that fills the whole window, with the window's background color unless what is below stays visible.
class CoverElement: HideableLayers, DrawnElement {
    private let isClear: Bool
    /// Whether the content below stays visible: the app has requested that, or a picker's dialog is over the window.
    var showsBelow: Bool { isClear || showsOnlyPicker }
    final var onCancel: (() -> Void)?
    private var shortcuts: WindowShortcuts?
    /// The widget that had the focus before the cover appeared, or nil for none.
    private var focusBelow: GTKReference<GTKWidget>?

    /// - Parameter isClear: Whether the content below stays visible behind the elements. It takes no input.
    init(isClear: Bool = false) {
        self.isClear = isClear
        super.init()
    }

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
        if !showsBelow { context.color(background, CGRect(origin: .zero, size: size)) }
        drawChildren(context)
    }
    /// The window's background color.
    final var background: Color.Components {
        Paint.windowColor.resolved(dark: host?.container != nil && Appearance.isDark, accent: nil)
    }
    /// Runs `change`, which adds this cover to the covers of `window` or removes it.
    func changeCovers(of window: WindowRoot, _ change: () -> Void) { change() }
    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        focusBelow = container.root?.focus.map { GTKReference($0) }
        // Otherwise keys would still reach the control below, which stays visible.
        if showsBelow { container.root?.focus = nil }
        shortcuts = WindowShortcuts(on: container)
        shortcuts?.add(GDK_KEY_Escape) { [weak self] in
            // GTK also tries the shortcuts of the covers below.
            guard let self, !isInert, let action = onCancel else { return false }
            action()
            return true
        }
    }
    override func detached(from host: any ElementHost) {
        shortcuts?.remove()
        shortcuts = nil
    }
    /// Returns the focus to the widget that had it before the cover appeared, if the widget is still in the window.
    final func returnFocus() {
        if let widget = focusBelow?.object, widget.root != nil { widget.grabFocus() }
        focusBelow = nil
    }
}
