import Zoetrope

/// One view over the picture, anywhere: the time a drag leads to, a play symbol that fades. One at a time.
public class PluginService: Service {
    struct Plugin {
        let id: Int
        let alignment: Alignment
        let transition: AnyTransition
        let content: () -> AnyView
    }

    @Published private(set) var plugin: Plugin?
    private var plugins = 0

    public var isBeingPresented: Bool { plugin != nil }

    /// Shows a view; one that is there is replaced.
    /// - Parameters:
    ///   - alignment: where in the container.
    ///   - transition: how it comes and goes.
    public func present(
        _ alignment: Alignment, animation: Animation? = .default, transition: AnyTransition = .opacity, content: @escaping () -> AnyView
    ) {
        plugins += 1
        let id = plugins
        withAnimation(animation) { plugin = Plugin(id: id, alignment: alignment, transition: transition, content: content) }
    }

    /// Takes the view away; without one nothing happens.
    public func dismiss(animation: Animation? = .default) {
        guard plugin != nil else { return }
        withAnimation(animation) { plugin = nil }
    }
}
