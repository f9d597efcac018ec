/// A reference to a value that is stored elsewhere, for reading and writing. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// struct VolumeRow: View {
///     @Binding var volume: Double
///
///     var body: some View {
///         HStack {
///             Text("Volume")
///             Slider(value: $volume)
///         }
///     }
/// }
/// ```
/// If the body of a view, or a closure in it, reads a binding, the view is evaluated again when the value changes. This
/// works for values in a `@State`, an `ObservableObject` and an `@Observable` object. For a binding from `get` and
/// `set` closures, the source of the value is unknown. A view with such a binding is evaluated whenever its parent is.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
    /// Returns the value without watching `objects`.
    let getter: @MainActor () -> Value
    private let setter: @MainActor (Value, Transaction) -> Void
    /// Returns the objects to watch for changes of the value. If nil, reading the value already records the dependency.
    private let objects: (@MainActor () -> [AnyObject])?
    /// The identity of the binding: the storage of the value and the path to it. Nil if unknown.
    let identity: [AnyHashable]?
    private let isConstant: Bool
    /// The transaction with which the binding writes the value.
    public var transaction = Transaction()

    private init(
        identity: [AnyHashable]?, isConstant: Bool = false, objects: (@MainActor () -> [AnyObject])? = nil,
        get: @escaping @MainActor () -> Value, write: @escaping @MainActor (Value, Transaction) -> Void
    ) {
        self.identity = identity
        self.isConstant = isConstant
        self.objects = objects
        getter = get
        setter = write
    }

    /// Creates a binding from two closures, which are called on the main actor.
    /// - Parameters:
    ///   - get: Returns the value.
    ///   - set: Sets the value.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.init(identity: nil, get: get) { value, _ in set(value) }
    }

    /// Creates a binding from two closures, which are called on the main actor.
    /// - Parameters:
    ///   - get: Returns the value.
    ///   - set: Sets the value. The closure also receives the transaction of the binding.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value, Transaction) -> Void) {
        self.init(identity: nil, get: get, write: set)
    }

    /// Creates a binding that is the same as another one. The compiler calls this initializer.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    @MainActor init(_ location: StateLocation<Value>) {
        self.init(
            identity: [ObjectIdentifier(location)], get: { location.get() }, write: { value, _ in location.set(value) })
    }

    /// Creates a binding to a property of an object. The object and the path are its identity.
    @MainActor init<Root: AnyObject>(_ object: Root, _ path: ReferenceWritableKeyPath<Root, Value>) {
        self.init(
            identity: [ObjectIdentifier(object), path], objects: { [object] },
            get: { object[keyPath: path] }, write: { value, _ in object[keyPath: path] = value })
    }

    /// Returns a binding to a constant. Writing has no effect.
    @MainActor @preconcurrency public static func constant(_ value: Value) -> Binding<Value> {
        Binding(identity: nil, isConstant: true, get: { value }, write: { _, _ in })
    }

    /// The value. Setting the property writes with `transaction` if the transaction has an animation.
    @MainActor @preconcurrency public var wrappedValue: Value {
        get { objects.map { WatchedObject.read($0, getter) } ?? getter() }
        nonmutating set {
            guard transaction.animation != nil else { return setter(newValue, transaction) }
            let transaction = self.transaction
            withTransaction(transaction) { setter(newValue, transaction) }
        }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// Returns a binding to a part of the value.
    @MainActor @preconcurrency public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>)
        -> Binding<Subject>
    {
        part(keyPath, get: { $0[keyPath: keyPath] }, set: { $0[keyPath: keyPath] = $1 })
    }

    /// Returns a binding to the same value that writes with an animation. If `animation` is nil, the binding writes
    /// without an animation of its own.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        var copy = self
        copy.transaction.animation = animation
        return copy
    }

    // MARK: bindings to a part

    /// Returns a binding to a part of the value.
    /// - Parameters:
    ///   - path: The identity of the path to the part. Nil if unknown.
    ///   - get: Returns the part of a value.
    ///   - set: Sets the part of a value.
    @MainActor package func part<Part>(
        _ path: AnyHashable?, get: @escaping @MainActor (Value) -> Part,
        set: @escaping @MainActor (inout Value, Part) -> Void
    ) -> Binding<Part> {
        let whole = self
        let identity = path.flatMap { component in self.identity.map { $0 + [component] } }
        // If the value is itself an object, its notifications report changes of the part.
        var objects = whole.objects
        if Value.self is AnyClass { objects = { (whole.objects?() ?? []) + [whole.getter() as AnyObject] } }
        return Binding<Part>(
            identity: identity, isConstant: isConstant, objects: objects, get: { get(whole.getter()) },
            write: { part, _ in
                var value = whole.getter()
                set(&value, part)
                whole.wrappedValue = value
            })
    }
}

