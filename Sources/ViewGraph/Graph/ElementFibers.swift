/// The fiber of a view that is one element without child views.
package final class LeafFiber<V: View, E: Element>: _ViewFiber<V> {
    let element: E
    private let apply: @MainActor (E, V, _Fiber) -> Void

    package init(_ view: V, _ inputs: _FiberInputs, _ element: E, _ apply: @escaping @MainActor (E, V, _Fiber) -> Void)
    {
        self.element = element
        self.apply = apply
        super.init(view, inputs)
        apply(element, view, self)
    }

    package override var elements: [Element] { [element] }

    package override func update(_ view: V, _ environment: EnvironmentValues) {
        super.update(view, environment)
        apply(element, view, self)
    }
}

/// The fiber of a view that is one element around the elements of its content.
package final class ContainerFiber<V: View, Content: View, E: Element>: _ViewFiber<V> {
    let element: E
    private var content: _ViewFiber<Content>?
    private let contentOf: @MainActor (V) -> Content
    private let below: (@MainActor (EnvironmentValues, V) -> EnvironmentValues)?
    private let apply: @MainActor (E, V, _Fiber) -> Void

    package init(
        _ view: V, _ inputs: _FiberInputs, _ element: E, content: @escaping @MainActor (V) -> Content,
        environment: (@MainActor (EnvironmentValues, V) -> EnvironmentValues)? = nil,
        _ apply: @escaping @MainActor (E, V, _Fiber) -> Void
    ) {
        self.element = element
        self.apply = apply
        contentOf = content
        below = environment
        super.init(view, inputs)
        apply(element, view, self)
        self.content = Content._makeFiber(content(view), self.inputs(contentEnvironment()))
        element.setChildren(self.content?.elements ?? [])
    }

    package override var children: [_Fiber] { content.map { [$0] } ?? [] }
    package override var elements: [Element] { [element] }

    package override func update(_ view: V, _ environment: EnvironmentValues) {
        super.update(view, environment)
        apply(element, view, self)
        content?.update(contentOf(view), contentEnvironment())
    }

    private func contentEnvironment() -> EnvironmentValues { below?(environment, view) ?? environment.inRow }

    package override func structureChanged() { element.setChildren(content?.elements ?? []) }
}

/// A modifier that wraps each element of its content in another element.
@MainActor
package protocol ElementModifier {
    associatedtype Wrapper: WrapperElement
    func makeElement() -> Wrapper
    func update(_ element: Wrapper, _ fiber: _Fiber)
}

/// A view whose elements are each wrapped in another element.
package struct ElementModified<Content: View, Modifier: ElementModifier>: _PrimitiveView {
    package let content: Content
    package let modifier: Modifier
    package static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ModifierFiber(view, inputs)
    }
}

final class ModifierFiber<Content: View, Modifier: ElementModifier>: _ViewFiber<ElementModified<Content, Modifier>> {
    private var content: _ViewFiber<Content>?
    private var wrappers: [Modifier.Wrapper] = []

    override init(_ view: ElementModified<Content, Modifier>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        content = Content._makeFiber(view.content, self.inputs())
        _ = wrap()
    }

    override var children: [_Fiber] { content.map { [$0] } ?? [] }
    override var elements: [Element] { wrappers }

    override func update(_ view: ElementModified<Content, Modifier>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        for wrapper in wrappers { view.modifier.update(wrapper, self) }
        content?.update(view.content, environment)
    }

    override func structureChanged() {
        if wrap() { super.structureChanged() }
    }

    /// Updates the wrappers. Returns true if the list of wrappers has changed.
    private func wrap() -> Bool {
        let elements = content?.elements ?? []
        // A single element keeps its wrapper even if the element is replaced.
        if elements.count == 1, wrappers.count == 1 {
            wrappers[0].setChildren(elements)
            return false
        }
        var old: [ObjectIdentifier: Modifier.Wrapper] = [:]
        for wrapper in wrappers { if let inner = wrapper.children.first { old[ObjectIdentifier(inner)] = wrapper } }
        let next = elements.map { element -> Modifier.Wrapper in
            if let wrapper = old[ObjectIdentifier(element)] { return wrapper }
            let fresh = view.modifier.makeElement()
            fresh.setChildren([element])
            view.modifier.update(fresh, self)
            return fresh
        }
        let changed = next.count != wrappers.count || !zip(next, wrappers).allSatisfy { $0 === $1 }
        wrappers = next
        return changed
    }
}

