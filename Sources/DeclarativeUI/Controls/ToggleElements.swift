import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// A switch and its label.
struct ToggleSwitch<Label: View>: View {
    let isOn: Binding<Bool>
    let label: Label
    var body: some View {
        LabeledControl(label: label, place: .leading, control: GTKSwitch(isOn: isOn.wrappedValue, binding: isOn))
    }
}

struct GTKSwitch: _PrimitiveView {
    let isOn: Bool
    let binding: Binding<Bool>
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, SwitchElement()) { element, view, fiber in
            element.set(view.isOn, view.binding, fiber.environment)
        }
    }
}

/// A check box or a button that stays down, under a label of views.
struct ToggleBox<Label: View>: View {
    let isOn: Binding<Bool>
    let look: ToggleBoxElement.Look
    let label: Label
    @Environment(\.labelsAreHidden) private var areHidden
    var body: some View {
        GTKToggleBox(
            isOn: isOn.wrappedValue, binding: isOn, look: look,
            label: LabelSlot(isHidden: areHidden && look == .checkbox, content: label)
        )
        .id(areHidden)
    }
}

struct GTKToggleBox<Label: View>: _PrimitiveView {
    let isOn: Bool
    let binding: Binding<Bool>
    let look: ToggleBoxElement.Look
    let label: LabelSlot<Label>
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, ToggleBoxElement(view.look), content: { $0.label },
            environment: { environment, view in
                guard view.look == .button, view.isOn, environment.isEnabled, let words = environment.wordsOnTint else {
                    return environment
                }
                return with(environment) { $0.foregroundStyle = AnyShapeStyle(words) }
            }
        ) { element, view, fiber in
            element.set(view.isOn, view.binding, fiber.environment)
        }
    }
}

/// What is on or off: follows the binding, and asks it when the user wants otherwise.
class ToggleElement: ControlElement {
    private(set) var isOn = false
    private var binding: Binding<Bool>?

    final func set(_ isOn: Bool, _ binding: Binding<Bool>, _ environment: EnvironmentValues) {
        self.isOn = isOn
        self.binding = binding
        follow(environment)
        update()
    }

    /// The user wants it on, or off; the binding has the last word.
    final func choose(_ wanted: Bool) {
        guard let binding, isEnabled else { return }
        if wanted != isOn {
            binding.wrappedValue = wanted
            isOn = binding.wrappedValue
        }
        update()
    }
}

final class SwitchElement: ToggleElement {
    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        guard let widget = gtk_switch_new() else { return nil }
        connect(widget, "notify::active") { [weak self] in self?.choose(gtk_switch_get_active(widget.opaque) != 0) }
        return widget
    }
    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        silently { gtk_switch_set_active(widget.opaque, isOn ? 1 : 0) }
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        natural(width: nil) ?? CGSize(width: 48, height: 26)
    }
}

final class ToggleBoxElement: ToggleElement {
    enum Look: Hashable { case checkbox, button }
    let look: Look
    init(_ look: Look) {
        self.look = look
        super.init()
    }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        guard let widget = look == .checkbox ? gtk_check_button_new() : gtk_toggle_button_new() else { return nil }
        connect(widget, "toggled") { [weak self] in self?.toggled() }
        return widget
    }
    private func toggled() {
        guard let widget else { return }
        choose(
            (look == .checkbox
                ? gtk_check_button_get_active(widget.cast(GtkCheckButton.self))
                : gtk_toggle_button_get_active(widget.cast(GtkToggleButton.self))) != 0)
    }
    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        silently {
            if look == .checkbox {
                gtk_check_button_set_active(widget.cast(GtkCheckButton.self), isOn ? 1 : 0)
            } else {
                gtk_toggle_button_set_active(widget.cast(GtkToggleButton.self), isOn ? 1 : 0)
            }
        }
    }

    /// The default theme's: a box of 14 points and 8 to the label; a button's 5 above and below and 10 beside.
    private var insets: EdgeInsets {
        if look == .checkbox { return EdgeInsets(leading: ControlExtent.mark + (label == nil ? 0 : Space.regular)) }
        return controlSize.buttonInsets
    }
    private var label: Element? { children.first.flatMap { $0.isHidden ? nil : $0 } }
    private func labelSize(_ proposal: ProposedViewSize) -> CGSize {
        label?.sizeThatFits(
            ProposedViewSize(
                width: proposal.width.map { max(0, $0 - insets.horizontal) },
                height: proposal.height.map { max(0, $0 - insets.vertical) })) ?? .zero
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let words = labelSize(proposal)
        let own = natural(width: nil)
        let least =
            look == .checkbox
            ? CGSize(width: ControlExtent.mark, height: own?.height ?? ControlExtent.mark)
            : CGSize(
                width: max(ControlExtent.leastWidth, own?.width ?? 0), height: own?.height ?? ControlExtent.regular)
        return CGSize(
            width: max(least.width, words.width + insets.horizontal),
            height: max(least.height, words.height + insets.vertical))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let words = labelSize(ProposedViewSize(size))
        let room = size.width - insets.horizontal
        let x = look == .checkbox ? insets.leading : insets.leading + max(0, room - words.width) / 2
        for child in children {
            child.place(
                CGRect(x: x, y: (size.height - words.height) / 2, width: words.width, height: words.height),
                ProposedViewSize(words))
        }
        name = spokenWords
    }
    override func speaks(for child: Element) -> Bool { true }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard key.isVertical, let label else { return nil }
        let words = labelSize(ProposedViewSize(size))
        return label.guide(key, words).map { $0 + (size.height - words.height) / 2 }
    }
}
