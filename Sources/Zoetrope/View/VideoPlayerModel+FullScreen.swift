import GTK
import DeclarativeUI
import Foundation
import MediaEngine
import PlayerViews
import Presentation

/// The picture fills its window, and that the screen. The player is not touched by either: a view of its own, which
/// covers all of the window, shows the same one, while the one in its place is not seen.
extension VideoPlayerModel {
    func enterFullScreen() {
        guard !isFullScreen, !isClosed, controller != nil, let view,
            let window = WindowFullScreen.around(view.widget)
        else { return }
        stopFloating()
        screen = FullScreenPlace(self, window)
        isFullScreen = true
    }

    func exitFullScreen() {
        guard isFullScreen else { return }
        isFullScreen = false
        screen?.leave()
        screen = nil
        // Its place has not changed meanwhile, so nobody else tells.
        if let place { placed(place) }
        controller?.fullScreenChanged(false)
    }
}

/// Where a player's picture is while it fills the screen.
@MainActor
final class FullScreenPlace: NativeWidgetOwner {
    private weak var model: VideoPlayerModel?
    private let window: WindowFullScreen
    /// The window filled the screen before.
    private let wasOn: Bool
    private var token: Int?
    private(set) var view: PlayerView?

    init(_ model: VideoPlayerModel, _ window: WindowFullScreen) {
        self.model = model
        self.window = window
        wasOn = window.isOn
        token = window.addListener { [weak self] isOn in self?.changed(isOn) }
    }

    /// Whoever did it: a key, the desktop.
    private func changed(_ isOn: Bool) {
        if isOn { model?.controller?.fullScreenChanged(true) } else { model?.exitFullScreen() }
    }

    /// The window is again as it was.
    func leave() {
        if let token { window.removeListener(token) }
        token = nil
        if !wasOn { window.set(false) }
    }

    func makeWidget() -> GTKWidget? {
        guard let model, token != nil else { return nil }
        let fresh = model.makeView()
        fresh?.player = model.controller?.player
        view = fresh
        // Not now: views are on their way into the window.
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.token != nil else { return }
                if self.window.isOn { self.changed(true) } else { self.window.set(true) }
            }
        }
        return fresh.map { $0.widget }
    }

    func widgetRemoved() {
        view?.player = nil
        view = nil
    }
    func setCovered(_ covered: Bool) { view?.isCovered = covered }
    func placed(_ frame: CGRect) { if token != nil { model?.controller?.boundsChanged(frame) } }
    var idealSize: CGSize? { model?.idealSize }
}

/// The video alone on the screen.
struct FullScreenPicture: View {
    let model: VideoPlayerModel
    let settings: VideoSettings
    var body: some View {
        ZStack {
            Color.black
            if let screen = model.screen { NativeWidget(screen) }
            if let text = model.errorText, !settings.errorWidgetOff {
                PlayerErrorView(text: text, settings: settings) { model.retry() }
            }
        }
        .contentShape(Rectangle())
        .onTapGesture(count: 2) { model.exitFullScreen() }
    }
}
