import GTK
import CGTK
import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A control for changing a value in steps with two buttons after the label. Matches SwiftUI's `Stepper`.
///
/// ```swift
/// @State private var passes = 1
///
/// var body: some View {
///     Stepper("Passes: \(passes)", value: $passes, in: 1...10)
/// }
/// ```
public struct Stepper<Label: View>: View {
    let label: Label
    /// The actions of the buttons. A button without an action is disabled.
    let decrement, increment: (@MainActor () -> Void)?
    let onEditingChanged: @MainActor (Bool) -> Void

    /// Creates a stepper that calls closures.
    ///
    /// - Parameters:
    ///   - label: The label.
    ///   - onIncrement: The action of the increment button. Nil disables the button.
    ///   - onDecrement: The action of the decrement button. Nil disables the button.
    ///   - onEditingChanged: Called with true before an action and with false after it.
    public init(
        @ViewBuilder label: () -> Label, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.label = label()
        increment = onIncrement
        decrement = onDecrement
        self.onEditingChanged = onEditingChanged
    }

    /// Creates a stepper that changes `value` by `step` and clamps the result to `bounds`. A button is disabled if the
    /// value is at or beyond the button's end of the range.
    public init<V: Strideable>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        func stepped(_ distance: V.Stride) -> V {
            min(max(value.wrappedValue.stepped(by: distance), bounds.lowerBound), bounds.upperBound)
        }
        let up: @MainActor () -> Void = { value.wrappedValue = stepped(step) }
        let down: @MainActor () -> Void = { value.wrappedValue = stepped(-step) }
        let now = value.wrappedValue
        self.init(
            label: label, onIncrement: now < bounds.upperBound ? up : nil,
            onDecrement: now > bounds.lowerBound ? down : nil,
            onEditingChanged: onEditingChanged)
    }
    /// Creates a stepper that changes `value` by `step` without bounds. An integer stops at the ends of its type's
    /// range.
    public init<V: Strideable>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(
            label: label, onIncrement: { value.wrappedValue = value.wrappedValue.stepped(by: step) },
            onDecrement: { value.wrappedValue = value.wrappedValue.stepped(by: -step) },
            onEditingChanged: onEditingChanged)
    }

    public var body: some View {
        LabeledControl(
            label: label, place: .leading,
            control: NativeStepper(decrement: decrement, increment: increment, onEditingChanged: onEditingChanged))
    }
}

extension Strideable {
    /// Returns the value at a distance. For an integer beyond the range of its type, where `advanced(by:)` would trap,
    /// returns the end of that range.
    fileprivate func stepped(by distance: Stride) -> Self {
        guard let integer = self as? any FixedWidthInteger, let distance = distance as? Int,
            let result = integer.stepped(by: distance) as? Self
        else { return advanced(by: distance) }
        return result
    }
}
extension FixedWidthInteger {
    fileprivate func stepped(by distance: Int) -> any FixedWidthInteger {
        let (sum, isBeyond) = Int128(clamping: self).addingReportingOverflow(Int128(distance))
        return isBeyond ? (distance > 0 ? Self.max : .min) : Self(clamping: sum)
    }
}

extension Stepper where Label == Text {
    /// Creates a stepper with a localized title for a value within bounds.
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value: value, in: bounds, step: step, label: { Text(titleKey) }, onEditingChanged: onEditingChanged)
    }
    /// Creates a stepper for a value within bounds, with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value: value, in: bounds, step: step, label: { Text(title) }, onEditingChanged: onEditingChanged)
    }
    /// Creates a stepper with a localized title for a value without bounds.
    public init<V: Strideable>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value: value, step: step, label: { Text(titleKey) }, onEditingChanged: onEditingChanged)
    }
    /// Creates a stepper for a value without bounds, with a title that is not localized.
    @_disfavoredOverload public init<S: StringProtocol, V: Strideable>(
        _ title: S, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value: value, step: step, label: { Text(title) }, onEditingChanged: onEditingChanged)
    }
    /// Creates a stepper with a localized title that calls closures. A button without an action is disabled.
    public init(
        _ titleKey: LocalizedStringKey, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(
            label: { Text(titleKey) }, onIncrement: onIncrement, onDecrement: onDecrement,
            onEditingChanged: onEditingChanged)
    }
    /// Creates a stepper that calls closures, with a title that is not localized. A button without an action is
    /// disabled.
    @_disfavoredOverload public init<S: StringProtocol>(
        _ title: S, onIncrement: (@MainActor () -> Void)?, onDecrement: (@MainActor () -> Void)?,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(
            label: { Text(title) }, onIncrement: onIncrement, onDecrement: onDecrement,
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

/// An element with two buttons in a box.
final class StepperElement: ControlElement {
    private var view: NativeStepper?
    private var decrementButton: GTKButton?
    private var incrementButton: GTKButton?

    func set(_ view: NativeStepper, _ environment: EnvironmentValues) {
        self.view = view
        follow(environment)
        update()
    }

    override func makeWidget() -> GTKWidget? {
        let box = GTKBox(role: GTK_ACCESSIBLE_ROLE_GROUP)
        let decrementButton = GTKButton(icon: "list-remove-symbolic")
        let incrementButton = GTKButton(icon: "list-add-symbolic")
        box.addClass("linked")
        for button in [decrementButton, incrementButton] { box.append(button) }
        connect(decrementButton, "clicked") { [weak self] in self?.step(false) }
        connect(incrementButton, "clicked") { [weak self] in self?.step(true) }
        (self.decrementButton, self.incrementButton) = (decrementButton, incrementButton)
        nameChanged()
        return box.widget
    }

    // The keyboard focus is on one of the buttons, so each button needs a name.
    override func nameChanged() {
        decrementButton?.setAccessibleLabel(
            name.isEmpty ? PlayerWords.localized("Decrement") : PlayerWords.localized("Decrement %@", name))
        incrementButton?.setAccessibleLabel(
            name.isEmpty ? PlayerWords.localized("Increment") : PlayerWords.localized("Increment %@", name))
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        decrementButton?.setSensitive(view?.decrement != nil)
        incrementButton?.setSensitive(view?.increment != nil)
    }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        (decrementButton, incrementButton) = (nil, nil)
    }

    /// Handles a click on a button.
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
