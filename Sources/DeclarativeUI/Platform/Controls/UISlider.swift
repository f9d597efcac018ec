import Foundation
@_spi(Graph) import ViewGraph

/// A slider for choosing a value, implemented with GtkScale. Modeled on UIKit's control.
@MainActor @preconcurrency
open class UISlider: UIControl {
    fileprivate struct Look {
        var value: Float = 0, minimum: Float = 0, maximum: Float = 1
        var tint: Color?
        var parts = SliderParts()
        var isEnabled = true
    }
    fileprivate let look = ControlValues(Look())
    private enum Part: Hashable { case thumb, minimumTrack, maximumTrack }
    private struct ImageKey: Hashable {
        var part: Part
        var state: UIControl.State
    }
    private var images: [ImageKey: UIImage] = [:]

    /// Creates a slider from 0 to 1 with the value 0.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        touches.onPress = { [weak self] in self?.follow($0) }
        refresh()
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
    /// The color of the track before the knob, or nil for `tintColor`. Setting an image of this track sets nil.
    open var minimumTrackTintColor: UIColor? { didSet { look.current.tint = minimumTrackTintColor.map { Color($0) } } }
    /// The color of the track after the knob, or nil for that of GTK's theme. Setting an image of this track sets nil.
    ///
    /// A disabled slider has the theme's color. An image of the track has precedence over a color that is set later.
    open var maximumTrackTintColor: UIColor? { didSet { if maximumTrackTintColor != oldValue { refresh() } } }
    /// The color of the knob, or nil for that of GTK's theme. Setting an image of the knob sets nil.
    ///
    /// A disabled slider has the theme's color. An image of the knob has precedence over a color that is set later.
    open var thumbTintColor: UIColor? { didSet { if thumbTintColor != oldValue { refresh() } } }

    // MARK: images

    /// Sets the image of the knob for a state, or removes it with nil. The image has its own size, in points.
    ///
    /// A state without an image of its own has the image for `normal`. The knob's center moves along the whole track,
    /// so the track begins and ends half a knob from the edges of the slider. Symbols and other template images have
    /// the slider's `tintColor`.
    open func setThumbImage(_ image: UIImage?, for state: State) {
        setImage(image, .thumb, state)
        if image != nil { thumbTintColor = nil }
    }
    /// Sets the image of the track before the knob for a state, or removes it with nil.
    ///
    /// The image is stretched to the length of that track, and drawn over the other track. The track is as high as the
    /// higher one of its images. A state without an image of its own has the image for `normal`.
    open func setMinimumTrackImage(_ image: UIImage?, for state: State) {
        setImage(image, .minimumTrack, state)
        if image != nil { minimumTrackTintColor = nil }
    }
    /// Sets the image of the track after the knob for a state, or removes it with nil.
    ///
    /// The image is stretched to the whole track, and the image or the color of the track before the knob covers a part
    /// of it. A state without an image of its own has the image for `normal`.
    open func setMaximumTrackImage(_ image: UIImage?, for state: State) {
        setImage(image, .maximumTrack, state)
        if image != nil { maximumTrackTintColor = nil }
    }
    /// Returns the image of the knob for a state, or nil if the app has set none for the state and none for `normal`.
    open func thumbImage(for state: State) -> UIImage? { image(.thumb, state) }
    /// Returns the image of the track before the knob for a state, or nil if the app has set none for the state and
    /// none for `normal`.
    open func minimumTrackImage(for state: State) -> UIImage? { image(.minimumTrack, state) }
    /// Returns the image of the track after the knob for a state, or nil if the app has set none for the state and none
    /// for `normal`.
    open func maximumTrackImage(for state: State) -> UIImage? { image(.maximumTrack, state) }
    /// The slider's own image of the knob for the current state, or nil if the app has set none.
    open var currentThumbImage: UIImage? { thumbImage(for: state) }
    /// The slider's own image of the track before the knob for the current state, or nil if the app has set none.
    open var currentMinimumTrackImage: UIImage? { minimumTrackImage(for: state) }
    /// The slider's own image of the track after the knob for the current state, or nil if the app has set none.
    open var currentMaximumTrackImage: UIImage? { maximumTrackImage(for: state) }

    private func setImage(_ image: UIImage?, _ part: Part, _ state: State) {
        images[ImageKey(part: part, state: state)] = image
        refresh()
    }
    private func image(_ part: Part, _ state: State) -> UIImage? {
        images[ImageKey(part: part, state: state)] ?? images[ImageKey(part: part, state: .normal)]
    }
    /// Updates the displayed parts to the current properties.
    private func refresh() {
        var parts = SliderParts()
        parts.trackColor = maximumTrackTintColor.map { Color($0) }
        parts.thumbColor = thumbTintColor.map { Color($0) }
        (parts.thumb, parts.minimum, parts.maximum) = (
            currentThumbImage, currentMinimumTrackImage, currentMaximumTrackImage
        )
        parts.tint = chosenTintColor.map { Color($0) } ?? .accentColor
        if parts != look.current.parts { look.current.parts = parts }
    }
    open override func tintColorDidChange() {
        super.tintColorDidChange()
        // The content has been mounted again, so the end of a press outside of GTK's slider is not reported.
        follow(.cancelled)
        refresh()
    }
    override func changedWindow() {
        follow(.cancelled)
        super.changedWindow()
    }

    open override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: ControlExtent.regular)
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        CGSize(width: bounds.width, height: ControlExtent.regular)
    }
    override func lookChanged() {
        if look.current.isEnabled != isEnabled { look.current.isEnabled = isEnabled }
        refresh()
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

    /// Whether a press is in progress that GTK's slider does not receive.
    private var isPressedOutside = false
    /// Handles a press in the area of `point(inside:with:)`, outside of GTK's slider. As in GTK, the knob moves to the
    /// point.
    final func follow(_ press: OutsidePress) {
        switch press {
        case .moved(let point):
            guard isEnabled else { return }
            if !isPressedOutside {
                isPressedOutside = true
                edits(true)
            }
            moved(to: value(at: point.x))
        case .ended, .cancelled:
            guard isPressedOutside else { return }
            isPressedOutside = false
            edits(false)
        }
    }
    /// Returns the value for a position of the knob's center.
    private func value(at x: CGFloat) -> Float {
        let own = look.current.parts
        let thumb = own.isEmpty ? UISlider.appearance().look.current.parts.thumb : own.thumb
        let inset = (thumb?.size.width ?? UISlider.inset) / 2
        let length = bounds.width - 2 * inset
        guard length > 0 else { return value }
        let fraction = Float(min(1, max(0, (x - bounds.minX - inset) / length)))
        let isMirrored = content?.host.surface.root.isMirrored == true
        return minimumValue + (maximumValue - minimumValue) * (isMirrored ? 1 - fraction : fraction)
    }
    /// The distances between the slider's edges and the ends of the track in GTK's default theme, together, in points.
    private static let inset: CGFloat = 24
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
        .environment(\.sliderParts, shown.parts.isEmpty ? nil : shown.parts)
        .disabled(!shown.isEnabled)
    }
}
