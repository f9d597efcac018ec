import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine

/// A view controller that shows a player with controls. AVKit's type for UIKit.
///
/// ```swift
/// struct PlayerScreen: UIViewControllerRepresentable {
///     let player: AVPlayer
///
///     func makeUIViewController(context: Context) -> AVPlayerViewController {
///         let controller = AVPlayerViewController()
///         controller.exitsFullScreenWhenPlaybackEnds = true
///         return controller
///     }
///     func updateUIViewController(_ controller: AVPlayerViewController, context: Context) {
///         controller.player = player
///     }
/// }
/// ```
/// To use the controller in a SwiftUI view, wrap it in a `UIViewControllerRepresentable`. A controller that is
/// presented with `present(_:animated:completion:)` covers the window. The user closes it with Escape or the button at
/// the upper left, and the player pauses. The controls are those of `VideoPlayer`. `player` and `isReadyForDisplay` can
/// be observed with `observe(_:options:changeHandler:)` or `publisher(for:)`; changes of other properties are not
/// reported.
@MainActor @preconcurrency
open class AVPlayerViewController: UIViewController, KeyPathObservable {
    public let keyPathObservers = KeyPathObservers()
    let stage = PlayerStage()
    private lazy var relay = PictureRelay(self)
    private var readiness: NSKeyValueObservation?
    private var itemEnd: NotificationToken?

    /// The player. It belongs to the app, and is not paused when the controller's view disappears, except when the user
    /// closes a presented controller.
    open var player: AVPlayer? {
        get { stage.player }
        set {
            guard newValue !== stage.player else { return }
            stage.player = newValue
            keyPathObservers.objectDidChange()
        }
    }
    /// Whether there are controls. Default: true.
    ///
    /// Without controls, keys have no effect either. Gestures of a SwiftUI view around the controller are recognized,
    /// except over controls and gestures of `contentOverlayView` and over the buttons of `contextualActions`.
    open var showsPlaybackControls: Bool {
        get { stage.controls != .none }
        set {
            stage.controls = newValue ? .bar : .none
            viewIfLoaded?.contentTakesPointer = newValue
        }
    }
    /// The way in which the video fits the view. Default: `.resizeAspect`.
    open var videoGravity: AVLayerVideoGravity {
        get { stage.gravity }
        set { stage.gravity = newValue }
    }
    /// Whether there is a Picture in Picture button. Default: true.
    open var allowsPictureInPicturePlayback: Bool {
        get { stage.allowsFloating }
        set { stage.allowsFloating = newValue }
    }
    /// A property without effect: on a desktop, apps and their windows stay visible in the background.
    open var canStartPictureInPictureAutomaticallyFromInline = false
    /// A property without effect: timecode tracks are not read, so the controls show the time of the item. Default:
    /// false.
    open var showsTimecodes = false
    /// Whether the controls and keys that seek are removed. Default: false.
    open var requiresLinearPlayback: Bool {
        get { !stage.allowsSeeking }
        set { stage.allowsSeeking = !newValue }
    }
    /// Whether the video enters full screen when playback begins while the view is in a window. Default: false.
    open var entersFullScreenWhenPlaybackBegins = false
    /// Whether the video exits full screen when the current item ends. Default: false.
    open var exitsFullScreenWhenPlaybackEnds = false
    /// The speeds that the controls offer. Default: `AVPlaybackSpeed.systemDefaultSpeeds`.
    open var speeds: [AVPlaybackSpeed] {
        get { stage.additions.speeds }
        set { withoutObservationTracking { stage.additions.speeds = newValue } }
    }
    /// The speed in `speeds` that the player uses; nil if it uses another one.
    open var selectedSpeed: AVPlaybackSpeed? { speeds.first { abs($0.rate - (player?.defaultRate ?? 1)) < 0.001 } }
    /// Sets the speed of the player, clamped to 0.05…16. A playing player changes its speed at once, and a paused one
    /// when it plays again. Without a player, nothing happens.
    open func selectSpeed(_ speed: AVPlaybackSpeed) { stage.transport.control?.setSpeed(speed.rate) }
    /// The app's buttons (`UIAction`) and menus (`UIMenu`) in the control bar. Set the array again when one of them has
    /// changed.
    ///
    /// ```swift
    /// controller.transportBarCustomMenuItems = [
    ///     UIAction(title: "Share", image: UIImage(systemName: "square.and.arrow.up")) { _ in share() }
    /// ]
    /// ```
    open var transportBarCustomMenuItems: [UIMenuElement] {
        get { stage.additions.customItems }
        set { withoutObservationTracking { stage.additions.customItems = newValue } }
    }
    /// The buttons over the lower right of the video, such as Skip Intro. They are visible with and without controls.
    ///
    /// ```swift
    /// controller.contextualActions = [
    ///     UIAction(title: "Skip Intro") { [weak controller] _ in
    ///         player.seek(to: CMTime(seconds: 42, preferredTimescale: 600))
    ///         controller?.contextualActions = []
    ///     }
    /// ]
    /// ```
    open var contextualActions: [UIAction] {
        get { stage.additions.contextualActions }
        set { withoutObservationTracking { stage.additions.contextualActions = newValue } }
    }
    /// The object that is notified of Picture in Picture and full screen, on the main actor.
    open weak var delegate: (any AVPlayerViewControllerDelegate)?

