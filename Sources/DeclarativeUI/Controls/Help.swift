import CGTK
import Foundation

extension View {
    /// A tooltip over this view, which goes on taking input; told to assistive technology as a control's description.
    public func help(_ textKey: LocalizedStringKey) -> some View {
        elementModifier(Help(text: textKey.resolved(nil, nil)))
    }
    /// A tooltip with the words of a text; its looks are left out.
    public func help(_ text: Text) -> some View { elementModifier(Help(text: text.string)) }
    /// A tooltip with words that are shown as they are.
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

/// Answers the host widget when GTK asks it for a tooltip: what lies under the pointer need not be a widget.
final class HelpElement: WrapperElement {
    var text = ""
    private var container: UnsafeMutablePointer<GtkWidget>?
    private var id: gulong = 0

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        self.container = container
        gtk_widget_set_has_tooltip(container, 1)
        let handler:
            @convention(c) (UnsafeMutableRawPointer?, Int32, Int32, gboolean, OpaquePointer?, UnsafeMutableRawPointer?)
                -> gboolean = { _, x, y, keyboard, tip, me in
                    nonisolated(unsafe) let tip = tip
                    nonisolated(unsafe) let me = me
                    return MainActor.assumeIsolated {
                        guard let me, let tip, keyboard == 0 else { return 0 }
                        return Unmanaged<HelpElement>.fromOpaque(me).takeUnretainedValue().show(
                            tip, CGPoint(x: Double(x), y: Double(y)))
                    }
                }
        id = g_signal_connect_data(
            container, "query-tooltip", unsafeBitCast(handler, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    override func detached(from host: any ElementHost) {
        if let container, id != 0 { g_signal_handler_disconnect(container, id) }
        id = 0
        container = nil
    }

    /// 1 when the tooltip at `point` is this one's.
    private func show(_ tip: OpaquePointer, _ point: CGPoint) -> gboolean {
        let area = frameInHost
        guard !text.isEmpty, area.contains(point), !HelpElement.has(self, point) else { return 0 }
        gtk_tooltip_set_text(tip, text)
        var rect = GdkRectangle(
            x: Int32(clamping: Int(area.minX.rounded(.down))), y: Int32(clamping: Int(area.minY.rounded(.down))),
            width: Int32(clamping: Int(area.width.rounded(.up))), height: Int32(clamping: Int(area.height.rounded(.up)))
        )
        gtk_tooltip_set_tip_area(tip, &rect)
        return 1
    }

    /// Whether something further in has words of its own for `point`.
    private static func has(_ element: Element, _ point: CGPoint) -> Bool {
        element.children.contains { child in
            if let help = child as? HelpElement, !help.text.isEmpty, help.frameInHost.contains(point) { return true }
            return has(child, point)
        }
    }

    func describe() {
        func first(_ element: Element) -> WidgetElement? {
            for child in element.children {
                if let widget = child as? WidgetElement ?? first(child) { return widget }
            }
            return nil
        }
        if let widget = first(self), widget.accessibility.hint == nil { widget.accessibility.hint = text }
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        super.layoutChildren(size, proposal)
        describe()
    }
}
