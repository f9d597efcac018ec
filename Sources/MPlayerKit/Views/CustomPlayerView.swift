import Zoetrope

/// The environment's model with controls of the app's own over its picture. Main actor.
///
/// A click or a tap on the picture shows or hides them; they are hidden at first, and go by themselves ten seconds
/// after they were last used (a tap, a drag, a key, or the pointer that moves on them). With the keyboard on the
/// picture any key shows them.
public struct CustomPlayerView<C>: View where C: View {
    @Environment(\.playerModel) private var model
    @State private var presence = ControlsPresence(rest: 10, animation: .easeInOut(duration: 0.25))
    @Environment(\.isEnabled) private var isEnabled
    private let controls: (PlayerModel) -> C
    private let presentation: PlayerPresentation
    private let prepare: ((AVPlayerLayer) -> Void)?
    private let onTimeChange: ((CMTime) -> Void)?
    private let onStateChange: ((PlayerState) -> Void)?

    /// - Parameters: as `SystemPlayerView`'s; `prepare` gets the layer that shows the picture.
    public init(
        @ViewBuilder controls: @escaping (_ playerModel: PlayerModel) -> C,
        presentation: PlayerPresentation = .inline(autoplay: true),
        prepare: ((_ playerLayer: AVPlayerLayer) -> Void)? = nil, onTimeChange: ((CMTime) -> Void)? = nil,
        onStateChange: ((_ state: PlayerState) -> Void)? = nil
    ) {
        (self.controls, self.presentation, self.prepare) = (controls, presentation, prepare)
        (self.onTimeChange, self.onStateChange) = (onTimeChange, onStateChange)
    }

    public var body: some View {
        let (presence, model) = (presence, model)
        // Disabled there are none, rather than some that do nothing.
        let isShown = presence.isShown && isEnabled
        ZStack {
            VideoRenderView(prepare: prepare)
            controls(model)
                .opacity(isShown ? 1 : 0)
                .allowsHitTesting(isShown)
                .simultaneousGesture(
                    DragGesture(minimumDistance: 0).onChanged { _ in presence.isUsed() }.onEnded { _ in
                        presence.isUsed()
                    })
        }
        .contentShape(Rectangle())
        .onTapGesture { presence.toggle() }
        .onContinuousHover { phase in if case .active = phase { presence.isUsed() } }
        .focusable()
        .onKeyPress(phases: [.down, .repeat]) { press in
            if presence.isShown { presence.isUsed() } else if press.key != .escape { presence.show() }
            return .ignored
        }
        .onKeyPress(.space) {
            model.state.isPlaying ? model.pause() : model.play()
            return .handled
        }
        .onKeyPress(.leftArrow) {
            model.skip(-10)
            return .handled
        }
        .onKeyPress(.rightArrow) {
            model.skip(10)
            return .handled
        }
        .modifier(
            PlayerCallbacks(
                model: model, presentation: presentation, onTimeChange: onTimeChange, onStateChange: onStateChange)
        )
        .onDisappear { presence.hide() }
    }
}
