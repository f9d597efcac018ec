import Zoetrope

/// A view that shows the environment's model with the app's own controls.
///
/// ```swift
/// CustomPlayerView(controls: { _ in CustomControlsView() })
///     .aspectRatio(16 / 9, contentMode: .fit)
/// ```
/// A click or a tap on the video shows or hides the controls, which are hidden at first. They hide ten seconds after
/// their last use. A tap, a drag, a key, and a movement of the pointer over them count as use. While the video has the
/// keyboard focus, any key except Escape shows them. Space plays or pauses, and ← and → skip back and forward by 10
/// seconds.
public struct CustomPlayerView<C>: View where C: View {
    @Environment(\.playerModel) private var model
    @State private var presence = ControlsPresence(rest: 10, animation: .easeInOut(duration: 0.25))
    @Environment(\.isEnabled) private var isEnabled
    private let controls: (PlayerModel) -> C
    private let presentation: PlayerPresentation
    private let prepare: ((AVPlayerLayer) -> Void)?
    private let onTimeChange: ((CMTime) -> Void)?
    private let onStateChange: ((PlayerState) -> Void)?

    /// Creates a player view.
    ///
    /// ```swift
    /// CustomPlayerView(
    ///     controls: { model in
    ///         HStack {
    ///             Button("Play") { model.play() }
    ///             Button("Pause") { model.pause() }
    ///         }
    ///     }, presentation: .inline(autoplay: false),
    ///     prepare: { layer in layer.videoGravity = .resizeAspectFill })
    /// ```
    /// - Parameters:
    ///   - controls: Returns the controls.
    ///   - presentation: The presentation, which the model gets when the view appears. When the view disappears, the
    ///     player pauses.
    ///   - prepare: Called once with the layer that displays the video, before the layer is visible.
    ///   - onTimeChange: Called every second during playback, with the current time.
    ///   - onStateChange: Called with the state when the view appears, and after each change.
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
        // A disabled player shows no controls, because they would not respond.
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
        .onKeyPress(keys: [.space]) { press in
            // A held key is not passed on either.
            if press.phase != .repeat { model.togglePlayback() }
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
