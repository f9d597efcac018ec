/// The values from which a fiber is created: its graph, parent and environment.
@MainActor
public struct _FiberInputs {
    package let graph: ViewGraph
    let parent: _Fiber?
    package let environment: EnvironmentValues
    /// The nearest part of the view tree that a container shows and hides. Nil if none contains the view.
    let appearanceScope: AppearanceScope?
}

/// The node of the graph that represents a view and lives as long as the view's identity.
///
/// It keeps the view's latest value, state, children and the elements that it adds to the layout. `View._makeFiber`
/// creates a fiber; `remove()` ends it.
@MainActor
open class _Fiber {
    package final let graph: ViewGraph
    package private(set) final weak var parent: _Fiber?
    package final var environment: EnvironmentValues
    package final let depth: Int
    /// The nearest part of the view tree that a container shows and hides. Nil if none contains the view.
    package final let appearanceScope: AppearanceScope?
    package private(set) final var isRemoved = false
    /// The nearest ancestor that changes transactions. Nil if there is none.
    private final weak var transactionAncestor: _Fiber?

    @_spi(Graph) public init(_ inputs: _FiberInputs) {
        graph = inputs.graph
        parent = inputs.parent
        environment = inputs.environment
        appearanceScope = inputs.appearanceScope
        depth = (inputs.parent?.depth ?? -1) + 1
        transactionAncestor = inputs.parent.flatMap { $0.changesTransaction ? $0 : $0.transactionAncestor }
    }

    /// The fibers of the views directly inside this view, in order.
    @_spi(Graph) open var children: [_Fiber] { [] }
    /// The elements that this fiber adds to its parent's layout, in order.
    @_spi(Graph) open var elements: [Element] {
        children.count == 1 ? children[0].elements : children.flatMap(\.elements)
    }
    /// Returns the value for `key` of this view and the views inside it, combined with `reduce`. Nil if no view sets a
    /// value.
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

    /// Returns the transaction in which the views inside this view are evaluated, in an update with `transaction`.
    ///
    /// The modifiers of this view and of its ancestors determine it, also if this update does not reach them.
    func transactionInside(_ transaction: Transaction) -> Transaction {
        transactionAncestor?.transactionInside(transaction) ?? transaction
    }
    /// Whether `transactionInside` of this fiber may differ from that of its parent. The same for the fiber's lifetime.
    var changesTransaction: Bool { false }

    /// Notifies this fiber that the `elements` of a descendant have changed.
    @_spi(Graph) open func structureChanged() { parent?.structureChanged() }

    /// Evaluates the fiber again after it was invalidated. The graph calls this method.
    @_spi(Graph) open func reevaluate() {}

    /// Removes this view and all views inside it.
    package final func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        for child in children { child.remove() }
        removed()
    }

    /// Releases what the fiber holds when its view is removed.
    @_spi(Graph) open func removed() {}

    package func inputs(_ environment: EnvironmentValues? = nil) -> _FiberInputs {
        inputs(environment, in: appearanceScope)
    }

    /// Returns the inputs of a view that a container shows and hides with `scope`.
    /// - Parameter scope: Nil for a view that stays visible when the views around it are hidden, such as the content of
    ///   a sheet.
    package func inputs(_ environment: EnvironmentValues? = nil, in scope: AppearanceScope?) -> _FiberInputs {
        _FiberInputs(
            graph: graph, parent: self, environment: environment ?? self.environment, appearanceScope: scope)
    }
}

/// A fiber that knows the type of its view.
@MainActor
open class _ViewFiber<V: View>: _Fiber {
    package private(set) final var view: V

    @_spi(Graph) public init(_ view: V, _ inputs: _FiberInputs) {
        self.view = view
        super.init(inputs)
    }

    /// Updates the fiber with a new value of the view or another environment. Overrides call `super` first.
    @_spi(Graph) open func update(_ view: V, _ environment: EnvironmentValues) {
        self.view = view
        self.environment = environment
    }
}
