import Foundation
import OpenCombine

/// One object that a place in the tree watches.
@MainActor
private final class ObjectSubscription {
    let object: AnyObject
    private var cancellable: AnyCancellable?

    init<O: ObservableObject>(_ object: O, _ reader: any DependencyReader) {
        self.object = object
        cancellable = object.objectWillChange.sink { [weak reader] _ in
            // Told just before the change, on whatever thread makes it.
            let reader = reader
            OnMain.run { reader?.invalidate() }
        }
    }

    /// The one at the place if it watches `object`, else a new one.
    static func watching<O: ObservableObject>(_ object: O, _ slot: AnyObject?, _ reader: any DependencyReader)
        -> ObjectSubscription
    {
        if let kept = slot as? ObjectSubscription, kept.object === object { return kept }
        return ObjectSubscription(object, reader)
    }
}

/// Bindings to an observable object's properties, as `$model.name`.
@dynamicMemberLookup @MainActor @preconcurrency
public struct ObjectBindings<ObjectType: AnyObject> {
    let object: ObjectType
    /// A binding to one of the object's properties. Main actor.
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject>
    {
        Binding(object, keyPath)
    }
}

/// An object that a view makes once and owns as long as its identity lives. SwiftUI's property wrapper.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
    private final class Box {
        @MainActor var object: ObjectType?
        let make: () -> ObjectType
        nonisolated init(_ make: @escaping () -> ObjectType) { self.make = make }
    }
    private let box: Box

    /// - Parameter thunk: evaluated once for the life of the view's identity.
    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { box = Box(thunk) }

    /// The object, made when it is first asked for. Main actor.
    @MainActor @preconcurrency public var wrappedValue: ObjectType {
        if let object = box.object { return object }
        let fresh = box.make()
        box.object = fresh
        return fresh
    }
    /// Bindings to the object's properties, as `$model.name`.
    @MainActor @preconcurrency public var projectedValue: ObjectBindings<ObjectType> {
        ObjectBindings(object: wrappedValue)
    }
}

extension StateObject: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        if let kept = slot as? ObjectSubscription, let object = kept.object as? ObjectType {
            box.object = object
            return kept
        }
        return ObjectSubscription(Dependencies.untracked { wrappedValue }, reader)
    }
    @MainActor func isSame(as other: Any) -> Bool { other is StateObject<ObjectType> }
}

/// An object that somebody else owns. SwiftUI's property wrapper.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    /// The object; the view is evaluated again when it says that it changes.
    public var wrappedValue: ObjectType
    /// Watches an object that somebody else owns. On any thread.
    nonisolated public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    /// Bindings to the object's properties, as `$model.name`.
    @MainActor @preconcurrency public var projectedValue: ObjectBindings<ObjectType> {
        ObjectBindings(object: wrappedValue)
    }
}

extension ObservedObject: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        ObjectSubscription.watching(wrappedValue, slot, reader)
    }
    @MainActor func isSame(as other: Any) -> Bool {
        (other as? ObservedObject<ObjectType>)?.wrappedValue === wrappedValue
    }
}

/// An object that a view above put there with `environmentObject(_:)`. SwiftUI's property wrapper.
///
/// Without one, the view shows what is missing in its place, and a line in the log says so; SwiftUI ends the process.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
    private final class Box {
        @MainActor weak var fiber: _Fiber?
        nonisolated init() {}
    }
    private let box = Box()
    /// Takes the object of this type that a view above put there. On any thread.
    nonisolated public init() {}

    /// The object. Main actor; read in a `body`, below `environmentObject(_:)`: elsewhere it ends the process.
    @MainActor @preconcurrency public var wrappedValue: ObjectType {
        guard let object = box.fiber?.environment.object(ObjectType.self) else {
            preconditionFailure(
                "No ObservableObject of type \(ObjectType.self) found. Read it in a body, and add environmentObject(_:) to a parent view."
            )
        }
        return object
    }
    /// Bindings to the object's properties, as `$model.name`.
    @MainActor @preconcurrency public var projectedValue: ObjectBindings<ObjectType> {
        ObjectBindings(object: wrappedValue)
    }
}

extension EnvironmentObject: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        box.fiber = fiber
        return fiber.environment.object(ObjectType.self).map { ObjectSubscription.watching($0, slot, reader) }
    }
    @MainActor func changed(from old: EnvironmentValues, to new: EnvironmentValues) -> Bool {
        old.object(ObjectType.self) !== new.object(ObjectType.self)
    }
    @MainActor func problem(_ environment: EnvironmentValues) -> String? {
        environment.object(ObjectType.self) == nil
            ? "No ObservableObject of type \(ObjectType.self) found. Add environmentObject(_:) to a parent view."
            : nil
    }
    @MainActor func isSame(as other: Any) -> Bool { other is EnvironmentObject<ObjectType> }
}

/// Bindings to the properties of an `@Observable` object. SwiftUI's property wrapper.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
    /// The object.
    public var wrappedValue: Value
    /// Makes bindings to an object's properties. On any thread.
    nonisolated public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// Makes bindings to an object's properties. On any thread.
    nonisolated public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// The wrapper itself, for `$model.name`.
    public var projectedValue: Bindable<Value> { self }
    /// A binding to one of the object's properties. Main actor.
    @MainActor @preconcurrency
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding(wrappedValue, keyPath)
    }
}
