import Foundation
import GTK
import MediaEngine
import Overlays
import Presentation

/// A widget at the position of a layer: the video of a player, or declarative views.
@MainActor
final class HostedWidget {
    let id: ObjectIdentifier
    /// The widget, a child of the host's widget.
    var widget: GTKWidget { reference.object }
    private let reference: GTKReference<GTKWidget>
    private weak var layer: CALayer?
    private let view: PlayerView?
    private var isCovered: Bool?

    /// Creates the widget for a layer. Returns nil if the layer has nothing to show.
    init?(_ layer: CALayer, in parent: GTKWidget) {
        id = ObjectIdentifier(layer)
        self.layer = layer
        if layer is AVPlayerLayer {
            guard let view = PlayerView() else { return nil }
            view.accessibilityLabel = PictureInPictureText.video
            view.isBackgroundBlack = false
            // The first drawing determines whether an effect applies. Until then, a video surface of its own could
            // briefly show the video without the effect.
            isCovered = true
            view.isCovered = true
            self.view = view
            reference = GTKReference(view.widget)
            view.widget.setCanTarget(false)
        } else {
            guard let content = HostedWidget.content(of: layer), content.parent == nil else {
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

    /// Whether the layer still has the content for which the widget was created.
    var isValid: Bool { view != nil || layer.flatMap(HostedWidget.content) == widget }
    /// Whether the widget is shown here. False while the video is in another window, such as picture in picture.
    var isShownHere: Bool { (layer as? AVPlayerLayer)?.isElsewhere != true }

    /// Applies the current properties of the layer to the widget.
    func follow() {
        // Presentations of the hosted views appear over the window that contains those views.
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

    /// The view whose declarative content is the widget, or nil for the video of a player.
    var owner: LayeredView? { (layer as? HostedLayer)?.owner as? LayeredView }
    /// Whether GTK delivers no pointer input to the widget, because the input is for a view behind this one.
    ///
    /// GTK lays out the widget again after a change, so the value is changed only if the wrong view would receive the
    /// input.
    var isBlocked = false {
        didSet { if isBlocked != oldValue { widget.setCanTarget(!isBlocked) } }
    }
    /// Returns whether GTK would deliver input at a point of `parent`, the host's widget, to this widget.
    func takesInput(at point: CGPoint, of parent: GTKWidget) -> Bool {
        guard widget.isChildVisible, let own = parent.convert(point, to: widget) else { return false }
        return widget.pick(own) != nil
    }

    /// Records whether the widget is drawn through an effect.
    func setCovered(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        // The hosted surface is updated at once, because its videos read this value when they are drawn, directly after
        // this call.
        ((layer as? HostedLayer)?.owner as? LayeredView)?.content?.host.surface.isCovered = covered
        guard view != nil else { return }
        // GTK is drawing now, so the player's view is updated later.
        OnMain.later { [weak self] in
            guard let self, let covered = self.isCovered else { return }
            self.view?.isCovered = covered
        }
    }

    private var isRemoved = false
    func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        // The content may be shown again, by another object.
        isBlocked = false
        view?.player = nil
        if let layer = layer as? AVPlayerLayer, layer.display === view { layer.display = nil }
        widget.unparent()
    }
    isolated deinit { remove() }
}
