import Zoetrope

/// A view that shows the environment's model in an `AVPlayerViewController`, with the controls of that class.
///
/// ```swift
/// SystemPlayerView(prepare: { $0.requiresLinearPlayback = true })
/// ```
/// If the user leaves the full screen of the controller, the presentation of the model becomes `.none`, also if it was
/// `.inline`.
public struct SystemPlayerView: View {
    @Environment(\.playerModel) private var model
    private let presentation: PlayerPresentation
    private let prepare: ((AVPlayerViewController) -> Void)?
    private let onTimeChange: ((CMTime) -> Void)?
    private let onStateChange: ((PlayerState) -> Void)?

    /// Creates a player view.
    ///
    /// ```swift
    /// SystemPlayerView(
    ///     presentation: .inline(autoplay: false),
    ///     onStateChange: { state in isPlaying = state.isPlaying })
    /// ```
    /// - Parameters:
    ///   - presentation: The presentation, which the model gets when the view appears. When the view disappears, the
    ///     player pauses.
    ///   - prepare: Called once with the view controller, before it is visible. The controller has its player by then.
    ///   - onTimeChange: Called every second during playback, with the current time.
    ///   - onStateChange: Called with the state when the view appears, and after each change.
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

/// A delegate that reports the controller's own actions to the model.
@MainActor
private final class SystemDelegate: AVPlayerViewControllerDelegate {
    weak var model: PlayerModel?
    func playerViewController(
        _ playerViewController: AVPlayerViewController,
        willEndFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator
    ) { model?.presentation = .none }
    func playerViewControllerDidStartPictureInPicture(_ playerViewController: AVPlayerViewController) {
        model?.pictureInPictureDidChange(true)
    }
    func playerViewControllerDidStopPictureInPicture(_ playerViewController: AVPlayerViewController) {
        model?.pictureInPictureDidChange(false)
    }
}
