/// The key of an environment value. Mirrors SwiftUI's protocol.
///
/// ```swift
/// private struct AutoplayKey: EnvironmentKey {
///     static let defaultValue = true
/// }
/// extension EnvironmentValues {
///     var autoplays: Bool {
///         get { self[AutoplayKey.self] }
///         set { self[AutoplayKey.self] = newValue }
///     }
/// }
/// ```
public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value where no ancestor sets one.
    static var defaultValue: Value { get }
}

/// The environment of a view, which its ancestors set. Mirrors SwiftUI's type.
///
/// Apps extend the type with computed properties for their own keys.
public struct EnvironmentValues {
    /// A dictionary that many environments share, and the few values that this one has instead of the dictionary's. Most
    /// modifiers write one value for each view, and would otherwise copy the whole dictionary.
    private final class Storage {
        private var shared: [ObjectIdentifier: Any]
        private var own: [(key: ObjectIdentifier, value: Any?)]
        var inRow: Storage?
        private static let maximumOwn = 8

        init() { (shared, own) = ([:], []) }
        init(copying other: Storage) { (shared, own) = (other.shared, other.own) }

        subscript(key: ObjectIdentifier) -> Any? {
            get {
                for (known, value) in own where known == key { return value }
                return shared[key]
            }
            set {
                inRow = nil
                if let index = own.firstIndex(where: { $0.key == key }) {
                    own[index].value = newValue
                } else {
                    own.append((key, newValue))
                }
                guard own.count > Self.maximumOwn else { return }
                for (key, value) in own { shared[key] = value }
                own = []
            }
        }
    }
    private var storage: Storage
    /// Creates an environment in which every value is the default of its key.
    public init() { storage = Storage() }

    /// The value for a key, or the default where no ancestor sets one.
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { storage[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { write(ObjectIdentifier(key), newValue) }
    }

    /// Returns the object of a type.
    func object<T: AnyObject>(_ type: T.Type) -> T? { storage[ObjectIdentifier(type)] as? T }
    mutating func setObject<T: AnyObject>(_ object: T?) { write(ObjectIdentifier(T.self), object) }

    private mutating func write(_ key: ObjectIdentifier, _ value: Any?) {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
        storage[key] = value
    }

    /// The environment inside a row, if this is the environment of a lazy container, or else this environment. In a row,
    /// the views of a collection are not rows themselves, so they are created at once. All rows share it.
    var inRow: EnvironmentValues {
        guard isLazy else { return self }
        var result = self
        if let known = storage.inRow {
            result.storage = known
        } else {
            result.isLazy = false
            storage.inRow = result.storage
        }
        return result
    }

    /// Returns whether both environments share storage and are therefore the same. Environments created separately may
    /// be equal without being detected.
    package func isSame(as other: EnvironmentValues) -> Bool { storage === other.storage }
}

/// A property wrapper that reads a value from the view's environment. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// @Environment(\.colorScheme) private var colorScheme
///
/// var body: some View {
///     Text(title).foregroundColor(colorScheme == .dark ? .white : .black)
/// }
/// ```
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

    /// Creates a property that reads the value at a key path, such as `\.colorScheme`.
    nonisolated public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { source = .path(keyPath) }

    /// Creates a property that reads an `@Observable` object, set with `environment(_:)`. Without an object, the view
    /// shows an error message.
    nonisolated public init(_ objectType: Value.Type) where Value: AnyObject {
        source = .object { $0.object(objectType) }
    }
    /// Creates a property that reads an optional `@Observable` object, set with `environment(_:)`. The value is nil if
    /// there is none.
    nonisolated public init<T: AnyObject>(_ objectType: T.Type) where Value == T? {
        source = .object { .some($0.object(objectType)) }
    }

    /// The value in the view's environment. Read it in `body` or in an action of the view. Before the view is shown,
    /// and after it was removed, the property returns the default value. Reading an object that is missing terminates
    /// the process.
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
        // Another thread may read the property at the same time.
        if box.fiber !== fiber { box.fiber = fiber }
        return nil
    }
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool {
        let (old, new) = (read(old), read(new))
        guard let a = old, let b = new else { return (old == nil) != (new == nil) }
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
