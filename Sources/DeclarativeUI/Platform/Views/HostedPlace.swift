import CGTK
import Foundation
import MediaEngine
import Overlays
import Presentation

/// A widget in the place of a layer: a player's pictures, or views of this dialect. Main actor.
@MainActor
final class HostedPlace {
    let id: ObjectIdentifier
    /// A child of the host's.
    let widget: UnsafeMutablePointer<GtkWidget>
    private weak var layer: CALayer?
    private let view: PlayerView?
    private var isCovered: Bool?

    /// Nil where there is nothing to show.
    init?(_ layer: CALayer, in parent: UnsafeMutablePointer<GtkWidget>) {
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
            widget = view.widget.gtk
            gtk_widget_set_can_target(widget, 0)
        } else {
            guard let content = HostedPlace.content(of: layer), gtk_widget_get_parent(content) == nil else {
                return nil
            }
            view = nil
            widget = content
        }
        g_object_ref(widget)
        gtk_widget_set_parent(widget, parent)
        (layer as? AVPlayerLayer)?.display = view
    }

    private static func content(of layer: CALayer) -> UnsafeMutablePointer<GtkWidget>? {
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
        gtk_widget_unparent(widget)
        g_object_unref(widget)
    }
    isolated deinit { remove() }
}
