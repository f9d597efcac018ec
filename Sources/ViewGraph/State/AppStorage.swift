import Foundation

/// A value that stays when the program ends, in `UserDefaults`, by a key. SwiftUI's property wrapper.
///
/// It is on the disk within a second of a change, and when an `App` ends: by its last window, or by a signal.
///
/// Views that read it are evaluated again when it is changed through any `AppStorage` of the same key. What is written
/// to the store by other means is seen at the next evaluation: Foundation tells nobody of it on Linux. Main actor.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
    final class Box {
        @MainActor weak var fiber: _Fiber?
        nonisolated init() {}
    }
    private let key: String
    private let store: UserDefaults?
    private let initial: Value
    private let read: (UserDefaults, String) -> Value?
    private let write: (UserDefaults, String, Value) -> Void
    private let box = Box()

    nonisolated init(
        _ key: String, _ store: UserDefaults?, _ initial: Value, _ read: @escaping (UserDefaults, String) -> Value?,
        _ write: @escaping (UserDefaults, String, Value) -> Void
    ) {
        self.key = key
        self.store = store
        self.initial = initial
        self.read = read
        self.write = write
    }

    @MainActor private var place: UserDefaults { store ?? box.fiber?.environment.defaultAppStorage ?? .standard }

    /// What the store has for the key, else the first value. Main actor; setting it writes it to the store.
    @MainActor @preconcurrency public var wrappedValue: Value {
        get {
            let place = place
            StoredKeys.location(key).get()
            return read(place, key) ?? initial
        }
        nonmutating set {
            let place = place
            write(place, key, newValue)
            WrittenStores.add(place)
            StoredKeys.location(key).changed()
        }
    }
    /// A binding to the stored value.
    @MainActor @preconcurrency public var projectedValue: Binding<Value> {
        Binding(get: { self.wrappedValue }, set: { self.wrappedValue = $0 })
    }
}

extension AppStorage: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        box.fiber = fiber
        return nil
    }
    @MainActor func isSame(as other: Any) -> Bool {
        (other as? AppStorage<Value>).map { $0.key == key && $0.store === store } ?? false
    }
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool {
        store == nil && old.defaultAppStorage !== new.defaultAppStorage
    }
}

/// Who reads which key, in whatever store: two objects may stand for one, which neither says. So a reader of another
/// store is at worst evaluated for nothing.
@MainActor
private enum StoredKeys {
    private static var locations: [String: StateLocation<Void>] = [:]
    static func location(_ key: String) -> StateLocation<Void> {
        if let known = locations[key] { return known }
        let fresh = StateLocation(())
        locations[key] = fresh
        return fresh
    }
}

private struct DefaultStoreKey: EnvironmentKey { static var defaultValue: UserDefaults? { nil } }
extension EnvironmentValues {
    var defaultAppStorage: UserDefaults? {
        get { self[DefaultStoreKey.self] }
        set { self[DefaultStoreKey.self] = newValue }
    }
}
extension View {
    /// Where the `AppStorage` of the views below keeps its values that names no store.
    public func defaultAppStorage(_ store: UserDefaults) -> some View {
        fiberModifier(
            EnvironmentWriter(identity: AnyHashable(ObjectIdentifier(store))) { $0.defaultAppStorage = store })
    }
}

// MARK: what can be stored

/// Not for apps: what `UserDefaults` keeps as it is.
public protocol _StoredValue {
    static func _read(_ store: UserDefaults, _ key: String) -> Self?
}
extension Bool: _StoredValue {
    public static func _read(_ store: UserDefaults, _ key: String) -> Bool? {
        store.object(forKey: key) == nil ? nil : store.bool(forKey: key)
    }
}
extension Int: _StoredValue {
    public static func _read(_ store: UserDefaults, _ key: String) -> Int? {
        store.object(forKey: key) == nil ? nil : store.integer(forKey: key)
    }
}
extension Double: _StoredValue {
    public static func _read(_ store: UserDefaults, _ key: String) -> Double? {
        store.object(forKey: key) == nil ? nil : store.double(forKey: key)
    }
}
extension String: _StoredValue {
    public static func _read(_ store: UserDefaults, _ key: String) -> String? { store.string(forKey: key) }
}
extension Data: _StoredValue {
    public static func _read(_ store: UserDefaults, _ key: String) -> Data? { store.data(forKey: key) }
}
extension URL: _StoredValue {
    public static func _read(_ store: UserDefaults, _ key: String) -> URL? {
        store.string(forKey: key).flatMap { URL(string: $0) }
    }
}

private func put<V>(_ store: UserDefaults, _ key: String, _ value: V?) {
    switch value {
    case nil: store.removeObject(forKey: key)
    // As a text: Foundation's own way with addresses is another one on each system.
    case let url as URL: store.set(url.absoluteString, forKey: key)
    case let value?: store.set(value, forKey: key)
    }
}

extension AppStorage where Value: _StoredValue {
    /// - Parameters:
    ///   - wrappedValue: the value while there is none in the store.
    ///   - store: nil is that of `defaultAppStorage(_:)`, else the standard one.
    nonisolated public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(key, store, wrappedValue, { Value._read($0, $1) }, { put($0, $1, $2) })
    }
}
extension AppStorage {
    /// By its raw value; one that is none of `Value`'s is as if there were none.
    nonisolated public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(
            key, store, wrappedValue, { String._read($0, $1).flatMap { Value(rawValue: $0) } },
            { put($0, $1, $2.rawValue) })
    }
    /// By its raw value, a number; one that is none of `Value`'s is as if there were none.
    nonisolated public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(
            key, store, wrappedValue, { Int._read($0, $1).flatMap { Value(rawValue: $0) } },
            { put($0, $1, $2.rawValue) })
    }
    /// Nil while there is none in the store; nil takes it out.
    nonisolated public init<V: _StoredValue>(_ key: String, store: UserDefaults? = nil) where Value == V? {
        self.init(key, store, nil, { V._read($0, $1) }, { put($0, $1, $2) })
    }
    /// By its raw value, a text. Nil while there is none in the store, or none of the type's; nil takes it out.
    nonisolated public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
    where Value == R?, R.RawValue == String {
        self.init(key, store, nil, { String._read($0, $1).flatMap { R(rawValue: $0) } }, { put($0, $1, $2?.rawValue) })
    }
    /// By its raw value, a number. Nil while there is none in the store, or none of the type's; nil takes it out.
    nonisolated public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
    where Value == R?, R.RawValue == Int {
        self.init(key, store, nil, { Int._read($0, $1).flatMap { R(rawValue: $0) } }, { put($0, $1, $2?.rawValue) })
    }
}
