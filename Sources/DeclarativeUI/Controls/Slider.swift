import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// A control for selecting a value from a range with a `GtkScale`. Matches SwiftUI's `Slider`.
///
/// ```swift
/// @State private var position = 0.0
///
/// var body: some View {
///     Slider(value: $position, in: 0...duration) {
///         Text("Position")
///     } onEditingChanged: { isDragging in
///         if !isDragging { PlaybackControl(player).seek(to: position) }
///     }
/// }
/// ```
/// The slider takes the proposed width. It shows a value outside the range at the nearest end, and NaN at the start.
/// Only the user's input sets the binding. The slider is disabled if the range is empty or not finite. As on the Mac,
/// the label is before the slider, unless `labelsHidden()` hides it. The view that creates the slider is evaluated
/// again when the value changes.
///
/// The arrow keys move the value by a step, or by a hundredth of the range if there are no steps. Page Up and Page Down
/// move it by a tenth of the range, or by a step if that is more. Assistive technology reads values of the range 0…1 as
/// percentages, and others as numbers. `accessibilityValue` changes this (see `SpokenTime` for positions).
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
        // As in SwiftUI, this read makes the view that creates the slider depend on the value.
        _ = value.wrappedValue
        scale = SliderScale(Double(bounds.lowerBound), Double(bounds.upperBound), step: step.map { Double($0) })
        self.label = label
        self.minimum = minimum
        self.maximum = maximum
        self.onEditingChanged = onEditingChanged
    }

    public var body: some View { LabeledControl(label: label, place: .leading, control: line) }

    @ViewBuilder private var line: some View {
        let knob = NativeSlider(
            value: value.wrappedValue, binding: value, scale: scale, onEditingChanged: onEditingChanged,
            look: UISlider.appearance().shown)
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
    /// Creates a slider without a label.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - bounds: The range of the value.
    ///   - onEditingChanged: Called with true when the user starts to change the value with the knob or a key, and with
    ///     false when the change is complete.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, nil, EmptyView(), EmptyView(), EmptyView(), onEditingChanged)
    }
    /// Creates a slider that moves in steps, without a label.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - bounds: The range of the value.
    ///   - step: The distance between values, counted from the start of the range. Values that are not greater than 0
    ///     mean no steps.
    ///   - onEditingChanged: Called with true when the user starts to change the value, and with false when the change
    ///     is complete.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, step, EmptyView(), EmptyView(), EmptyView(), onEditingChanged)
    }
}

extension Slider where ValueLabel == EmptyView {
    /// Creates a slider with a label before it.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, nil, label(), EmptyView(), EmptyView(), onEditingChanged)
    }
    /// Creates a slider that moves in steps, with a label before it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - bounds: The range of the value.
    ///   - step: The distance between values, counted from the start of the range. Values that are not greater than 0
    ///     mean no steps.
    ///   - label: The label.
    ///   - onEditingChanged: Called with true when the user starts to change the value, and with false when the change
    ///     is complete.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, step, label(), EmptyView(), EmptyView(), onEditingChanged)
    }
    /// Creates a slider with a label before it. This is an older form of `init(value:in:label:onEditingChanged:)`.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
        onEditingChanged: @escaping @MainActor (Bool) -> Void, @ViewBuilder label: () -> Label
    ) {
        self.init(value, bounds, nil, label(), EmptyView(), EmptyView(), onEditingChanged)
    }
}

extension Slider {
    /// Creates a slider with a label before it and a view at each end.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, nil, label(), minimumValueLabel(), maximumValueLabel(), onEditingChanged)
    }
    /// Creates a slider that moves in steps, with a label before it and a view at each end.
    public init<V: BinaryFloatingPoint>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        self.init(value, bounds, step, label(), minimumValueLabel(), maximumValueLabel(), onEditingChanged)
    }
    /// Creates a slider with a label before it and the views `minimumValueLabel` and `maximumValueLabel` at its ends.
    /// This is an older form.
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
    /// The look of all sliders, which applies where the environment sets nothing.
    let look: UISliderAppearance.Look
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, SliderElement()) { element, view, fiber in element.set(view, fiber.environment) }
    }
}

final class SliderElement: ControlElement {
    private var view: NativeSlider?
    /// The value that the widget shows.
    private(set) var shown = 0.0
    private var press: PressWatch?
    /// The parts that the app draws, or nil for GTK's theme.
    private(set) var parts: SliderParts?
    private var isDark = false
    /// The style class of the parts that the widget has, and the parts from which it was made.
    private var applied: (name: String, parts: SliderParts, isDark: Bool)?

    func set(_ view: NativeSlider, _ environment: EnvironmentValues) {
        self.view = view
        follow(environment.withTint(orElse: view.look.tint))
        parts = environment.sliderParts ?? (view.look.parts.isEmpty ? nil : view.look.parts)
        isDark = environment.colorScheme == .dark
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

    private var scaleWidget: GTKScale? { widget?.as(GTKScale.self) }

    override func willRemove(_ widget: GTKWidget) {
        super.willRemove(widget)
        press?.end()
        press = nil
        if let applied { ControlTheme.release(applied.name) }
        applied = nil
    }

    private func applyParts(to widget: GTKWidget) {
        if let applied, applied.parts == parts, applied.isDark == isDark { return }
        guard applied != nil || parts != nil else { return }
        let old = applied
        applied = parts.map { (ControlTheme.use(slider: $0.rules(dark: isDark)), $0, isDark) }
        if let old {
            widget.removeClass(old.name)
            ControlTheme.release(old.name)
        }
        if let applied { widget.addClass(applied.name) }
        widget.setClass(ControlTheme.sliderClass, applied != nil)
        setNeedsLayout()
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        applyParts(to: widget)
        guard let scale = view?.scale else { return }
        silently {
            scaleWidget?.configure(
                value: shown, lower: scale.lower, upper: scale.upper, step: scale.arrow, page: scale.page)
        }
        updateSpokenValue()
    }

    /// Assistive technology reads the value as the app describes it, or else as a percentage or a number with the
    /// precision of a step.
    override func applyAccessibility(replacing old: AccessibilityTexts) {
        super.applyAccessibility(replacing: old)
        updateSpokenValue()
    }
    private func updateSpokenValue() {
        guard let widget, let scale = view?.scale, accessibility.value == nil else { return }
        var texts = spokenTexts
        texts.value = scale.spoken(shown)
        texts.apply(to: widget)
    }

    private func moved() {
        guard let scaleWidget else { return }
        choose(scaleWidget.value)
        silently { scaleWidget.value = shown }
        updateSpokenValue()
    }

    /// Handles a value that the user has selected. The binding decides which value is then shown.
    func choose(_ value: Double) {
        guard let view, isEnabled else { return }
        let newValue = view.scale.snapped(value)
        guard newValue != shown else { return }
        // A key or the wheel changed the value, which is a complete edit.
        let isCompleteEdit = press?.isPressed != true
        if isCompleteEdit { view.onEditingChanged(true) }
        view.binding.wrappedValue = newValue
        shown = view.scale.clamped(view.binding.wrappedValue)
        if isCompleteEdit { view.onEditingChanged(false) }
    }

    /// The width without a proposal, and the minimum width, in points.
    private static let ideal: CGFloat = 160, least: CGFloat = 48
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(
            width: max(SliderElement.least, proposal.width ?? SliderElement.ideal),
            height: height(ControlExtent.regular))
    }
}
