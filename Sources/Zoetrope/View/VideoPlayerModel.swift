import GTK
import DeclarativeUI
import Filters
import Foundation
import MediaCore
import Observation
import Presentation

/// The state of an `ExtVideoPlayer` for as long as its identity exists: the controller, and the widget that displays
/// its player.
///
/// A model is created with each value of the view, which happens often. Expensive parts are created when the view
/// appears.
@MainActor @Observable
final class VideoPlayerModel: NativeWidgetOwner {
    /// The reason why there is no video, as a text for the user.
    private(set) var errorText: String?
    /// Whether a frame of the source has been displayed, so that the poster is hidden.
    private(set) var hasPicture = false
    /// Observes the new source until it is open or has failed. Until then the poster replaces the last frame of the
    /// previous source.
    @ObservationIgnored private var opening: NSKeyValueObservation?
    /// Whether the video is shown in Picture in Picture; see `VideoPlayerModel+PictureInPicture`.
    var isFloating = false
    @ObservationIgnored var floating: PictureInPictureWindow?
    /// Whether the video fills the screen; see `VideoPlayerModel+FullScreen`.
    var isFullScreen = false
    @ObservationIgnored var screen: FullScreenPlace?
    @ObservationIgnored var actions = PlayerActions()
    @ObservationIgnored private(set) var controller: ExtPlayerController?
    @ObservationIgnored private(set) var view: PlayerView?
    @ObservationIgnored private(set) var isClosed = false

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<VideoPlayerModel, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    private func open() -> ExtPlayerController? {
        if let controller { return controller }
        guard !isClosed else { return nil }
        let fresh = ExtPlayerController()
        fresh.onTime = { [weak self] time in self?.actions.time.forEach { $0(time) } }
        fresh.onEvents = { [weak self] events in self?.actions.events.forEach { $0(events) } }
        fresh.onErrorChange = { [weak self, weak fresh] error in
            self?.errorText = fresh?.errorText
            if error != nil { self?.stopFloating() }
        }
        fresh.onFullScreen = { [weak self] enters in
            if enters { self?.enterFullScreen() } else { self?.exitFullScreen() }
        }
        fresh.onPictureInPicture = { [weak self] starts in
            if starts { self?.startFloating() } else { self?.stopFloating() }
        }
        controller = fresh
        view?.composition = fresh.composition
        view?.player = fresh.player
        return fresh
    }

    func apply(_ settings: VideoSettings) {
        guard let controller = open() else { return }
        gravity = settings.gravity
        for view in [view, floating?.view, screen?.view] { view?.videoGravity = gravity }
        // A move of the list to its next source is noticed first, so that it does not count as a change of the source.
        controller.player.followPipeline()
        let old = controller.player.currentItem
        controller.apply(settings: settings)
        errorText = controller.errorText
        if old != nil, controller.player.currentItem !== old { sourceChanged(hasPoster: settings.poster != nil) }
    }

    /// Opens the source again after an error, at the user's request.
    func retry() { controller?.retry() }

    private func sourceChanged(hasPoster: Bool) {
        opening = nil
        hasPicture = false
        if hasPoster, let player = controller?.player, player.currentItem?.status == .unknown, !player.showsCurrentItem
        {
            // The key path follows the player, so that the status of an item that replaces this one is observed too.
            opening = player.observeUntracked(\.currentItem?.status) { [weak self] player, _ in
                guard player.currentItem?.status != .unknown else { return }
                self?.opening = nil
                self?.showInPlace()
            }
        }
        showInPlace()
    }

    /// Shows the player in the view, unless Picture in Picture or the poster replaces it.
    func showInPlace() {
        let player: AVPlayer? = isFloating || opening != nil ? nil : controller?.player
        if view?.player !== player { view?.player = player }
    }
    @ObservationIgnored private(set) var gravity = AVLayerVideoGravity.resizeAspect

    /// Carries out a command. A first command `.play` does not overrule `NotAutoPlay()`; every later one does.
    func perform(_ command: PlaybackCommand) {
        guard let controller = open() else { return }
        let isFirst = !hasCommand
        hasCommand = true
        if isFirst, command == .play, controller.settings?.notAutoPlay == true { return }
        controller.perform(command)
    }
    @ObservationIgnored private(set) var hasCommand = false

    /// Closes the player because the view has disappeared for good.
    ///
    /// During a transition, the widget still exists and shows the last frame. In that case `widgetRemoved()` closes the
    /// player.
    func close() {
        isClosed = true
        stopFloating()
        exitFullScreen()
        guard view != nil, let controller else { return end() }
        controller.onErrorChange = nil
        controller.onPictureInPicture = nil
        controller.onFullScreen = nil
        controller.pause()
    }

    private func end() {
        view?.player = nil
        controller?.close()
        controller = nil
    }

    // MARK: NativeWidgetOwner

    /// Returns a new view with the settings but without a player, for the usual place or for Picture in Picture.
    func makeView() -> PlayerView? {
        let view = PlayerView()
        view?.accessibilityLabel = PictureInPictureText.video
        view?.videoGravity = gravity
        view?.composition = controller?.composition
        return view
    }

    func makeWidget() -> GTKWidget? {
        if view == nil { view = makeView() }
        // This handler stays set. The Picture in Picture window wraps it in its own handler for a moment when it
        // closes.
        view?.onPresent = { [weak self] _ in
            guard let self, !hasPicture, controller?.player.showsCurrentItem == true else { return }
            hasPicture = true
        }
        // The background is transparent. An app that wants black puts it behind the player.
        view?.isBackgroundBlack = false
        view?.videoGravity = gravity
        view?.composition = controller?.composition
        showInPlace()
        return view.map { $0.widget }
    }

    func widgetRemoved() {
        if isClosed { end() }
        view = nil
    }
    func setCovered(_ covered: Bool) { view?.isCovered = covered }
    func placed(_ frame: CGRect) {
        reportedFrame = frame
        if !isClosed, !isFullScreen { controller?.boundsChanged(frame) }
    }
    /// The last reported frame of the video in its window, in points.
    @ObservationIgnored private(set) var reportedFrame: CGRect?
    var idealSize: CGSize? {
        guard let size = controller?.player.currentItem?.presentationSize, size.width > 0 else { return nil }
        return size
    }
}
