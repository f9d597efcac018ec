import CGTK
import Composition
import DeclarativeUI
import Foundation
import Observation
import Presentation

/// What lives as long as an `ExtVideoPlayer`'s identity: the controller, and the widget that shows its player.
///
/// Made with the view's value, which happens often; what costs something is made when the view comes.
@MainActor @Observable
final class PlayerModel: NativeWidgetOwner {
    /// Why there is no video, for the user.
    private(set) var errorText: String?
    @ObservationIgnored var actions = PlayerActions()
    @ObservationIgnored private var controller: ExtPlayerController?
    @ObservationIgnored private var view: PlayerView?
    @ObservationIgnored private var isClosed = false

    nonisolated init() {}

    private func open() -> ExtPlayerController? {
        if let controller { return controller }
        guard !isClosed else { return nil }
        let fresh = ExtPlayerController()
        fresh.onTime = { [weak self] time in self?.actions.time.forEach { $0(time) } }
        fresh.onEvents = { [weak self] events in self?.actions.events.forEach { $0(events) } }
        fresh.onErrorChange = { [weak self, weak fresh] _ in self?.errorText = fresh?.errorText }
        controller = fresh
        view?.player = fresh.player
        return fresh
    }

    func apply(_ settings: VideoSettings) {
        guard let controller = open() else { return }
        view?.videoGravity = settings.gravity
        gravity = settings.gravity
        controller.apply(settings: settings)
        errorText = controller.errorText
    }
    @ObservationIgnored private var gravity = AVLayerVideoGravity.resizeAspect

    /// The `.play` that a command's binding begins with does not overrule `NotAutoPlay()`; every later one does.
    func perform(_ command: PlaybackCommand) {
        guard let controller = open() else { return }
        let isFirst = !hasCommand
        hasCommand = true
        if isFirst, command == .play, controller.settings?.notAutoPlay == true { return }
        controller.perform(command)
    }
    @ObservationIgnored private var hasCommand = false

    /// The view has gone for good.
    func close() {
        isClosed = true
        view?.player = nil
        controller?.close()
        controller = nil
    }

    // MARK: NativeWidgetOwner

    func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        if view == nil {
            view = PlayerView()
            view?.accessibilityLabel = "Video"
        }
        view?.videoGravity = gravity
        view?.player = controller?.player
        return view.map { UnsafeMutablePointer<GtkWidget>($0.widget) }
    }

    func widgetRemoved() { view = nil }
    func setCovered(_ covered: Bool) { view?.isCovered = covered }
    func placed(_ frame: CGRect) { controller?.boundsChanged(frame) }
    var idealSize: CGSize? {
        guard let size = controller?.player.currentItem?.presentationSize, size.width > 0 else { return nil }
        return size
    }
}
