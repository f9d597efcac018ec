import Zoetrope

/// Picture in Picture of the layer that renders a model's player. Main actor.
@MainActor
final class LayerPicture {
    /// Called when Picture in Picture has become possible or impossible.
    var onPossible: (Bool) -> Void = { _ in }
    /// Called when the picture floats, or no longer does.
    var onActive: (Bool) -> Void = { _ in }
    /// Nil until a view renders, and where pictures can't float.
    private(set) var controller: AVPictureInPictureController?
    private var observations: [NSKeyValueObservation] = []

    /// A view renders on `layer` from now on.
    func renders(on layer: AVPlayerLayer) {
        guard controller?.playerLayer !== layer else { return }
        observations = []
        controller = AVPictureInPictureController(playerLayer: layer)
        guard let controller else { return }
        observations = [
            controller.observe(\.isPictureInPicturePossible, options: [.initial]) { [weak self] controller, _ in
                self?.onPossible(controller.isPictureInPicturePossible)
            },
            controller.observe(\.isPictureInPictureActive, options: [.initial]) { [weak self] controller, _ in
                self?.onActive(controller.isPictureInPictureActive)
            },
        ]
    }

    /// `layer` shows nothing any more. A picture that floats needs the layer, and continues until it returns.
    func rendersNoMore(on layer: AVPlayerLayer) {
        guard let controller, controller.playerLayer === layer, !controller.isPictureInPictureActive else { return }
        observations = []
        self.controller = nil
        onPossible(false)
        onActive(false)
    }

    func toggle() {
        guard let controller else { return }
        controller.isPictureInPictureActive
            ? controller.stopPictureInPicture() : controller.startPictureInPicture()
    }
}
