import Filters
import Foundation
import MediaCore
import MediaEngine

/// A layer that shows a player's frames. Mirrors AVFoundation's type of the same name.
///
/// It is visible in the layers of a `UIView` or an `NSView`: as the view's own layer (`layerClass`, `layer =
/// AVPlayerLayer(player:)`), or as a sublayer. It can be rotated, faded, clipped and masked like any other layer. If it
/// is upright and nothing clips or covers it, its frames go directly to the screen. Otherwise GTK draws them with the
/// other content, which is slower. As a layer over a video (`ShapeLayerBuilderProtocol`), it shows only its background.
///
/// ```swift
/// final class PlayerUIView: UIView {
///     override class var layerClass: AnyClass { AVPlayerLayer.self }
///     var player: AVPlayer? {
///         get { (layer as? AVPlayerLayer)?.player }
///         set { (layer as? AVPlayerLayer)?.player = newValue }
///     }
/// }
/// ```
///
/// The area around the frame shows `backgroundColor`, which is nil by default. Properties of the player are isolated to
/// the main actor. Observe them with `observe(_:options:changeHandler:)` or `publisher(for:)`.
open class AVPlayerLayer: CALayer {
    /// Creates a layer without a player, which shows only its background.
    public override init() {
        super.init()
        change { $0.hosted = ObjectIdentifier(self) }
    }
    /// Creates a layer that shows a player's frames with `.resizeAspect`. Does not start the player.
    @MainActor @preconcurrency public convenience init(player: AVPlayer?) {
        self.init()
        show(player)
    }
    // Swift calls no property observers in an initializer of the same class, so the player is set in a method.
    @MainActor private func show(_ player: AVPlayer?) { self.player = player }

    /// The observers of this layer's properties, for `observe(_:options:changeHandler:)`.
    @MainActor @preconcurrency public private(set) lazy var keyPathObservers = KeyPathObservers()
    @MainActor private var readiness: PictureReadiness?

    /// The player whose frames are shown, or nil. It continues to play when the layer is deallocated.
    @MainActor @preconcurrency open var player: AVPlayer? {
        didSet {
            guard player !== oldValue else { return }
            readiness = nil
            isReadyForDisplay = false
            setNeedsDisplay()
            keyPathObservers.objectDidChange()
            if let player { readiness = PictureReadiness(player) { [weak self] in self?.isReadyForDisplay = $0 } }
        }
    }
    /// The way in which frames are scaled to the bounds. The default is `.resizeAspect`.
    @MainActor @preconcurrency open var videoGravity: AVLayerVideoGravity = .resizeAspect {
        didSet {
            guard videoGravity != oldValue else { return }
            setNeedsDisplay()
            keyPathObservers.objectDidChange()
        }
    }
    /// Whether the current item's first frame can be shown, even while the layer is not visible.
    @MainActor @preconcurrency public private(set) var isReadyForDisplay = false {
        didSet { if isReadyForDisplay != oldValue { keyPathObservers.objectDidChange() } }
    }
    /// The position and size of the frame in the bounds, in points. A frame that fills the bounds may exceed them; the
    /// excess is not visible. Zero without a frame.
    @MainActor @preconcurrency open var videoRect: CGRect {
        guard let size = player?.currentItem?.presentationSize, size.width > 0, size.height > 0, bounds.width > 0,
            bounds.height > 0
        else { return .zero }
        let (x, y) = (bounds.width / size.width, bounds.height / size.height)
        let factor: CGFloat
        switch videoGravity {
        case .resize: return bounds
        case .resizeAspectFill: factor = max(x, y)
        default: factor = min(x, y)
        }
        let (width, height) = (size.width * factor, size.height * factor)
        return CGRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
    }

    /// The height of the controls that cover the lower end of the layer, in points. Subtitles move above them.
    @MainActor package var coveredBottom = 0.0 { didSet { if coveredBottom != oldValue { setNeedsDisplay() } } }
    /// The object that currently shows the layer in a window.
    @MainActor package weak var display: AnyObject?
    /// Whether the video is in a separate window. If true, the layer shows a message instead of the video.
    @MainActor package var isElsewhere = false { didSet { if isElsewhere != oldValue { setNeedsDisplay() } } }
}

extension AVPlayerLayer: @MainActor KeyPathObservable {}

/// A layer that is replaced by an app's own widget.
package final class HostedLayer: CALayer {
    /// The view that owns the widget.
    @MainActor package weak var owner: AnyObject?
    package override init() {
        super.init()
        change { $0.hosted = ObjectIdentifier(self) }
    }
}

/// An observer that reports whether a player's current item has a frame to show.
@MainActor
private final class PictureReadiness {
    private let player: AVPlayer
    private let onChange: @MainActor (Bool) -> Void
    private var token: Int?
    private var items: NSKeyValueObservation?

    init(_ player: AVPlayer, _ onChange: @escaping @MainActor (Bool) -> Void) {
        self.player = player
        self.onChange = onChange
        items = player.observe(\.currentItem) { [weak self] _, _ in
            onChange(false)
            self?.wait()
        }
        wait()
    }

    isolated deinit { stop() }

    private func stop() {
        if let token { player.videoFrameSource.removeWakeHandler(token) }
        token = nil
    }

    private func wait() {
        stop()
        guard withoutObservationTracking({ player.currentItem != nil }) else { return }
        token = player.videoFrameSource.addWakeHandler { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.checkReadiness() } }
        }
        // Check in the next pass of the main loop, because code that sets the player may add its observers after that.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.checkReadiness() } }
    }

    /// Reports readiness once there is a frame of the current item. While the item changes, the source still has the
    /// previous item's frame.
    private func checkReadiness() {
        let source = player.videoFrameSource
        guard token != nil, !source.isChanging, source.pull(forHostTime: .now()) != nil else { return }
        stop()
        onChange(true)
    }
}
