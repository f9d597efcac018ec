import Filters
import Foundation
import MediaCore
import MediaEngine

/// A layer that shows a player's pictures. AVFoundation's type.
///
/// It is seen in the layers of a `UIView` or an `NSView`: as the view's own layer (`layerClass`, `layer =
/// AVPlayerLayer(player:)`) or anywhere among its sublayers, turned, faded, cut and masked as any other. Where it lies
/// upright and whole, and nothing over it, its pictures go straight to the screen; else GTK draws them with the rest,
/// which costs more. Among the vector layers over a video (`ShapeLayerBuilderProtocol`) only its background is seen.
///
/// Beside the picture its `backgroundColor` is seen; there is none at first. What concerns the player belongs to the
/// main actor. Observe it by `observe(_:options:changeHandler:)` or `publisher(for:)`.
open class AVPlayerLayer: CALayer {
    /// Without a player: only the background is seen until one is set.
    public override init() {
        super.init()
        change { $0.hosted = ObjectIdentifier(self) }
    }
    /// Shows a player's pictures, by `.resizeAspect`; that does not start it.
    @MainActor @preconcurrency public convenience init(player: AVPlayer?) {
        self.init()
        show(player)
    }
    /// In an initialiser of its own class a property's observers are not called.
    @MainActor private func show(_ player: AVPlayer?) { self.player = player }

    /// Who observes its properties; `observe(_:options:changeHandler:)` uses it.
    @MainActor @preconcurrency public private(set) lazy var keyPathObservers = KeyPathObservers()
    @MainActor private var readiness: PictureReadiness?

    /// Whose pictures are shown; nil shows none. It plays on when the layer goes.
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
    /// Default: `.resizeAspect`.
    @MainActor @preconcurrency open var videoGravity: AVLayerVideoGravity = .resizeAspect {
        didSet {
            guard videoGravity != oldValue else { return }
            setNeedsDisplay()
            keyPathObservers.objectDidChange()
        }
    }
    /// The current item's first picture can be shown. It is so also while nobody sees the layer.
    @MainActor @preconcurrency public private(set) var isReadyForDisplay = false {
        didSet { if isReadyForDisplay != oldValue { keyPathObservers.objectDidChange() } }
    }
    /// Where the picture lies in the bounds, points; one that fills them may stand out (what stands out is not seen).
    /// Zero without one.
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

    /// The height of a bar over its lower end, points: subtitles move above it.
    @MainActor package var coveredBottom = 0.0 { didSet { if coveredBottom != oldValue { setNeedsDisplay() } } }
    /// What shows it in a window now.
    @MainActor package weak var display: AnyObject?
    /// The picture is in a window of its own: in its place is said where.
    @MainActor package var isElsewhere = false { didSet { if isElsewhere != oldValue { setNeedsDisplay() } } }
}

extension AVPlayerLayer: @MainActor KeyPathObservable {}

/// A layer in whose place a widget of a view's own is seen.
package final class HostedLayer: CALayer {
    /// The view.
    @MainActor package weak var owner: AnyObject?
    package override init() {
        super.init()
        change { $0.hosted = ObjectIdentifier(self) }
    }
}

/// Whether a player's current item has a picture to show. Main actor.
@MainActor
private final class PictureReadiness {
    private let player: AVPlayer
    private let told: @MainActor (Bool) -> Void
    private var token: Int?
    private var items: NSKeyValueObservation?

    init(_ player: AVPlayer, _ told: @escaping @MainActor (Bool) -> Void) {
        self.player = player
        self.told = told
        items = player.observe(\.currentItem) { [weak self] _, _ in
            told(false)
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
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.look() } }
        }
        // Not now: who has just set the player has yet to say who wants to be told.
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.look() } }
    }

    /// What the item before it shows is not its own.
    private func look() {
        let source = player.videoFrameSource
        guard token != nil, !source.isChanging, source.pull(forHostTime: .now()) != nil else { return }
        stop()
        told(true)
    }
}
