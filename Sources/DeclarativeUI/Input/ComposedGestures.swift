/// Two gestures that may be recognised at once. SwiftUI's type.
///
/// Told while either goes on; it ends with the last of those that had begun.
public struct SimultaneousGesture<First: Gesture, Second: Gesture>: Gesture {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    /// What is known of each; nil of one that has not been recognised.
    public struct Value {
        /// The first gesture's value; nil while it has not been recognised.
        public var first: First.Value?
        /// The second gesture's value; nil while it has not been recognised.
        public var second: Second.Value?
    }
    /// One of the two gestures.
    public var first: First
    /// The other one.
    public var second: Second
    /// Makes a gesture of two that may be recognised at once.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// How far one of the two is.
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
        /// One of them is over.
        let settle: @MainActor () -> Void = {
            guard progress.first != .going, progress.second != .going else { return }
            let value = progress.value
            let isDone = progress.first == .done || progress.second == .done
            progress.clear()
            if isDone { events.ended(value) } else { events.cancelled() }
        }
        let ones = first._recognizers(
            memory,
            _GestureEvents(
                changed: {
                    (progress.value.first, progress.first) = ($0, .going)
                    events.changed(progress.value)
                },
                ended: {
                    (progress.value.first, progress.first) = ($0, .done)
                    settle()
                },
                cancelled: {
                    (progress.value.first, progress.first) = (nil, .waiting)
                    settle()
                }))
        let others = second._recognizers(
            memory,
            _GestureEvents(
                changed: {
                    (progress.value.second, progress.second) = ($0, .going)
                    events.changed(progress.value)
                },
                ended: {
                    (progress.value.second, progress.second) = ($0, .done)
                    settle()
                },
                cancelled: {
                    (progress.value.second, progress.second) = (nil, .waiting)
                    settle()
                }))
        _Recognizer.pair(ones, others)
        return ones + others
    }
}
extension SimultaneousGesture.Value: Sendable where First.Value: Sendable, Second.Value: Sendable {}
extension SimultaneousGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}
extension SimultaneousGesture.Value: Hashable where First.Value: Hashable, Second.Value: Hashable {}

/// Two gestures of which one is recognised, the first before the second: a tap waits until the double tap before it
/// can no longer come. SwiftUI's type.
public struct ExclusiveGesture<First: Gesture, Second: Gesture>: Gesture {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    /// The value of the one that was recognised.
    public enum Value {
        /// The first was, with its value.
        case first(First.Value)
        /// The second was, with its value.
        case second(Second.Value)
    }
    /// The gesture that comes first.
    public var first: First
    /// The gesture that waits for the first to fail.
    public var second: Second
    /// Makes a gesture of two of which one is recognised.
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

/// A gesture that is recognised after another: a press, then a drag. SwiftUI's type.
public struct SequenceGesture<First: Gesture, Second: Gesture>: Gesture {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    /// How far the two are.
    public enum Value {
        /// The first goes on.
        case first(First.Value)
        /// The first is done; nil: the second has not begun.
        case second(First.Value, Second.Value?)
    }
    /// The gesture that begins.
    public var first: First
    /// The gesture that follows.
    public var second: Second
    /// Makes a gesture of two, one after the other.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    private final class Progress { var first: First.Value? }

    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let progress = memory.slot { Progress() }
        let ones = first._recognizers(
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
                    // What is done is done: from now on it is the second's turn.
                    if progress.first == nil { events.cancelled() }
                }))
        let others = second._recognizers(
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
        for other in others {
            let isOpen = other.isOpen
            other.isOpen = { progress.first != nil && isOpen() }
        }
        _Recognizer.pair(ones, others)
        return ones + others
    }
}
extension SequenceGesture.Value: Sendable where First.Value: Sendable, Second.Value: Sendable {}
extension SequenceGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

extension _Recognizer {
    /// Each of the ones may be recognised beside each of the others.
    static func pair(_ ones: [_Recognizer], _ others: [_Recognizer]) {
        for one in ones { one.partners.formUnion(others.map(ObjectIdentifier.init)) }
        for other in others { other.partners.formUnion(ones.map(ObjectIdentifier.init)) }
    }
}

extension Gesture {
    /// Both may be recognised at once.
    public func simultaneously<Other: Gesture>(with other: Other) -> SimultaneousGesture<Self, Other> {
        SimultaneousGesture(self, other)
    }
    /// One of both is recognised, this one before `other`.
    public func exclusively<Other: Gesture>(before other: Other) -> ExclusiveGesture<Self, Other> {
        ExclusiveGesture(self, other)
    }
    /// `other` is recognised once this one has been.
    public func sequenced<Other: Gesture>(before other: Other) -> SequenceGesture<Self, Other> {
        SequenceGesture(self, other)
    }
}
