import Foundation
@_spi(Graph) import ViewGraph

/// The input that a `UIView` receives.
@MainActor
final class ViewTouches {
    private let values = ControlValues(Values())
    private struct Values {
        var isEnabled = true
        var recognizers: [UIGestureRecognizer] = []
    }
    var isEnabled: Bool {
        get { values.current.isEnabled }
        set { if newValue != isEnabled { values.current.isEnabled = newValue } }
    }
    var recognizers: [UIGestureRecognizer] {
        get { values.current.recognizers }
        set { values.current.recognizers = newValue }
    }
    /// Whether the view has been chosen as the receiver of the current input, so that its recognizers and its press
    /// outside of its widget take every point. Read when GTK looks for a widget.
    var takesAllInput = false
    /// Called with presses that no widget of the view's own content takes, because they are outside of those widgets.
    /// Set before the content is shown, for controls only.
    var onPress: ((OutsidePress) -> Void)?
    /// The values for bodies of views. Reading them registers a dependency with Observation.
    fileprivate var shown: (isEnabled: Bool, recognizers: [UIGestureRecognizer]) {
        (values.shown.isEnabled, values.shown.recognizers)
    }
}

/// A part of a press in the area of a control, outside of the control's widget. Points are in the control's space.
enum OutsidePress {
    /// The press begins or moves.
    case moved(CGPoint)
    case ended(CGPoint)
    case cancelled
}

/// An area that takes every point while the view is the receiver of input, and otherwise the points of its content.
private struct ChosenArea: ElementModifier {
    let touches: ViewTouches
    func makeElement() -> ChosenAreaElement { ChosenAreaElement() }
    func update(_ element: ChosenAreaElement, _ fiber: _Fiber) { element.touches = touches }
}
private final class ChosenAreaElement: WrapperElement {
    weak var touches: ViewTouches?
    override func contains(_ point: CGPoint) -> Bool { touches?.takesAllInput == true || super.contains(point) }
}

/// The content of a `UIView` with its gesture recognizers.
struct TouchedContent: View {
    let content: AnyView?
    let touches: ViewTouches
    var body: some View {
        let shown = touches.shown
        touchArea
            .elementModifier(ChosenArea(touches: touches))
            .gesture(RecognizerGestures(recognizers: shown.recognizers, onPress: touches.onPress))
            .allowsHitTesting(shown.isEnabled)
    }
    @ViewBuilder private var touchArea: some View {
        if let content { content } else { Color.clear.contentShape(Rectangle()) }
    }
}

/// The recognizers of a view as one gesture. Each recognizer works on its own.
struct RecognizerGestures: Gesture {
    typealias Body = Never
    typealias Value = Void
    let recognizers: [UIGestureRecognizer]
    var onPress: ((OutsidePress) -> Void)?
    func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Void>) -> [_Recognizer] {
        // Recognizers of more taps come first, so that a single tap can wait for a double tap.
        let pairs = recognizers.filter(\.isEnabled).enumerated()
            .sorted { ($1.element.taps, $0.offset) < ($0.element.taps, $1.offset) }
            .compactMap { _, recognizer in recognizer.makeRecognizer().map { (recognizer, $0) } }
        for (recognizer, first) in pairs {
            for (other, second) in pairs where other !== recognizer {
                guard recognizer.canSucceed(with: other) || other.canSucceed(with: recognizer) else { continue }
                first.partners.insert(ObjectIdentifier(second))
            }
        }
        return pairs.map(\.1) + [press].compactMap { $0 }
    }
    /// The recognizer of presses outside of a control's widget, or nil. It comes last, so that it waits until the taps
    /// of the app are no longer possible.
    private var press: _Recognizer? {
        guard let onPress else { return nil }
        let recognizer = _Recognizer(.drag(distance: 0, space: .local))
        recognizer.onDrag = { onPress($1 ? .ended($0.location) : .moved($0.location)) }
        recognizer.onCancel = { onPress(.cancelled) }
        return recognizer
    }
}
