/// A value that lives elsewhere, to read and to write. SwiftUI's property wrapper. Main actor.
///
/// A view whose body (or a closure in it) reads one is evaluated again when the value changes, wherever it lives: in a
/// `@State`, in an `ObservableObject`, in an `@Observable` object. What a binding by `get` and `set` stands for nobody
/// can know: a view that holds one is evaluated whenever the view above is.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
    /// Without what tells of the value's changes.
    let getter: @MainActor () -> Value
    private let setter: @MainActor (Value, Transaction) -> Void
    /// The objects that must be watched to learn of the value's changes; nil: none, reading tells whom it concerns by
    /// itself.
    private let objects: (@MainActor () -> [AnyObject])?
    /// What tells two bindings apart: where the value lives and the way to it; nil when nobody can say.
    let identity: [AnyHashable]?
    private let isConstant: Bool
    /// With which transaction it writes.
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

    /// A binding by two closures, which are called on the main actor.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.init(identity: nil, get: get) { value, _ in set(value) }
    }

    /// A binding by two closures, of which `set` is also told the transaction it writes with. Main actor.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value, Transaction) -> Void) {
        self.init(identity: nil, get: get, write: set)
    }

    /// The same binding; for the compiler.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    @MainActor init(_ location: StateLocation<Value>) {
        self.init(
            identity: [ObjectIdentifier(location)], get: { location.get() }, write: { value, _ in location.set(value) })
    }

    /// A property of an object; `object` tells it apart.
    @MainActor init<Root: AnyObject>(_ object: Root, _ path: ReferenceWritableKeyPath<Root, Value>) {
        self.init(
            identity: [ObjectIdentifier(object), path], objects: { [object] },
            get: { object[keyPath: path] }, write: { value, _ in object[keyPath: path] = value })
    }

    /// A value that cannot be changed: writing does nothing.
    @MainActor @preconcurrency public static func constant(_ value: Value) -> Binding<Value> {
        Binding(identity: nil, isConstant: true, get: { value }, write: { _, _ in })
    }

    /// The value, wherever it lives. Main actor; it is written with `transaction` where that has an animation.
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

    /// A part of the value.
    @MainActor @preconcurrency public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>)
        -> Binding<Subject>
    {
        part(keyPath, get: { $0[keyPath: keyPath] }, set: { $0[keyPath: keyPath] = $1 })
    }

    /// The same place, written to with `animation`.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        var copy = self
        copy.transaction.animation = animation
        return copy
    }

    // MARK: bindings to a part

    /// - Parameter way: tells this way to the part apart from others; nil when nothing does.
    @MainActor package func part<Part>(
        _ way: AnyHashable?, get: @escaping @MainActor (Value) -> Part,
        set: @escaping @MainActor (inout Value, Part) -> Void
    ) -> Binding<Part> {
        let whole = self
        let identity = way.flatMap { way in self.identity.map { $0 + [way] } }
        // What hangs on an object in between changes when that one says so.
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
    /// The value as an optional that is never nil; writing nil does nothing.
    @MainActor @preconcurrency public init<V>(_ base: Binding<V>) where Value == V? {
        self = base.part("optional", get: { $0 }, set: { if let value = $1 { $0 = value } })
    }

    /// Nil while there is no value. Read after that has gone, it is what it last was.
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
    /// The element at `index`, which the collection must have now. Read after it has shrunk, it is what it last was;
    /// written then, nothing happens.
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

    /// The element that `id` tells from the others, now at `index`, wherever it moves. Read after it has gone, it is
    /// what it last was; written then, nothing happens.
    @MainActor func element<ID: Hashable>(at index: Value.Index, _ id: @escaping (Value.Element) -> ID) -> Binding<
        Value.Element
    > {
        let element = Dependencies.untracked { getter()[index] }
        let place = ElementPlace<Value, ID>(index: index, element: element, id: id)
        return part(
            [AnyHashable("id"), AnyHashable(id(element))] as AnyHashable, get: { place.read($0) },
            set: { place.write(&$0, $1) })
    }
}

/// Where an element of a collection was seen last.
@MainActor
private final class ElementPlace<Elements: MutableCollection & RandomAccessCollection, ID: Hashable> {
    private var index: Elements.Index
    private var last: Elements.Element
    private let id: (Elements.Element) -> ID
    private var own: ID

    init(index: Elements.Index, element: Elements.Element, id: @escaping (Elements.Element) -> ID) {
        self.index = index
        last = element
        self.id = id
        own = id(element)
    }

    private func find(_ all: Elements) -> Elements.Index? {
        if index >= all.startIndex, index < all.endIndex, id(all[index]) == own { return index }
        guard let found = all.firstIndex(where: { id($0) == own }) else { return nil }
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
        // What is written may be what tells it apart (`id: \.self`).
        own = id(value)
    }
}
