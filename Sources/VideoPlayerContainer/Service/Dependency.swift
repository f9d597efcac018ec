import Zoetrope

/// A dependency of a service, by its place in ``DependencyValues``. For subclasses of ``Service``.
///
/// ```swift
/// @Dependency(\.numberClient) var numberClient
/// ```
/// Read from the context each time, so that a value replaced by ``Context/withDependency(_:factory:)`` is seen at once;
/// after the context has gone, the real value.
@propertyWrapper @MainActor @preconcurrency
public struct Dependency<Value> {
    private let keyPath: KeyPath<DependencyValues, Value>

    /// - Parameter keyPath: the dependency's place among all.
    public init(_ keyPath: KeyPath<DependencyValues, Value>) { self.keyPath = keyPath }

    @available(*, unavailable, message: "@Dependency must be used in a subclass of Service")
    public var wrappedValue: Value { preconditionFailure("@Dependency must be used in a subclass of Service") }

    public static subscript<OuterSelf: Service>(
        _enclosingInstance service: OuterSelf, wrapped wrapped: KeyPath<OuterSelf, Value>,
        storage storage: ReferenceWritableKeyPath<OuterSelf, Self>
    ) -> Value {
        let keyPath = service[keyPath: storage].keyPath
        return service.context?.dependency(keyPath) ?? DependencyValues()[keyPath: keyPath]
    }
}
