import Zoetrope

/// The selection of the container's overlays, and the app's own overlays between them.
public class PlayerService: Service {
    /// A built-in overlay, from the lowest to the topmost.
    public enum Overlay: CaseIterable {
        /// The video; panels; a view anywhere; controls; short messages.
        case render, feature, plugin, control, toast
    }

    @Published private(set) var enabled = Set(Overlay.allCases)
    @Published private var custom: [Overlay: () -> AnyView] = [:]

    public required init(_ context: Context) { super.init(context) }

    /// Selects the overlays that are shown. By default, all five are.
    ///
    /// A preview without controls and panels:
    /// ```swift
    /// context.container.enable(overlays: [.render, .toast])
    /// ```
    public func enable(overlays: [Overlay]) { enabled = Set(overlays) }

    /// Adds the app's own overlay directly above a built-in one, even if that one is not shown.
    ///
    /// A watermark above the video and below the controls:
    /// ```swift
    /// context.container.configure(overlay: .render) {
    ///     AnyView(
    ///         Text("© Example")
    ///             .opacity(0.5)
    ///             .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .bottomTrailing))
    /// }
    /// ```
    /// There is one such overlay for each built-in one. A later call replaces it.
    public func configure(overlay: Overlay, overlayGetter: @escaping () -> AnyView) { custom[overlay] = overlayGetter }

    func custom(above overlay: Overlay) -> AnyView? { custom[overlay]?() }
}

extension CoordinateSpace {
    /// The coordinate space of the whole container.
    public static var containerSpace: CoordinateSpace { .named("PlayerWidget") }
}
