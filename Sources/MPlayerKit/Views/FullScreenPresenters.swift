import Zoetrope

/// A modifier that covers the window with a `SystemPlayerView` while the presentation of the model is `.fullscreen`.
///
/// The README of the original package calls it “SystemPlayerPresenter”.
public struct SystemPlayerFullScreenPresenter: ViewModifier {
    @Environment(\.playerModel) private var model
    let prepare: ((AVPlayerViewController) -> Void)?
    let onTimeChange: ((CMTime) -> Void)?
    let onStateChange: ((PlayerState) -> Void)?

    public func body(content: Content) -> some View {
        content.modifier(
            FullScreenCover(model: model) { presentation in
                SystemPlayerView(
                    presentation: presentation, prepare: prepare, onTimeChange: onTimeChange,
                    onStateChange: onStateChange
                ).ignoresSafeArea()
            })
    }
}

/// A modifier that covers the window with a `CustomPlayerView` on black while the presentation of the model is
/// `.fullscreen`.
///
/// The README of the original package calls it “CustomPlayerPresenter”.
public struct CustomPlayerFullScreenPresenter<C>: ViewModifier where C: View {
    @Environment(\.playerModel) private var model
    let controls: (PlayerModel) -> C
    let prepare: ((AVPlayerLayer) -> Void)?
    let onTimeChange: ((CMTime) -> Void)?
    let onStateChange: ((PlayerState) -> Void)?

    public func body(content: Content) -> some View {
        content.modifier(
            FullScreenCover(model: model) { presentation in
                ZStack {
                    Color.black
                    CustomPlayerView(
                        controls: controls, presentation: presentation, prepare: prepare, onTimeChange: onTimeChange,
                        onStateChange: onStateChange)
                }
                .ignoresSafeArea()
            })
    }
}

/// A cover that is visible while the presentation of a model is `.fullscreen`. If the user dismisses it, the
/// presentation becomes `.none`.
private struct FullScreenCover<Cover: View>: ViewModifier {
    let model: PlayerModel
    let cover: (PlayerPresentation) -> Cover
    @State private var shown: PlayerPresentation?

    init(model: PlayerModel, cover: @escaping (PlayerPresentation) -> Cover) {
        (self.model, self.cover) = (model, cover)
    }

    func body(content: Content) -> some View {
        content
            .onReceive(model.$presentation) { new in
                if new.isFullScreen { shown = new } else if shown != nil { shown = nil }
            }
            .fullScreenCover(
                isPresented: Binding(get: { shown != nil }, set: { isOn in if !isOn { model.presentation = .none } })
            ) {
                if let shown { cover(shown).environment(\.playerModel, model) }
            }
    }
}

extension View {
    /// Shows a `SystemPlayerView` over all other views while the presentation of the environment's `playerModel` is
    /// `.fullscreen`.
    /// - Parameters:
    ///   - prepare: Called once with the view controller, before it is visible.
    ///   - onTimeChange: Called every second during playback, with the current time.
    ///   - onStateChange: Called with the state when the player appears, and after each change.
    public func systemPlayerFullScreenPresenter(
        prepare: ((_ playerController: AVPlayerViewController) -> Void)? = nil,
        onTimeChange: ((_ time: CMTime) -> Void)? = nil, onStateChange: ((_ state: PlayerState) -> Void)? = nil
    ) -> some View {
        modifier(
            SystemPlayerFullScreenPresenter(prepare: prepare, onTimeChange: onTimeChange, onStateChange: onStateChange))
    }
    /// Shows a `CustomPlayerView` over all other views while the presentation of the environment's `playerModel` is
    /// `.fullscreen`.
    ///
    /// ```swift
    /// VideoRenderView()
    ///     .onTapGesture { model.presentation = .fullscreen(autoplay: true) }
    ///     .customPlayerFullScreenPresenter { _ in CustomControlsView() }
    /// ```
    /// - Parameters:
    ///   - controls: Returns the controls.
    ///   - prepare: Called once with the layer that displays the video, before the layer is visible.
    ///   - onTimeChange: Called every second during playback, with the current time.
    ///   - onStateChange: Called with the state when the player appears, and after each change.
    public func customPlayerFullScreenPresenter<C>(
        controls: @escaping (_ playerModel: PlayerModel) -> C, prepare: ((_ playerLayer: AVPlayerLayer) -> Void)? = nil,
        onTimeChange: ((_ time: CMTime) -> Void)? = nil, onStateChange: ((_ state: PlayerState) -> Void)? = nil
    ) -> some View where C: View {
        modifier(
            CustomPlayerFullScreenPresenter(
                controls: controls, prepare: prepare, onTimeChange: onTimeChange, onStateChange: onStateChange))
    }
}
