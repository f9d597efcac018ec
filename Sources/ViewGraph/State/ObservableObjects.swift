import OpenCombine

/// A subscription to an object that a view watches.
@MainActor
private final class ObjectSubscription {
    let object: AnyObject
    private var cancellable: AnyCancellable?

    init<O: ObservableObject>(_ object: O, _ reader: any DependencyReader) {
        self.object = object
        cancellable = object.objectWillChange.sinkForChanges { [weak reader] in reader?.invalidate() }
    }

    /// Returns the existing subscription in `slot` if it watches `object`, or else a new one.
    static func watching<O: ObservableObject>(_ object: O, _ slot: AnyObject?, _ reader: any DependencyReader)
        -> ObjectSubscription
    {
        if let kept = slot as? ObjectSubscription, kept.object === object { return kept }
        return ObjectSubscription(object, reader)
    }
}

/// The bindings to the properties of an observable object, as in `$model.name`.
@dynamicMemberLookup @MainActor @preconcurrency
public struct ObjectBindings<ObjectType: AnyObject> {
    let object: ObjectType
    /// Returns a binding to a property of the object.
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject>
    {
        Binding(object, keyPath)
    }
}

/// An object that a view creates once and owns as long as its identity exists. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// final class Library: ObservableObject {
///     @Published var titles: [String] = []
/// }
/// struct LibraryPage: View {
///     @StateObject private var library = Library()
///
///     var body: some View {
///         List(library.titles, id: \.self) { Text($0) }
///     }
/// }
/// ```
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
    private final class Box {
        @MainActor var object: ObjectType?
        let make: () -> ObjectType
        nonisolated init(_ make: @escaping () -> ObjectType) { self.make = make }
    }
    private let box: Box

    /// Creates a property with an object.
    /// - Parameter thunk: Creates the object. Evaluated once for the life of the view's identity.
    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { box = Box(thunk) }

    /// The object, which is created on first access.
    @MainActor @preconcurrency public var wrappedValue: ObjectType {
        if let object = box.object { return object }
        let fresh = box.make()
        box.object = fresh
        return fresh
    }
    /// The bindings to the object's properties, as in `$model.name`.
    @MainActor @preconcurrency public var projectedValue: ObjectBindings<ObjectType> {
        ObjectBindings(object: wrappedValue)
    }
}

extension StateObject: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        if let kept = slot as? ObjectSubscription, let object = kept.object as? ObjectType {
            // Another thread may read the property at the same time.
            if box.object !== object { box.object = object }
            return kept
        }
        return ObjectSubscription(Dependencies.untracked { wrappedValue }, reader)
    }
    @MainActor func isSame(as other: Any) -> Bool { other is StateObject<ObjectType> }
}

/// An object that a view watches without owning it. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// struct SearchField: View {
///     @ObservedObject var search: Search
///
///     var body: some View { TextField("Search", text: $search.query) }
/// }
/// ```
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    /// The object. The view is evaluated again when the object announces a change.
    public var wrappedValue: ObjectType
    /// Creates a property that watches an object.
    nonisolated public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    /// The bindings to the object's properties, as in `$model.name`.
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

/// An object that an ancestor provides with `environmentObject(_:)`. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// struct VideoCount: View {
///     @EnvironmentObject private var library: Library
///
///     var body: some View { Text("\(library.urls.count) videos") }
/// }
/// ```
/// If no ancestor provides the object, the view shows an error message in its place, and a message is logged. SwiftUI
/// terminates the process instead.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
    private final class Box {
        @MainActor weak var fiber: _Fiber?
        nonisolated init() {}
    }
    private let box = Box()
    /// Creates a property that reads the object of this type from an ancestor.
    nonisolated public init() {}

    /// The object. Read it in `body` or in an action of the view. Reading it before the view is shown, or after it was
    /// removed, terminates the process.
    @MainActor @preconcurrency public var wrappedValue: ObjectType {
        guard let object = box.fiber?.environment.object(ObjectType.self) else {
            preconditionFailure(
                "No ObservableObject of type \(ObjectType.self) found. Read it in a body, and add environmentObject(_:) to a parent view."
            )
        }
        return object
    }
    /// The bindings to the object's properties, as in `$model.name`.
    @MainActor @preconcurrency public var projectedValue: ObjectBindings<ObjectType> {
        ObjectBindings(object: wrappedValue)
    }
}

extension EnvironmentObject: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        // Another thread may read the property at the same time.
        if box.fiber !== fiber { box.fiber = fiber }
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

/// The bindings to the properties of an `@Observable` object. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// @Observable @MainActor final class Preferences { var loops = false }
///
/// struct PreferencesForm: View {
///     @Bindable var preferences: Preferences
///
///     var body: some View { Toggle("Loop", isOn: $preferences.loops) }
/// }
/// ```
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value: AnyObject> {
    /// The object.
    public var wrappedValue: Value
    /// Creates bindings to the properties of an object.
    nonisolated public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// Creates bindings to the properties of an object.
    nonisolated public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// The wrapper itself, for expressions such as `$model.name`.
    public var projectedValue: Bindable<Value> { self }
    /// Returns a binding to a property of the object.
    @MainActor @preconcurrency
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding(wrappedValue, keyPath)
    }
}
