import MediaCore

/// The storage of a value that belongs to a view, with the readers of the value.
@MainActor
package final class StateLocation<Value>: DependencySource {
    package private(set) var value: Value
    private var readers: [ObjectIdentifier: WeakReader] = [:]

    private struct WeakReader { weak var reader: (any DependencyReader)? }

    package init(_ value: Value) { self.value = value }

    package func get() -> Value {
        Dependencies.read(self)
        return value
    }

    /// Sets the value. Readers are notified unless the new value is equal to the old one.
    package func set(_ new: Value) {
        let isSame = StateLocation.areEqual(value, new)
        value = new
        if !isSame { changed() }
    }

    func changed() {
        for entry in Array(readers.values) { entry.reader?.invalidate() }
    }

    static func areEqual(_ a: Value, _ b: Value) -> Bool { ErasedEquality.areEqual(a, b) ?? false }

    package func addReader(_ reader: any DependencyReader) -> Bool {
        readers.updateValue(WeakReader(reader: reader), forKey: ObjectIdentifier(reader)) == nil
    }
    package func removeReader(_ reader: any DependencyReader) { readers[ObjectIdentifier(reader)] = nil }
}

/// A value that belongs to a view and lives as long as the view's identity. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// struct MuteButton: View {
///     let player: AVPlayer
///     @State private var isMuted = false
///
///     var body: some View {
///         Button(isMuted ? "Unmute" : "Mute") {
///             isMuted.toggle()
///             player.isMuted = isMuted
///         }
///     }
/// }
/// ```
/// Views that read the value are evaluated again when it changes. Setting an equal value is not a change.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    /// The object that all copies of one view value share. The graph sets its location to that of the view's identity.
    package final class Box {
        @MainActor var location: StateLocation<Value>?
        package let initial: Value
        package nonisolated init(_ initial: Value) { self.initial = initial }
    }
    package let box: Box

    /// Creates a state with an initial value. Later values of the view do not change the state.
    nonisolated public init(wrappedValue value: Value) { box = Box(value) }
    /// Creates a state with an initial value, as `init(wrappedValue:)` does.
    nonisolated public init(initialValue value: Value) { box = Box(value) }

    /// The value. Setting another value evaluates the views that read it again.
    @MainActor @preconcurrency public var wrappedValue: Value {
        get { location.get() }
        nonmutating set { location.set(newValue) }
    }

    /// A binding to the value.
    @MainActor @preconcurrency public var projectedValue: Binding<Value> { Binding(location) }

    /// The storage of the value, which is created here if the view is not in a graph yet.
    @MainActor private var location: StateLocation<Value> {
        if let location = box.location { return location }
        let own = StateLocation(box.initial)
        box.location = own
        return own
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Creates a state with the initial value nil.
    nonisolated public init() { self.init(wrappedValue: nil) }
}

extension State: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        let kept = slot as? StateLocation<Value> ?? location
        box.location = kept
        return kept
    }
    // The value belongs to the view's identity, regardless of the view's new value.
    @MainActor func isSame(as other: Any) -> Bool { other is State<Value> }
}
