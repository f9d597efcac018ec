/// The fiber of several views.
final class TupleFiber<each C: View>: _ViewFiber<TupleView<repeat each C>> {
    private var fibers: (repeat _ViewFiber<each C>)?

    override init(_ view: TupleView<repeat each C>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        let below = self.inputs()
        fibers = (repeat (each C)._makeFiber(each view.content, below))
    }

    override var children: [_Fiber] {
        var all: [_Fiber] = []
        guard let fibers else { return all }
        for fiber in repeat each fibers { all.append(fiber) }
        return all
    }

    override func update(_ view: TupleView<repeat each C>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        guard let fibers else { return }
        repeat (each fibers).update(each view.content, environment)
    }
}

/// The fiber of one of two views. When one view replaces the other, the state of the replaced view ends.
final class ConditionalFiber<T: View, F: View>: _ViewFiber<_ConditionalContent<T, F>> {
    private var first: _ViewFiber<T>?
    private var second: _ViewFiber<F>?

    override init(_ view: _ConditionalContent<T, F>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        show()
    }

    override var children: [_Fiber] {
        if let first { return [first] }
        return second.map { [$0] } ?? []
    }

    override func update(_ view: _ConditionalContent<T, F>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        if show() { structureChanged() }
    }

    /// Shows the view of the current branch. Returns true if the branch has changed.
    @discardableResult
    private func show() -> Bool {
        switch view.storage {
        case .first(let value):
            if let first {
                first.update(value, environment)
                return false
            }
            second?.remove()
            second = nil
            first = T._makeFiber(value, inputs())
        case .second(let value):
            if let second {
                second.update(value, environment)
                return false
            }
            first?.remove()
            first = nil
            second = F._makeFiber(value, inputs())
        }
        return true
    }
}

/// The fiber of an optional view.
final class OptionalFiber<V: View>: _ViewFiber<V?> {
    private var fiber: _ViewFiber<V>?

    override init(_ view: V?, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        if let view { fiber = V._makeFiber(view, self.inputs()) }
    }

    override var children: [_Fiber] { fiber.map { [$0] } ?? [] }

    override func update(_ view: V?, _ environment: EnvironmentValues) {
        super.update(view, environment)
        switch (fiber, view) {
        case (let fiber?, let view?): fiber.update(view, environment)
        case (nil, let view?):
            fiber = V._makeFiber(view, inputs())
            structureChanged()
        case (let old?, nil):
            fiber = nil
            old.remove()
            structureChanged()
        case (nil, nil): break
        }
    }
}

/// The fiber of a view whose type is erased.
final class AnyViewFiber: _ViewFiber<AnyView> {
    private var fiber: _Fiber?

    override init(_ view: AnyView, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        fiber = view.box.makeFiber(self.inputs())
    }

    override var children: [_Fiber] { fiber.map { [$0] } ?? [] }

    override func update(_ view: AnyView, _ environment: EnvironmentValues) {
        super.update(view, environment)
        if let fiber, view.box.update(fiber, environment) { return }
        fiber?.remove()
        fiber = view.box.makeFiber(inputs())
        structureChanged()
    }
}

/// The fiber of a `ForEach`, with one child for each element of the collection.
package final class ForEachFiber<Data: RandomAccessCollection, ID: Hashable, Content: View>: _ViewFiber<
    ForEach<Data, ID, Content>
>
{
    private enum Child {
        case made(_ViewFiber<Content>)
        /// A child in a lazy container, whose content is created when it comes near the visible area.
        case lazy(_ViewFiber<LazyContent<Content>>)
        var fiber: _Fiber {
            switch self {
            case .made(let fiber): fiber
            case .lazy(let fiber): fiber
            }
        }
    }
    private var fibers: [ID: Child] = [:]
    private let isLazy: Bool
    private var order: [ID] = []
    private var inOrder: [_Fiber] = []
    private let reads = TrackedReads()

    override init(_ view: ForEach<Data, ID, Content>, _ inputs: _FiberInputs) {
        // Content that consists of several rows is expanded here; the collections inside it are lazy.
        isLazy = inputs.environment.isLazy && !(Content.self is any SeveralRows.Type)
        super.init(view, inputs)
        reads.whenChanged { [weak self] in
            if let self, !isRemoved { graph.invalidate(self) }
        }
        _ = show()
    }

    package override var children: [_Fiber] { inOrder }
    /// Returns the fiber of the element with an id, or nil if there is none.
    package func fiber(_ id: ID) -> _Fiber? { fibers[id]?.fiber }

    package override func update(_ view: ForEach<Data, ID, Content>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        if show() { structureChanged() }
    }

    package override func reevaluate() {
        if reads.isOutOfDate, show() { structureChanged() }
    }

    package override func removed() { reads.removeAll() }

    private func show() -> Bool {
        graph.validated(self)
        let contents = reads.evaluate { evaluated() }
        return reads.trackDescendants { show(contents) }
    }

    private func evaluated() -> [(id: ID, content: Content)] {
        var known: Set<ID> = []
        return view.data.compactMap { element in
            let id = view.id(element)
            guard known.insert(id).inserted else {
                graph.log(
                    "ForEach: Two elements have the id \(id); only the first is shown. Give each element a unique id.")
                return nil
            }
            return (id, view.content(element))
        }
    }

    private func show(_ contents: [(id: ID, content: Content)]) -> Bool {
        var next: [ID: Child] = [:]
        var nextOrder: [ID] = []
        nextOrder.reserveCapacity(contents.count)
        for (id, content) in contents {
            switch fibers[id] {
            case .made(let fiber): fiber.update(content, environment)
            case .lazy(let fiber): fiber.update(LazyContent(content: content, id: AnyHashable(id)), environment)
            case nil: break
            }
            next[id] =
                fibers[id]
                ?? (isLazy
                    ? .lazy(LazyContent._makeFiber(LazyContent(content: content, id: AnyHashable(id)), inputs()))
                    : .made(Content._makeFiber(content, inputs())))
            nextOrder.append(id)
        }
        for (id, child) in fibers where next[id] == nil { child.fiber.remove() }
        let changed = nextOrder != order
        fibers = next
        order = nextOrder
        if changed { inOrder = order.compactMap { fibers[$0]?.fiber } }
        return changed
    }
}

/// A fiber whose children have ids. A picker uses the id as the value of an option without a tag.
@MainActor
package protocol IdentityGiver: _Fiber {
    var identified: [(id: Any, fiber: _Fiber)] { get }
}

extension ForEachFiber: IdentityGiver {
    package var identified: [(id: Any, fiber: _Fiber)] { order.compactMap { id in fibers[id].map { (id, $0.fiber) } } }
}
