import CGTK
import Foundation
import GLibSupport
@_spi(Graph) import ViewGraph

/// A GtkMenuButton under a label of views.
final class MenuElement: ControlElement {
    private var look = MenuLook.bordered
    /// What the entries are read from.
    var source: EntriesElement?
    private var model: MenuModel?
    private var watch: MenuWatch?
    /// The popover's own, which lives as long as it is the button's.
    private var closing: SignalConnection?

    /// The menu as it would open now.
    var entries: [MenuEntry] { source?.menuEntries ?? [] }

    func set(_ look: MenuLook, _ environment: EnvironmentValues) {
        if look != self.look { setNeedsLayout() }
        self.look = look
        watch = environment.menuWatch
        follow(environment)
        update()
    }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        // The button inside is what is pressed and read out.
        guard let widget = zt_gtk_new_with_role(gtk_menu_button_get_type(), GTK_ACCESSIBLE_ROLE_GROUP),
            let blank = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        else { return nil }
        gtk_menu_button_set_child(widget.opaque, blank)
        if let button = gtk_widget_get_first_child(widget) { tellExpanded(button) }
        gtk_menu_button_set_create_popup_func(
            widget.opaque,
            { _, me in
                MainThread.run(me, as: MenuElement.self) { $0.open() }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
        return widget
    }

    override func willRemove(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.willRemove(widget)
        closing?.disconnect()
        closing = nil
        watch?.told(false)
        gtk_menu_button_set_create_popup_func(widget.opaque, nil, nil, nil)
        gtk_menu_button_set_popover(widget.opaque, nil)
        gtk_widget_insert_action_group(widget, MenuModel.prefix, nil)
        model = nil
    }

    private func open() {
        guard let widget, let model = MenuModel(entries) else { return }
        gtk_widget_insert_action_group(widget, MenuModel.prefix, model.group)
        closing?.disconnect()
        closing = nil
        if let popover = gtk_popover_menu_new_from_model_full(model.menu, GTK_POPOVER_MENU_NESTED) {
            gtk_menu_button_set_popover(widget.opaque, popover)
            closing = SignalConnection(popover, "closed") { [weak self] in self?.watch?.told(false) }
            watch?.told(true)
        }
        self.model = model
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        gtk_menu_button_set_has_frame(widget.opaque, look == .bordered ? 1 : 0)
    }

    // The button inside is what has the focus.
    override func named(_ widget: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<GtkWidget>] {
        [gtk_widget_get_first_child(widget) ?? widget]
    }

    /// The default theme's room around a button's label, points.
    private var insets: EdgeInsets { controlSize.buttonInsets }
    private func labelSize(_ proposal: ProposedViewSize) -> CGSize {
        children.first?.sizeThatFits(
            ProposedViewSize(
                width: proposal.width.map { max(0, $0 - insets.horizontal) },
                height: proposal.height.map { max(0, $0 - insets.vertical) })) ?? .zero
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let words = labelSize(proposal)
        let own = natural(width: nil) ?? CGSize(width: ControlExtent.leastWidth, height: ControlExtent.regular)
        return CGSize(
            width: max(own.width, words.width + insets.horizontal),
            height: max(own.height, words.height + insets.vertical))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let words = labelSize(ProposedViewSize(size))
        for child in children {
            child.place(
                CGRect(
                    x: (size.width - words.width) / 2, y: (size.height - words.height) / 2, width: words.width,
                    height: words.height), ProposedViewSize(words))
        }
        name = spokenWords
    }
    override func speaks(for child: Element) -> Bool { true }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard key.isVertical, let child = children.first else { return nil }
        let words = labelSize(ProposedViewSize(size))
        return child.guide(key, words).map { $0 + (size.height - words.height) / 2 }
    }
}
