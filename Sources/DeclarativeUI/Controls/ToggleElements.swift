import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// A switch with its label.
struct ToggleSwitch<Label: View>: View {
    let isOn: Binding<Bool>
    let label: Label
    var body: some View {
        LabeledControl(
            label: label, place: .leading,
            control: NativeSwitch(isOn: isOn.wrappedValue, binding: isOn, tint: UISwitch.appearance().shownTint))
    }
}

struct NativeSwitch: _PrimitiveView {
    let isOn: Bool
    let binding: Binding<Bool>
    /// The tint of all switches, which applies without a tint in the environment.
    let tint: Color?
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, SwitchElement()) { element, view, fiber in
            element.set(view.isOn, view.binding, fiber.environment.withTint(orElse: view.tint))
        }
    }
}

/// A check box or a toggle button, with a label.
struct ToggleBox<Label: View>: View {
    let isOn: Binding<Bool>
    let look: ToggleBoxElement.Look
    let label: Label
    @Environment(\.labelsAreHidden) private var areHidden
    var body: some View {
        NativeToggleBox(
            isOn: isOn.wrappedValue, binding: isOn, look: look,
            label: LabelSlot(isHidden: areHidden && look == .checkbox, content: label)
        )
        .id(areHidden)
    }
}

struct NativeToggleBox<Label: View>: _PrimitiveView {
    let isOn: Bool
    let binding: Binding<Bool>
    let look: ToggleBoxElement.Look
    let label: LabelSlot<Label>
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, ToggleBoxElement(view.look), content: { $0.label },
            environment: { environment, view in
                guard view.look == .button, view.isOn, environment.isEnabled, let textColor = environment.wordsOnTint
                else {
                    return environment
                }
                return with(environment) { $0.foregroundStyle = AnyShapeStyle(textColor) }
            }
        ) { element, view, fiber in
            element.set(view.isOn, view.binding, fiber.environment)
        }
    }
}

/// The base class of toggles. It shows the binding's value and sets the binding for the user's input.
class ToggleElement: ControlElement {
    private(set) var isOn = false
    private var binding: Binding<Bool>?

    final func set(_ isOn: Bool, _ binding: Binding<Bool>, _ environment: EnvironmentValues) {
        self.isOn = isOn
        self.binding = binding
        follow(environment)
        update()
    }

    /// Handles the user's input. The binding decides which value is then shown.
    final func choose(_ newValue: Bool) {
        guard let binding, isEnabled else { return }
        if newValue != isOn {
            binding.wrappedValue = newValue
            isOn = binding.wrappedValue
        }
        update()
    }
}

final class SwitchElement: ToggleElement {
    override func makeWidget() -> GTKWidget? {
        let button = GTKSwitch()
        connect(button, "notify::active") { [weak self] in self?.choose(button.isActive) }
        return button.widget
    }
    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        silently { widget.as(GTKSwitch.self)?.isActive = isOn }
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

    override func makeWidget() -> GTKWidget? {
        let button: any GTKSwitchable = look == .checkbox ? GTKCheckButton() : GTKToggleButton()
        self.button = button
        connect(button.widget, "toggled") { [weak self] in self?.choose(button.isActive) }
        return button.widget
    }
    private var button: (any GTKSwitchable)?

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        button = nil
    }
    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        silently { button?.isActive = isOn }
    }

    /// The space around the label in GTK's default theme, in points. The check box, which is 14 points wide, and 8
    /// points of space are before the label. A toggle button has the insets of a button.
    private var insets: EdgeInsets {
        if look == .checkbox { return EdgeInsets(leading: ControlExtent.mark + (label == nil ? 0 : Space.regular)) }
        return controlSize.buttonInsets
    }
    private var label: Element? { children.first.flatMap { $0.isHidden ? nil : $0 } }
    private func labelSize(_ proposal: ProposedViewSize) -> CGSize {
        label?.sizeThatFits(proposal.inset(by: insets)) ?? .zero
    }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let textSize = labelSize(proposal)
        let own = natural(width: nil)
        let least =
            look == .checkbox
            ? CGSize(width: ControlExtent.mark, height: own?.height ?? ControlExtent.mark)
            : CGSize(
                width: max(ControlExtent.leastWidth, own?.width ?? 0), height: own?.height ?? ControlExtent.regular)
        return CGSize(
            width: max(least.width, textSize.width + insets.horizontal),
            height: max(least.height, textSize.height + insets.vertical))
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let rect = labelFrame(size)
        for child in children { child.place(rect, ProposedViewSize(rect.size)) }
        name = spokenText
    }
    /// Returns the frame of the label in a toggle of the given size.
    private func labelFrame(_ size: CGSize) -> CGRect {
        let textSize = labelSize(ProposedViewSize(size))
        let space = size.width - insets.horizontal
        let x = look == .checkbox ? insets.leading : insets.leading + max(0, space - textSize.width) / 2
        return CGRect(x: x, y: (size.height - textSize.height) / 2, width: textSize.width, height: textSize.height)
    }
    override func includesText(of child: Element) -> Bool { true }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        guard let label else { return nil }
        let rect = labelFrame(size)
        return label.explicitGuide(key, rect.size).map { $0 + (key.isVertical ? rect.minY : rect.minX) }
    }
}
