import MediaCore
import Observation

/// An observable object whose state is in parts: structs and classes that are not observable themselves.
///
/// Public getters return their values by `tracked`, which registers the access for `@Observable`. All other code reads
/// the parts directly. Every change of a public property uses `change` or `set`.
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
    /// Changes the value of `property` by `mutation`, and calls its observers.
    func change<Value>(_ property: KeyPath<Self, Value>, _ mutation: () -> Void) {
        registrar.withMutation(of: self, keyPath: property, mutation)
        keyPathObservers.objectDidChange()
    }

    /// Stores the value of `property`, applies it by `effect`, and calls the property's observers.
    func set<Value: Equatable>(
        _ property: KeyPath<Self, Value>, in storage: ReferenceWritableKeyPath<Self, Value>, to value: Value,
        effect: () -> Void = {}
    ) {
        // The effect runs for an equal value too, because the pipeline may have lost the value.
        if value == self[keyPath: storage] {
            self[keyPath: storage] = value
        } else {
            registrar.withMutation(of: self, keyPath: property) { self[keyPath: storage] = value }
        }
        effect()
        keyPathObservers.objectDidChange()
    }
}
