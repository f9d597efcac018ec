import MediaCore

/// Where a value that belongs to a view lives, and who reads it.
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

    /// Readers are told unless the value is equal to the one before.
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

/// A value that belongs to a view and lives as long as the view's identity. SwiftUI's property wrapper.
///
/// Views that read it are evaluated again when it changes; to an equal value is no change. Main actor.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    /// Shared by the copies of one view value; the graph points it to the place's location.
    package final class Box {
        @MainActor var location: StateLocation<Value>?
        package let initial: Value
        package nonisolated init(_ initial: Value) { self.initial = initial }
    }
    package let box: Box

    /// Begins with a value, which later values of the view do not change. On any thread.
    nonisolated public init(wrappedValue value: Value) { box = Box(value) }
    /// The same as `init(wrappedValue:)`.
    nonisolated public init(initialValue value: Value) { box = Box(value) }

    /// The value. Main actor; setting it to another one has the views that read it evaluated again.
    @MainActor @preconcurrency public var wrappedValue: Value {
        get { location.get() }
        nonmutating set { location.set(newValue) }
    }

    /// A binding to the value.
    @MainActor @preconcurrency public var projectedValue: Binding<Value> { Binding(location) }

    /// Before the view is in a graph the value lives here.
    @MainActor private var location: StateLocation<Value> {
        if let location = box.location { return location }
        let own = StateLocation(box.initial)
        box.location = own
        return own
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Begins with nil. On any thread.
    nonisolated public init() { self.init(wrappedValue: nil) }
}

extension State: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        let kept = slot as? StateLocation<Value> ?? location
        box.location = kept
        return kept
    }
    // Its value is the place's, whatever a new view value says.
    @MainActor func isSame(as other: Any) -> Bool { other is State<Value> }
}
