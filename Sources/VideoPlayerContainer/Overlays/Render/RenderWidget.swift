import Zoetrope

/// The video, and the gesture layer over it.
struct RenderWidget: View {
    var body: some View {
        WithService(RenderService.self) { service in
            ZStack {
                // The view belongs to one service, so another context needs another view.
                LayerView(service: service).id(ObjectIdentifier(service))
                GestureWidget()
            }
        }
    }
}

private struct LayerView: UIViewRepresentable {
    let service: RenderService

    func makeUIView(context: UIViewRepresentableContext<LayerView>) -> LayerHost {
        service.viewDidAppear()
        return LayerHost(service.layer)
    }
    func updateUIView(_ view: LayerHost, context: UIViewRepresentableContext<LayerView>) {}
    func makeCoordinator() -> RenderService { service }
    static func dismantleUIView(_ view: LayerHost, coordinator: RenderService) {
        view.end()
        coordinator.viewDidDisappear()
    }
}

/// A view that gives the service's layer all its space.
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

    /// Removes the layer, unless another host has taken it meanwhile.
    func end() { if shown.superlayer === layer { shown.removeFromSuperlayer() } }
}
