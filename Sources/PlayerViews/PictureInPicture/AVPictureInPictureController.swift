import DeclarativeUI
import GTK
import Foundation
import MediaCore
import MediaEngine
import Overlays
import Presentation

/// A controller that shows the video of a player layer in a small window over other windows. AVKit's type.
///
/// ```swift
/// if let controller = AVPictureInPictureController(playerLayer: layer) {
///     controller.delegate = handler
///     pictureInPicture = controller
/// }
/// ```
/// While Picture in Picture is active, the layer shows a notice in place of the video. The player does not change. If
/// the user closes the small window, the player pauses. Only one controller is active at a time: if another one starts,
/// the first one ends. Releasing the controller also ends Picture in Picture.
///
/// `PictureInPictureWindow` describes the behavior of the window on X11 and on Wayland. Observe
/// `isPictureInPicturePossible` and `isPictureInPictureActive` with `observe(_:options:changeHandler:)` or
/// `publisher(for:)`.
@MainActor @preconcurrency
open class AVPictureInPictureController: KeyPathObservable {
    public let keyPathObservers = KeyPathObservers()

    /// Returns whether the display supports floating windows.
    public class func isPictureInPictureSupported() -> Bool { PictureInPictureWindow.isSupported }
    /// The symbol of a button that starts Picture in Picture.
    public class var pictureInPictureButtonStartImage: UIImage { UIImage(symbol: "pip.enter") }
    /// The symbol of a button that stops Picture in Picture.
    public class var pictureInPictureButtonStopImage: UIImage { UIImage(symbol: "pip.exit") }

    /// The source of the content of Picture in Picture.
    @MainActor @preconcurrency
    public final class ContentSource {
        /// The layer whose video is shown.
        public let playerLayer: AVPlayerLayer?
        /// Creates a source from a player's layer. The layer and its view remain the app's.
        public init(playerLayer: AVPlayerLayer) { self.playerLayer = playerLayer }
    }
    /// The content source with which the controller was created.
    public let contentSource: ContentSource?
    /// The layer whose video is shown.
    public let playerLayer: AVPlayerLayer
    /// The object that is notified of Picture in Picture, on the main actor.
    open weak var delegate: (any AVPictureInPictureControllerDelegate)?

    /// Whether the player of the layer has video, and the display supports floating windows.
    public private(set) var isPictureInPicturePossible = false {
        didSet { if isPictureInPicturePossible != oldValue { keyPathObservers.objectDidChange() } }
    }
    /// Whether the small window shows the video: from the delegate's `didStart` to its `didStop` method.
    public private(set) var isPictureInPictureActive = false {
        didSet { if isPictureInPictureActive != oldValue { keyPathObservers.objectDidChange() } }
    }
    /// Whether Picture in Picture is suspended. Always false, because only the user hides the window.
    public var isPictureInPictureSuspended: Bool { false }
    /// A property without effect: on a desktop, apps and their windows stay visible in the background.
    open var canStartPictureInPictureAutomaticallyFromInline = false
    /// A property without effect: the small window has no controls that seek.
    open var requiresLinearPlayback = false

    private var session: FloatingSession?
    private var observations: [NSKeyValueObservation] = []
    private var sizeObservation: NSKeyValueObservation?
    /// The controller whose Picture in Picture is active.
    private static weak var floating: AVPictureInPictureController?

    /// Creates a controller for a layer; nil if the display does not support floating windows.
    public convenience init?(playerLayer: AVPlayerLayer) {
        guard AVPictureInPictureController.isPictureInPictureSupported() else { return nil }
        self.init(contentSource: ContentSource(playerLayer: playerLayer))
    }
    /// Creates a controller for a content source.
    ///
    /// Unlike in AVKit, a controller is also created if Picture in Picture is never possible. See
    /// `isPictureInPicturePossible`.
    public init(contentSource: ContentSource) {
        self.contentSource = contentSource
        playerLayer = contentSource.playerLayer ?? AVPlayerLayer()
        observations = [
            playerLayer.observeUntracked(\.player) { [weak self] _, _ in
                // Picture in Picture ends, because another player shows another video.
                self?.end(restores: false)
                self?.follow()
            }
        ]
        follow()
    }

