import Foundation
@_spi(Graph) import ViewGraph

/// A slider for choosing a value, implemented with GtkScale. Modeled on UIKit's control.
@MainActor @preconcurrency
open class UISlider: UIControl {
    fileprivate struct Look {
        var value: Float = 0, minimum: Float = 0, maximum: Float = 1
        var tint: Color?
        var isEnabled = true
    }
    fileprivate let look = ControlValues(Look())

    /// Creates a slider from 0 to 1 with the value 0.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        show(AnyView(SliderContent(slider: self, look: look)))
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The value, clamped to `minimumValue`…`maximumValue`. Setting it sends no event; setting NaN has no effect.
    open var value: Float {
        get { look.current.value }
        set {
            let new = clamped(newValue)
            if new != value { look.current.value = new }
        }
    }
    /// Sets `value`.
    /// - Parameters:
    ///   - value: The new value.
    ///   - animated: Has no effect.
    open func setValue(_ value: Float, animated: Bool) { self.value = value }
    /// The value at the end where text begins: the left end, or the right end in a right-to-left layout. If
    /// `maximumValue` is less, `maximumValue` is set to the same value. Setting a number that is not finite has no
    /// effect.
    open var minimumValue: Float {
        get { look.current.minimum }
        set {
            guard newValue.isFinite, newValue != minimumValue else { return }
            look.current.minimum = newValue
            if maximumValue < newValue { look.current.maximum = newValue }
            value = clamped(value)
        }
    }
    /// The value at the end opposite `minimumValue`. If `minimumValue` is greater, `minimumValue` is set to the same
    /// value. Setting a number that is not finite has no effect.
    open var maximumValue: Float {
        get { look.current.maximum }
        set {
            guard newValue.isFinite, newValue != maximumValue else { return }
            look.current.maximum = newValue
            if minimumValue > newValue { look.current.minimum = newValue }
            value = clamped(value)
        }
    }
    private func clamped(_ new: Float) -> Float { new.isNaN ? value : min(max(new, minimumValue), maximumValue) }
    /// Whether `valueChanged` is sent while the knob moves. If false, the event is sent when the knob is released.
    open var isContinuous = true
    /// The color of the track before the knob, or nil for `tintColor`.
    open var minimumTrackTintColor: UIColor? { didSet { look.current.tint = minimumTrackTintColor.map { Color($0) } } }
    /// Stored without effect: GTK's theme determines these colors.
    open var maximumTrackTintColor: UIColor?, thumbTintColor: UIColor?

    open override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: ControlExtent.regular)
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        CGSize(width: bounds.width, height: ControlExtent.regular)
    }
    override func lookChanged() {
        if look.current.isEnabled != isEnabled { look.current.isEnabled = isEnabled }
    }

    /// Handles a movement of the knob by the user.
    final func moved(to new: Float) {
        guard clamped(new) != value else { return }
        value = new
        if isContinuous || !isTracking { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
    }
    /// Handles the beginning and the end of a press on the knob.
    final func edits(_ isEditing: Bool) {
        guard isEditing != isTracking else { return }
        isTracking = isEditing
        if isEditing { return sendActions(for: .touchDown) }
        if !isContinuous { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
        sendActions(for: .touchUpInside)
    }
}

private struct SliderContent: View {
    weak var slider: UISlider?
    let look: ControlValues<UISlider.Look>
    @Environment(\.tintColor) private var inheritedTint
    var body: some View {
        let shown = look.shown
        Slider(
            value: Binding(get: { shown.value }, set: { [weak slider] in slider?.moved(to: $0) }),
            in: shown.minimum...max(shown.minimum, shown.maximum)
        ) { [weak slider] in
            slider?.edits($0)
        }
        .tint(shown.tint ?? inheritedTint)
        .disabled(!shown.isEnabled)
    }
}
