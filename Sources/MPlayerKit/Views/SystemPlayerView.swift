import Zoetrope

/// The environment's model in a complete, ready-made player: `AVPlayerViewController`. Main actor.
///
/// ```swift
/// SystemPlayerView(prepare: { $0.requiresLinearPlayback = true })
/// ```
public struct SystemPlayerView: View {
    @Environment(\.playerModel) private var model
    private let presentation: PlayerPresentation
    private let prepare: ((AVPlayerViewController) -> Void)?
    private let onTimeChange: ((CMTime) -> Void)?
    private let onStateChange: ((PlayerState) -> Void)?

    /// - Parameters:
    ///   - presentation: becomes the model's when the view comes; with autoplay it plays then. It pauses when it goes.
    ///   - prepare: once, when the controller is made and has the player, before it is shown.
    ///   - onTimeChange: every second while it plays.
    ///   - onStateChange: when the view comes, and at every change.
    public init(
        presentation: PlayerPresentation = .inline(autoplay: true),
        prepare: ((_ controller: AVPlayerViewController) -> Void)? = nil,
        onTimeChange: ((_ time: CMTime) -> Void)? = nil, onStateChange: ((_ state: PlayerState) -> Void)? = nil
    ) {
        (self.presentation, self.prepare, self.onTimeChange, self.onStateChange) = (
            presentation, prepare, onTimeChange, onStateChange
        )
    }

    public var body: some View {
        SystemController(model: model, prepare: prepare)
            .modifier(
                PlayerCallbacks(
                    model: model, presentation: presentation, onTimeChange: onTimeChange, onStateChange: onStateChange))
    }
}

private struct SystemController: UIViewControllerRepresentable {
    let model: PlayerModel
    let prepare: ((AVPlayerViewController) -> Void)?

    func makeCoordinator() -> SystemDelegate { SystemDelegate() }
    func makeUIViewController(context: Context) -> AVPlayerViewController {
        let controller = AVPlayerViewController()
        controller.player = model.player
        controller.entersFullScreenWhenPlaybackBegins = false
        context.coordinator.model = model
        controller.delegate = context.coordinator
        prepare?(controller)
        return controller
    }
    func updateUIViewController(_ controller: AVPlayerViewController, context: Context) {
        context.coordinator.model = model
        if controller.player !== model.player { controller.player = model.player }
    }
}

/// Hands on to the model what the controller does by itself.
@MainActor
private final class SystemDelegate: AVPlayerViewControllerDelegate {
    weak var model: PlayerModel?
    func playerViewController(
        _ playerViewController: AVPlayerViewController,
        willEndFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator
    ) { model?.presentation = .none }
    func playerViewControllerDidStartPictureInPicture(_ playerViewController: AVPlayerViewController) {
        model?.pictureFloats(true)
    }
    func playerViewControllerDidStopPictureInPicture(_ playerViewController: AVPlayerViewController) {
        model?.pictureFloats(false)
    }
}