    private func follow() {
        sizeObservation = playerLayer.player?.observe(\.currentItem?.presentationSize, options: [.initial]) {
            [weak self] _, _ in
            self?.updateIsPossible()
        }
        updateIsPossible()
    }
    private func updateIsPossible() {
        let size = withoutObservationTracking { playerLayer.player?.currentItem?.presentationSize ?? .zero }
        isPictureInPicturePossible = size.width > 0 && AVPictureInPictureController.isPictureInPictureSupported()
    }

    /// Starts Picture in Picture. If it is not possible, the delegate receives an error. If it has started already,
    /// nothing happens.
    ///
    /// A button starts and ends Picture in Picture:
    /// ```swift
    /// Button("Picture in Picture") {
    ///     if controller.isPictureInPictureActive {
    ///         controller.stopPictureInPicture()
    ///     } else {
    ///         controller.startPictureInPicture()
    ///     }
    /// }
    /// ```
    open func startPictureInPicture() { withoutObservationTracking { start() } }

    private func start() {
        guard session == nil else { return }
        delegate?.pictureInPictureControllerWillStartPictureInPicture(self)
        guard isPictureInPicturePossible, let player = playerLayer.player,
            let fresh = PictureInPictureWindow(
                player: player, setPlaying: { [weak player] in if $0 { player?.play() } else { player?.pause() } },
                makeView: { [playerLayer] in
                    guard let view = PlayerView() else { return nil }
                    view.accessibilityLabel = PictureInPictureText.video
                    view.videoGravity = playerLayer.videoGravity
                    return view
                })
        else {
            let reason =
                PictureInPictureWindow.isSupported
                ? "the player has no video to show" : "this display does not support floating windows"
            delegate?.pictureInPictureController(
                self,
                failedToStartPictureInPictureWithError: AVError(
                    .operationNotSupported, at: "", reason: reason,
                    suggestion: "Check isPictureInPicturePossible before starting"))
            return
        }
        AVPictureInPictureController.floating?.end(restores: false)
        AVPictureInPictureController.floating = self
        session = FloatingSession(fresh, playerLayer)
        fresh.onShown = { [weak self] in
            guard let self, session?.window === fresh else { return }
            playerLayer.isElsewhere = true
            isPictureInPictureActive = true
            delegate?.pictureInPictureControllerDidStartPictureInPicture(self)
        }
        fresh.onRestore = { [weak self] in
            self?.raise()
            self?.end(restores: true)
        }
        // A user who closes the window does not want to continue watching.
        fresh.onClose = { [weak self] in
            self?.playerLayer.player?.pause()
            self?.end(restores: false)
        }
        fresh.present(beside: inline?.widget)
    }

    /// Ends Picture in Picture after the delegate has restored the app's views. If it has not started, nothing happens.
    open func stopPictureInPicture() { withoutObservationTracking { end(restores: true) } }

    private var inline: PlayerView? { playerLayer.display as? PlayerView }

    private func raise() {
        inline?.widget.window?.present()
    }

    /// The time in seconds that an app has to restore its views.
    private static let restoreTimeout = 2.0

    private func end(restores: Bool) {
        guard let session, !session.isEnding else { return }
        guard restores, isPictureInPictureActive, let delegate else { return finish(session) }
        session.isEnding = true
        delegate.pictureInPictureController(
            self,
            restoreUserInterfaceForPictureInPictureStopWithCompletionHandler: { [weak self, weak session] _ in
                self?.finish(session)
            })
        DispatchQueue.main.asyncAfter(deadline: .now() + AVPictureInPictureController.restoreTimeout) {
            [weak self, weak session] in
            MainActor.assumeIsolated { self?.finish(session) }
        }
    }

