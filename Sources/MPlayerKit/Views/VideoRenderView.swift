import Zoetrope

/// A view that shows the video of the environment's model without controls, in an `AVPlayerLayer`. It supports Picture
/// in Picture (`PlayerModel.togglePiP()`).
///
/// ```swift
/// VideoRenderView(prepare: { layer in layer.videoGravity = .resizeAspectFill })
///     .overlay(alignment: .bottomTrailing) {
///         Button("Picture in Picture") { model.togglePiP() }
///     }
/// ```
public struct VideoRenderView: UIViewRepresentable {
    @Environment(\.playerModel) private var model
    private let prepare: ((AVPlayerLayer) -> Void)?

    /// Creates a video view.
    /// - Parameter prepare: Called once with the layer, before it is visible. The layer has its player by then.
    public init(prepare: ((AVPlayerLayer) -> Void)? = nil) { self.prepare = prepare }

    /// An object that remembers the model whose video the view shows.
    public final class Coordinator { weak var model: PlayerModel? }
    public func makeCoordinator() -> Coordinator { Coordinator() }
    public func makeUIView(context: Context) -> LayerView {
        let view = LayerView()
        guard let layer = view.playerLayer else { return view }
        layer.player = model.player
        prepare?(layer)
        context.coordinator.model = model
        model.didStartDisplaying(on: layer)
        return view
    }
    public func updateUIView(_ view: LayerView, context: Context) {
        guard let layer = view.playerLayer, context.coordinator.model !== model else { return }
        context.coordinator.model?.didStopDisplaying(on: layer)
        context.coordinator.model = model
        layer.player = model.player
        model.didStartDisplaying(on: layer)
    }
    public static func dismantleUIView(_ view: LayerView, coordinator: Coordinator) {
        guard let layer = view.playerLayer else { return }
        coordinator.model?.didStopDisplaying(on: layer)
    }
}

/// A view that shows the video of the environment's preview model without controls.
public struct PreviewRenderView: UIViewRepresentable {
    @Environment(\.playerPreviewModel) private var model
    /// Creates a view for the preview model of the environment.
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

/// A view whose layer is a player layer.
public final class LayerView: UIView {
    public override class var layerClass: AnyClass { AVPlayerLayer.self }
    var playerLayer: AVPlayerLayer? { layer as? AVPlayerLayer }
}