extension Binding: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? { nil }
    @MainActor func isSame(as other: Any) -> Bool {
        guard let other = other as? Binding<Value>, transaction.isSame(as: other.transaction) else { return false }
        if let identity { return identity == other.identity }
        return isConstant && other.isConstant && StateLocation.areEqual(getter(), other.getter())
    }
    @MainActor var isComparable: Bool { identity != nil || isConstant }
}

extension Binding {
    /// Creates a binding to an optional value that is never nil. Writing nil has no effect.
    @MainActor @preconcurrency public init<V>(_ base: Binding<V>) where Value == V? {
        self = base.part("optional", get: { $0 }, set: { if let value = $1 { $0 = value } })
    }

    /// Creates a binding to a wrapped value, or returns nil if there is none. If the value becomes nil later, reading
    /// returns the last value, and writing replaces nil.
    @MainActor @preconcurrency public init?(_ base: Binding<Value?>) {
        guard let first = base.wrappedValue else { return nil }
        var last = first
        self = base.part(
            "unwrapped",
            get: {
                if let value = $0 { last = value }
                return last
            }, set: { $0 = $1 })
    }
}

extension Binding where Value: MutableCollection & RandomAccessCollection {
    /// Returns a binding to the element at `index`, which must be a valid index now.
    ///
    /// If the collection no longer has that index, reading returns the last value and writing has no effect.
    @MainActor @preconcurrency public subscript(index: Value.Index) -> Binding<Value.Element> {
        var last = Dependencies.untracked { getter()[index] }
        return part(
            (index as? AnyHashable).map { [AnyHashable("element"), $0] as AnyHashable },
            get: { all in
                if index >= all.startIndex, index < all.endIndex { last = all[index] }
                return last
            },
            set: { all, value in
                if index >= all.startIndex, index < all.endIndex { all[index] = value }
            })
    }

    /// Returns a binding to the element with the id of the element at `index`. The binding follows the element if it
    /// moves.
    ///
    /// If the element was removed, reading returns the last value and writing has no effect.
    @MainActor func element<ID: Hashable>(at index: Value.Index, _ id: @escaping (Value.Element) -> ID) -> Binding<
        Value.Element
    > {
        let element = Dependencies.untracked { getter()[index] }
        let reference = ElementReference<Value, ID>(index: index, element: element, id: id)
        return part(
            [AnyHashable("id"), AnyHashable(id(element))] as AnyHashable, get: { reference.read($0) },
            set: { reference.write(&$0, $1) })
    }
}

/// The last known index and value of an element of a collection.
@MainActor
private final class ElementReference<Elements: MutableCollection & RandomAccessCollection, ID: Hashable> {
    private var index: Elements.Index
    private var last: Elements.Element
    private let id: (Elements.Element) -> ID
    private var currentID: ID

    init(index: Elements.Index, element: Elements.Element, id: @escaping (Elements.Element) -> ID) {
        self.index = index
        last = element
        self.id = id
        currentID = id(element)
    }

    private func find(_ all: Elements) -> Elements.Index? {
        if index >= all.startIndex, index < all.endIndex, id(all[index]) == currentID { return index }
        guard let found = all.firstIndex(where: { id($0) == currentID }) else { return nil }
        index = found
        return found
    }

    func read(_ all: Elements) -> Elements.Element {
        if let found = find(all) { last = all[found] }
        return last
    }

    func write(_ all: inout Elements, _ value: Elements.Element) {
        guard let found = find(all) else { return }
        all[found] = value
        last = value
        // The new value may have another id, for example with `id: \.self`.
        currentID = id(value)
    }
}
