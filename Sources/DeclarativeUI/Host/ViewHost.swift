import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// A root view with its graph, and the surface that shows its elements.
@MainActor
final class ViewHost {
    let graph = ViewGraph()
    let surface: ElementSurface
    private let root = WindowRoot()
    private var fiber: _ViewFiber<RootView>?
    private let editing = EditModeStore()
    /// Incremented by every mount and when the host closes, so that an outdated delayed mount has no effect.
    private var mounts = 0

    /// Creates a host.
    /// - Parameter display: Whether a widget is created. If false, views are evaluated and laid out without a window.
    init(display: Bool = true) {
        surface = ElementSurface(root: root, graph: graph, display: display)
    }

    func mount<V: View>(_ view: V, environment: EnvironmentValues = EnvironmentValues()) {
        mounts += 1
        guard !ObservationScope.isInBody else { return mountLater(view, environment) }
        graph.mount(RootView(content: AnyView(view), root: root), environment: editing.within(environment))
        fiber = graph.root as? _ViewFiber<RootView>
    }

    /// Mounts the view after the current evaluation.
    ///
    /// The body that is evaluated now has created this host, for example for a player view. If the view were mounted
    /// now, Observation would also register every value that the views in this host read for that body.
    private func mountLater<V: View>(_ view: V, _ environment: EnvironmentValues) {
        let expectedMounts = mounts
        OnMain.later { [weak self] in
            if let self, mounts == expectedMounts { mount(view, environment: environment) }
        }
    }

    /// Sets another environment for the same views, for example after a change of appearance.
    func setEnvironment(_ environment: EnvironmentValues) {
        guard let fiber else { return }
        let own = editing.within(environment)
        graph.change { fiber.update(fiber.view, own) }
    }

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
