import Zoetrope

/// Another service's ``ViewState``, read-only, as one of this service's own: a change there fires this service's
/// `objectWillChange`. For subclasses of ``Service``.
///
/// ```swift
/// @StateSync(serviceType: PlaybackService.self, keyPath: \.$isPlaying) var isPlaying
/// ```
/// It follows the other service from the first time it is read; that makes the service if there is none yet.
@propertyWrapper @MainActor @preconcurrency
public class StateSync<S, Value> where S: Service {
    private let keyPath: KeyPath<S, CurrentValueSubject<Value, Never>>
    private var source: CurrentValueSubject<Value, Never>?
    private var observation: AnyCancellable?

    /// - Parameters:
    ///   - serviceType: whose state it is.
    ///   - keyPath: the state's publisher, `\.$name`.
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
        // The first value is the one there is.
        observation = source.dropFirst().sink { [weak service] _ in service?.objectWillChange.send() }
        return source.value
    }
}
