import DeclarativeUI
import Filters
import Foundation
import MediaEngine

/// The style of the controls of an `AVPlayerView`. AVKit's type.
public enum AVPlayerViewControlsStyle: Int, Sendable {
    /// No controls. Keys have no effect. Gestures of a SwiftUI view around the player view are recognized.
    case none = 0
    /// A control bar over the lower end of the video, which appears when the pointer moves.
    case inline
    /// The same as `inline`.
    case floating
    /// A play and pause button only.
    case minimal
    /// The default style, which is `inline`.
    public static let `default` = AVPlayerViewControlsStyle.inline
}

/// A view that shows a player with controls. AVKit's type for AppKit.
///
/// ```swift
/// struct PlayerPane: NSViewRepresentable {
///     let player: AVPlayer
///
///     func makeNSView(context: Context) -> AVPlayerView {
///         let view = AVPlayerView()
///         view.controlsStyle = .floating
///         view.showsFullScreenToggleButton = true
///         return view
///     }
///     func updateNSView(_ view: AVPlayerView, context: Context) { view.player = player }
/// }
/// ```
/// To use an `AVPlayerView` in a SwiftUI view, wrap it in an `NSViewRepresentable`. Its controls are those of
/// `VideoPlayer`. It has no buttons to step, trim or share. `player` and `isReadyForDisplay` can be observed with
/// `observe(_:options:changeHandler:)` or `publisher(for:)`; changes of other properties are not reported.
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

    /// The player. It belongs to the app, and is not paused when the view disappears.
    open var player: AVPlayer? {
        get { stage.player }
        set {
            guard newValue !== stage.player else { return }
            stage.player = newValue
            keyPathObservers.objectDidChange()
        }
    }
    /// The style of the controls. Default: `.default`.
    open var controlsStyle = AVPlayerViewControlsStyle.default {
        didSet {
            stage.controls =
                switch controlsStyle {
                case .none: .none
                case .minimal: .minimal
                case .inline, .floating: .bar
                }
            contentTakesPointer = controlsStyle != .none
        }
    }
    /// The way in which the video fits the view. Default: `.resizeAspect`.
    open var videoGravity: AVLayerVideoGravity {
        get { stage.gravity }
        set { stage.gravity = newValue }
    }
    /// Whether there is a full-screen button. Default: false.
    open var showsFullScreenToggleButton: Bool {
        get { stage.allowsFullScreen }
        set { stage.allowsFullScreen = newValue }
    }
    /// Whether there is a Picture in Picture button. Default: false.
    open var allowsPictureInPicturePlayback: Bool {
        get { stage.allowsFloating }
        set { stage.allowsFloating = newValue }
    }
    /// Whether the first frame of the current item can be displayed.
    open var isReadyForDisplay: Bool { stage.layer.isReadyForDisplay }
    /// The frame of the video in the view, in points; zero without video.
    open var videoBounds: NSRect { stage.layer.videoRect }
    /// The view between the video and the controls. It is as large as the player view, and is created on first
    /// access. It is never nil.
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
