import GTK
import CGTK
import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A value changed in steps: two buttons after the label. SwiftUI's view.
public struct Stepper<Label: View>: View {
    let label: Label
    /// Nil is none at that end.
    let decrement, increment: (@MainActor () -> Void)?
    let onEditingChanged: @MainActor (Bool) -> Void

    /// - Parameters: what the buttons do; without an action a button takes no input.
    public init(
        @ViewBuilder label: () -> Label, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.label = label()
        increment = onIncrement
        decrement = onDecrement
        self.onEditingChanged = onEditingChanged
    }

    /// Steps `value` by `step`, never out of `bounds`; at its ends a button takes no input.
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        func stepped(_ distance: V.Stride) -> V {
            min(max(value.wrappedValue.advanced(by: distance), bounds.lowerBound), bounds.upperBound)
        }
        let up: @MainActor () -> Void = { value.wrappedValue = stepped(step) }
        let down: @MainActor () -> Void = { value.wrappedValue = stepped(-step) }
        let now = value.wrappedValue
        self.init(
            label: label, onIncrement: now < bounds.upperBound ? up : nil,
            onDecrement: now > bounds.lowerBound ? down : nil,
            onEditingChanged: onEditingChanged)
    }
    /// Steps `value` by `step` without bounds; an integer at its type's end traps, as `advanced(by:)` does.
    public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(
            label: label, onIncrement: { value.wrappedValue = value.wrappedValue.advanced(by: step) },
            onDecrement: { value.wrappedValue = value.wrappedValue.advanced(by: -step) },
            onEditingChanged: onEditingChanged)
    }

    public var body: some View {
        LabeledControl(
            label: label, place: .leading,
            control: NativeStepper(decrement: decrement, increment: increment, onEditingChanged: onEditingChanged))
    }
}

extension Stepper where Label == Text {
    /// Steps a value within bounds, after a title that is looked up in the app's translations.
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value: value, in: bounds, step: step, label: { Text(titleKey) }, onEditingChanged: onEditingChanged)
    }
    /// Steps a value within bounds, after a title that is shown as it is.
    @_disfavoredOverload public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value: value, in: bounds, step: step, label: { Text(title) }, onEditingChanged: onEditingChanged)
    }
    /// Steps a value without bounds, after a title that is looked up in the app's translations.
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value: value, step: step, label: { Text(titleKey) }, onEditingChanged: onEditingChanged)
    }
    /// Calls what the buttons do, after a title that is looked up in the app's translations; without an action a button
    /// takes no input.
    public init(
        _ titleKey: LocalizedStringKey, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(
            label: { Text(titleKey) }, onIncrement: onIncrement, onDecrement: onDecrement,
            onEditingChanged: onEditingChanged)
    }
}

struct NativeStepper: _PrimitiveView {
    let decrement, increment: (@MainActor () -> Void)?
    let onEditingChanged: @MainActor (Bool) -> Void
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, StepperElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

/// Two buttons in a box.
final class StepperElement: ControlElement {
    private var view: NativeStepper?
    private var less: GTKButton?
    private var more: GTKButton?

    func set(_ view: NativeStepper, _ environment: EnvironmentValues) {
        self.view = view
        follow(environment)
        update()
    }

    override func makeWidget() -> GTKWidget? {
        let box = GTKBox(role: GTK_ACCESSIBLE_ROLE_GROUP)
        let less = GTKButton(icon: "list-remove-symbolic")
        let more = GTKButton(icon: "list-add-symbolic")
        box.addClass("linked")
        for button in [less, more] { box.append(button) }
        connect(less, "clicked") { [weak self] in self?.step(false) }
        connect(more, "clicked") { [weak self] in self?.step(true) }
        (self.less, self.more) = (less, more)
        nameChanged()
        return box.widget
    }

    // What has the focus is one of the buttons.
    override func nameChanged() {
        less?.setAccessibleLabel(
            name.isEmpty ? PlayerWords.localized("Decrement") : PlayerWords.localized("Decrement %@", name))
        more?.setAccessibleLabel(
            name.isEmpty ? PlayerWords.localized("Increment") : PlayerWords.localized("Increment %@", name))
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        less?.setSensitive(view?.decrement != nil)
        more?.setSensitive(view?.increment != nil)
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        (less, more) = (nil, nil)
    }

    /// The user presses a button.
    func step(_ up: Bool) {
        guard let view, isEnabled, let action = up ? view.increment : view.decrement else { return }
        view.onEditingChanged(true)
        action()
        view.onEditingChanged(false)
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        natural(width: nil) ?? CGSize(width: 2 * ControlExtent.leastWidth, height: ControlExtent.regular)
    }
}