    /// Ends a session, unless it has ended already: a delegate may answer after the timeout, when another session is
    /// active.
    private func finish(_ ending: FloatingSession?) {
        guard let ending, ending === session else { return }
        let window = ending.window
        if AVPictureInPictureController.floating === self { AVPictureInPictureController.floating = nil }
        let wasActive = isPictureInPictureActive
        if wasActive { delegate?.pictureInPictureControllerWillStopPictureInPicture(self) }
        playerLayer.isElsewhere = false
        // The player is set at once, so that the small window stays until the app's view shows the video.
        inline?.player = playerLayer.player
        window.close(for: inline)
        session = nil
        guard wasActive else { return }
        isPictureInPictureActive = false
        delegate?.pictureInPictureControllerDidStopPictureInPicture(self)
    }
}

/// The active Picture in Picture of a controller. Releasing it restores the layer.
@MainActor
private final class FloatingSession {
    let window: PictureInPictureWindow
    /// Whether the delegate restores the app's views.
    var isEnding = false
    private let layer: AVPlayerLayer
    init(_ window: PictureInPictureWindow, _ layer: AVPlayerLayer) {
        self.window = window
        self.layer = layer
    }
    isolated deinit {
        // The controller was released without ending Picture in Picture. After a regular end the window is already
        // closing.
        guard layer.isElsewhere else { return }
        window.close()
        layer.isElsewhere = false
    }
}

/// A delegate of Picture in Picture. AVKit's protocol. All methods are optional.
///
/// ```swift
/// final class PictureInPictureHandler: AVPictureInPictureControllerDelegate {
///     func pictureInPictureController(
///         _ controller: AVPictureInPictureController, failedToStartPictureInPictureWithError error: any Error
///     ) { print(error.localizedDescription) }
///     func pictureInPictureControllerDidStopPictureInPicture(_ controller: AVPictureInPictureController) {
///         print("The video is back in its view.")
///     }
/// }
/// ```
@MainActor @preconcurrency
public protocol AVPictureInPictureControllerDelegate: AnyObject {
    /// Called when Picture in Picture is about to start. Nothing is on the screen yet.
    func pictureInPictureControllerWillStartPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// Called when the small window shows the video.
    func pictureInPictureControllerDidStartPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// Called when Picture in Picture could not start, instead of the call that reports the start.
    /// - Parameters:
    ///   - pictureInPictureController: The controller.
    ///   - error: The reason, an `AVError`.
    func pictureInPictureController(
        _ pictureInPictureController: AVPictureInPictureController,
        failedToStartPictureInPictureWithError error: any Error)
    /// Called when Picture in Picture is about to end.
    func pictureInPictureControllerWillStopPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// Called when Picture in Picture has ended. The small window closes when the layer shows the video again, at the
    /// latest a quarter of a second after this call.
    func pictureInPictureControllerDidStopPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// Called when the video returns from Picture in Picture to the app. It is not called when the user closes the
    /// window.
    ///
    /// Restore the view that contains the video, then call `completionHandler`. If it is not called within two seconds,
    /// Picture in Picture ends anyway, and a later call has no effect.
    func pictureInPictureController(
        _ pictureInPictureController: AVPictureInPictureController,
        restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void)
}

extension AVPictureInPictureControllerDelegate {
    public func pictureInPictureControllerWillStartPictureInPicture(
        _ pictureInPictureController: AVPictureInPictureController
    ) {}
    public func pictureInPictureControllerDidStartPictureInPicture(
        _ pictureInPictureController: AVPictureInPictureController
    ) {}
    public func pictureInPictureController(
        _ pictureInPictureController: AVPictureInPictureController,
        failedToStartPictureInPictureWithError error: any Error
    ) {}
    public func pictureInPictureControllerWillStopPictureInPicture(
        _ pictureInPictureController: AVPictureInPictureController
    ) {}
    public func pictureInPictureControllerDidStopPictureInPicture(
        _ pictureInPictureController: AVPictureInPictureController
    ) {}
    public func pictureInPictureController(
        _ pictureInPictureController: AVPictureInPictureController,
        restoreUserInterfaceForPictureInPictureStopWithCompletionHandler completionHandler: @escaping (Bool) -> Void
    ) { completionHandler(true) }
}
