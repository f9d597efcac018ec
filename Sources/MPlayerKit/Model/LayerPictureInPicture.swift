import Zoetrope

/// The Picture in Picture of the layer that displays a model's player. Main actor.
@MainActor
final class LayerPictureInPicture {
    /// Called when Picture in Picture has become possible or impossible.
    var onPossible: (Bool) -> Void = { _ in }
    /// Called when Picture in Picture has started or ended.
    var onActive: (Bool) -> Void = { _ in }
    /// The controller; nil before a view displays the player, and if the display does not support floating windows.
    private(set) var controller: AVPictureInPictureController?
    private var observations: [NSKeyValueObservation] = []

    /// Follows a view that now displays the player on `layer`.
    func didStartDisplaying(on layer: AVPlayerLayer) {
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

    /// Handles that `layer` no longer displays the player. An active Picture in Picture needs the layer, and continues
    /// until it ends.
    func didStopDisplaying(on layer: AVPlayerLayer) {
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
