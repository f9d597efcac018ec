import Zoetrope

/// A player: its picture, and over it the overlays whose services its ``Context`` has. Fills what it is offered.
///
/// From the lowest to the topmost: render, feature, plugin, control, toast, after each the app's own
/// (``PlayerService/configure(overlay:overlayGetter:)``). What belongs to an overlay finds the context in the
/// environment.
public struct PlayerWidget: View {
    private weak var context: Context?

    /// - Parameters:
    ///   - context: kept by the app, not by this view.
    ///   - services: made at once, for those that act without being asked.
    public init(_ context: Context, launch services: [Service.Type] = []) {
        self.context = context
        for service in services { _ = context.startService(service) }
    }

    public var body: some View {
        if let context {
            // Another context's is another container.
            Container(context: context).environmentObject(context).id(ObjectIdentifier(context))
        } else {
            MissingContext()
        }
    }
}

/// Whoever lets the context go sees why nothing is there.
private struct MissingContext: View {
    var body: some View {
        Text(
            "PlayerWidget: Its Context was deallocated. Keep the Context as long as the view is used: @StateObject var context = Context()"
        )
        .font(.caption).padding().frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

/// Lasts as long as a container.
@MainActor
private final class Claim: ObservableObject {
    private let claim: AnyCancellable
    init(_ service: RenderService) { claim = service.claim() }
}

private struct Container: View {
    let context: Context
    @StateObject private var claim: Claim

    init(context: Context) {
        self.context = context
        _claim = StateObject(wrappedValue: Claim(context.render))
    }

    var body: some View {
        DesktopHabits(context) { overlays }
    }

    private var overlays: some View {
        GeometryReader { proxy in
            tell(proxy.size)
            StatusFollower(context, size: proxy.size)
            WithService(PlayerService.self) { player in
                WithService(FeatureService.self) { feature in
                    // A panel beside the overlays is the feature overlay's, too.
                    SqueezeLayout(panel: player.enabled.contains(.feature) ? feature.panel : nil) { Overlays() }
                }
            }
            .frame(width: proxy.size.width, height: proxy.size.height)
        }
        .coordinateSpace(name: "PlayerWidget")
        // The pointer is over it also where nothing is.
        .contentShape(Rectangle())
        .onHover { context.gesture.hover($0) }
        .clipped()
    }

    /// No view reads the size, so this changes nothing that is being evaluated.
    private func tell(_ size: CGSize) -> EmptyView {
        context.viewSize.change(to: size)
        return EmptyView()
    }
}

private struct Overlays: View {
    var body: some View {
        WithService(PlayerService.self) { player in
            ZStack {
                ForEach(PlayerService.Overlay.allCases, id: \.self) { overlay in
                    ZStack {
                        if player.enabled.contains(overlay) { BuiltInOverlay(overlay: overlay) }
                        player.custom(above: overlay)
                    }
                }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
    }
}

private struct BuiltInOverlay: View {
    let overlay: PlayerService.Overlay
    var body: some View {
        switch overlay {
        case .render: RenderWidget()
        case .feature: FeatureWidget()
        case .plugin: PluginWidget()
        case .control: ControlWidget()
        case .toast: ToastWidget()
        }
    }
}
