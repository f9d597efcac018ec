import Foundation

/// A value that the front window tells the app's commands, by a type of its own. SwiftUI's protocol.
public protocol FocusedValueKey {
    /// The type of the value.
    associatedtype Value
}

/// What the front window tells. Extend it with computed properties over keys of your own.
public struct FocusedValues {
    private struct Entry {
        let value: Any
        /// The same as long as who tells the value tells the same: closures do not say so themselves.
        let stamp: AnyObject?
    }
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var stamp: AnyObject?
    package nonisolated init() {}
    /// The value for a key; nil when the front window tells none.
    public subscript<K: FocusedValueKey>(key: K.Type) -> K.Value? {
        get { entries[ObjectIdentifier(key)]?.value as? K.Value }
        set { entries[ObjectIdentifier(key)] = newValue.map { Entry(value: $0, stamp: stamp) } }
    }
    mutating func add(_ other: FocusedValues) { entries.merge(other.entries) { mine, _ in mine } }
    mutating func set<Value>(_ path: WritableKeyPath<FocusedValues, Value?>, _ value: Value?, stamp: AnyObject) {
        self.stamp = stamp
        self[keyPath: path] = value
        self.stamp = nil
    }

    @MainActor func isSame(as other: FocusedValues) -> Bool {
        entries.count == other.entries.count
            && entries.allSatisfy { key, mine in
                guard let theirs = other.entries[key] else { return false }
                return (mine.stamp != nil && mine.stamp === theirs.stamp)
                    || ViewComparison.areSame(mine.value, theirs.value)
            }
    }
}

/// Hands a value up, and tells it from the one before.
struct FocusedValueWriter<Value>: FiberModifier {
    let path: WritableKeyPath<FocusedValues, Value?>
    let value: Value?
    final class Stamp {}
    func makePlace(_ fiber: _Fiber) -> (value: Value?, stamp: Stamp) { (value, Stamp()) }
    func updated(_ place: inout (value: Value?, stamp: Stamp), _ fiber: _Fiber) {
        if !ViewComparison.areSame(place.value, value) { place.stamp = Stamp() }
        place.value = value
        fiber.graph.preferencesMayHaveChanged()
    }
    func removed(_ place: (value: Value?, stamp: Stamp), _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ place: (value: Value?, stamp: Stamp)) -> K
        .Value?
    {
        guard key == FocusedValuesKey.self, var values = (below ?? K.defaultValue) as? FocusedValues else {
            return below
        }
        values.set(path, value, stamp: place.stamp)
        return values as? K.Value
    }
}

package struct FocusedValuesKey: PreferenceKey {
    package static var defaultValue: FocusedValues { FocusedValues() }
    package static func reduce(value: inout FocusedValues, nextValue: () -> FocusedValues) { value.add(nextValue()) }
}

/// A window whose views tell something.
@MainActor
package protocol FocusableScene: AnyObject {
    var focusedValues: FocusedValues { get }
}

/// The front window: the one that had the keyboard last.
@MainActor
package enum FocusedScene {
    static let values = StateLocation(FocusedValues())
    private static weak var front: (any FocusableScene)?

    package static func opened(_ scene: any FocusableScene) { if front == nil { front = scene } }
    package static func became(_ scene: any FocusableScene) {
        front = scene
        tell(scene.focusedValues)
    }
    /// What it tells may be something else.
    package static func checked(_ scene: any FocusableScene) { if front === scene { tell(scene.focusedValues) } }
    package static func closed(_ scene: any FocusableScene) {
        guard front === scene else { return }
        front = nil
        tell(FocusedValues())
    }
    /// Readers are not told of what is the same: they may themselves hand something up, which is looked at again.
    private static func tell(_ new: FocusedValues) { if !values.value.isSame(as: new) { values.set(new) } }
}

/// What the front window tells; nil when it tells nothing. SwiftUI's property wrapper.
@propertyWrapper
public struct FocusedValue<Value>: DynamicProperty {
    private let path: KeyPath<FocusedValues, Value?>
    /// The value at a key path. On any thread.
    nonisolated public init(_ keyPath: KeyPath<FocusedValues, Value?>) { path = keyPath }
    /// What the front window tells; nil when it tells nothing. Main actor.
    @MainActor @preconcurrency public var wrappedValue: Value? { FocusedScene.values.get()[keyPath: path] }
}

/// The same for a binding: the value it stands for. Writing nil, or while nothing is told, does nothing.
@propertyWrapper
public struct FocusedBinding<Value>: DynamicProperty {
    private let path: KeyPath<FocusedValues, Binding<Value>?>
    /// The binding at a key path. On any thread.
    nonisolated public init(_ keyPath: KeyPath<FocusedValues, Binding<Value>?>) { path = keyPath }
    @MainActor private var binding: Binding<Value>? { FocusedScene.values.get()[keyPath: path] }
    /// The value that the front window's binding stands for; nil when it tells none. Main actor.
    @MainActor @preconcurrency public var wrappedValue: Value? {
        get { binding?.wrappedValue }
        nonmutating set { if let newValue { binding?.wrappedValue = newValue } }
    }
    /// A binding to the value of the front window that is in front now; nil when it tells none.
    @MainActor @preconcurrency public var projectedValue: Binding<Value?> {
        let binding = binding
        return Binding(get: { binding?.wrappedValue }, set: { if let value = $0 { binding?.wrappedValue = value } })
    }
}

extension View {
    /// Told to `@FocusedValue` while this view's window is in front.
    public func focusedSceneValue<Value>(_ keyPath: WritableKeyPath<FocusedValues, Value?>, _ value: Value) -> some View
    {
        fiberModifier(FocusedValueWriter(path: keyPath, value: value))
    }
    /// Told to `@FocusedValue` while this view's window is in front; nil tells nothing.
    public func focusedSceneValue<Value>(_ keyPath: WritableKeyPath<FocusedValues, Value?>, _ value: Value?)
        -> some View
    {
        fiberModifier(FocusedValueWriter(path: keyPath, value: value))
    }
}
