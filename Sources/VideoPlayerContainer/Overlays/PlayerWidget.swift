import Zoetrope

/// A view that shows a player: its video, and over it the overlays of the services in its ``Context``.
///
/// ```swift
/// struct PlayerPage: View {
///     @StateObject private var context = Context()
///     let url: URL
///
///     var body: some View {
///         PlayerWidget(context)
///             .onAppear {
///                 context.render.player.replaceCurrentItem(with: AVPlayerItem(url: url))
///                 context.render.player.play()
///             }
///     }
/// }
/// ```
/// The view takes all the space that is offered. From the lowest to the topmost, the overlays are render, feature,
/// plugin, control and toast. Each is followed by the app's own one
/// (``PlayerService/configure(overlay:overlayGetter:)``). The views of an overlay get the context from the environment.
public struct PlayerWidget: View {
    private weak var context: Context?

    /// Creates a player view.
    ///
    /// ```swift
    /// PlayerWidget(context, launch: [StatisticsService.self])
    /// ```
    /// - Parameters:
    ///   - context: The context. The app keeps it; the view does not hold it.
    ///   - services: The services to create at once, because they work without being requested.
    public init(_ context: Context, launch services: [Service.Type] = []) {
        self.context = context
        for service in services { _ = context.startService(service) }
    }

    public var body: some View {
        if let context {
            // Each context has its own container, with its own state.
            Container(context: context).environmentObject(context).id(ObjectIdentifier(context))
        } else {
            MissingContext()
        }
    }
}

/// A message in place of the player if the app has released the context.
private struct MissingContext: View {
    var body: some View {
        Text(
            "PlayerWidget: Its Context was deallocated. Keep the Context as long as the view is used: @StateObject var context = Context()"
        )
        .font(.caption).padding().frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}

/// An object that counts a container for as long as the container exists.
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
        DesktopInput(context) { overlays }
    }

    private var overlays: some View {
        GeometryReader { proxy in
            reportSize(proxy.size)
            StatusFollower(context, size: proxy.size)
            WithService(PlayerService.self) { player in
                WithService(FeatureService.self) { feature in
                    // A panel beside the overlays belongs to the feature overlay too.
                    SqueezeLayout(panel: player.enabled.contains(.feature) ? feature.panel : nil) { Overlays() }
                }
            }
            .frame(width: proxy.size.width, height: proxy.size.height)
        }
        .coordinateSpace(name: "PlayerWidget")
        // The pointer counts as over the container even in empty areas.
        .contentShape(Rectangle())
        .onHover { context.gesture.hover($0) }
        .clipped()
    }

    /// Reports the size to its service. No view reads it from there, so nothing that is being evaluated changes.
    private func reportSize(_ size: CGSize) -> EmptyView {
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
