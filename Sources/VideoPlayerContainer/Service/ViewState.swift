import Zoetrope

/// A service's state that its widgets show: whoever reads it is evaluated anew when it changes. For subclasses of
/// ``Service``.
///
/// `$name` is a publisher of its values, the present one first.
@propertyWrapper @MainActor @preconcurrency
public struct ViewState<Value> {
    private let subject: CurrentValueSubject<Value, Never>

    /// - Parameter wrappedValue: what it begins with.
    public init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }

    /// The value. Setting it tells whoever reads it, also where it is the same again.
    public var wrappedValue: Value {
        get { subject.value }
        nonmutating set { subject.send(newValue) }
    }

    /// Sends the new value before the service's `objectWillChange` fires.
    public var projectedValue: CurrentValueSubject<Value, Never> { subject }

    public static subscript<OuterSelf: Service>(
        _enclosingInstance service: OuterSelf, wrapped wrapped: KeyPath<OuterSelf, Value>,
        storage storage: ReferenceWritableKeyPath<OuterSelf, Self>
    ) -> Value {
        get { service[keyPath: storage].subject.value }
        set {
            service[keyPath: storage].subject.send(newValue)
            service.objectWillChange.send()
        }
    }
}