    /// Whether the first frame of the current item can be displayed.
    open var isReadyForDisplay: Bool { stage.layer.isReadyForDisplay }
    /// The frame of the video in the view, in points; zero without video.
    open var videoBounds: CGRect { stage.layer.videoRect }
    /// The view between the video and the controls. It is as large as the controller's view, and is created on first
    /// access. It is never nil.
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
        modalPresentationStyle = .fullScreen
        onShow = { [weak self] in
            if let self { stage.set(\.isClosable, isShownModally) }
        }
        onCloseByUser = { [weak self] in self?.player?.pause() }
        stage.onClose = { [weak self] in self?.closeByUser() }
        stage.pictureDelegate = relay
        stage.fullScreen.onChange = { [weak self] isOn in self?.fullScreen(isOn) }
        stage.transport.onPlaying = { [weak self] plays in
            guard let self, plays, entersFullScreenWhenPlaybackBegins else { return }
            stage.enterFullScreen()
        }
        itemEnd = NotificationToken(AVPlayerItem.didPlayToEndTimeNotification) { [weak self] note in
            let item = (note.object as? AVPlayerItem).map { ObjectIdentifier($0) }
            OnMain.run { [weak self] in
                guard let self, exitsFullScreenWhenPlaybackEnds, let current = player?.currentItem,
                    item == ObjectIdentifier(current), !current.isAtLoopBoundary
                else { return }
                stage.exitFullScreen()
            }
        }
    }
    public required init?(coder: NSCoder) { return nil }

    open override func loadView() {
        let fresh = UIView()
        fresh.contentTakesPointer = withoutObservationTracking { showsPlaybackControls }
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

/// A delegate of a player's view controller. AVKit's protocol. All methods are optional.
///
/// ```swift
/// final class PictureInPictureLog: AVPlayerViewControllerDelegate {
///     func playerViewControllerDidStartPictureInPicture(_ controller: AVPlayerViewController) {
///         print("The video is in a small window.")
///     }
///     func playerViewController(
///         _ controller: AVPlayerViewController, failedToStartPictureInPictureWithError error: any Error
///     ) { print(error.localizedDescription) }
/// }
/// ```
@MainActor @preconcurrency
public protocol AVPlayerViewControllerDelegate: AnyObject {
    /// Called when Picture in Picture is about to start.
    func playerViewControllerWillStartPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// Called when the Picture in Picture window shows the video.
    func playerViewControllerDidStartPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// Called when Picture in Picture could not start, instead of the call that reports the start.
    /// - Parameters:
    ///   - playerViewController: The view controller.
    ///   - error: The reason, usually an `AVError`.
    func playerViewController(
        _ playerViewController: AVPlayerViewController, failedToStartPictureInPictureWithError error: any Error)
    /// Called when Picture in Picture is about to end.
    func playerViewControllerWillStopPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// Called when Picture in Picture has ended. The window closes when the view shows the video again, at the latest a
    /// quarter of a second after this call.
    func playerViewControllerDidStopPictureInPicture(_ playerViewController: AVPlayerViewController)
    /// Never called: a presented view controller stays in place when Picture in Picture starts.
    func playerViewControllerShouldAutomaticallyDismissAtPictureInPictureStart(
        _ playerViewController: AVPlayerViewController
    ) -> Bool
    /// Called when the video returns from Picture in Picture to the app. It is not called when the user closes the
    /// window.
    ///
    /// Restore the views that contain the video, then call `completionHandler`. If it is not called within two seconds,
    /// Picture in Picture ends anyway. If the delegate does not implement this method, Picture in Picture ends at once.
    func playerViewController(
        _ playerViewController: AVPlayerViewController,
        restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void)
    /// Called when the video is about to enter full screen. The change is made at once, without an animation.
    ///
    /// The coordinator runs each animation that this method passes to it at once, and the completions after the change.
    func playerViewController(
        _ playerViewController: AVPlayerViewController,
        willBeginFullScreenPresentationWithAnimationCoordinator coordinator: any UIViewControllerTransitionCoordinator)
    /// Called when the video exits full screen, just after the change, which has no animation.
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

/// A coordinator of the changes that accompany a transition. UIKit's protocol.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// Runs `animation` at once, and `completion` after the code that requested the transition has returned. Always
    /// returns true.
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}
/// The context of a transition. UIKit's protocol.
@MainActor @preconcurrency
public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {
    /// Whether the transition is animated. Always false.
    var isAnimated: Bool { get }
    /// Whether the transition was canceled. Always false.
    var isCancelled: Bool { get }
    /// The duration of the transition in seconds. Always 0.
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
    /// Calls the completions later, when the code that requested the transition has returned.
    func end() {
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                for completion in self.completions { completion(self) }
                self.completions = []
            }
        }
    }
}

