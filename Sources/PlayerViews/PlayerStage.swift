import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine
import Observation
import Overlays
import PlayerControls

/// The model behind AVKit's player views. Main actor.
///
/// It contains the layer that displays the player, and the state of the controls. It also decides whether the video is
/// in its view, in full screen or in Picture in Picture. A stage is created with each value of a view, which happens
/// often. Expensive parts are created when they are needed.
@MainActor @Observable
final class PlayerStage: SetsChanges {
    enum Controls { case none, minimal, bar }
    var controls = Controls.bar
    var gravity = AVLayerVideoGravity.resizeAspect {
        didSet {
            withoutObservationTracking {
                for view in [inlineView, fullScreen.view] { view?.playerLayer.videoGravity = gravity }
            }
        }
    }
    var allowsFloating = true {
        didSet { withoutObservationTracking { if !allowsFloating { floating?.stopPictureInPicture() } } }
    }
    var allowsFullScreen = true
    /// Whether the controls and keys that seek are available.
    var allowsSeeking = true
    /// The app's additions to the controls.
    var additions = Additions()
    struct Additions {
        /// The app's buttons and menus in the control bar.
        var customItems: [UIMenuElement] = []
        /// The buttons over the video, which are visible with and without controls.
        var contextualActions: [UIAction] = []
        /// The speeds in the menu.
        var speeds = AVPlaybackSpeed.systemDefaultSpeeds
        /// The subtitles in the menu that are not part of the item.
        var subtitles: [OfferedSubtitle] = []
    }
    /// Whether the controls have a button that closes the presentation of the player.
    var isClosable = false
    /// Called when the user presses the close button.
    @ObservationIgnored var onClose: (@MainActor () -> Void)?
    let transport = PlayerTransport()
    let fullScreen = FullScreenStage()

    @ObservationIgnored private var inlineView: PictureView?
    @ObservationIgnored private var floatingController: AVPictureInPictureController?
    /// The keys of the controls, or of the window around them.
    @ObservationIgnored var keyMap = KeyMap.videoPlayer
    /// Whether keys are handled by the controls; otherwise the window handles them.
    @ObservationIgnored var hasOwnKeys = true
    @ObservationIgnored weak var pictureDelegate: (any AVPictureInPictureControllerDelegate)? {
        didSet { floatingController?.delegate = pictureDelegate }
    }

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<PlayerStage, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    /// The view that displays the player in its usual place.
    var picture: PictureView {
        if let inlineView { return inlineView }
        return withoutObservationTracking {
            let fresh = PictureView()
            fresh.playerLayer.videoGravity = gravity
            fresh.playerLayer.player = player
            inlineView = fresh
            return fresh
        }
    }
    var layer: AVPlayerLayer { picture.playerLayer }

    var player: AVPlayer? {
        get { transport.player }
        set {
            if newValue !== transport.player { transport.player = newValue }
            for view in [inlineView, fullScreen.view] { view?.playerLayer.player = newValue }
        }
    }

    /// The Picture in Picture controller; nil if the display does not support floating windows.
    var floating: AVPictureInPictureController? {
        if let floatingController { return floatingController }
        guard let fresh = AVPictureInPictureController(playerLayer: layer) else { return nil }
        fresh.delegate = pictureDelegate
        floatingController = fresh
        return fresh
    }
    func toggleFloating() {
        guard let floating else { return }
        if floating.isPictureInPictureActive { return floating.stopPictureInPicture() }
        exitFullScreen()
        floating.startPictureInPicture()
    }

    // MARK: full screen

    var isFullScreen: Bool { fullScreen.isOn }

    func toggleFullScreen() {
        if let outer = fullScreen.outer { return outer() }
        if isFullScreen { exitFullScreen() } else { enterFullScreen() }
    }

    func enterFullScreen() {
        guard let inlineView else { return }
        fullScreen.enter(from: inlineView) { [self] in
            floatingController?.stopPictureInPicture()
            let view = PictureView()
            view.playerLayer.videoGravity = gravity
            view.playerLayer.player = player
            return view
        }
    }

    func exitFullScreen() { fullScreen.exit() }

    /// Ends the stage after its view has been removed. The player belongs to the app, and does not change.
    ///
    /// The layer keeps the player, because its frames stay visible while a transition removes the view.
    func close() {
        withoutObservationTracking { exitFullScreen() }
        // An active Picture in Picture needs its layer, and ends with the controller.
        floatingController = nil
        transport.player = nil
    }
}

/// Subtitles that are not part of the item, such as a file beside the video. The code that offers them also shows them.
package struct OfferedSubtitle {
    let title: String
    let isOn: Bool
    let choose: @MainActor () -> Void
    package init(title: String, isOn: Bool, choose: @escaping @MainActor () -> Void) {
        (self.title, self.isOn, self.choose) = (title, isOn, choose)
    }
}

/// A view whose layer is a player layer.
final class PictureView: UIView {
    override class var layerClass: AnyClass { AVPlayerLayer.self }
    var playerLayer: AVPlayerLayer { layer as? AVPlayerLayer ?? AVPlayerLayer() }
}

/// A SwiftUI view of an existing `PictureView`.
struct PlacedPicture: UIViewRepresentable {
    let view: PictureView
    func makeUIView(context: Context) -> PictureView { view }
    func updateUIView(_ uiView: PictureView, context: Context) {}
}

/// A SwiftUI view of the app's overlay between the video and the controls. The overlay is in a container view. When the
/// overlay moves into full screen or back, another container is created.
struct PlacedOverlay: UIViewRepresentable {
    let view: UIView
    func makeUIView(context: Context) -> UIView {
        let holder = UIView(frame: view.bounds)
        view.frame = holder.bounds
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        holder.addSubview(view)
        return holder
    }
    func updateUIView(_ uiView: UIView, context: Context) {}
}
struct PlacedMacOverlay: NSViewRepresentable {
    let view: NSView
    func makeNSView(context: Context) -> NSView {
        let holder = NSView(frame: view.bounds)
        view.frame = holder.bounds
        view.autoresizingMask = [.width, .height]
        holder.addSubview(view)
        return holder
    }
    func updateNSView(_ nsView: NSView, context: Context) {}
}
