/// A value of the environment, by a type of its own. SwiftUI's protocol.
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// What holds where no view above has set another value.
    static var defaultValue: Value { get }
}

/// What a view's surroundings tell it. SwiftUI's type; extend it with computed properties over keys of your own.
public struct EnvironmentValues {
    private final class Storage {
        var values: [ObjectIdentifier: Any]
        init(_ values: [ObjectIdentifier: Any]) { self.values = values }
    }
    private var storage: Storage
    /// Makes an environment in which every value is its key's default.
    public init() { storage = Storage([:]) }

    /// The value for a key; its default where no view above has set another one.
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { storage.values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { write(ObjectIdentifier(key), newValue) }
    }

    /// An object by its type.
    func object<T: AnyObject>(_ type: T.Type) -> T? { storage.values[ObjectIdentifier(type)] as? T }
    mutating func setObject<T: AnyObject>(_ object: T?) { write(ObjectIdentifier(T.self), object) }

    private mutating func write(_ key: ObjectIdentifier, _ value: Any?) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
        storage.values[key] = value
    }

    /// Surely the same. (Two that were made apart may be equal and are not told so.)
    package func isSame(as other: EnvironmentValues) -> Bool { storage === other.storage }
}

/// A value of the environment of the view that holds it. SwiftUI's property wrapper.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    final class Box {
        @MainActor weak var fiber: _Fiber?
        nonisolated init() {}
    }
    private enum Source {
        case path(KeyPath<EnvironmentValues, Value>)
        case object((EnvironmentValues) -> Value?)
    }
    private let source: Source
    private let box = Box()

    /// The value at a key path, as `\.colorScheme`. On any thread.
    nonisolated public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { source = .path(keyPath) }

    /// An `@Observable` object put there by `environment(_:)`. Without one the view shows what is missing.
    nonisolated public init(_ objectType: Value.Type) where Value: AnyObject {
        source = .object { $0.object(objectType) }
    }
    /// The same, nil when there is none.
    nonisolated public init<T: AnyObject>(_ objectType: T.Type) where Value == T? {
        source = .object { .some($0.object(objectType)) }
    }

    /// The value of the view's environment. Main actor; read in a `body`. An object that is missing ends the process
    /// there, if the view was evaluated all the same.
    @MainActor @preconcurrency public var wrappedValue: Value {
        guard let value = read(box.fiber?.environment ?? EnvironmentValues()) else {
            preconditionFailure(
                "No object of type \(Value.self) in the environment. Add environment(_:) to a parent view."
            )
        }
        return value
    }

    private func read(_ environment: EnvironmentValues) -> Value? {
        switch source {
        case .path(let path): environment[keyPath: path]
        case .object(let find): find(environment)
        }
    }
}

extension Environment: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        box.fiber = fiber
        return nil
    }
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool {
        guard let a = read(old), let b = read(new) else { return true }
        if type(of: a) is AnyClass { return (a as AnyObject) !== (b as AnyObject) }
        return !StateLocation.areEqual(a, b)
    }
    @MainActor func problem(_ environment: EnvironmentValues) -> String? {
        read(environment) == nil
            ? "No object of type \(Value.self) in the environment. Add environment(_:) to a parent view."
            : nil
    }
    @MainActor func isSame(as other: Any) -> Bool {
        guard let other = other as? Environment<Value>, case .path(let a) = source, case .path(let b) = other.source
        else { return other is Environment<Value> }
        return a == b
    }
}
