/// A value that lives elsewhere, to read and to write. SwiftUI's property wrapper. Main actor.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
    private let getter: @MainActor () -> Value
    private let setter: @MainActor (Value, Transaction) -> Void
    /// What tells two bindings apart: where the value lives and the way to it; nil when nobody can say.
    let identity: [AnyHashable]?
    /// With which transaction it writes.
    public var transaction = Transaction()

    private init(identity: [AnyHashable]?, get: @escaping @MainActor () -> Value, write: @escaping @MainActor (Value, Transaction) -> Void) {
        self.identity = identity
        getter = get
        setter = write
    }

    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.init(identity: nil, get: get) { value, _ in set(value) }
    }

    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value, Transaction) -> Void) {
        self.init(identity: nil, get: get, write: set)
    }

    public init(projectedValue: Binding<Value>) { self = projectedValue }

    @MainActor init(_ location: StateLocation<Value>) {
        self.init(identity: [ObjectIdentifier(location)], get: { location.get() }, write: { value, _ in location.set(value) })
    }

    /// A property of an object; `object` tells it apart.
    @MainActor init<Root: AnyObject>(_ object: Root, _ path: ReferenceWritableKeyPath<Root, Value>) {
        self.init(identity: [ObjectIdentifier(object), path], get: { object[keyPath: path] }, write: { value, _ in object[keyPath: path] = value })
    }

    /// A value that cannot be changed: writing does nothing.
    @MainActor public static func constant(_ value: Value) -> Binding<Value> {
        Binding(identity: nil, get: { value }, write: { _, _ in })
    }

    @MainActor public var wrappedValue: Value {
        get { getter() }
        nonmutating set {
            guard transaction.animation != nil else { return setter(newValue, transaction) }
            let transaction = self.transaction
            withTransaction(transaction) { setter(newValue, transaction) }
        }
    }

    public var projectedValue: Binding<Value> { self }

    /// A part of the value.
    @MainActor public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        let whole = self
        nonisolated(unsafe) let path = keyPath
        return Binding<Subject>(identity: identity.map { $0 + [keyPath] },
            get: { whole.wrappedValue[keyPath: path] },
            write: { value, _ in whole.wrappedValue[keyPath: path] = value })
    }

    /// The same place, written to with `animation`.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        var copy = self
        copy.transaction.animation = animation
        return copy
    }
}

extension Binding: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? { nil }
    @MainActor func isSame(as other: Any) -> Bool {
        guard let other = other as? Binding<Value>, let identity else { return false }
        return identity == other.identity
    }
}

extension Binding {
    /// The value as an optional that is never nil; writing nil does nothing.
    @MainActor public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(identity: base.identity, get: { base.wrappedValue }, write: { value, _ in
            if let value { base.wrappedValue = value }
        })
    }

    /// Nil while there is no value.
    @MainActor public init?(_ base: Binding<Value?>) {
        guard let first = base.wrappedValue else { return nil }
        self.init(identity: base.identity.map { $0 + ["unwrapped"] },
            get: { base.wrappedValue ?? first }, write: { value, _ in base.wrappedValue = value })
    }
}

extension Binding where Value: MutableCollection & RandomAccessCollection {
    /// One element. Read after the collection has shrunk, it is what it last was; written then, nothing happens.
    @MainActor func element(at index: Value.Index) -> Binding<Value.Element> {
        let whole = self
        nonisolated(unsafe) let index = index
        nonisolated(unsafe) var last = wrappedValue[index]
        return Binding<Value.Element>(get: {
            let all = whole.wrappedValue
            if index < all.endIndex { last = all[index] }
            return last
        }, set: { value in
            if index < whole.wrappedValue.endIndex { whole.wrappedValue[index] = value }
        })
    }
}
