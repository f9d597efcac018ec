import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// A value chosen by a knob on a line: a GtkScale. SwiftUI's view.
///
/// It takes the width that is offered. A value outside the range, or none (NaN), shows at the range's nearest
/// end; the binding is written by the user only. An empty range, or one that is not finite, takes no input. A label
/// stands before the slider, as on the Mac, unless `labelsHidden()`. Arrow keys move by a step, or by a hundredth
/// of the range; Page Up and Page Down by a tenth. Assistive technology says a value of 0…1 in percent, others as
/// numbers; `accessibilityValue` says it otherwise (`SpokenTime` for a position). Main actor.
public struct Slider<Label: View, ValueLabel: View>: View {
    let value: Binding<Double>
    let scale: SliderScale
    let label: Label
    let minimum, maximum: ValueLabel
    let onEditingChanged: @MainActor (Bool) -> Void

    init<V: BinaryFloatingPoint>(
        _ value: Binding<V>, _ bounds: ClosedRange<V>, _ step: V?, _ label: Label,
        _ minimum: ValueLabel, _ maximum: ValueLabel, _ onEditingChanged: @escaping @MainActor (Bool) -> Void
    ) {
        self.value = value.part("Double", get: { Double($0) }, set: { $0 = V($1) })
        scale = SliderScale(Double(bounds.lowerBound), Double(bounds.upperBound), step: step.map { Double($0) })
        self.label = label
        self.minimum = minimum
        self.maximum = maximum
        self.onEditingChanged = onEditingChanged
    }

    public var body: some View { LabeledControl(label: label, place: .leading, control: line) }

    @ViewBuilder private var line: some View {
        let knob = NativeSlider(
            value: value.wrappedValue, binding: value, scale: scale, onEditingChanged: onEditingChanged)
        if ValueLabel.self == EmptyView.self {
            knob
        } else {
            HStack(spacing: Space.regular) {
                minimum
                knob
                maximum
            }
        }
    }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    /// - Parameter onEditingChanged: told true when the user begins to change the value (presses the knob, presses
    ///   a key) and false when that is over.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, nil, EmptyView(), EmptyView(), EmptyView(), onEditingChanged)
    }
    /// - Parameter step: the values are whole steps from the range's start; 0 and less is no step.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, step, EmptyView(), EmptyView(), EmptyView(), onEditingChanged)
    }
}

extension Slider where ValueLabel == EmptyView {
    /// A slider without steps, after a label.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, nil, label(), EmptyView(), EmptyView(), onEditingChanged)
    }
    /// A slider that moves in steps, after a label.
    /// - Parameter step: counted from the range's start; 0 and less is no step.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, step, label(), EmptyView(), EmptyView(), onEditingChanged)
    }
    /// The older order of a slider's label and `onEditingChanged`.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void, @ViewBuilder label: () -> Label
    ) {
        self.init(value, bounds, nil, label(), EmptyView(), EmptyView(), onEditingChanged)
    }
}

extension Slider {
    /// A slider without steps, after a label and between what stands for its ends.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, nil, label(), minimumValueLabel(), maximumValueLabel(), onEditingChanged)
    }
    /// A slider that moves in steps, after a label and between what stands for its ends.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, step, label(), minimumValueLabel(), maximumValueLabel(), onEditingChanged)
    }
    /// The older form, with what stands for the ends as finished views.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }, minimumValueLabel: ValueLabel,
        maximumValueLabel: ValueLabel,
        @ViewBuilder label: () -> Label
    ) {
        self.init(value, bounds, nil, label(), minimumValueLabel, maximumValueLabel, onEditingChanged)
    }
}

struct NativeSlider: _PrimitiveView {
    let value: Double
    let binding: Binding<Double>
    let scale: SliderScale
    let onEditingChanged: @MainActor (Bool) -> Void
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, SliderElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

final class SliderElement: ControlElement {
    private var view: NativeSlider?
    /// What the widget shows.
    private(set) var shown = 0.0
    private var press: PressWatch?

    func set(_ view: NativeSlider, _ environment: EnvironmentValues) {
        self.view = view
        follow(environment)
        isEnabled = isEnabled && view.scale.isUsable
        shown = view.scale.clamped(view.value)
        if !isEnabled { press?.release() }
        update()
    }

    override func makeWidget() -> GTKWidget? {
        let scale = GTKScale()
        connect(scale, "value-changed") { [weak self] in self?.moved() }
        press = PressWatch(scale.widget) { [weak self] in self?.view?.onEditingChanged($0) }
        return scale.widget
    }

    private var knob: GTKScale? { widget?.as(GTKScale.self) }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        press?.end()
        press = nil
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        guard let scale = view?.scale else { return }
        silently {
            knob?.configure(
                value: shown, lower: scale.lower, upper: scale.upper, step: scale.arrow, page: scale.page)
        }
        sayValue()
    }

    /// What it stands at is said as percent, or as a number as exact as a step is; or as the app says.
    override func applyAccessibility() {
        super.applyAccessibility()
        sayValue()
    }
    private func sayValue() {
        guard let widget, let scale = view?.scale, accessibility.value == nil else { return }
        var words = accessibility
        words.value = scale.spoken(shown)
        words.apply(to: widget)
    }

    private func moved() {
        guard let knob else { return }
        choose(knob.value)
        silently { knob.value = shown }
        sayValue()
    }

    /// The user wants `value`; the binding has the last word.
    func choose(_ value: Double) {
        guard let view, isEnabled else { return }
        let wanted = view.scale.snapped(value)
        guard wanted != shown else { return }
        // A key or the wheel: an edit of its own.
        let isWhole = press?.isPressed != true
        if isWhole { view.onEditingChanged(true) }
        view.binding.wrappedValue = wanted
        shown = view.scale.clamped(view.binding.wrappedValue)
        if isWhole { view.onEditingChanged(false) }
    }

    /// Points: what it takes when nothing is offered, and its least.
    private static let ideal: CGFloat = 160, least: CGFloat = 48
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(
            width: max(SliderElement.least, proposal.width ?? SliderElement.ideal),
            height: height(ControlExtent.regular))
    }
}
