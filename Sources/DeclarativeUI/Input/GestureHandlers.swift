/// A gesture that tells of its changes: what `onChanged` returns.
public struct _ChangedGesture<Content: Gesture>: Gesture where Content.Value: Equatable {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    /// What the gesture within tells.
    public typealias Value = Content.Value
    let content: Content
    let action: @MainActor (Content.Value) -> Void
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        content._recognizers(
            memory,
            with(events) { mine in
                mine.changed = { value in
                    action(value)
                    events.changed(value)
                }
            })
    }
}

/// A gesture that tells of its end: what `onEnded` returns.
public struct _EndedGesture<Content: Gesture>: Gesture {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    /// What the gesture within tells.
    public typealias Value = Content.Value
    let content: Content
    let action: @MainActor (Content.Value) -> Void
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        content._recognizers(
            memory,
            with(events) { mine in
                mine.ended = { value in
                    action(value)
                    events.ended(value)
                }
            })
    }
}

/// A gesture of another value: what `map` returns.
public struct _MapGesture<Content: Gesture, Value>: Gesture {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    let content: Content
    let change: @MainActor (Content.Value) -> Value
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        content._recognizers(
            memory,
            _GestureEvents(
                changed: { events.changed(change($0)) }, ended: { events.ended(change($0)) },
                cancelled: events.cancelled))
    }
}

/// A gesture that keeps a state up to date: what `updating` returns.
public struct GestureStateGesture<Base: Gesture, State>: Gesture {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    /// What the gesture within tells.
    public typealias Value = Base.Value
    let base: Base
    let state: GestureState<State>
    let update: @MainActor (Base.Value, inout State, inout Transaction) -> Void
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        base._recognizers(
            memory,
            _GestureEvents(
                changed: { value in
                    var now = state.wrappedValue
                    var transaction = Transaction()
                    update(value, &now, &transaction)
                    let next = now
                    withTransaction(transaction) { state.set(next) }
                    events.changed(value)
                },
                ended: { value in
                    state.reset()
                    events.ended(value)
                },
                cancelled: {
                    state.reset()
                    events.cancelled()
                }))
    }
}

/// A state that lives as long as a gesture. SwiftUI's property wrapper.
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
    let state: State<Value>
    /// The transaction with which it goes back.
    private let resetTransaction: Transaction
    /// Makes a state that goes back to this value when the gesture is over, without an animation.
    nonisolated public init(wrappedValue: Value) {
        self.init(wrappedValue: wrappedValue, resetTransaction: Transaction())
    }
    /// The same as `init(wrappedValue:)`.
    nonisolated public init(initialValue: Value) { self.init(wrappedValue: initialValue) }
    /// - Parameter resetTransaction: with which it goes back to its first value.
    nonisolated public init(wrappedValue: Value, resetTransaction: Transaction) {
        state = State(wrappedValue: wrappedValue)
        self.resetTransaction = resetTransaction
    }
    /// The same as `init(wrappedValue:resetTransaction:)`.
    nonisolated public init(initialValue: Value, resetTransaction: Transaction) {
        self.init(wrappedValue: initialValue, resetTransaction: resetTransaction)
    }
    /// The value: the first one while no gesture goes on. Main actor; only `updating(_:body:)` writes it.
    @MainActor @preconcurrency public var wrappedValue: Value { state.wrappedValue }
    /// The state itself, for `updating(_:body:)`.
    public var projectedValue: GestureState<Value> { self }
    @MainActor func set(_ value: Value) { state.wrappedValue = value }
    @MainActor func reset() {
        guard resetTransaction.animation != nil else { return set(state.box.initial) }
        withTransaction(resetTransaction) { set(state.box.initial) }
    }
}

extension GestureState where Value: ExpressibleByNilLiteral {
    /// Makes a state that is nil while no gesture goes on.
    nonisolated public init() { self.init(wrappedValue: nil) }
    /// Makes a state that is nil while no gesture goes on.
    /// - Parameter resetTransaction: with which it goes back to nil.
    nonisolated public init(resetTransaction: Transaction) {
        self.init(wrappedValue: nil, resetTransaction: resetTransaction)
    }
}

/// A gesture whose type is hidden.
public struct AnyGesture<Value>: Gesture {
    /// The gesture is not made by a `body`.
    public typealias Body = Never
    private let make: @MainActor (_GestureMemory, _GestureEvents<Value>) -> [_Recognizer]
    /// Hides the type of `gesture`.
    public init<T: Gesture>(_ gesture: T) where T.Value == Value { make = { gesture._recognizers($0, $1) } }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        make(memory, events)
    }
}

/// Nil is never recognised.
extension Optional: Gesture where Wrapped: Gesture {
    /// An optional gesture has no body.
    public typealias Body = Never
    public var body: Never { preconditionFailure("an optional gesture has no body") }
    /// What the gesture tells, where there is one.
    public typealias Value = Wrapped.Value
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Wrapped.Value>) -> [_Recognizer] {
        self?._recognizers(memory, events) ?? []
    }
}

extension Gesture {
    /// Called when the gesture has been done.
    public func onEnded(_ action: @escaping @MainActor (Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture(content: self, action: action)
    }
    /// Keeps a state up to date while the gesture is done; after it the state is what it was at first.
    public func updating<State>(
        _ state: GestureState<State>, body: @escaping @MainActor (Value, inout State, inout Transaction) -> Void
    ) -> GestureStateGesture<Self, State> {
        GestureStateGesture(base: self, state: state, update: body)
    }
    /// The same gesture, telling something else.
    public func map<T>(_ body: @escaping @MainActor (Value) -> T) -> _MapGesture<Self, T> {
        _MapGesture(content: self, change: body)
    }
}

extension Gesture where Value: Equatable {
    /// Called whenever the gesture's value changes.
    public func onChanged(_ action: @escaping @MainActor (Value) -> Void) -> _ChangedGesture<Self> {
        _ChangedGesture(content: self, action: action)
    }
}
