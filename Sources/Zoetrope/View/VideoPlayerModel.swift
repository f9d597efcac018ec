import GTK
import DeclarativeUI
import Filters
import Foundation
import MediaCore
import Observation
import Presentation

/// What lives as long as an `ExtVideoPlayer`'s identity: the controller, and the widget that shows its player.
///
/// Made with the view's value, which happens often; what costs something is made when the view comes.
@MainActor @Observable
final class VideoPlayerModel: NativeWidgetOwner {
    /// Why there is no video, for the user.
    private(set) var errorText: String?
    /// A picture of the source has been shown: no poster any more.
    private(set) var hasPicture = false
    /// The last source's picture is taken away for the next one's poster until that source is open, or known not to be
    /// playable.
    @ObservationIgnored private var opening: NSKeyValueObservation?
    /// The picture is elsewhere: see `VideoPlayerModel+PictureInPicture`.
    var isFloating = false
    @ObservationIgnored var floating: PictureInPictureWindow?
    /// The picture fills the window, and that the screen: see `VideoPlayerModel+FullScreen`.
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
        // Where a list has gone on by itself is no other source.
        controller.player.noticeSeam()
        let old = controller.player.currentItem
        controller.apply(settings: settings)
        errorText = controller.errorText
        if old != nil, controller.player.currentItem !== old { sourceChanged(hasPoster: settings.poster != nil) }
    }

    /// The user wants what could not be played tried again.
    func retry() { controller?.retry() }

    private func sourceChanged(hasPoster: Bool) {
        opening = nil
        hasPicture = false
        if hasPoster, let player = controller?.player, player.currentItem?.status == .unknown, !player.showsCurrentItem
        {
            // Whichever item it then is.
            opening = player.observe(\.currentItem?.status) { [weak self] player, _ in
                guard player.currentItem?.status != .unknown else { return }
                self?.opening = nil
                self?.showInPlace()
            }
        }
        showInPlace()
    }

    /// Shows in its place what is to be seen there.
    func showInPlace() {
        let player: AVPlayer? = isFloating || opening != nil ? nil : controller?.player
        if view?.player !== player { view?.player = player }
    }
    @ObservationIgnored private(set) var gravity = AVLayerVideoGravity.resizeAspect

    /// The `.play` that a command's binding begins with does not overrule `NotAutoPlay()`; every later one does.
    func perform(_ command: PlaybackCommand) {
        guard let controller = open() else { return }
        let isFirst = !hasCommand
        hasCommand = true
        if isFirst, command == .play, controller.settings?.notAutoPlay == true { return }
        controller.perform(command)
    }
    @ObservationIgnored private(set) var hasCommand = false

    /// The view has gone for good. On its way out by a transition its widget is still there: the last picture stands
    /// until that has gone too (`widgetRemoved`).
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

    /// As the settings have it, without a player yet: for the place in the window, and for the one that floats.
    func makeView() -> PlayerView? {
        let view = PlayerView()
        view?.accessibilityLabel = PictureInPictureText.video
        view?.videoGravity = gravity
        view?.composition = controller?.composition
        return view
    }

    func makeWidget() -> GTKWidget? {
        if view == nil { view = makeView() }
        // Stays: the window that floats puts its own in front for a while.
        view?.onPresent = { [weak self] _ in
            guard let self, !hasPicture, controller?.player.showsCurrentItem == true else { return }
            hasPicture = true
        }
        // Black only where an app puts it.
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
        place = frame
        if !isClosed, !isFullScreen { controller?.boundsChanged(frame) }
    }
    /// Where the video lies in the window, as told last.
    @ObservationIgnored private(set) var place: CGRect?
    var idealSize: CGSize? {
        guard let size = controller?.player.currentItem?.presentationSize, size.width > 0 else { return nil }
        return size
    }
}
