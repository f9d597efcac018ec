import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// An element with a `GtkMenuButton`. Zoetrope draws the views of the label over the button.
final class MenuElement: ControlElement {
    private var look = MenuLook.bordered
    /// The element that the entries are read from.
    var source: EntriesElement?
    private var model: MenuModel?
    private var observer: MenuObserver?
    /// The connection to the "closed" signal of the current popover, which the button keeps alive.
    private var closing: SignalConnection?

    /// The entries that the menu would have if it opened now.
    var entries: [MenuEntry] { source?.menuEntries ?? [] }

    func set(_ look: MenuLook, _ environment: EnvironmentValues) {
        if look != self.look { setNeedsLayout() }
        self.look = look
        observer = environment.menuObserver
        follow(environment)
        update()
    }

    override func makeWidget() -> GTKWidget? {
        // The button inside is the widget that users press and that assistive technology reads.
        let button = GTKMenuButton(role: GTK_ACCESSIBLE_ROLE_GROUP)
        button.setChild(GTKBox(GTK_ORIENTATION_HORIZONTAL))
        if let inner = button.firstChild {
            reportExpanded(inner)
            connect(inner, "state-flags-changed") { [weak self] in self?.focusMayHaveChanged() }
        }
        button.onOpen { [weak self] in self?.open() }
        return button.widget
    }

    private var button: GTKMenuButton? { widget?.as(GTKMenuButton.self) }

    private var hadFocus = false
    /// Whether the button has the keyboard focus and shows it.
    private var showsFocus: Bool { widget?.firstChild?.hasVisibleFocus ?? false }
    private func focusMayHaveChanged() {
        guard look == .bare, showsFocus != hadFocus else { return }
        hadFocus.toggle()
        setNeedsDisplay()
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        closing?.disconnect()
        (closing, hadFocus) = (nil, false)
        observer?.onChange(false)
        button?.onOpen(nil)
        button?.setPopover(nil)
        widget.insertActions(nil, as: MenuModel.prefix)
        model = nil
    }

    private func open() {
        guard let button else { return }
        let model = MenuModel(entries)
        button.insertActions(model.group, as: MenuModel.prefix)
        closing?.disconnect()
        let popover = GTKPopover(menu: model.menu)
        button.setPopover(popover)
        closing = SignalConnection(popover, "closed") { [weak self] in self?.observer?.onChange(false) }
        observer?.onChange(true)
        self.model = model
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        button?.setHasFrame(look == .bordered)
        widget.setClass("zt-bare", look == .bare)
    }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        context.withBackground(look == .bordered ? ControlTheme.frameColor : nil) { super.draw(context, size) }
        // The label covers the outline that GTK draws.
        guard look == .bare, showsFocus, let ring else { return }
        FocusRing.draw(ring, around: FocusRing.outline(of: self, size), context)
    }

    override func named(_ widget: GTKWidget) -> [GTKWidget] { namedOfInnerButton(widget) }

    /// The space around a button's label in the default theme, in points.
    private var insets: EdgeInsets { look == .bare ? EdgeInsets() : controlSize.buttonInsets }
    private func labelSize(_ proposal: ProposedViewSize) -> CGSize {
        children.first?.sizeThatFits(proposal.inset(by: insets)) ?? .zero
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let label = labelSize(proposal)
        if look == .bare { return label }
        let own = natural(width: nil) ?? CGSize(width: ControlExtent.leastWidth, height: ControlExtent.regular)
        return CGSize(
            width: max(own.width, label.width + insets.horizontal),
            height: max(own.height, label.height + insets.vertical))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let label = labelSize(ProposedViewSize(size))
        for child in children {
            child.place(
                CGRect(
                    x: (size.width - label.width) / 2, y: (size.height - label.height) / 2, width: label.width,
                    height: label.height), ProposedViewSize(label))
        }
        name = spokenText
    }
    override func includesText(of child: Element) -> Bool { true }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guideOfLabel(key, size, labelSize: labelSize(ProposedViewSize(size)))
    }
}
