import Foundation
import GTK
@_spi(Graph) import ViewGraph

extension View {
    /// Adds a tooltip to this view. The view still receives input. Assistive technology reads the tooltip as the
    /// description of the first control in the view.
    public func help(_ textKey: LocalizedStringKey) -> some View {
        elementModifier(Help(text: textKey.resolved(nil, nil)))
    }
    /// Adds a tooltip with the string of `text`, without its formatting.
    public func help(_ text: Text) -> some View { elementModifier(Help(text: text.string)) }
    /// Adds a tooltip with a text that is not localized.
    @_disfavoredOverload public func help<S: StringProtocol>(_ text: S) -> some View {
        elementModifier(Help(text: String(text)))
    }
}

struct Help: ElementModifier {
    let text: String
    func makeElement() -> HelpElement { HelpElement() }
    func update(_ element: HelpElement, _ fiber: _Fiber) {
        element.text = text
        element.describe()
    }
}

/// An element that shows a tooltip when GTK requests one for the host's widget. The elements under the pointer need not
/// be widgets.
final class HelpElement: WrapperElement {
    var text = ""
    private var query: SignalConnection?

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        container.setAsksForTooltip(true)
        query = SignalConnection(asking: container, "query-tooltip") {
            [weak self] (x: Int32, y: Int32, isForKeyboard: Bool, tip: OpaquePointer?) -> Bool in
            guard let self, let tip, !isForKeyboard else { return false }
            return show(GTKTooltip(tip), CGPoint(x: Double(x), y: Double(y)))
        }
    }

    override func detached(from host: any ElementHost) {
        query?.disconnect()
        query = nil
    }

    /// Shows the tooltip if it applies to `point` and no descendant's tooltip does. Returns whether it is shown.
    private func show(_ tip: GTKTooltip, _ point: CGPoint) -> Bool {
        guard covers(point), !HelpElement.has(self, point) else { return false }
        tip.setText(text)
        tip.setArea(frameInHost)
        return true
    }

    /// Returns whether the tooltip applies to `point`, which is in the host's coordinates. It applies everywhere in the
    /// element's bounds, even where nothing is drawn.
    private func covers(_ point: CGPoint) -> Bool {
        guard !text.isEmpty, let own = fromHost(point) else { return false }
        return (bounds.contains(own) || contains(own)) && isReached(at: own)
    }

    /// Returns whether a descendant of `element` has a tooltip that applies to `point`.
    private static func has(_ element: Element, _ point: CGPoint) -> Bool {
        element.children.contains { child in
            (child as? HelpElement)?.covers(point) == true || has(child, point)
        }
    }

    /// Returns the nearest ancestor of `element` that has a tooltip, or nil if there is none.
    static func around(_ element: Element) -> HelpElement? {
        var ancestor = element.parent
        while let current = ancestor {
            if let help = current as? HelpElement, !help.text.isEmpty { return help }
            ancestor = current.parent
        }
        return nil
    }

    /// The control that reads the tooltip.
    private weak var described: WidgetElement?

    /// Gives the tooltip to the first control in the view. The innermost of several tooltips around a control counts.
    func describe() {
        func first(_ element: Element) -> WidgetElement? {
            for child in element.children {
                if let widget = child as? WidgetElement ?? first(child) { return widget }
            }
            return nil
        }
        let widget = first(self)
        if let described, described !== widget { described.tooltip = nil }
        described = widget
        if let widget { widget.tooltip = HelpElement.around(widget)?.text }
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        super.layoutChildren(size, proposal)
        describe()
    }
}
