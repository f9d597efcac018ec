import DeclarativeUI
import Filters
import Foundation
import MediaCore
import MediaEngine

/// How a player's view on the Mac is controlled. AVKit's type.
public enum AVPlayerViewControlsStyle: Int, Sendable {
    /// The bare picture; keys do nothing.
    case none = 0
    /// A bar over the picture's lower end, which comes with the pointer.
    case inline
    /// As `inline`.
    case floating
    /// Play and pause only.
    case minimal
    /// `inline`.
    public static let `default` = AVPlayerViewControlsStyle.inline
}

/// A player with controls, as a view. AVKit's type for AppKit; shown by `NSViewRepresentable`.
///
/// Its controls are `VideoPlayer`'s. Not here: the buttons that step, trim and share. Observe it by
/// `observe(_:options:changeHandler:)` or `publisher(for:)`. Main actor.
@MainActor @preconcurrency
open class AVPlayerView: NSView, KeyPathObservable {
    public let keyPathObservers = KeyPathObservers()
    let stage = PlayerStage()
    private var readiness: NSKeyValueObservation?

    public override init(frame frameRect: NSRect) {
        super.init(frame: frameRect)
        stage.allowsFullScreen = false
        stage.allowsFloating = false
        readiness = stage.layer.observe(\.isReadyForDisplay) { [weak self] _, _ in
            self?.keyPathObservers.objectDidChange()
        }
        showBody()
    }
    public required init?(coder: NSCoder) { return nil }

    /// The app's; it is not paused when the view goes.
    open var player: AVPlayer? {
        get { stage.player }
        set {
            guard newValue !== stage.player else { return }
            stage.player = newValue
            keyPathObservers.objectDidChange()
        }
    }
    /// Default `.default`.
    open var controlsStyle = AVPlayerViewControlsStyle.default {
        didSet {
            stage.controls =
                switch controlsStyle {
                case .none: .none
                case .minimal: .minimal
                case .inline, .floating: .bar
                }
        }
    }
    /// Default: `.resizeAspect`.
    open var videoGravity: AVLayerVideoGravity {
        get { stage.gravity }
        set { stage.gravity = newValue }
    }
    /// Default: false.
    open var showsFullScreenToggleButton: Bool {
        get { stage.allowsFullScreen }
        set { stage.allowsFullScreen = newValue }
    }
    /// Default: false.
    open var allowsPictureInPicturePlayback: Bool {
        get { stage.allowsFloating }
        set { stage.allowsFloating = newValue }
    }
    /// The current item's first picture can be shown.
    open var isReadyForDisplay: Bool { stage.layer.isReadyForDisplay }
    /// Where the picture lies in the view, points; zero without one.
    open var videoBounds: NSRect { stage.layer.videoRect }
    /// Lies between the picture and the controls, and is as large as the view. Made when it is first asked for.
    open var contentOverlayView: NSView? {
        if let overlay { return overlay }
        let fresh = NSView()
        overlay = fresh
        showBody()
        return fresh
    }
    private var overlay: NSView?
    private func showBody() {
        show(
            AnyView(
                PlayerBody(
                    stage: stage, overlay: overlay.map { AnyView(PlacedMacOverlay(view: $0)) } ?? AnyView(EmptyView())))
        )
    }
}
