import GTK
import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine
import Overlays
import Presentation

/// Lets a player layer's picture float in a small window of its own, and brings it back. AVKit's type.
///
/// The player is not touched by either. While it floats, the layer says so in the picture's place. Whoever closes the
/// small window pauses the player. One picture floats at a time: another one takes its place. It ends when this goes.
/// `PictureInPictureWindow` says what the window does on X11 and on Wayland. Observe it by
/// `observe(_:options:changeHandler:)` or `publisher(for:)`. Main actor.
@MainActor @preconcurrency
open class AVPictureInPictureController: KeyPathObservable {
    public let keyPathObservers = KeyPathObservers()

    /// Whether there is a display whose windows can float.
    public class func isPictureInPictureSupported() -> Bool { PictureInPictureWindow.isSupported }

    /// What is to float.
    @MainActor @preconcurrency
    public final class ContentSource {
        /// The layer whose picture floats.
        public let playerLayer: AVPlayerLayer?
        /// A player's layer; it, and its view, stay the app's.
        public init(playerLayer: AVPlayerLayer) { self.playerLayer = playerLayer }
    }
    /// What it was made of.
    public let contentSource: ContentSource?
    /// The layer whose picture floats.
    public let playerLayer: AVPlayerLayer
    /// Told on the main actor.
    open weak var delegate: (any AVPictureInPictureControllerDelegate)?

    /// The layer's player has a picture.
    public private(set) var isPictureInPicturePossible = false {
        didSet { if isPictureInPicturePossible != oldValue { keyPathObservers.objectDidChange() } }
    }
    /// The picture is in the small window: from `didStart` to `didStop`.
    public private(set) var isPictureInPictureActive = false {
        didSet { if isPictureInPictureActive != oldValue { keyPathObservers.objectDidChange() } }
    }
    /// Always false: nobody hides the window but the user.
    public var isPictureInPictureSuspended: Bool { false }
    /// Kept, of no effect: programs go on in the background here, with their windows.
    open var canStartPictureInPictureAutomaticallyFromInline = false
    /// Kept, of no effect: the small window has no way to seek.
    open var requiresLinearPlayback = false

    private var hold: FloatingPicture?
    private var isEnding = false
    private var observations: [NSKeyValueObservation] = []
    private var sizes: NSKeyValueObservation?
    /// Gives the small window what the place in the app has besides the layer's.
    package var makeView: (() -> PlayerView?)?
    /// Whose picture floats.
    private static weak var floating: AVPictureInPictureController?

    /// Nil where it is not supported.
    public convenience init?(playerLayer: AVPlayerLayer) {
        guard AVPictureInPictureController.isPictureInPictureSupported() else { return nil }
        self.init(contentSource: ContentSource(playerLayer: playerLayer))
    }
    /// Whether the picture can float, `isPictureInPicturePossible` tells; unlike AVKit's it is made also where it never
    /// can.
    public init(contentSource: ContentSource) {
        self.contentSource = contentSource
        playerLayer = contentSource.playerLayer ?? AVPlayerLayer()
        observations = [
            playerLayer.observe(\.player) { [weak self] _, _ in
                // Another player is another picture.
                self?.end(restores: false)
                self?.follow()
            }
        ]
        follow()
    }

    private func follow() {
        sizes = playerLayer.player?.observe(\.currentItem?.presentationSize, options: [.initial]) { [weak self] _, _ in
            self?.look()
        }
        look()
    }
    private func look() {
        let size = withoutObservationTracking { playerLayer.player?.currentItem?.presentationSize ?? .zero }
        isPictureInPicturePossible = size.width > 0 && AVPictureInPictureController.isPictureInPictureSupported()
    }

    /// Nothing while it floats; where it is not possible the delegate is told so.
    open func startPictureInPicture() { withoutObservationTracking { start() } }

