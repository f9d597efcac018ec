import Foundation

/// A value that the front window tells the app's commands, by a type of its own. SwiftUI's protocol.
public protocol FocusedValueKey {
    associatedtype Value
}

/// What the front window tells. Extend it with computed properties over keys of your own.
public struct FocusedValues {
    private var values: [ObjectIdentifier: Any] = [:]
    nonisolated init() {}
    public subscript<K: FocusedValueKey>(key: K.Type) -> K.Value? {
        get { values[ObjectIdentifier(key)] as? K.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
    mutating func add(_ other: FocusedValues) { values.merge(other.values) { mine, _ in mine } }
}

struct FocusedValuesKey: PreferenceKey {
    static var defaultValue: FocusedValues { FocusedValues() }
    static func reduce(value: inout FocusedValues, nextValue: () -> FocusedValues) { value.add(nextValue()) }
}

/// A window whose views tell something.
@MainActor
protocol FocusableScene: AnyObject {
    var focusedValues: FocusedValues { get }
}

/// The front window: the one that had the keyboard last.
@MainActor
enum FocusedScene {
    static let values = StateLocation(FocusedValues())
    private static weak var front: (any FocusableScene)?

    static func opened(_ scene: any FocusableScene) { if front == nil { front = scene } }
    static func became(_ scene: any FocusableScene) {
        front = scene
        values.set(scene.focusedValues)
    }
    /// What it tells may be something else.
    static func checked(_ scene: any FocusableScene) { if front === scene { values.set(scene.focusedValues) } }
    static func closed(_ scene: any FocusableScene) {
        guard front === scene else { return }
        front = nil
        values.set(FocusedValues())
    }
}

/// What the front window tells; nil when it tells nothing. SwiftUI's property wrapper.
@propertyWrapper
public struct FocusedValue<Value>: DynamicProperty {
    private let path: KeyPath<FocusedValues, Value?>
    nonisolated public init(_ keyPath: KeyPath<FocusedValues, Value?>) { path = keyPath }
    @MainActor @preconcurrency public var wrappedValue: Value? { FocusedScene.values.get()[keyPath: path] }
}

/// The same for a binding: the value it stands for. Writing nil, or while nothing is told, does nothing.
@propertyWrapper
public struct FocusedBinding<Value>: DynamicProperty {
    private let path: KeyPath<FocusedValues, Binding<Value>?>
    nonisolated public init(_ keyPath: KeyPath<FocusedValues, Binding<Value>?>) { path = keyPath }
    @MainActor private var binding: Binding<Value>? { FocusedScene.values.get()[keyPath: path] }
    @MainActor @preconcurrency public var wrappedValue: Value? {
        get { binding?.wrappedValue }
        nonmutating set { if let newValue { binding?.wrappedValue = newValue } }
    }
    @MainActor @preconcurrency public var projectedValue: Binding<Value?> {
        let binding = binding
        return Binding(get: { binding?.wrappedValue }, set: { if let value = $0 { binding?.wrappedValue = value } })
    }
}

extension View {
    /// Told to `@FocusedValue` while this view's window is in front.
    public func focusedSceneValue<Value>(_ keyPath: WritableKeyPath<FocusedValues, Value?>, _ value: Value) -> some View {
        transformPreference(FocusedValuesKey.self) { $0[keyPath: keyPath] = value }
    }
    public func focusedSceneValue<Value>(_ keyPath: WritableKeyPath<FocusedValues, Value?>, _ value: Value?) -> some View {
        transformPreference(FocusedValuesKey.self) { $0[keyPath: keyPath] = value }
    }
}
