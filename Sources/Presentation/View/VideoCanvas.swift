import CGTK
import Filters
import Foundation
import GTK

/// The widget in which a `PlayerView` shows its frames, and where they go in it. Main actor.
@MainActor
final class VideoCanvas {
    private let reference = GTKReference(GTKPicture())
    /// Around the picture with the GL renderer: a compositor may show its textures without GTK drawing them.
    private let offload: GTKReference<GTKGraphicsOffload>?
    private var paintable: GTKReference<GDKPaintable>?
    /// How a frame fills the widget.
    var gravity = AVLayerVideoGravity.resizeAspect
    /// The name of the video for assistive technology.
    var label = "" { didSet { picture.setAccessibleLabel(label) } }

    init() {
        let picture = reference.object
        offload = Renderer.chosen == .gl ? GTKGraphicsOffload(around: picture).map { GTKReference($0) } : nil
        widget.setExpands(horizontally: true)
        widget.setExpands(vertically: true)
    }

    var picture: GTKPicture { reference.object }
    var widget: GTKWidget { offload?.object.widget ?? picture.widget }
    var isVisible: Bool { picture.isMapped && picture.width > 0 && picture.height > 0 }

    /// Shows what `content` draws, which is not kept alive.
    func show(_ content: any PaintableContent) {
        paintable = ContentPaintable.make(for: content)
        picture.setPaintable(paintable?.object)
    }

    func invalidateSize() { paintable?.object.invalidateSize() }
    func invalidateContents() { paintable?.object.invalidateContents() }

    /// The widget's size in device pixels.
    var space: CanvasSpace {
        let scale = picture.scaleFactor
        return CanvasSpace(width: Int(picture.width) * scale, height: Int(picture.height) * scale, scale: scale)
    }

    /// Where a frame of `size` goes in the widget, device pixels.
    func placement(_ size: CGSize?) -> VideoPlacement {
        let space = space
        return VideoPlacement(picture: size ?? .zero, width: space.width, height: space.height, gravity: gravity)
    }

    /// Where the widget lies in its window's surface, device pixels.
    func devicePosition() -> (Int, Int) {
        guard let native = picture.native else { return (0, 0) }
        let origin = native.surfaceOrigin
        guard let place = picture.convert(.zero, to: native) else { return (0, 0) }
        let scale = Double(picture.scaleFactor)
        return (Int(((place.x + origin.x) * scale).rounded()), Int(((place.y + origin.y) * scale).rounded()))
    }
}

/// The size of a view in device pixels, and how many of them a point has.
struct CanvasSpace: Equatable {
    var width: Int, height: Int
    var scale: Int
}
