import GTK
import DeclarativeUI
import Foundation
import MediaEngine
import Presentation

/// Picture in Picture: the video moves into its own window and back.
///
/// The player itself does not change. For a moment both views show it, while one replaces the other.
extension VideoPlayerModel {
    func startFloating() {
        guard floating == nil, let controller else { return }
        exitFullScreen()
        let player = controller.player
        guard let item = player.currentItem, item.presentationSize.width > 0,
            let window = PictureInPictureWindow(
                player: player,
                setPlaying: { [weak controller] plays in
                    if plays { controller?.play() } else { controller?.pause() }
                }, makeView: makeView)
        else { return controller.post(.error(.notSupportedPiP)) }
        floating = window
        window.onShown = { [weak self, weak window] in
            guard let self, let window, floating === window else { return }
            isFloating = true
            view?.player = nil
            self.controller?.pictureInPictureChanged(true)
        }
        window.onRestore = { [weak self] in
            self?.raiseWindow()
            self?.stopFloating()
        }
        // The player pauses, as in Apple's players, because a user who closes the window has stopped watching.
        window.onClose = { [weak self] in
            self?.controller?.pause()
            self?.stopFloating()
        }
        window.present(beside: view?.widget)
    }

    func stopFloating() {
        guard let window = floating else { return }
        floating = nil
        isFloating = false
        if isClosed {
            window.close()
        } else {
            showInPlace()
            window.close(for: view)
        }
        controller?.pictureInPictureChanged(false)
    }

    private func raiseWindow() {
        view?.widget.window?.present()
    }
}

/// The view in place of the video while Picture in Picture is active.
struct PictureInPicturePlaceholder: View {
    var body: some View {
        ZStack {
            Color.black
            VStack(spacing: 10) {
                ZStack(alignment: .bottomTrailing) {
                    RoundedRectangle(cornerRadius: 5).stroke(Color(white: 0.75), lineWidth: 2).frame(
                        width: 48, height: 34)
                    RoundedRectangle(cornerRadius: 2).fill(Color(white: 0.75)).frame(width: 22, height: 15).padding(5)
                }
                Text(verbatim: PictureInPictureText.placeholder).multilineTextAlignment(.center)
            }
            .foregroundColor(Color(white: 0.75))
            .padding(8)
        }
        .clipped()
    }
}
