import GTK
import Foundation
import MediaEngine
import Overlays
import Presentation

/// A widget in the place of a layer: a player's pictures, or views of this dialect. Main actor.
@MainActor
final class HostedPlace {
    let id: ObjectIdentifier
    /// A child of the host's.
    var widget: GTKWidget { reference.object }
    private let reference: GTKReference<GTKWidget>
    private weak var layer: CALayer?
    private let view: PlayerView?
    private var isCovered: Bool?

    /// Nil where there is nothing to show.
    init?(_ layer: CALayer, in parent: GTKWidget) {
        id = ObjectIdentifier(layer)
        self.layer = layer
        if layer is AVPlayerLayer {
            guard let view = PlayerView() else { return nil }
            view.accessibilityLabel = PictureInPictureText.video
            view.isBackgroundBlack = false
            // Until the first drawing tells: a surface over an effect would show the picture whole for a moment.
            isCovered = true
            view.isCovered = true
            self.view = view
            reference = GTKReference(view.widget)
            view.widget.setCanTarget(false)
        } else {
            guard let content = HostedPlace.content(of: layer), content.parent == nil else {
                return nil
            }
            view = nil
            reference = GTKReference(content)
        }
        widget.setParent(parent)
        (layer as? AVPlayerLayer)?.display = view
    }

    private static func content(of layer: CALayer) -> GTKWidget? {
        ((layer as? HostedLayer)?.owner as? LayeredView)?.content?.host.surface.widget
    }

    /// It still stands for what it was made for.
    var isValid: Bool { view != nil || layer.flatMap(HostedPlace.content) == widget }
    /// False while the picture is elsewhere.
    var isWanted: Bool { (layer as? AVPlayerLayer)?.isElsewhere != true }

    /// Shows what the layer says now.
    func follow() {
        // What the views in it present comes over the window that they are in.
        if let owner = (layer as? HostedLayer)?.owner as? LayeredView {
            owner.content?.host.surface.enclosing = owner.outermost.enclosing
        }
        guard let view, let layer = layer as? AVPlayerLayer else { return }
        layer.display = view
        if view.videoGravity != layer.videoGravity { view.videoGravity = layer.videoGravity }
        view.coveredBottom = layer.coveredBottom
        let player = layer.isElsewhere ? nil : layer.player
        if view.player !== player { view.player = player }
    }

    /// What the whole drawing said.
    func settle(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        // At once: the videos in it go by it when they are drawn, which is next.
        ((layer as? HostedLayer)?.owner as? LayeredView)?.content?.host.surface.isCovered = covered
        guard view != nil else { return }
        // Not now: GTK is drawing.
        OnMain.later { [weak self] in
            guard let self, let covered = self.isCovered else { return }
            self.view?.isCovered = covered
        }
    }

    private var isRemoved = false
    func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        view?.player = nil
        if let layer = layer as? AVPlayerLayer, layer.display === view { layer.display = nil }
        widget.unparent()
    }
    isolated deinit { remove() }
}
