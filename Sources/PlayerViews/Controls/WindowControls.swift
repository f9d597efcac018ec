import GTK
import DeclarativeUI
import Foundation
import MediaEngine
import PlayerControls

/// The controls over a player window that is not a view of `DeclarativeUI`, such as the window of `zoetrope play`.
///
/// The controls are created when the pointer first moves. While they are hidden, they do not observe the player. Main
/// actor.
@MainActor
package final class WindowControls {
    private let stage = PlayerStage(), presence = ControlsPresence()
    private weak var player: AVPlayer?
    private var view: ViewWidget?
    private var areControlsVisible = false
    /// The height of the control bar with the space around it, in points.
    package static let height = Double(ControlExtent.overPicture)
    /// Called with true when a part of the controls appears over the video, and with false when all have disappeared.
    package var onVisible: (@MainActor (Bool) -> Void)?

    /// Creates the controls of a player.
    /// - Parameters:
    ///   - player: The player.
    ///   - fullScreen: Called when the user requests that the window enters or exits full screen.
    package init(_ player: AVPlayer, fullScreen: @escaping @MainActor () -> Void) {
        self.player = player
        stage.allowsFloating = false
        stage.hasOwnKeys = false
        stage.keyMap = .window
        stage.fullScreen.outer = fullScreen
    }

    /// The widget with the controls, which is created on first access.
    package var widget: GTKWidget? {
        if view == nil {
            view = ViewWidget(
                AnyView(
                    WindowControlsView(stage: stage, presence: presence) { [weak self] in self?.visibilityDidChange($0)
                    }))
        }
        return view?.widget
    }

    /// Shows the controls.
    /// - Parameter isMotion: Whether the pointer has really moved. If not, hidden controls stay hidden, and visible
    ///   ones stay visible for longer.
    package func pointerMoved(_ isMotion: Bool) {
        guard isMotion || presence.isShown else { return }
        stage.player = player
        presence.show()
    }
    package func pointerLeft() { presence.pointerLeft() }
    /// Sets the subtitles that the menu lists after those of the video. Choosing a listed subtitle that is shown hides
    /// it.
    package func offer(_ subtitles: [OfferedSubtitle]) { stage.additions.subtitles = subtitles }
    /// Sets whether the window fills the screen now.
    package func fillsScreen(_ isFull: Bool) { stage.fullScreen.follow(isFull) }
    package func close() {
        stage.player = nil
        view?.close()
        view = nil
    }

    private func visibilityDidChange(_ isVisible: Bool) {
        areControlsVisible = isVisible
        if isVisible { return onVisible?(true) ?? () }
        // Wait until the controls have faded out.
        DispatchQueue.main.asyncAfter(deadline: .now() + ControlsPresence.fade + 0.1) { [weak self] in
            MainActor.assumeIsolated {
                guard let self, !self.areControlsVisible else { return }
                self.stage.player = nil
                self.onVisible?(false)
            }
        }
    }
}

private struct WindowControlsView: View {
    let stage: PlayerStage
    let presence: ControlsPresence
    let visibilityDidChange: @MainActor (Bool) -> Void
    var body: some View {
        // The notice about the cast device stays visible.
        let isVisible = presence.isShown || stage.transport.route.name != nil || stage.transport.route.problem != nil
        ZStack {
            Color.clear
            ControlsOverlay(stage: stage, presence: presence)
        }
        .onChange(of: isVisible, initial: true) { visibilityDidChange(isVisible) }
    }
}
