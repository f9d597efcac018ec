import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine

/// A player with controls, as a controller with a view. AVKit's type for UIKit; shown by
/// `UIViewControllerRepresentable`.
///
/// Its controls are `VideoPlayer`'s. Observe it by `observe(_:options:changeHandler:)` or `publisher(for:)`. Main
/// actor.
@MainActor @preconcurrency
open class AVPlayerViewController: UIViewController, KeyPathObservable {
    public let keyPathObservers = KeyPathObservers()
    let stage = PlayerStage()
    private lazy var relay = PictureRelay(self)
    private var readiness: NSKeyValueObservation?
    private var ends: NotificationToken?

    /// The app's; it is not paused when the controller goes.
    open var player: AVPlayer? {
        get { stage.player }
        set {
            guard newValue !== stage.player else { return }
            stage.player = newValue
            keyPathObservers.objectDidChange()
        }
    }
    /// Default true. Without them keys do nothing either.
    open var showsPlaybackControls: Bool {
        get { stage.controls != .none }
        set { stage.controls = newValue ? .bar : .none }
    }
    /// Default: `.resizeAspect`.
    open var videoGravity: AVLayerVideoGravity {
        get { stage.gravity }
        set { stage.gravity = newValue }
    }
    /// Default: true.
    open var allowsPictureInPicturePlayback: Bool {
        get { stage.allowsFloating }
        set { stage.allowsFloating = newValue }
    }
    /// Kept, of no effect: programs go on in the background here, with their windows.
    open var canStartPictureInPictureAutomaticallyFromInline = false
    /// Takes away what seeks.
    open var requiresLinearPlayback: Bool {
        get { !stage.allowsSeeking }
        set { stage.allowsSeeking = !newValue }
    }
    /// It fills the screen when it begins to play while its view is in a window.
    open var entersFullScreenWhenPlaybackBegins = false
    /// It is in its place again when its item has been played to its end.
    open var exitsFullScreenWhenPlaybackEnds = false
    /// What the controls offer; default: `AVPlaybackSpeed.systemDefaultSpeeds`.
    open var speeds: [AVPlaybackSpeed] {
        get { stage.additions.speeds }
        set { withoutObservationTracking { stage.additions.speeds = newValue } }
    }
    /// The one of `speeds` that the player has; nil when it has another.
    open var selectedSpeed: AVPlaybackSpeed? { speeds.first { abs($0.rate - (player?.defaultRate ?? 1)) < 0.001 } }
    /// What plays goes on at that speed.
    open func selectSpeed(_ speed: AVPlaybackSpeed) { stage.transport.control?.setSpeed(speed.rate) }
    /// The app's own buttons (`UIAction`) and menus (`UIMenu`), in the bar. Set it anew when one of them has changed.
    open var transportBarCustomMenuItems: [UIMenuElement] {
        get { stage.additions.customItems }
        set { withoutObservationTracking { stage.additions.customItems = newValue } }
    }
    /// What can be done now, as buttons over the picture's lower right; seen with and without controls.
    open var contextualActions: [UIAction] {
        get { stage.additions.contextualActions }
        set { withoutObservationTracking { stage.additions.contextualActions = newValue } }
    }
    /// Told of Picture in Picture and full screen, on the main actor.
    open weak var delegate: (any AVPlayerViewControllerDelegate)?

    /// The current item's first picture can be shown.
    open var isReadyForDisplay: Bool { stage.layer.isReadyForDisplay }
    /// Where the picture lies in the view, points; zero without one.
    open var videoBounds: CGRect { stage.layer.videoRect }
    /// Lies between the picture and the controls, and is as large as the view. Made when it is first asked for.
    open var contentOverlayView: UIView? {
        if let overlay { return overlay }
        let fresh = UIView()
        overlay = fresh
        showBody()
        return fresh
    }
    private var overlay: UIView?

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
        stage.pictureDelegate = relay
        stage.fullScreen.onChange = { [weak self] isOn in self?.fullScreen(isOn) }
        stage.transport.onPlaying = { [weak self] plays in
            guard let self, plays, entersFullScreenWhenPlaybackBegins else { return }
            stage.enterFullScreen()
        }
        ends = NotificationToken(AVPlayerItem.didPlayToEndTimeNotification) { [weak self] note in
            let item = (note.object as? AVPlayerItem).map { ObjectIdentifier($0) }
            OnMain.run { [weak self] in
                guard let self, exitsFullScreenWhenPlaybackEnds, let item,
                    item == player?.currentItem.map({ ObjectIdentifier($0) })
                else { return }
                stage.exitFullScreen()
            }
        }
    }
    public required init?(coder: NSCoder) { return nil }

    open override func loadView() {
        let fresh = UIView()
        view = fresh
        readiness = stage.layer.observe(\.isReadyForDisplay) { [weak self] _, _ in
            self?.keyPathObservers.objectDidChange()
        }
        showBody()
    }
    private func showBody() {
        viewIfLoaded?.show(
            AnyView(
                PlayerBody(
                    stage: stage, overlay: overlay.map { AnyView(PlacedOverlay(view: $0)) } ?? AnyView(EmptyView()))))
    }

    private func fullScreen(_ isOn: Bool) {
        let coordinator = InstantTransition()
        if isOn {
            delegate?.playerViewController(self, willBeginFullScreenPresentationWithAnimationCoordinator: coordinator)
        } else {
            delegate?.playerViewController(self, willEndFullScreenPresentationWithAnimationCoordinator: coordinator)
        }
        coordinator.end()
    }
}

