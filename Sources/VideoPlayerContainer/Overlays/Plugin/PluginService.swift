import Zoetrope

/// One view over the picture, anywhere: the time a drag leads to, a play symbol that fades. One at a time.
public class PluginService: Service {
    struct Plugin {
        let transition: AnyTransition
        let content: () -> AnyView
    }

    @Published private(set) var plugin: Plugin?
    /// The last one's: it stays in its place while it goes.
    private(set) var alignment = Alignment.center

    /// A view is shown.
    public var isBeingPresented: Bool { plugin != nil }

    /// Shows a view; one that is there becomes it, without coming and going where it is of the same type.
    /// - Parameters:
    ///   - alignment: where in the container.
    ///   - transition: how it comes and goes.
    public func present(
        _ alignment: Alignment, animation: Animation? = .default, transition: AnyTransition = .opacity,
        content: @escaping () -> AnyView
    ) {
        self.alignment = alignment
        withAnimation(animation) { plugin = Plugin(transition: transition, content: content) }
    }

    /// Takes the view away; without one nothing happens.
    public func dismiss(animation: Animation? = .default) {
        guard plugin != nil else { return }
        withAnimation(animation) { plugin = nil }
    }
}
