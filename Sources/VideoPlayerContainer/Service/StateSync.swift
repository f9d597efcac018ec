import Zoetrope

/// A read-only property of a ``Service`` that follows a ``ViewState`` of another service. Each change of that state
/// sends this service's `objectWillChange`.
///
/// ```swift
/// @StateSync(serviceType: PlaybackService.self, keyPath: \.$isPlaying) var isPlaying
/// ```
/// The property follows the other service from the first read on. If that service does not exist, the read creates it.
/// If the context has been released before the first read, the program stops with a message.
@propertyWrapper @MainActor @preconcurrency
public class StateSync<S, Value> where S: Service {
    private let keyPath: KeyPath<S, CurrentValueSubject<Value, Never>>
    private var source: CurrentValueSubject<Value, Never>?
    private var observation: AnyCancellable?

    /// Creates a property for a state of another service.
    /// - Parameters:
    ///   - serviceType: The type of the other service.
    ///   - keyPath: The publisher of the state, `\.$name`.
    public init(serviceType: S.Type, keyPath: KeyPath<S, CurrentValueSubject<Value, Never>>) { self.keyPath = keyPath }

    @available(
        *, unavailable, message: "@StateSync must be used in a subclass of Service"
    )
    public var wrappedValue: Value { preconditionFailure("@StateSync must be used in a subclass of Service") }

    public static subscript<OuterSelf: Service>(
        _enclosingInstance service: OuterSelf, wrapped wrapped: KeyPath<OuterSelf, Value>,
        storage storage: KeyPath<OuterSelf, StateSync<S, Value>>
    ) -> Value {
        service[keyPath: storage].value(for: service)
    }

    private func value<OuterSelf: Service>(for service: OuterSelf) -> Value {
        if let source { return source.value }
        guard let context = service.context else {
            preconditionFailure(
                "\(OuterSelf.self) reads \(S.self) after its Context was deallocated. Keep the Context as long as its services are used."
            )
        }
        let source = context[S.self][keyPath: keyPath]
        self.source = source
        // The first value is the current one, not a change.
        observation = source.dropFirst().sink { [weak service] _ in service?.objectWillChange.send() }
        return source.value
    }
}
