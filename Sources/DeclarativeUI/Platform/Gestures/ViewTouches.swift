import Foundation
import MediaCore
import Observation
@_spi(Graph) import ViewGraph

/// Which input a `UIView` takes.
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
    /// Read by a body.
    fileprivate var shown: (isEnabled: Bool, recognizers: [UIGestureRecognizer]) {
        (values.shown.isEnabled, values.shown.recognizers)
    }
}

/// What a `UIView` shows, with its gesture recognisers.
struct TouchedContent: View {
    let content: AnyView?
    let touches: ViewTouches
    var body: some View {
        let shown = touches.shown
        ground
            .gesture(RecognizerGestures(recognizers: shown.recognizers))
            .allowsHitTesting(shown.isEnabled)
    }
    @ViewBuilder private var ground: some View {
        if let content { content } else { Color.clear.contentShape(Rectangle()) }
    }
}

/// All recognisers of a view as one gesture. Each recognises for itself.
struct RecognizerGestures: Gesture {
    typealias Body = Never
    typealias Value = Void
    let recognizers: [UIGestureRecognizer]
    func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Void>) -> [_Recognizer] {
        // A tap waits for one of more taps that stands before it.
        let ones = recognizers.filter(\.isEnabled).enumerated()
            .sorted { ($1.element.taps, $0.offset) < ($0.element.taps, $1.offset) }
            .compactMap { _, recognizer in recognizer.primitive().map { (recognizer, $0) } }
        for (recognizer, one) in ones {
            for (other, two) in ones where other !== recognizer {
                guard recognizer.goes(with: other) || other.goes(with: recognizer) else { continue }
                one.partners.insert(ObjectIdentifier(two))
            }
        }
        return ones.map(\.1)
    }
}
