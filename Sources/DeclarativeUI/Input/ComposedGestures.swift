/// A combination of two gestures that can be recognized at the same time. Modeled on SwiftUI's type.
///
/// The gesture reports a change while either of the two continues. It ends when one of the two ends or is canceled, and
/// the other is not in progress. If neither of them ended successfully, the gesture is canceled.
public struct SimultaneousGesture<First: Gesture, Second: Gesture>: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The values of the two gestures.
    public struct Value {
        /// The first gesture's value, or nil while it is not recognized.
        public var first: First.Value?
        /// The second gesture's value, or nil while it is not recognized.
        public var second: Second.Value?
    }
    /// The first of the two gestures.
    public var first: First
    /// The second of the two gestures.
    public var second: Second
    /// Creates a combination of two gestures that can be recognized at the same time.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// The progress of one of the two gestures.
    private enum Stage { case waiting, going, done }
    private final class Progress {
        var value = Value()
        var first = Stage.waiting, second = Stage.waiting
        func clear() {
            value = Value()
            (first, second) = (.waiting, .waiting)
        }
    }

    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let progress = memory.slot { Progress() }
        // Called when one of the two gestures has ended or was canceled.
        let finishIfDone: @MainActor () -> Void = {
            guard progress.first != .going, progress.second != .going else { return }
            let value = progress.value
            let isDone = progress.first == .done || progress.second == .done
            progress.clear()
            if isDone { events.ended(value) } else { events.cancelled() }
        }
        let firstRecognizers = first._recognizers(
            memory,
            _GestureEvents(
                changed: {
                    (progress.value.first, progress.first) = ($0, .going)
                    events.changed(progress.value)
                },
                ended: {
                    (progress.value.first, progress.first) = ($0, .done)
                    finishIfDone()
                },
                cancelled: {
                    (progress.value.first, progress.first) = (nil, .waiting)
                    finishIfDone()
                }))
        let secondRecognizers = second._recognizers(
            memory,
            _GestureEvents(
                changed: {
                    (progress.value.second, progress.second) = ($0, .going)
                    events.changed(progress.value)
                },
                ended: {
                    (progress.value.second, progress.second) = ($0, .done)
                    finishIfDone()
                },
                cancelled: {
                    (progress.value.second, progress.second) = (nil, .waiting)
                    finishIfDone()
                }))
        _Recognizer.pair(firstRecognizers, secondRecognizers)
        return firstRecognizers + secondRecognizers
    }
}
extension SimultaneousGesture.Value: Sendable where First.Value: Sendable, Second.Value: Sendable {}
extension SimultaneousGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}
extension SimultaneousGesture.Value: Hashable where First.Value: Hashable, Second.Value: Hashable {}

/// A gesture that recognizes only one of two gestures; the first one has precedence. Modeled on SwiftUI's type.
///
/// For example, a single tap as the second gesture waits until a double tap as the first gesture is no longer possible.
public struct ExclusiveGesture<First: Gesture, Second: Gesture>: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The value of the recognized gesture.
    public enum Value {
        /// The first gesture was recognized, with this value.
        case first(First.Value)
        /// The second gesture was recognized, with this value.
        case second(Second.Value)
    }
    /// The gesture that has precedence.
    public var first: First
    /// The gesture that is recognized only if the first one fails.
    public var second: Second
    /// Creates a gesture that recognizes only one of two gestures.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        first._recognizers(
            memory,
            _GestureEvents(
                changed: { events.changed(.first($0)) }, ended: { events.ended(.first($0)) },
                cancelled: events.cancelled))
            + second._recognizers(
                memory,
                _GestureEvents(
                    changed: { events.changed(.second($0)) }, ended: { events.ended(.second($0)) },
                    cancelled: events.cancelled))
    }
}
extension ExclusiveGesture.Value: Sendable where First.Value: Sendable, Second.Value: Sendable {}
extension ExclusiveGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

/// A combination of two gestures in sequence, such as a press and then a drag. Modeled on SwiftUI's type.
public struct SequenceGesture<First: Gesture, Second: Gesture>: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The progress of the sequence.
    public enum Value {
        /// The first gesture is in progress.
        case first(First.Value)
        /// The first gesture has ended. The second value is nil until the second gesture begins.
        case second(First.Value, Second.Value?)
    }
    /// The gesture that begins the sequence.
    public var first: First
    /// The gesture that follows.
    public var second: Second
    /// Creates a combination of two gestures in sequence.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    private final class Progress { var first: First.Value? }

    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let progress = memory.slot { Progress() }
        let firstRecognizers = first._recognizers(
            memory,
            _GestureEvents(
                changed: { value in
                    if progress.first == nil { events.changed(.first(value)) }
                },
                ended: { value in
                    guard progress.first == nil else { return }
                    progress.first = value
                    events.changed(.second(value, nil))
                },
                cancelled: {
                    // After the first gesture has ended, only the second one can cancel the sequence.
                    if progress.first == nil { events.cancelled() }
                }))
        let secondRecognizers = second._recognizers(
            memory,
            _GestureEvents(
                changed: { value in
                    if let first = progress.first { events.changed(.second(first, value)) }
                },
                ended: { value in
                    guard let first = progress.first else { return }
                    progress.first = nil
                    events.ended(.second(first, value))
                },
                cancelled: {
                    guard progress.first != nil else { return }
                    progress.first = nil
                    events.cancelled()
                }))
        for other in secondRecognizers {
            let isOpen = other.isOpen
            other.isOpen = { progress.first != nil && isOpen() }
        }
        _Recognizer.pair(firstRecognizers, secondRecognizers)
        return firstRecognizers + secondRecognizers
    }
}
extension SequenceGesture.Value: Sendable where First.Value: Sendable, Second.Value: Sendable {}
extension SequenceGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

extension _Recognizer {
    /// Allows each recognizer of one array to be recognized together with each recognizer of the other array.
    static func pair(_ firstRecognizers: [_Recognizer], _ secondRecognizers: [_Recognizer]) {
        for first in firstRecognizers { first.partners.formUnion(secondRecognizers.map(ObjectIdentifier.init)) }
        for other in secondRecognizers { other.partners.formUnion(firstRecognizers.map(ObjectIdentifier.init)) }
    }
}

extension Gesture {
    /// Returns a gesture that recognizes this gesture and `other` at the same time.
    public func simultaneously<Other: Gesture>(with other: Other) -> SimultaneousGesture<Self, Other> {
        SimultaneousGesture(self, other)
    }
    /// Returns a gesture that recognizes either this gesture or `other`; this gesture has precedence.
    public func exclusively<Other: Gesture>(before other: Other) -> ExclusiveGesture<Self, Other> {
        ExclusiveGesture(self, other)
    }
    /// Returns a gesture that recognizes `other` after this gesture has ended.
    public func sequenced<Other: Gesture>(before other: Other) -> SequenceGesture<Self, Other> {
        SequenceGesture(self, other)
    }
}
