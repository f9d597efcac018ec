/// A gesture that calls a closure when its value changes: the result of `onChanged(_:)`.
public struct _ChangedGesture<Content: Gesture>: Gesture where Content.Value: Equatable {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The value of the wrapped gesture.
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

/// A gesture that calls a closure when it ends: the result of `onEnded(_:)`.
public struct _EndedGesture<Content: Gesture>: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The value of the wrapped gesture.
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

/// A gesture that calls a closure when it is canceled: the result of `onCancel(_:)`.
package struct CanceledGesture<Content: Gesture>: Gesture {
    package typealias Body = Never
    package typealias Value = Content.Value
    let content: Content
    let action: @MainActor () -> Void
    package func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        content._recognizers(
            memory,
            with(events) { mine in
                mine.cancelled = {
                    action()
                    events.cancelled()
                }
            })
    }
}

/// A gesture that converts the value of another one: the result of `map(_:)`.
public struct _MapGesture<Content: Gesture, Value>: Gesture {
    /// A primitive gesture has no `body`.
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

/// A gesture that updates a state: the result of `updating(_:body:)`.
public struct GestureStateGesture<Base: Gesture, State>: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The value of the wrapped gesture.
    public typealias Value = Base.Value
    let base: Base
    let state: GestureState<State>
    let update: @MainActor (Base.Value, inout State, inout Transaction) -> Void
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        base._recognizers(
            memory,
            _GestureEvents(
                changed: { value in
                    var newState = state.wrappedValue
                    var transaction = Transaction()
                    update(value, &newState, &transaction)
                    let next = newState
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

/// A property wrapper for state that exists while a gesture is in progress. Modeled on SwiftUI's property wrapper.
///
/// ```swift
/// @GestureState private var scale: CGFloat = 1
///
/// var body: some View {
///     Image("poster")
///         .scaleEffect(scale)
///         .gesture(MagnifyGesture().updating($scale) { value, scale, _ in scale = value.magnification })
/// }
/// ```
@propertyWrapper
public struct GestureState<Value>: DynamicProperty {
    let state: State<Value>
    /// The transaction that resets the value.
    private let resetTransaction: Transaction
    /// Creates a state that returns to its initial value without an animation when the gesture ends.
    nonisolated public init(wrappedValue: Value) {
        self.init(wrappedValue: wrappedValue, resetTransaction: Transaction())
    }
    /// Creates a state that returns to its initial value without an animation when the gesture ends.
    nonisolated public init(initialValue: Value) { self.init(wrappedValue: initialValue) }
    /// Creates a state that returns to its initial value when the gesture ends.
    /// - Parameters:
    ///   - wrappedValue: The initial value.
    ///   - resetTransaction: The transaction that resets the value.
    nonisolated public init(wrappedValue: Value, resetTransaction: Transaction) {
        state = State(wrappedValue: wrappedValue)
        self.resetTransaction = resetTransaction
    }
    /// Creates a state that returns to its initial value when the gesture ends.
    /// - Parameters:
    ///   - initialValue: The initial value.
    ///   - resetTransaction: The transaction that resets the value.
    nonisolated public init(initialValue: Value, resetTransaction: Transaction) {
        self.init(wrappedValue: initialValue, resetTransaction: resetTransaction)
    }
    /// The current value, which is the initial one while no gesture is in progress. Only `updating(_:body:)` changes
    /// it.
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
    /// Creates a state that is nil while no gesture is in progress.
    nonisolated public init() { self.init(wrappedValue: nil) }
    /// Creates a state that is nil while no gesture is in progress.
    /// - Parameter resetTransaction: The transaction that resets the value to nil.
    nonisolated public init(resetTransaction: Transaction) {
        self.init(wrappedValue: nil, resetTransaction: resetTransaction)
    }
}

/// A type-erased gesture.
public struct AnyGesture<Value>: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    private let make: @MainActor (_GestureMemory, _GestureEvents<Value>) -> [_Recognizer]
    /// Creates a gesture that hides the type of `gesture`.
    public init<T: Gesture>(_ gesture: T) where T.Value == Value { make = { gesture._recognizers($0, $1) } }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        make(memory, events)
    }
}

/// An optional gesture; nil is never recognized.
extension Optional: Gesture where Wrapped: Gesture {
    /// An optional gesture has no `body`.
    public typealias Body = Never
    public var body: Never { preconditionFailure("an optional gesture has no body") }
    /// The value of the wrapped gesture.
    public typealias Value = Wrapped.Value
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Wrapped.Value>) -> [_Recognizer] {
        self?._recognizers(memory, events) ?? []
    }
}

extension Gesture {
    /// Calls `action` with the gesture's value when the gesture ends successfully.
    public func onEnded(_ action: @escaping @MainActor (Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture(content: self, action: action)
    }
    /// Calls `action` when the gesture is canceled: when it fails, or its view is removed or disables it meanwhile.
    package func onCancel(_ action: @escaping @MainActor () -> Void) -> CanceledGesture<Self> {
        CanceledGesture(content: self, action: action)
    }
    /// Updates a state while the gesture is in progress. When the gesture ends or is canceled, the state returns to its
    /// initial value.
    /// - Parameters:
    ///   - state: The state.
    ///   - body: Changes the state and the transaction of the change. Called with each value of the gesture except the
    ///     last one, with which the gesture ends.
    public func updating<State>(
        _ state: GestureState<State>, body: @escaping @MainActor (Value, inout State, inout Transaction) -> Void
    ) -> GestureStateGesture<Self, State> {
        GestureStateGesture(base: self, state: state, update: body)
    }
    /// Returns a gesture that converts the value of this one.
    public func map<T>(_ body: @escaping @MainActor (Value) -> T) -> _MapGesture<Self, T> {
        _MapGesture(content: self, change: body)
    }
}

extension Gesture where Value: Equatable {
    /// Calls `action` with the gesture's value whenever the value changes.
    public func onChanged(_ action: @escaping @MainActor (Value) -> Void) -> _ChangedGesture<Self> {
        _ChangedGesture(content: self, action: action)
    }
}
