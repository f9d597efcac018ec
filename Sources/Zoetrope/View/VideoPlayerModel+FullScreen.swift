import GTK
import DeclarativeUI
import Foundation
import MediaEngine
import Presentation

/// Full screen: a second view that covers the whole window shows the player, and the window fills the screen.
///
/// The player itself does not change. The view in its usual place is hidden meanwhile.
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
        // The frame of the view has not changed meanwhile, so `placed(_:)` is not called by itself.
        if let reportedFrame { placed(reportedFrame) }
        controller?.fullScreenChanged(false)
    }
}

/// The view that displays a player while it fills the screen.
@MainActor
final class FullScreenPlace: NativeWidgetOwner {
    private weak var model: VideoPlayerModel?
    private let window: WindowFullScreen
    /// Whether the window already filled the screen before.
    private let wasFullScreen: Bool
    private var token: Int?
    private(set) var view: PlayerView?

    init(_ model: VideoPlayerModel, _ window: WindowFullScreen) {
        self.model = model
        self.window = window
        wasFullScreen = window.isOn
        token = window.addListener { [weak self] isOn in self?.fullScreenDidChange(isOn) }
    }

    /// Follows a change of the window, whether the app, a key or the desktop caused it.
    private func fullScreenDidChange(_ isOn: Bool) {
        if isOn { model?.controller?.fullScreenChanged(true) } else { model?.exitFullScreen() }
    }

    /// Returns the window to its former state.
    func leave() {
        if let token { window.removeListener(token) }
        token = nil
        if !wasFullScreen { window.set(false) }
    }

    func makeWidget() -> GTKWidget? {
        guard let model, token != nil else { return nil }
        let fresh = model.makeView()
        fresh?.player = model.controller?.player
        view = fresh
        // The call is delayed, because views are being added to the window at this moment.
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated {
                guard let self, self.token != nil else { return }
                if self.window.isOn { self.fullScreenDidChange(true) } else { self.window.set(true) }
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

/// The view with only the video, which covers the window.
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
