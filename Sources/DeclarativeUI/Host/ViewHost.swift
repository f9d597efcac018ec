import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// Views and the surface that shows them: the graph of a root view, and its elements.
@MainActor
final class ViewHost {
    let graph = ViewGraph()
    let surface: ElementSurface
    private let root = WindowRoot()
    private var fiber: _ViewFiber<RootView>?
    /// Counts what was mounted, so that a mount that was delayed does not replace a later one.
    private var mounts = 0

    /// - Parameter display: false evaluates and lays out without a window.
    init(display: Bool = true) {
        surface = ElementSurface(root: root, graph: graph, display: display)
    }

    func mount<V: View>(_ view: V, environment: EnvironmentValues = EnvironmentValues()) {
        mounts += 1
        guard !ObservationScope.isInBody else { return mountLater(view, environment) }
        graph.mount(RootView(content: AnyView(view), root: root), environment: environment)
        fiber = graph.root as? _ViewFiber<RootView>
    }

    /// A body that is being evaluated has made this host, for a player view for example. Observation would count what the
    /// views in this host read as read by that body.
    private func mountLater<V: View>(_ view: V, _ environment: EnvironmentValues) {
        let mine = mounts
        OnMain.later { [weak self] in
            if let self, mounts == mine { mount(view, environment: environment) }
        }
    }

    /// Another environment (the appearance changed) for the same views.
    func setEnvironment(_ environment: EnvironmentValues) {
        guard let fiber else { return }
        graph.change { fiber.update(fiber.view, environment) }
    }
    var environment: EnvironmentValues { fiber?.environment ?? EnvironmentValues() }

    func close() {
        mounts += 1
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
