import Foundation
import MediaCore
import Overlays

/// A surface of the video's own over GTK's window, which the windowing system shows. Input falls through to GTK. Main
/// thread only.
@MainActor
protocol VideoSurface: AnyObject {
    var isMapped: Bool { get }
    /// A frame shown now would not be seen; the view is told when one would be.
    var isObscured: Bool { get }
    /// Whether the compositor has not wanted a frame for so long that the window must be hidden; the view is told when
    /// it wants one again.
    var isHidden: Bool { get }
    /// Whether it is of another connection than GTK's, which may be ahead of it.
    var isApart: Bool { get }
    /// From `show` to the moment that the frame is seen, nanoseconds; 0: unknown.
    var delay: Int64 { get }
    /// How many pixels a frame of `size` that fills `area` is to have, when nothing is drawn over it.
    func pixels(of size: PicturePainter.Area, video: CGSize, scale: Int) -> SurfacePixels

    /// Whether it lies there.
    func lies(_ area: PicturePainter.Area) -> Bool
    /// Places the surface in GTK's.
    /// - Parameters:
    ///   - area: device pixels, multiples of `scale`.
    ///   - scale: device pixels a point.
    ///   - pixels: of what `show` paints.
    func place(_ area: PicturePainter.Area, scale: Int, pixels: SurfacePixels)
    /// Lets `paint` fill a frame (`stride` bytes a row) and shows it.
    /// - Parameter sequence: of a frame whose time on the screen is to be told to `SurfaceEvents.seen`; nil: none.
    func show(_ sequence: UInt64?, _ paint: (UnsafeMutableRawPointer, Int) -> Bool) -> SurfaceAnswer
    /// Lets `change` alter the frame that is shown (`stride` bytes a row), and shows those parts of it that `change`
    /// names. False when that cannot be done.
    func alter(_ change: (UnsafeMutableRawPointer, Int) -> [PicturePainter.Area]) -> Bool
    func hide()
    func close()
    /// GTK has drawn a frame, and has sent it.
    func framePassed()
    /// Frames shown so far are another source's: nobody wants to know when they were seen.
    func forgetFrames()
    /// Whether the windowing system tells when a frame was seen.
    var tellsWhenSeen: Bool { get }
}

extension VideoSurface {
    var isHidden: Bool { false }
    var delay: Int64 { 0 }
    var tellsWhenSeen: Bool { false }
    func pixels(of size: PicturePainter.Area, video: CGSize, scale: Int) -> SurfacePixels {
        SurfacePixels(width: size.width, height: size.height)
    }
    func framePassed() {}
    func forgetFrames() {}
}

/// What became of a frame for a surface.
enum SurfaceAnswer {
    case shown
    /// It could not be taken now; the view is told when one can.
    case later
    /// The surface does not work: GTK has to draw.
    case refused
}

struct SurfacePixels: Equatable {
    var width: Int, height: Int
}

/// What a surface tells its view.
struct SurfaceEvents {
    /// What is shown has to be painted again, in another size.
    var changed: () -> Void = {}
    /// A frame could not be taken, and can now.
    var ready: () -> Void = {}
    /// GTK has to draw a frame, as the surface's new place counts from that on.
    var placed: () -> Void = {}
    /// Frame `sequence` was seen then; nil: it never was.
    var seen: (_ sequence: UInt64, _ time: HostTime?) -> Void = { _, _ in }
}