/// A view that applies a modifier to its content without adding an element.
package struct FiberModified<Content: View, Modifier: FiberModifier>: _PrimitiveView {
    package let content: Content
    package let modifier: Modifier
    package static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        FiberModifierFiber(view, inputs)
    }
}

/// A modifier that affects the environment, transaction or preferences of its content without adding an element.
@MainActor
package protocol FiberModifier {
    /// The state that the modifier keeps as long as the view exists.
    associatedtype Storage
    func makeStorage(_ fiber: _Fiber) -> Storage
    func environment(_ environment: EnvironmentValues, _ storage: Storage) -> EnvironmentValues
    func updated(_ storage: inout Storage, _ fiber: _Fiber)
    func removed(_ storage: Storage, _ fiber: _Fiber)
    /// Whether the modifier may return a transaction. `TransactionModifier` sets it.
    static var changesTransaction: Bool { get }
    /// Returns the transaction for the content, or nil to keep the current one. Also called for an update that evaluates
    /// only a view inside the content. Never called if `changesTransaction` is false.
    func transaction(_ storage: Storage, _ transaction: Transaction) -> Transaction?
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ storage: Storage) -> K.Value?
}

extension FiberModifier {
    package func environment(_ environment: EnvironmentValues, _ storage: Storage) -> EnvironmentValues { environment }
    package func updated(_ storage: inout Storage, _ fiber: _Fiber) {}
    package func removed(_ storage: Storage, _ fiber: _Fiber) {}
    package static var changesTransaction: Bool { false }
    package func transaction(_ storage: Storage, _ transaction: Transaction) -> Transaction? { nil }
    package func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ storage: Storage) -> K.Value? {
        below
    }
}

/// A modifier that affects the transaction of its content.
protocol TransactionModifier: FiberModifier {}
extension TransactionModifier {
    static var changesTransaction: Bool { true }
}

final class FiberModifierFiber<Content: View, Modifier: FiberModifier>: _ViewFiber<FiberModified<Content, Modifier>> {
    private var content: _ViewFiber<Content>?
    private var storage: Modifier.Storage?

    override init(_ view: FiberModified<Content, Modifier>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        var storage = view.modifier.makeStorage(self)
        let below = self.inputs(view.modifier.environment(environment, storage))
        content = inTransaction(storage) { Content._makeFiber(view.content, below) }
        view.modifier.updated(&storage, self)
        self.storage = storage
    }

    override var children: [_Fiber] { content.map { [$0] } ?? [] }

    override func update(_ view: FiberModified<Content, Modifier>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        guard var storage else { return }
        view.modifier.updated(&storage, self)
        self.storage = storage
        let below = view.modifier.environment(environment, storage)
        _ = inTransaction(storage) { content?.update(view.content, below) }
    }

    private func inTransaction<T>(_ storage: Modifier.Storage, _ body: () -> T) -> T {
        guard changesTransaction, let other = view.modifier.transaction(storage, graph.transaction) else {
            return body()
        }
        return graph.withTransaction(other, body)
    }

    override func transactionInside(_ transaction: Transaction) -> Transaction {
        let outer = super.transactionInside(transaction)
        guard changesTransaction, let storage else { return outer }
        return view.modifier.transaction(storage, outer) ?? outer
    }
    override var changesTransaction: Bool { Modifier.changesTransaction }

    override func preference<K: PreferenceKey>(_ key: K.Type) -> K.Value? {
        let below = super.preference(key)
        guard let storage else { return below }
        return view.modifier.preference(key, below, storage)
    }

    override func removed() {
        if let storage { view.modifier.removed(storage, self) }
    }
}
