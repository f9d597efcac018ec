import Zoetrope

/// Which overlays a container has, and an app's own between them.
public class PlayerService: Service {
    /// The overlays, from the lowest to the topmost.
    public enum Overlay: CaseIterable {
        /// The picture; panels; views anywhere; controls; short messages.
        case render, feature, plugin, control, toast
    }

    @Published private(set) var enabled = Set(Overlay.allCases)
    @Published private var custom: [Overlay: () -> AnyView] = [:]

    public required init(_ context: Context) { super.init(context) }

    /// Which overlays there are; those not named are not there. Default: all five.
    public func enable(overlays: [Overlay]) { enabled = Set(overlays) }

    /// A custom overlay just above the named one, also where that one is not there. One for each place: a later call
    /// replaces it.
    public func configure(overlay: Overlay, overlayGetter: @escaping () -> AnyView) { custom[overlay] = overlayGetter }

    func custom(above overlay: Overlay) -> AnyView? { custom[overlay]?() }
}

extension CoordinateSpace {
    /// The whole container.
    public static var containerSpace: CoordinateSpace { .named("PlayerWidget") }
}