/// An observation of a notification. The observation ends when this object is released.
private final class NotificationToken {
    private let token: any NSObjectProtocol
    init(_ name: Notification.Name, _ handler: @escaping @Sendable (Notification) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil, using: handler)
    }
    deinit { NotificationCenter.default.removeObserver(token) }
}

/// A delegate that forwards the events of Picture in Picture to the controller's delegate.
@MainActor
private final class PictureRelay: AVPictureInPictureControllerDelegate {
    private weak var owner: AVPlayerViewController?
    init(_ owner: AVPlayerViewController) { self.owner = owner }
    private func notifyDelegate(_ body: (any AVPlayerViewControllerDelegate, AVPlayerViewController) -> Void) {
        if let owner, let delegate = owner.delegate { body(delegate, owner) }
    }
    func pictureInPictureControllerWillStartPictureInPicture(_ controller: AVPictureInPictureController) {
        notifyDelegate { $0.playerViewControllerWillStartPictureInPicture($1) }
    }
    func pictureInPictureControllerDidStartPictureInPicture(_ controller: AVPictureInPictureController) {
        notifyDelegate { $0.playerViewControllerDidStartPictureInPicture($1) }
    }
    func pictureInPictureController(
        _ controller: AVPictureInPictureController, failedToStartPictureInPictureWithError error: any Error
    ) {
        notifyDelegate { $0.playerViewController($1, failedToStartPictureInPictureWithError: error) }
    }
    func pictureInPictureControllerWillStopPictureInPicture(_ controller: AVPictureInPictureController) {
        notifyDelegate { $0.playerViewControllerWillStopPictureInPicture($1) }
    }
    func pictureInPictureControllerDidStopPictureInPicture(_ controller: AVPictureInPictureController) {
        notifyDelegate { $0.playerViewControllerDidStopPictureInPicture($1) }
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
