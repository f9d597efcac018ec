import Zoetrope

/// Covers the window with a `SystemPlayerView` while the model's presentation is `.fullscreen`. README's
/// “SystemPlayerPresenter”. Main actor.
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

/// The same with a `CustomPlayerView`, on black. README's “CustomPlayerPresenter”. Main actor.
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

/// A cover while a model is to fill the screen. Dismissed by hand it sets the model's presentation to `.none`.
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
    /// A ready-made player over everything while the environment's `playerModel.presentation` is `.fullscreen`.
    public func systemPlayerFullScreenPresenter(
        prepare: ((_ playerController: AVPlayerViewController) -> Void)? = nil,
        onTimeChange: ((_ time: CMTime) -> Void)? = nil, onStateChange: ((_ state: PlayerState) -> Void)? = nil
    ) -> some View {
        modifier(
            SystemPlayerFullScreenPresenter(prepare: prepare, onTimeChange: onTimeChange, onStateChange: onStateChange))
    }
    /// The same with controls of the app's own.
    public func customPlayerFullScreenPresenter<C>(
        controls: @escaping (_ playerModel: PlayerModel) -> C, prepare: ((_ playerLayer: AVPlayerLayer) -> Void)? = nil,
        onTimeChange: ((_ time: CMTime) -> Void)? = nil, onStateChange: ((_ state: PlayerState) -> Void)? = nil
    ) -> some View where C: View {
        modifier(
            CustomPlayerFullScreenPresenter(
                controls: controls, prepare: prepare, onTimeChange: onTimeChange, onStateChange: onStateChange))
    }
}
