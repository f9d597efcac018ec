import CGTK
import Foundation
import GLibSupport
@_spi(Graph) import ViewGraph

/// A picker as buttons of which one is down: side by side, linked, or radio buttons one below the other. The
/// options' views lie over the buttons, which are all of one size.
final class ButtonsPickerElement: PickerElement {
    let axis: Axis
    private var buttons: [UnsafeMutablePointer<GtkWidget>] = []
    private var signals: [SignalConnection] = []
    private var isFollowing = false

    init(_ axis: Axis) {
        self.axis = axis
        super.init()
    }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        guard let box = zt_gtk_new_with_role(gtk_box_get_type(), GTK_ACCESSIBLE_ROLE_RADIO_GROUP) else { return nil }
        gtk_orientable_set_orientation(
            box.opaque, axis == .horizontal ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        gtk_box_set_homogeneous(box.cast(GtkBox.self), 1)
        if axis == .horizontal { gtk_widget_add_css_class(box, "linked") }
        return box
    }

    override func willRemove(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.willRemove(widget)
        for signal in signals { signal.disconnect() }
        signals = []
        buttons = []
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        isFollowing = true
        defer { isFollowing = false }
        if buttons.count != options.count { rebuild(widget) }
        for (index, button) in buttons.enumerated() {
            zt_gtk_set_accessible_label(button, options[index].title)
            setActive(button, index == selected)
        }
    }

    private func rebuild(_ box: UnsafeMutablePointer<GtkWidget>) {
        for signal in signals { signal.disconnect() }
        signals = []
        for button in buttons { gtk_box_remove(box.cast(GtkBox.self), button) }
        buttons = []
        for index in options.indices {
            guard
                let button = axis == .horizontal
                    ? gtk_toggle_button_new()
                    : zt_gtk_new_with_role(gtk_check_button_get_type(), GTK_ACCESSIBLE_ROLE_RADIO)
            else { return }
            if let first = buttons.first {
                if axis == .horizontal {
                    gtk_toggle_button_set_group(button.cast(GtkToggleButton.self), first.cast(GtkToggleButton.self))
                } else {
                    gtk_check_button_set_group(button.cast(GtkCheckButton.self), first.cast(GtkCheckButton.self))
                }
            }
            gtk_box_append(box.cast(GtkBox.self), button)
            buttons.append(button)
            signals.append(
                SignalConnection(button, "toggled") { [weak self] in self?.toggled(index) })
        }
    }

    private func toggled(_ index: Int) {
        guard !isFollowing, buttons.indices.contains(index), isActive(buttons[index]) else { return }
        choose(index)
    }

    private func isActive(_ button: UnsafeMutablePointer<GtkWidget>) -> Bool {
        (axis == .horizontal
            ? gtk_toggle_button_get_active(button.cast(GtkToggleButton.self))
            : gtk_check_button_get_active(button.cast(GtkCheckButton.self))) != 0
    }
    private func setActive(_ button: UnsafeMutablePointer<GtkWidget>, _ active: Bool) {
        guard isActive(button) != active else { return }
        if axis == .horizontal {
            gtk_toggle_button_set_active(button.cast(GtkToggleButton.self), active ? 1 : 0)
        } else {
            gtk_check_button_set_active(button.cast(GtkCheckButton.self), active ? 1 : 0)
        }
    }

    // MARK: layout

    /// Points around an option's view: the default theme's of a button, and of a radio button with 8 to the words.
    private var insets: EdgeInsets {
        if axis == .vertical { return EdgeInsets(top: 2, leading: 22, bottom: 2, trailing: 0) }
        return controlSize.buttonInsets
    }
    private var least: CGSize {
        axis == .vertical
            ? CGSize(width: ControlExtent.mark, height: 22) : CGSize(width: ControlExtent.leastWidth, height: 0)
    }
    private var leastHeight: CGFloat {
        guard axis == .horizontal else { return least.height }
        return buttons.isEmpty ? controlSize.buttonHeight : height(ControlExtent.regular)
    }

    /// The size of one button.
    private var cell: CGSize {
        let sizes = children.map { $0.sizeThatFits(.unspecified) }
        return CGSize(
            width: max(least.width, (sizes.map(\.width).max() ?? 0) + insets.horizontal),
            height: max(leastHeight, (sizes.map(\.height).max() ?? 0) + insets.vertical))
    }

    /// A button's width that its words need.
    private var leastWidth: CGFloat {
        max(
            least.width,
            (children.map { $0.sizeThatFits(ProposedViewSize(width: 0, height: nil)).width }.max() ?? 0)
                + insets.horizontal)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let count = CGFloat(children.count)
        let own =
            axis == .horizontal
            ? CGSize(width: cell.width * count, height: cell.height)
            : CGSize(width: cell.width, height: cell.height * count)
        // Less than it likes is taken from the words, as far as they are whole.
        return CGSize(
            width: min(own.width, max(leastWidth * (axis == .horizontal ? count : 1), proposal.width ?? own.width)),
            height: own.height)
    }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        if let widget { context.widget(widget) }
        for child in inDrawingOrder {
            // On the tint of the button that is down.
            let isDown = axis == .horizontal && selected.map { options[$0].element === child } == true
            context.inked(isDown ? inkOnTint : nil) { child.render(context) }
        }
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let count = CGFloat(max(1, children.count))
        let one =
            axis == .horizontal
            ? CGSize(width: size.width / count, height: size.height)
            : CGSize(width: size.width, height: size.height / count)
        let room = CGSize(width: max(0, one.width - insets.horizontal), height: max(0, one.height - insets.vertical))
        for (index, child) in children.enumerated() {
            let inner = child.sizeThatFits(ProposedViewSize(room))
            let x = axis == .horizontal ? CGFloat(index) * one.width + (one.width - inner.width) / 2 : insets.leading
            let y =
                axis == .horizontal
                ? (one.height - inner.height) / 2 : CGFloat(index) * one.height + (one.height - inner.height) / 2
            child.place(CGRect(x: x, y: y, width: inner.width, height: inner.height), ProposedViewSize(room))
        }
    }
}
