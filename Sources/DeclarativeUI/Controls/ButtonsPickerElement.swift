import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A picker as linked buttons side by side, or as radio buttons below each other.
///
/// The selected option's button is pressed. All buttons have the same size. Zoetrope draws the options' views over
/// them.
final class ButtonsPickerElement: PickerElement {
    let axis: Axis
    private var buttons: [any GTKSwitchable] = []
    private var signals: [SignalConnection] = []
    private var isUpdating = false
    /// The look of all segmented pickers.
    var segments = SegmentLook() { didSet { if segments != oldValue { setNeedsDisplay() } } }
    /// The style class of the segments that are not selected, or nil for the look of the theme.
    private var groundClass: String?

    init(_ axis: Axis) {
        self.axis = axis
        super.init()
    }

    override func makeWidget() -> GTKWidget? {
        let box = GTKBox(role: GTK_ACCESSIBLE_ROLE_RADIO_GROUP)
        box.setOrientation(axis == .horizontal ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        box.setHomogeneous(true)
        if axis == .horizontal { box.addClass("linked") }
        return box.widget
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        for signal in signals { signal.disconnect() }
        signals = []
        buttons = []
        if let groundClass { ControlTheme.release(groundClass) }
        groundClass = nil
    }

    private func applyGround(to widget: GTKWidget) {
        let old = groundClass
        groundClass = segments.ground.map { ControlTheme.use(segments: $0.resolved(dark: isDark, accent: nil)) }
        if let old { ControlTheme.release(old) }
        guard groundClass != old else { return }
        if let old { widget.removeClass(old) }
        if let groundClass { widget.addClass(groundClass) }
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        applyGround(to: widget)
        isUpdating = true
        defer { isUpdating = false }
        if buttons.count != options.count, let box = widget.as(GTKBox.self) { rebuild(box) }
        for (index, button) in buttons.enumerated() {
            button.setAccessibleLabel(options[index].title)
            if button.isActive != (index == selected) { button.isActive = index == selected }
        }
    }

    private func rebuild(_ box: GTKBox) {
        for signal in signals { signal.disconnect() }
        signals = []
        for button in buttons { box.remove(button) }
        buttons = []
        for index in options.indices {
            let button: any GTKSwitchable
            if axis == .horizontal {
                let toggle = GTKToggleButton()
                if let first = buttons.first as? GTKToggleButton { toggle.join(first) }
                button = toggle
            } else {
                let radio = GTKCheckButton(role: GTK_ACCESSIBLE_ROLE_RADIO)
                if let first = buttons.first as? GTKCheckButton { radio.join(first) }
                button = radio
            }
            box.append(button)
            buttons.append(button)
            signals.append(
                SignalConnection(button.widget, "toggled") { [weak self] in self?.toggled(index) })
        }
    }

    private func toggled(_ index: Int) {
        guard !isUpdating, buttons.indices.contains(index), buttons[index].isActive else { return }
        choose(index)
    }

    // MARK: Layout

    /// The space around an option's view in GTK's default theme, in points. The radio button, which is 14 points wide,
    /// and 8 points of space are before the view.
    private var insets: EdgeInsets {
        if axis == .vertical { return EdgeInsets(top: 2, leading: 22, bottom: 2, trailing: 0) }
        return controlSize.buttonInsets
    }
    private var minimumSize: CGSize {
        axis == .vertical
            ? CGSize(width: ControlExtent.mark, height: 22) : CGSize(width: ControlExtent.leastWidth, height: 0)
    }
    private var leastHeight: CGFloat {
        guard axis == .horizontal else { return minimumSize.height }
        return buttons.isEmpty ? controlSize.buttonHeight : height(ControlExtent.regular)
    }

    /// The ideal size of one button.
    private var cell: CGSize {
        let sizes = children.map { $0.sizeThatFits(.unspecified) }
        return CGSize(
            width: max(minimumSize.width, (sizes.map(\.width).max() ?? 0) + insets.horizontal),
            height: max(leastHeight, (sizes.map(\.height).max() ?? 0) + insets.vertical))
    }

    /// The minimum width of a button, in points, at which each option's view fits.
    private var leastWidth: CGFloat {
        max(
            minimumSize.width,
            (children.map { $0.sizeThatFits(ProposedViewSize(width: 0, height: nil)).width }.max() ?? 0)
                + insets.horizontal)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let count = CGFloat(children.count)
        let own =
            axis == .horizontal
            ? CGSize(width: cell.width * count, height: cell.height)
            : CGSize(width: cell.width, height: cell.height * count)
        // If less than the ideal width is proposed, the buttons become narrower, but no word is broken.
        return CGSize(
            width: min(own.width, max(leastWidth * (axis == .horizontal ? count : 1), proposal.width ?? own.width)),
            height: own.height)
    }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        if let widget { context.widget(widget) }
        for child in inDrawingOrder {
            // The option of the pressed button is drawn on the tint color.
            let isPressed = axis == .horizontal && selected.map { options[$0].element === child } == true
            let chosenInk = isPressed ? segments.selectedInk : segments.ink
            let ink = chosenInk.map { $0.resolved(dark: isDark, accent: nil) }
            context.withTextColor(ink ?? (isPressed ? inkOnTint : nil)) { child.render(context) }
        }
    }

    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let count = CGFloat(max(1, children.count))
        let buttonSize =
            axis == .horizontal
            ? CGSize(width: size.width / count, height: size.height)
            : CGSize(width: size.width, height: size.height / count)
        let space = CGSize(
            width: max(0, buttonSize.width - insets.horizontal), height: max(0, buttonSize.height - insets.vertical))
        for (index, child) in children.enumerated() {
            let inner = child.sizeThatFits(ProposedViewSize(space))
            let x =
                axis == .horizontal
                ? CGFloat(index) * buttonSize.width + (buttonSize.width - inner.width) / 2 : insets.leading
            let y =
                axis == .horizontal
                ? (buttonSize.height - inner.height) / 2
                : CGFloat(index) * buttonSize.height + (buttonSize.height - inner.height) / 2
            child.place(CGRect(x: x, y: y, width: inner.width, height: inner.height), ProposedViewSize(space))
        }
    }
}
