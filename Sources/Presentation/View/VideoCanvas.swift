import CGTK
import Filters
import Foundation
import GTK
import MediaCore

/// The widget in which a `PlayerView` shows its frames, and the placement of a frame in it.
@MainActor
final class VideoCanvas {
    private let reference = GTKReference(GTKPicture())
    /// The widget around `picture` with the GL renderer. It lets a compositor show the textures without GTK drawing
    /// them.
    private let offload: GTKReference<GTKGraphicsOffload>?
    private var paintable: GTKReference<GDKPaintable>?
    /// The way in which a frame fills the widget.
    var gravity = AVLayerVideoGravity.resizeAspect
    /// The name of the video for assistive technologies.
    var label = "" { didSet { picture.setAccessibleLabel(label) } }

    init() {
        let picture = reference.object
        offload = OpenGLDrawing.isUsed ? GTKGraphicsOffload(around: picture).map { GTKReference($0) } : nil
        widget.setExpands(horizontally: true)
        widget.setExpands(vertically: true)
    }

    var picture: GTKPicture { reference.object }
    var widget: GTKWidget { offload?.object.widget ?? picture.widget }
    /// Lets GTK draw the widget into the window. In GTK's own subsurface, the views over the video would not be found.
    func stopOffloading() { offload?.object.disable() }
    var isMinimized: Bool { picture.native?.surface?.isMinimized == true }
    var isVisible: Bool { picture.isMapped && picture.width > 0 && picture.height > 0 }

    /// Shows the drawing of `content`, which is not kept alive.
    func show(_ content: any PaintableContent) {
        paintable = ContentPaintable.make(for: content)
        picture.setPaintable(paintable?.object)
    }

    func invalidateSize() { paintable?.object.invalidateSize() }
    func invalidateContents() { paintable?.object.invalidateContents() }

    /// The size of the widget in device pixels.
    var space: CanvasSpace {
        let scale = picture.scaleFactor
        return CanvasSpace(width: Int(picture.width) * scale, height: Int(picture.height) * scale, scale: scale)
    }

    /// Returns the placement of a frame of `size` in the widget, in device pixels.
    func placement(_ size: CGSize?) -> VideoPlacement {
        let space = space
        return VideoPlacement(picture: size ?? .zero, width: space.width, height: space.height, gravity: gravity)
    }

    /// Whether a part of the widget is outside its window on Wayland, where the window's edge does not cut off a surface
    /// of the video. On X11 it does.
    var isBeyondWindow: Bool {
        guard let native = picture.native, native.surface?.display?.windowing == .wayland,
            let window = native.bounds(in: picture)
        else { return false }
        // Positions are rounded to device pixels.
        let tolerance = 0.5 / Double(picture.scaleFactor)
        return !window.insetBy(dx: -tolerance, dy: -tolerance).contains(CGRect(origin: .zero, size: picture.size))
    }

    /// Returns the position of the widget in its window's surface, in device pixels.
    func devicePosition() -> (Int, Int) {
        guard let native = picture.native else { return (0, 0) }
        let origin = native.surfaceOrigin
        guard let position = picture.convert(.zero, to: native) else { return (0, 0) }
        let scale = Double(picture.scaleFactor)
        return (Int(((position.x + origin.x) * scale).rounded()), Int(((position.y + origin.y) * scale).rounded()))
    }
}

/// The size of a view in device pixels, with the number of device pixels per point.
struct CanvasSpace: Equatable {
    var width: Int, height: Int
    var scale: Int
}
