import GTK
import DeclarativeUI
import Foundation
import MediaEngine
import PlayerControls

/// The ready-made controls over a player's window that is not of the dialect (`zoetrope play`). Nothing of them is
/// there before the pointer has moved, and nothing of them is looked at while they are not seen. Main actor.
@MainActor
package final class WindowControls {
    private let stage = PlayerStage(), presence = ControlsPresence()
    private weak var player: AVPlayer?
    private var view: ViewWidget?
    private var isSeen = false
    /// The height of the bar, points.
    package static let height = Double(ControlExtent.overPicture)
    /// Something of them is over the picture, or nothing any more.
    package var onVisible: (@MainActor (Bool) -> Void)?

    /// - Parameter fullScreen: the user wants the window to fill the screen, or not to any more.
    package init(_ player: AVPlayer, fullScreen: @escaping @MainActor () -> Void) {
        self.player = player
        stage.allowsFloating = false
        stage.hasOwnKeys = false
        stage.keyMap = .window
        stage.fullScreen.outer = fullScreen
    }

    /// Made when it is first asked for.
    package var widget: GTKWidget? {
        if view == nil {
            view = ViewWidget(
                AnyView(WindowControlsView(stage: stage, presence: presence) { [weak self] in self?.told($0) }))
        }
        return view?.widget
    }

    /// - Parameter isMotion: false: it is back where it was, which keeps what is seen.
    package func pointerMoved(_ isMotion: Bool) {
        guard isMotion || presence.isShown else { return }
        stage.player = player
        presence.show()
    }
    package func pointerLeft() { presence.pointerLeft() }
    /// What the menu has beside the film's own subtitles. One that is shown and chosen again is to go.
    package func offer(_ subtitles: [OfferedSubtitle]) { stage.additions.subtitles = subtitles }
    /// As it is now.
    package func fillsScreen(_ isFull: Bool) { stage.fullScreen.follow(isFull) }
    package func close() {
        stage.player = nil
        view?.close()
        view = nil
    }

    private func told(_ seen: Bool) {
        isSeen = seen
        if seen { return onVisible?(true) ?? () }
        // When they have faded.
        DispatchQueue.main.asyncAfter(deadline: .now() + ControlsPresence.fade + 0.1) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, !self.isSeen else { return }
                self.stage.player = nil
                self.onVisible?(false)
            }
        }
    }
}

private struct WindowControlsView: View {
    let stage: PlayerStage
    let presence: ControlsPresence
    let told: @MainActor (Bool) -> Void
    var body: some View {
        // Where it plays stays told.
        let isSeen = presence.isShown || stage.transport.route.name != nil || stage.transport.route.problem != nil
        ZStack {
            Color.clear
            ControlsOverlay(stage: stage, presence: presence)
        }
        .onChange(of: isSeen, initial: true) { told(isSeen) }
    }
}
