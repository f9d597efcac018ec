import MediaCore
import Observation

/// An observable object that keeps its state in parts: structs and classes that nobody observes.
///
/// Public getters return their values by `tracked`, which is all that registers an access for `@Observable`. Everything
/// else reads the parts. Every change of a public property goes through `change` or `set`.
@MainActor
protocol PropertyTracking: AnyObject, Observable {
    nonisolated var registrar: ObservationRegistrar { get }
}

extension PropertyTracking {
    /// Registers an access of `property`.
    func registerAccess<Value>(_ property: KeyPath<Self, Value>) {
        ObservationScope.access(registrar, self, property)
    }

    /// Registers an access of `property`, and returns its value.
    func tracked<Value>(_ property: KeyPath<Self, Value>, _ value: Value) -> Value {
        registerAccess(property)
        return value
    }
}

extension PropertyTracking where Self: KeyPathObservable {
    /// Changes what `property` shows, and calls its observers.
    func change<Value>(_ property: KeyPath<Self, Value>, _ mutation: () -> Void) {
        registrar.withMutation(of: self, keyPath: property, mutation)
        keyPathObservers.objectDidChange()
    }

    /// Stores the value of `property`, applies it by `effect`, and calls the property's observers.
    func set<Value: Equatable>(
        _ property: KeyPath<Self, Value>, in storage: ReferenceWritableKeyPath<Self, Value>, to value: Value,
        effect: () -> Void = {}
    ) {
        // The effect of an equal value is repeated: the pipeline may have lost it.
        if value == self[keyPath: storage] {
            self[keyPath: storage] = value
        } else {
            registrar.withMutation(of: self, keyPath: property) { self[keyPath: storage] = value }
        }
        effect()
        keyPathObservers.objectDidChange()
    }
}
