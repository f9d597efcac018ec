import Zoetrope

/// A property of a ``Service`` whose changes update the widgets that read it.
///
/// ```swift
/// @ViewState var speed: Float = 1
/// private var observation: AnyCancellable?
///
/// required init(_ context: Context) {
///     super.init(context)
///     observation = $speed.sink { [weak self] in self?.context?.render.player.defaultRate = $0 }
/// }
/// ```
/// `$name` is a publisher of the values. Its first value is the current one.
@propertyWrapper @MainActor @preconcurrency
public struct ViewState<Value> {
    private let subject: CurrentValueSubject<Value, Never>

    /// Creates a property.
    /// - Parameter wrappedValue: The initial value.
    public init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }

    /// The value. Setting it updates the widgets that read it, even if the value is the same.
    public var wrappedValue: Value {
        get { subject.value }
        nonmutating set { subject.send(newValue) }
    }

    /// The publisher of the values. It sends a new value before the service's `objectWillChange`.
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
