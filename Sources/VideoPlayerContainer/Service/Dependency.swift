import Zoetrope

/// A property of a ``Service`` that reads a dependency from ``DependencyValues``.
///
/// ```swift
/// @Dependency(\.numberClient) var numberClient
/// ```
/// The value is read from the context each time, so a value that ``Context/withDependency(_:factory:)`` replaces is
/// used at once. After the context has been released, the real value is used.
@propertyWrapper @MainActor @preconcurrency
public struct Dependency<Value> {
    private let keyPath: KeyPath<DependencyValues, Value>

    /// Creates a property for a dependency.
    /// - Parameter keyPath: The property of ``DependencyValues``.
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