/// What a player's controller tells. AVKit's protocol; all of it may be left out.
@MainActor @preconcurrency
public protocol AVPlayerViewControllerDelegate: AnyObject {
    /// The picture is about to float.
    func playerViewControllerWillStartPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// The small window is on the screen, and the picture in it.
    func playerViewControllerDidStartPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// After `willStart`, in place of `didStart`: why it does not float, mostly an `AVError`.
    func playerViewController(
        _ playerViewController: AVPlayerViewController, failedToStartPictureInPictureWithError error: any Error)
    /// The picture is about to go back, or the small window to close.
    func playerViewControllerWillStopPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// The small window has closed.
    func playerViewControllerDidStopPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// Asked never: controllers are presented by the dialect's views here, which stay.
    func playerViewControllerShouldAutomaticallyDismissAtPictureInPictureStart(
        _ playerViewController: AVPlayerViewController
    ) -> Bool
    /// The picture is wanted back in the app: bring back what it belongs into, then call the handler (after two seconds
    /// it counts as called). Left out, it counts as called at once. Not when the user closes the small window.
    func playerViewController(
        _ playerViewController: AVPlayerViewController,
        restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void)
    /// The view is about to fill the screen. Here that is done at once: what is asked of the coordinator happens within
    /// the call's turn, without an animation.
    func playerViewController(
        _ playerViewController: AVPlayerViewController,
        willBeginFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator)
    /// The view is about to go back to its window, likewise at once.
    func playerViewController(
        _ playerViewController: AVPlayerViewController,
        willEndFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator)
}

extension AVPlayerViewControllerDelegate {
    public func playerViewControllerWillStartPictureInPicture(_ playerViewController: AVPlayerViewController) {}
    public func playerViewControllerDidStartPictureInPicture(_ playerViewController: AVPlayerViewController) {}
    public func playerViewController(
        _ playerViewController: AVPlayerViewController, failedToStartPictureInPictureWithError error: any Error
    ) {}
    public func playerViewControllerWillStopPictureInPicture(_ playerViewController: AVPlayerViewController) {}
    public func playerViewControllerDidStopPictureInPicture(_ playerViewController: AVPlayerViewController) {}
    public func playerViewControllerShouldAutomaticallyDismissAtPictureInPictureStart(
        _ playerViewController: AVPlayerViewController
    ) -> Bool { false }
    public func playerViewController(
        _ playerViewController: AVPlayerViewController,
        restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(true) }
    public func playerViewController(
        _ playerViewController: AVPlayerViewController,
        willBeginFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator
    ) {}
    public func playerViewController(
        _ playerViewController: AVPlayerViewController,
        willEndFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator
    ) {}
}

/// What goes along with a change of place. UIKit's protocol.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// Changes here are made at once: `animation` is called now, `completion` when the change has been asked for. True.
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}
/// UIKit's protocol.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {
    /// Always false.
    var isAnimated: Bool { get }
    /// Always false: what is asked for comes.
    var isCancelled: Bool { get }
    /// Seconds: 0.
    var transitionDuration: TimeInterval { get }
}
private final class InstantTransition: UIViewControllerTransitionCoordinator {
    let isAnimated = false, isCancelled = false, transitionDuration: TimeInterval = 0
    private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        animation?(self)
        if let completion { completions.append(completion) }
        return true
    }
    /// Not before who has asked for the change is through with it.
    func end() {
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                for completion in self.completions { completion(self) }
                self.completions = []
            }
        }
    }
}

/// Ends an observation with itself.
private final class NotificationToken {
    private let token: any NSObjectProtocol
    init(_ name: Notification.Name, _ told: @escaping @Sendable (Notification) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: told)
    }
    deinit { NotificationCenter.default.removeObserver(token) }
}

/// Hands what the picture tells on to the controller's delegate.
@MainActor
private final class PictureRelay: AVPictureInPictureControllerDelegate {
    private weak var owner: AVPlayerViewController?
    init(_ owner: AVPlayerViewController) { self.owner = owner }
    private func tell(_ body: (any AVPlayerViewControllerDelegate, AVPlayerViewController) -> Void) {
        if let owner, let delegate = owner.delegate { body(delegate, owner) }
    }
    func pictureInPictureControllerWillStartPictureInPicture(_ controller: AVPictureInPictureController) {
        tell { $0.playerViewControllerWillStartPictureInPicture($1) }
    }
    func pictureInPictureControllerDidStartPictureInPicture(_ controller: AVPictureInPictureController) {
        tell { $0.playerViewControllerDidStartPictureInPicture($1) }
    }
    func pictureInPictureController(
        _ controller: AVPictureInPictureController, failedToStartPictureInPictureWithError error: any Error
    ) {
        tell { $0.playerViewController($1, failedToStartPictureInPictureWithError: error) }
    }
    func pictureInPictureControllerWillStopPictureInPicture(_ controller: AVPictureInPictureController) {
        tell { $0.playerViewControllerWillStopPictureInPicture($1) }
    }
    func pictureInPictureControllerDidStopPictureInPicture(_ controller: AVPictureInPictureController) {
        tell { $0.playerViewControllerDidStopPictureInPicture($1) }
    }
    func pictureInPictureController(
        _ controller: AVPictureInPictureController,
        restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void
    ) {
        guard let owner, let delegate = owner.delegate else { return completionHandler(true) }
        delegate.playerViewController(
            owner, restoreUserInterfaceForPictureInPictureStopWithCompletionHandler: completionHandler)
    }
}
