import Zoetrope

/// A single view anywhere over the video, such as the target time of a drag, or a play symbol that fades.
///
/// ```swift
/// context.plugin.present(.center) { AnyView(Image(systemName: "play.fill").font(.largeTitle)) }
/// hide = timer.after(1) { context.plugin.dismiss() }
/// ```
public class PluginService: Service {
    struct Plugin {
        let transition: AnyTransition
        let content: () -> AnyView
    }

    @Published private(set) var plugin: Plugin?
    /// The alignment of the last view, which stays in its position while it disappears.
    private(set) var alignment = Alignment.center

    /// Whether a view is visible.
    public var isBeingPresented: Bool { plugin != nil }

    /// Shows a view. If a view of the same type is visible, it is updated without a transition.
    /// - Parameters:
    ///   - alignment: The position in the container.
    ///   - animation: The animation; nil for none.
    ///   - transition: The transition with which the view appears and disappears.
    ///   - content: Returns the view.
    public func present(
        _ alignment: Alignment, animation: Animation? = .default, transition: AnyTransition = .opacity,
        content: @escaping () -> AnyView
    ) {
        self.alignment = alignment
        withAnimation(animation) { plugin = Plugin(transition: transition, content: content) }
    }

    /// Removes the view. It has no effect without a view.
    public func dismiss(animation: Animation? = .default) {
        guard plugin != nil else { return }
        withAnimation(animation) { plugin = nil }
    }
}
