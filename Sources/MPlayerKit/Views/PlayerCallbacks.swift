import Zoetrope

/// The common behavior of the two player views. They set the presentation, play when they appear, pause when they
/// disappear, and call the app's handlers.
struct PlayerCallbacks: ViewModifier {
    let model: PlayerModel
    let presentation: PlayerPresentation
    let onTimeChange: ((CMTime) -> Void)?
    let onStateChange: ((PlayerState) -> Void)?

    func body(content: Content) -> some View {
        content
            .onAppear {
                if model.presentation != presentation { model.presentation = presentation }
                if presentation.autoplays { model.play() }
            }
            .onDisappear { model.pause() }
            .onReceive(model.$currentTime) { time in if let time, model.state.isPlaying { onTimeChange?(time) } }
            .onReceive(model.$state) { onStateChange?($0) }
    }
}
