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
    /// The values for bodies of views. Reading them registers a dependency with Observation.
    fileprivate var shown: (isEnabled: Bool, recognizers: [UIGestureRecognizer]) {
        (values.shown.isEnabled, values.shown.recognizers)
    }
}

/// The content of a `UIView` with its gesture recognizers.
struct TouchedContent: View {
    let content: AnyView?
    let touches: ViewTouches
    var body: some View {
        let shown = touches.shown
        touchArea
            .gesture(RecognizerGestures(recognizers: shown.recognizers))
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
        return pairs.map(\.1)
    }
}
