/// What a fiber is made from: its place in the graph and what holds there.
@MainActor
public struct _FiberInputs {
    let graph: ViewGraph
    let parent: _Fiber?
    let environment: EnvironmentValues
}

/// What stands for a view in the graph and lives as long as the view's identity: the view's latest value,
/// its state, its children, and the elements it contributes to the layout.
///
/// Main actor. Made by `View._makeFiber`, ended by `remove()`.
@MainActor
public class _Fiber {
    let graph: ViewGraph
    private(set) weak var parent: _Fiber?
    var environment: EnvironmentValues
    let depth: Int
    private(set) var isRemoved = false

    init(_ inputs: _FiberInputs) {
        graph = inputs.graph
        parent = inputs.parent
        environment = inputs.environment
        depth = (inputs.parent?.depth ?? -1) + 1
    }

    /// The fibers of the views that this one consists of, in order.
    var children: [_Fiber] { [] }
    /// What this fiber contributes to its parent's layout, in order.
    var elements: [Element] { children.count == 1 ? children[0].elements : children.flatMap(\.elements) }
    /// The values that this view and those below hand up for `key`.
    func preference<K: PreferenceKey>(_ key: K.Type) -> K.Value? {
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
    func structureChanged() { parent?.structureChanged() }

    /// Evaluates what was invalidated; called by the graph.
    func reevaluate() {}

    /// Ends this view and all below it.
    final func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        for child in children { child.remove() }
        removed()
    }

    /// For what a fiber must let go of when its view goes.
    func removed() {}

    func inputs(_ environment: EnvironmentValues? = nil) -> _FiberInputs {
        _FiberInputs(graph: graph, parent: self, environment: environment ?? self.environment)
    }
}

/// A fiber that knows its view's type.
@MainActor
public class _ViewFiber<V: View>: _Fiber {
    private(set) var view: V

    init(_ view: V, _ inputs: _FiberInputs) {
        self.view = view
        super.init(inputs)
    }

    /// The view has a new value, or another environment. Overrides call `super` first.
    func update(_ view: V, _ environment: EnvironmentValues) {
        self.view = view
        self.environment = environment
    }
}
