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
    /// The layers that display the player, the newest last. A full-screen view displays it over an inline view.
    private var layers: [AVPlayerLayer] = []
    private var observations: [NSKeyValueObservation] = []

    /// Follows a view that now displays the player on `layer`.
    func didStartDisplaying(on layer: AVPlayerLayer) {
        guard !layers.contains(where: { $0 === layer }) else { return }
        layers.append(layer)
        follow(layer)
    }

    /// Handles that `layer` no longer displays the player. If it was the newest layer, the previous one has Picture in
    /// Picture again. An active Picture in Picture needs its layer, and continues until it ends.
    func didStopDisplaying(on layer: AVPlayerLayer) {
        layers.removeAll { $0 === layer }
        if let controller, !controller.isPictureInPictureActive { leave(controller) }
    }

    /// Replaces the controller if its layer no longer displays the player.
    private func leave(_ controller: AVPictureInPictureController) {
        guard !layers.contains(where: { $0 === controller.playerLayer }) else { return }
        follow(layers.last)
    }

    private func follow(_ layer: AVPlayerLayer?) {
        observations = []
        controller = layer.flatMap { AVPictureInPictureController(playerLayer: $0) }
        guard let controller else {
            onPossible(false)
            onActive(false)
            return
        }
        observations = [
            controller.observe(\.isPictureInPicturePossible, options: [.initial]) { [weak self] controller, _ in
                self?.onPossible(controller.isPictureInPicturePossible)
            },
            controller.observe(\.isPictureInPictureActive, options: [.initial]) { [weak self] controller, _ in
                self?.activityDidChange(of: controller)
            },
        ]
    }

    private func activityDidChange(of controller: AVPictureInPictureController) {
        onActive(controller.isPictureInPictureActive)
        if !controller.isPictureInPictureActive { leave(controller) }
    }

    func toggle() {
        guard let controller else { return }
        controller.isPictureInPictureActive
            ? controller.stopPictureInPicture() : controller.startPictureInPicture()
    }
}
