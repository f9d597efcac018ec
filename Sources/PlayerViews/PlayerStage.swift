import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine
import Observation
import Overlays
import PlayerControls
import Presentation

/// What stands behind AVKit's player views: the layer that shows the player, what its controls know, and where the
/// picture is (in its place, alone on the screen, in a window of its own). Made with a view's value, which happens
/// often: what costs something is made when it is needed. Main actor.
@MainActor @Observable
final class PlayerStage {
    enum Controls { case none, minimal, bar }
    var controls = Controls.bar
    var gravity = AVLayerVideoGravity.resizeAspect {
        didSet {
            withoutObservationTracking {
                for view in [made, fullScreen.view] { view?.playerLayer.videoGravity = gravity }
            }
        }
    }
    var allowsFloating = true {
        didSet { withoutObservationTracking { if !allowsFloating { floating?.stopPictureInPicture() } } }
    }
    var allowsFullScreen = true
    /// False takes away what seeks.
    var allowsSeeking = true
    /// The app's additions to the controls.
    var additions = Additions()
    struct Additions {
        /// An app's own buttons and menus, in the bar.
        var customItems: [UIMenuElement] = []
        /// Buttons over the picture, whether controls are seen or not.
        var contextualActions: [UIAction] = []
        /// The speeds in the menu.
        var speeds = AVPlaybackSpeed.systemDefaultSpeeds
        /// Subtitles that are not the item's own, for the menu.
        var subtitles: [OfferedSubtitle] = []
    }
    let transport = PlayerTransport()
    let fullScreen = FullScreenStage()

    @ObservationIgnored private var made: PictureView?
    @ObservationIgnored private var known: AVPictureInPictureController?
    /// The keys of the controls, or of the window around them.
    @ObservationIgnored var keyMap = KeyMap.videoPlayer
    /// Whether keys are handled by the controls; otherwise the window handles them.
    @ObservationIgnored var hasOwnKeys = true
    @ObservationIgnored weak var pictureDelegate: (any AVPictureInPictureControllerDelegate)? {
        didSet { known?.delegate = pictureDelegate }
    }

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<PlayerStage, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    /// What shows the player in its place.
    var picture: PictureView {
        if let made { return made }
        return withoutObservationTracking {
            let fresh = PictureView()
            fresh.playerLayer.videoGravity = gravity
            fresh.playerLayer.player = player
            made = fresh
            return fresh
        }
    }
    var layer: AVPlayerLayer { picture.playerLayer }

    var player: AVPlayer? {
        get { transport.player }
        set {
            if newValue !== transport.player { transport.player = newValue }
            for view in [made, fullScreen.view] { view?.playerLayer.player = newValue }
        }
    }

    /// Nil where it is not supported.
    var floating: AVPictureInPictureController? {
        if let known { return known }
        guard let fresh = AVPictureInPictureController(playerLayer: layer) else { return nil }
        fresh.delegate = pictureDelegate
        known = fresh
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
        guard let made else { return }
        fullScreen.enter(from: made) { [self] in
            known?.stopPictureInPicture()
            let view = PictureView()
            view.playerLayer.videoGravity = gravity
            view.playerLayer.player = player
            return view
        }
    }

    func exitFullScreen() { fullScreen.exit() }

    /// The view has been removed. The player is the app's, and stays as it is.
    ///
    /// The layer keeps it: while a transition takes the view away, its pictures are still to be seen.
    func close() {
        withoutObservationTracking { exitFullScreen() }
        // A picture that floats needs its layer; it ends with the controller.
        known = nil
        transport.player = nil
    }
}

/// Subtitles from elsewhere (a file beside the film), which whoever offers them shows.
package struct OfferedSubtitle {
    let title: String
    let isOn: Bool
    let choose: @MainActor () -> Void
    package init(title: String, isOn: Bool, choose: @escaping @MainActor () -> Void) {
        (self.title, self.isOn, self.choose) = (title, isOn, choose)
    }
}

/// A view that is a player's layer.
final class PictureView: UIView {
    override class var layerClass: AnyClass { AVPlayerLayer.self }
    var playerLayer: AVPlayerLayer { layer as? AVPlayerLayer ?? AVPlayerLayer() }
}

/// A picture's view, which is there already.
struct PlacedPicture: UIViewRepresentable {
    let view: PictureView
    func makeUIView(context: Context) -> PictureView { view }
    func updateUIView(_ uiView: PictureView, context: Context) {}
}

/// A view of the app's between picture and controls, in a holder that is made anew wherever it goes.
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
