/// The key of a value that the front window provides to the app's commands. Mirrors SwiftUI's protocol.
///
/// ```swift
/// struct FocusedPlayerKey: FocusedValueKey {
///     typealias Value = AVPlayer
/// }
/// extension FocusedValues {
///     var player: AVPlayer? {
///         get { self[FocusedPlayerKey.self] }
///         set { self[FocusedPlayerKey.self] = newValue }
///     }
/// }
/// ```
public protocol FocusedValueKey {
    /// The type of the value.
    associatedtype Value
}

/// The values that the front window provides to the app's commands. Mirrors SwiftUI's type.
///
/// Apps extend the type with computed properties for their own keys.
public struct FocusedValues {
    private struct Entry {
        let value: Any
        /// An object that stays the same while the view provides the same value. It detects changes of closures, which
        /// cannot be compared.
        let version: AnyObject?
    }
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var version: AnyObject?
    package nonisolated init() {}
    /// The value for a key. Nil if the front window provides none.
    public subscript<K: FocusedValueKey>(key: K.Type) -> K.Value? {
        get { entries[ObjectIdentifier(key)]?.value as? K.Value }
        set { entries[ObjectIdentifier(key)] = newValue.map { Entry(value: $0, version: version) } }
    }
    mutating func add(_ other: FocusedValues) { entries.merge(other.entries) { mine, _ in mine } }
    mutating func set<Value>(_ path: WritableKeyPath<FocusedValues, Value?>, _ value: Value?, stamp: AnyObject) {
        self.version = stamp
        self[keyPath: path] = value
        self.version = nil
    }

    @MainActor func isSame(as other: FocusedValues) -> Bool {
        entries.count == other.entries.count
            && entries.allSatisfy { key, mine in
                guard let theirs = other.entries[key] else { return false }
                return (mine.version != nil && mine.version === theirs.version)
                    || ViewComparison.areSame(mine.value, theirs.value)
            }
    }
}

/// A modifier that provides a focused value and detects whether it has changed.
struct FocusedValueWriter<Value>: FiberModifier {
    let path: WritableKeyPath<FocusedValues, Value?>
    let value: Value?
    final class Stamp {}
    func makeStorage(_ fiber: _Fiber) -> (value: Value?, stamp: Stamp) { (value, Stamp()) }
    func updated(_ storage: inout (value: Value?, stamp: Stamp), _ fiber: _Fiber) {
        if !ViewComparison.areSame(storage.value, value) { storage.stamp = Stamp() }
        storage.value = value
        fiber.graph.preferencesMayHaveChanged()
    }
    func removed(_ storage: (value: Value?, stamp: Stamp), _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ storage: (value: Value?, stamp: Stamp)) -> K
        .Value?
    {
        guard key == FocusedValuesKey.self, var values = (below ?? K.defaultValue) as? FocusedValues else {
            return below
        }
        values.set(path, value, stamp: storage.stamp)
        return values as? K.Value
    }
}

package struct FocusedValuesKey: PreferenceKey {
    package static var defaultValue: FocusedValues { FocusedValues() }
    package static func reduce(value: inout FocusedValues, nextValue: () -> FocusedValues) { value.add(nextValue()) }
}

/// A window whose views provide focused values.
@MainActor
package protocol FocusableScene: AnyObject {
    var focusedValues: FocusedValues { get }
}

/// The front window, which is the one that last had keyboard focus.
@MainActor
package enum FocusedScene {
    static let values = StateLocation(FocusedValues())
    private static weak var front: (any FocusableScene)?

    package static func opened(_ scene: any FocusableScene) { if front == nil { front = scene } }
    package static func didBecomeFront(_ scene: any FocusableScene) {
        front = scene
        publish(scene.focusedValues)
    }
    /// Updates the published values, because those of `scene` may have changed.
    package static func update(_ scene: any FocusableScene) { if front === scene { publish(scene.focusedValues) } }
    package static func closed(_ scene: any FocusableScene) {
        guard front === scene else { return }
        front = nil
        publish(FocusedValues())
    }
    /// Publishes values if they have changed. Readers may themselves provide values, which are then checked again.
    private static func publish(_ new: FocusedValues) { if !values.value.isSame(as: new) { values.set(new) } }
}

/// A property wrapper that reads a value of the front window, or nil if it provides none. Mirrors SwiftUI's property
/// wrapper.
///
/// A menu entry for the player of the front window:
/// ```swift
/// struct PlaybackCommands: Commands {
///     @FocusedValue(\.player) private var player
///
///     var body: some Commands {
///         CommandMenu("Playback") {
///             Button("Pause") { player?.pause() }.disabled(player == nil)
///         }
///     }
/// }
/// ```
@propertyWrapper
public struct FocusedValue<Value>: DynamicProperty {
    private let path: KeyPath<FocusedValues, Value?>
    /// Creates a property that reads the value at a key path.
    nonisolated public init(_ keyPath: KeyPath<FocusedValues, Value?>) { path = keyPath }
    /// The value of the front window. Nil if it provides none.
    @MainActor @preconcurrency public var wrappedValue: Value? { FocusedScene.values.get()[keyPath: path] }
}

/// A property wrapper that reads and writes the value of a binding of the front window. Mirrors SwiftUI's property
/// wrapper.
///
/// Writing nil has no effect, nor does writing while the front window provides no binding.
@propertyWrapper
public struct FocusedBinding<Value>: DynamicProperty {
    private let path: KeyPath<FocusedValues, Binding<Value>?>
    /// Creates a property that uses the binding at a key path.
    nonisolated public init(_ keyPath: KeyPath<FocusedValues, Binding<Value>?>) { path = keyPath }
    @MainActor private var binding: Binding<Value>? { FocusedScene.values.get()[keyPath: path] }
    /// The value of the front window's binding. Nil if the window provides none.
    @MainActor @preconcurrency public var wrappedValue: Value? {
        get { binding?.wrappedValue }
        nonmutating set { if let newValue { binding?.wrappedValue = newValue } }
    }
    /// A binding to the value of the window that is in front now. Its value is nil if that window provides none.
    @MainActor @preconcurrency public var projectedValue: Binding<Value?> {
        let binding = binding
        return Binding(get: { binding?.wrappedValue }, set: { if let value = $0 { binding?.wrappedValue = value } })
    }
}

extension View {
    /// Provides a value to each `@FocusedValue` while this view's window is in front.
    ///
    /// ```swift
    /// VideoPlayer(player: player)
    ///     .focusedSceneValue(\.player, player)
    /// ```
    public func focusedSceneValue<Value>(_ keyPath: WritableKeyPath<FocusedValues, Value?>, _ value: Value) -> some View
    {
        fiberModifier(FocusedValueWriter(path: keyPath, value: value))
    }
    /// Provides an optional value to each `@FocusedValue` while this view's window is in front. Nil provides no value.
    public func focusedSceneValue<Value>(_ keyPath: WritableKeyPath<FocusedValues, Value?>, _ value: Value?)
        -> some View
    {
        fiberModifier(FocusedValueWriter(path: keyPath, value: value))
    }
}
