import Zoetrope

/// The environment's model as a bare picture, in an `AVPlayerLayer`. Its picture can float (`PlayerModel.togglePiP()`).
/// Main actor.
public struct VideoRenderView: UIViewRepresentable {
    @Environment(\.playerModel) private var model
    private let prepare: ((AVPlayerLayer) -> Void)?

    /// - Parameter prepare: once, when the layer is made and has the player, before it is shown.
    public init(prepare: ((AVPlayerLayer) -> Void)? = nil) { self.prepare = prepare }

    public final class Coordinator { weak var model: PlayerModel? }
    public func makeCoordinator() -> Coordinator { Coordinator() }
    public func makeUIView(context: Context) -> LayerView {
        let view = LayerView()
        guard let layer = view.playerLayer else { return view }
        layer.player = model.player
        prepare?(layer)
        context.coordinator.model = model
        model.renders(on: layer)
        return view
    }
    public func updateUIView(_ view: LayerView, context: Context) {
        guard let layer = view.playerLayer, context.coordinator.model !== model else { return }
        context.coordinator.model?.rendersNoMore(on: layer)
        context.coordinator.model = model
        layer.player = model.player
        model.renders(on: layer)
    }
    public static func dismantleUIView(_ view: LayerView, coordinator: Coordinator) {
        guard let layer = view.playerLayer else { return }
        coordinator.model?.rendersNoMore(on: layer)
    }
}

/// The environment's preview model as a bare picture: the place that is sought. Main actor.
public struct PreviewRenderView: UIViewRepresentable {
    @Environment(\.playerPreviewModel) private var model
    /// For the preview model of the environment.
    public init() {}

    public func makeUIView(context: Context) -> LayerView {
        let view = LayerView()
        view.playerLayer?.player = model.player
        return view
    }
    public func updateUIView(_ view: LayerView, context: Context) {
        if view.playerLayer?.player !== model.player { view.playerLayer?.player = model.player }
    }
}

/// A view that is a player's layer.
public final class LayerView: UIView {
    public override class var layerClass: AnyClass { AVPlayerLayer.self }
    var playerLayer: AVPlayerLayer? { layer as? AVPlayerLayer }
}
