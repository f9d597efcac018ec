import Foundation
import MediaCore

/// A value that is saved in `UserDefaults` for a key. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// @AppStorage("skipsIntro") private var skipsIntro = false
///
/// var body: some View {
///     Toggle("Skip intros", isOn: $skipsIntro)
/// }
/// ```
/// A change is written to the disk within a second. Pending changes are also written when the `App` ends, whether its
/// last window was closed or a signal ended it.
///
/// As in SwiftUI, code in Swift 5 mode may use the value on any thread.
///
/// If any `AppStorage` with the same key changes the value, all views that read it are evaluated again. Changes to the
/// store by other means appear at the next evaluation, because Foundation on Linux does not report them.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
    final class Box {
        /// The default store of the view's environment.
        @MainActor private(set) var defaults: UserDefaults?
        private let lock = NSLock()
        nonisolated init() {}

        @MainActor func set(_ new: UserDefaults?) {
            guard new !== defaults else { return }
            let old = defaults
            lock.lock()
            defaults = new
            lock.unlock()
            withExtendedLifetime(old) { @Sendable in }
        }
        /// Returns the default store. Any thread.
        @MainActor func get() -> UserDefaults? {
            lock.lock()
            defer { lock.unlock() }
            return defaults
        }
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

    @MainActor private var defaults: UserDefaults { store ?? box.get() ?? .standard }

    /// The value in the store, or the initial value if there is none. Setting the property writes to the store.
    @MainActor @preconcurrency public var wrappedValue: Value {
        get {
            let defaults = defaults
            // Only views on the main actor are evaluated again. The store itself can be used on any thread.
            if MainActorQueue.isCurrent { StoredKeys.location(key).get() }
            return read(defaults, key) ?? initial
        }
        nonmutating set {
            let defaults = defaults
            write(defaults, key, newValue)
            let key = key
            OnMain.run {
                WrittenStores.add(defaults)
                StoredKeys.location(key).changed()
            }
        }
    }
    /// A binding to the stored value.
    @MainActor @preconcurrency public var projectedValue: Binding<Value> {
        Binding(get: { self.wrappedValue }, set: { self.wrappedValue = $0 })
    }
}

extension AppStorage: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        box.set(fiber.environment.defaultAppStorage)
        return nil
    }
    @MainActor func isSame(as other: Any) -> Bool {
        (other as? AppStorage<Value>).map { $0.key == key && $0.store === store } ?? false
    }
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool {
        store == nil && old.defaultAppStorage !== new.defaultAppStorage
    }
}

/// The readers of each key, regardless of the store.
///
/// Two `UserDefaults` objects may represent the same store without any way to detect it. At worst, a reader of another
/// store is evaluated needlessly.
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
    /// Sets the default store for each `AppStorage` in this view and the views inside it.
    public func defaultAppStorage(_ store: UserDefaults) -> some View {
        fiberModifier(
            EnvironmentWriter(identity: AnyHashable(ObjectIdentifier(store))) { $0.defaultAppStorage = store })
    }
}

// MARK: types of stored values

/// A type that `UserDefaults` stores directly. Not for apps.
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
    // URLs are stored as text, because Foundation stores them differently on each platform.
    case let url as URL: store.set(url.absoluteString, forKey: key)
    case let value?: store.set(value, forKey: key)
    }
}

extension AppStorage where Value: _StoredValue {
    /// Creates a stored value.
    /// - Parameters:
    ///   - wrappedValue: The value while the store has none.
    ///   - key: The key in the store.
    ///   - store: The store. If nil, the store set with `defaultAppStorage(_:)`, or else the standard one.
    nonisolated public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(key, store, wrappedValue, { Value._read($0, $1) }, { put($0, $1, $2) })
    }
}
extension AppStorage {
    /// Creates a stored value that is saved as a raw text value. An unknown raw value in the store counts as missing.
    nonisolated public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(
            key, store, wrappedValue, { String._read($0, $1).flatMap { Value(rawValue: $0) } },
            { put($0, $1, $2.rawValue) })
    }
    /// Creates a stored value that is saved as a raw number. An unknown raw value in the store counts as missing.
    nonisolated public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(
            key, store, wrappedValue, { Int._read($0, $1).flatMap { Value(rawValue: $0) } },
            { put($0, $1, $2.rawValue) })
    }
    /// Creates an optional stored value. It is nil while the store has none; setting nil removes the value from the
    /// store.
    nonisolated public init<V: _StoredValue>(_ key: String, store: UserDefaults? = nil) where Value == V? {
        self.init(key, store, nil, { V._read($0, $1) }, { put($0, $1, $2) })
    }
    /// Creates an optional stored value that is saved as a raw text value.
    ///
    /// It is nil while the store has no known raw value; setting nil removes the value from the store.
    nonisolated public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
    where Value == R?, R.RawValue == String {
        self.init(key, store, nil, { String._read($0, $1).flatMap { R(rawValue: $0) } }, { put($0, $1, $2?.rawValue) })
    }
    /// Creates an optional stored value that is saved as a raw number.
    ///
    /// It is nil while the store has no known raw value; setting nil removes the value from the store.
    nonisolated public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
    where Value == R?, R.RawValue == Int {
        self.init(key, store, nil, { Int._read($0, $1).flatMap { R(rawValue: $0) } }, { put($0, $1, $2?.rawValue) })
    }
}
