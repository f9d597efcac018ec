/// What a fiber is made from: its place in the graph and what holds there.
@MainActor
public struct _FiberInputs {
    package let graph: ViewGraph
    let parent: _Fiber?
    package let environment: EnvironmentValues
}

/// What stands for a view in the graph and lives as long as the view's identity: the view's latest value,
/// its state, its children, and the elements it contributes to the layout.
///
/// Main actor. Made by `View._makeFiber`, ended by `remove()`.
@MainActor
open class _Fiber {
    package final let graph: ViewGraph
    package private(set) final weak var parent: _Fiber?
    package final var environment: EnvironmentValues
    package final let depth: Int
    package private(set) final var isRemoved = false

    @_spi(Graph) public init(_ inputs: _FiberInputs) {
        graph = inputs.graph
        parent = inputs.parent
        environment = inputs.environment
        depth = (inputs.parent?.depth ?? -1) + 1
    }

    /// The fibers of the views that this one consists of, in order.
    @_spi(Graph) open var children: [_Fiber] { [] }
    /// What this fiber contributes to its parent's layout, in order.
    @_spi(Graph) open var elements: [Element] {
        children.count == 1 ? children[0].elements : children.flatMap(\.elements)
    }
    /// The values that this view and those below hand up for `key`.
    @_spi(Graph) open func preference<K: PreferenceKey>(_ key: K.Type) -> K.Value? {
        var result: K.Value?
        for child in children {
            guard let value = child.preference(key) else { continue }
            if var sum = result {
                K.reduce(value: &sum) { value }
                result = sum
            } else {
                result = value
            }
        }
        return result
    }

    /// A descendant's `elements` are no longer the same.
    @_spi(Graph) open func structureChanged() { parent?.structureChanged() }

    /// Evaluates what was invalidated; called by the graph.
    @_spi(Graph) open func reevaluate() {}

    /// Ends this view and all below it.
    package final func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        for child in children { child.remove() }
        removed()
    }

    /// For what a fiber must let go of when its view goes.
    @_spi(Graph) open func removed() {}

    package func inputs(_ environment: EnvironmentValues? = nil) -> _FiberInputs {
        _FiberInputs(graph: graph, parent: self, environment: environment ?? self.environment)
    }
}

/// A fiber that knows its view's type.
@MainActor
open class _ViewFiber<V: View>: _Fiber {
    package private(set) final var view: V

    @_spi(Graph) public init(_ view: V, _ inputs: _FiberInputs) {
        self.view = view
        super.init(inputs)
    }

    /// The view has a new value, or another environment. Overrides call `super` first.
    @_spi(Graph) open func update(_ view: V, _ environment: EnvironmentValues) {
        self.view = view
        self.environment = environment
    }
}
