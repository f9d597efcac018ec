import Foundation
@_spi(Graph) import ViewGraph

/// Views and the surface that shows them: the graph of a root view, and its elements.
@MainActor
final class ViewHost {
    let graph = ViewGraph()
    let surface: ElementSurface
    private let root = WindowRoot()
    private var fiber: _ViewFiber<RootView>?

    /// - Parameter display: false evaluates and lays out without a window.
    init(display: Bool = true) {
        surface = ElementSurface(root: root, graph: graph, display: display)
    }

    func mount<V: View>(_ view: V, environment: EnvironmentValues = EnvironmentValues()) {
        graph.mount(RootView(content: AnyView(view), root: root), environment: environment)
        fiber = graph.root as? _ViewFiber<RootView>
    }

    /// Another environment (the appearance changed) for the same views.
    func setEnvironment(_ environment: EnvironmentValues) {
        guard let fiber else { return }
        graph.change { fiber.update(fiber.view, environment) }
    }
    var environment: EnvironmentValues { fiber?.environment ?? EnvironmentValues() }

    func close() {
        graph.unmount()
        fiber = nil
        surface.close()
    }
}

struct RootView: _PrimitiveView {
    let content: AnyView
    let root: Element
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, view.root, content: { $0.content }) { root, _, fiber in
            root.direction = fiber.environment.layoutDirection
        }
    }
}