    private func start() {
        guard hold == nil else { return }
        delegate?.pictureInPictureControllerWillStartPictureInPicture(self)
        guard isPictureInPicturePossible, let player = playerLayer.player,
            let fresh = PictureInPictureWindow(
                player: player, setPlaying: { [weak player] in if $0 { player?.play() } else { player?.pause() } },
                makeView: { [playerLayer, makeView] in
                    guard let view = makeView?() ?? PlayerView() else { return nil }
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
        hold = FloatingPicture(fresh, playerLayer)
        fresh.onShown = { [weak self] in
            guard let self, hold?.window === fresh else { return }
            playerLayer.isElsewhere = true
            isPictureInPictureActive = true
            delegate?.pictureInPictureControllerDidStartPictureInPicture(self)
        }
        fresh.onRestore = { [weak self] in
            self?.raise()
            self?.end(restores: true)
        }
        // Who closes the picture does not want to go on watching.
        fresh.onClose = { [weak self] in
            self?.playerLayer.player?.pause()
            self?.end(restores: false)
        }
        fresh.present(beside: inline?.widget)
    }

    /// Brings the picture back, once the delegate has what it belongs into. Nothing while it does not float.
    open func stopPictureInPicture() { withoutObservationTracking { end(restores: true) } }

    private var inline: PlayerView? { playerLayer.display as? PlayerView }

    private func raise() {
        inline?.widget.window?.present()
    }

    /// How long an app has to bring back what the picture belongs into, seconds.
    private static let patience = 2.0

    private func end(restores: Bool) {
        guard hold != nil, !isEnding else { return }
        guard restores, isPictureInPictureActive, let delegate else { return finish() }
        isEnding = true
        delegate.pictureInPictureController(
            self, restoreUserInterfaceForPictureInPictureStopWithCompletionHandler: { [weak self] _ in self?.finish() })
        DispatchQueue.main.asyncAfter(deadline: .now() + AVPictureInPictureController.patience) { [weak self] in
            MainActor.assumeIsolated { if self?.isEnding == true { self?.finish() } }
        }
    }

    private func finish() {
        guard let window = hold?.window else { return }
        isEnding = false
        if AVPictureInPictureController.floating === self { AVPictureInPictureController.floating = nil }
        let was = isPictureInPictureActive
        if was { delegate?.pictureInPictureControllerWillStopPictureInPicture(self) }
        playerLayer.isElsewhere = false
        // At once, so that the small window stays until its place has the picture.
        inline?.player = playerLayer.player
        window.close(for: inline)
        hold = nil
        guard was else { return }
        isPictureInPictureActive = false
        delegate?.pictureInPictureControllerDidStopPictureInPicture(self)
    }
}

/// A picture that floats, and what is undone when nobody has it any more.
@MainActor
private final class FloatingPicture {
    let window: PictureInPictureWindow
    private let layer: AVPlayerLayer
    init(_ window: PictureInPictureWindow, _ layer: AVPlayerLayer) {
        self.window = window
        self.layer = layer
    }
    isolated deinit {
        // Its owner has gone with it: one that has ended properly is closing already.
        guard layer.isElsewhere else { return }
        window.close()
        layer.isElsewhere = false
    }
}

/// What a picture that floats tells. AVKit's protocol; all of it may be left out.
@MainActor @preconcurrency
public protocol AVPictureInPictureControllerDelegate: AnyObject {
    /// Picture in Picture is about to start: nothing is on the screen yet.
    func pictureInPictureControllerWillStartPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// The small window is on the screen, and the picture in it.
    func pictureInPictureControllerDidStartPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// After `willStart`, in place of `didStart`.
    func pictureInPictureController(
        _ pictureInPictureController: AVPictureInPictureController,
        failedToStartPictureInPictureWithError error: any Error)
    /// The picture is about to go back, or the small window to close.
    func pictureInPictureControllerWillStopPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// The small window has closed; the layer has its picture back.
    func pictureInPictureControllerDidStopPictureInPicture(_ pictureInPictureController: AVPictureInPictureController)
    /// The picture is wanted back in the app: bring back the view that it belongs into, then call the handler (after
    /// two seconds it counts as called). Not when the user closes the small window.
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
