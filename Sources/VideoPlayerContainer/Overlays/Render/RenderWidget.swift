import Zoetrope

/// The picture, and on it the gestures.
struct RenderWidget: View {
    var body: some View {
        WithService(RenderService.self) { service in
            ZStack {
                // The view stands for one service: another context's has its own.
                LayerView(service: service).id(ObjectIdentifier(service))
                GestureWidget()
            }
        }
    }
}

private struct LayerView: UIViewRepresentable {
    let service: RenderService

    func makeUIView(context: UIViewRepresentableContext<LayerView>) -> LayerHost {
        service.viewCame()
        return LayerHost(service.layer)
    }
    func updateUIView(_ view: LayerHost, context: UIViewRepresentableContext<LayerView>) {}
    func makeCoordinator() -> RenderService { service }
    static func dismantleUIView(_ view: LayerHost, coordinator: RenderService) {
        view.end()
        coordinator.viewWent()
    }
}

/// Gives the service's layer all the room there is.
private final class LayerHost: UIView {
    private let shown: AVPlayerLayer

    init(_ shown: AVPlayerLayer) {
        self.shown = shown
        super.init(frame: .zero)
        layer.addSublayer(shown)
    }
    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func layoutSubviews() {
        super.layoutSubviews()
        shown.frame = bounds
    }

    /// Another host may have taken the layer meanwhile.
    func end() { if shown.superlayer === layer { shown.removeFromSuperlayer() } }
}
