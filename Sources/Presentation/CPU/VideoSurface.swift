import Foundation
import MediaCore
import Overlays

/// The video's own surface above GTK's window, which the windowing system displays. Input passes through to GTK.
@MainActor
protocol VideoSurface: AnyObject {
    var isMapped: Bool { get }
    /// Whether a frame shown now would be invisible. If true, the view is notified when a frame would be visible.
    var isObscured: Bool { get }
    /// Whether the window is probably hidden, because the compositor has not requested a frame for a long time. If
    /// true, the view is notified at the next request.
    var isHidden: Bool { get }
    /// Whether the surface uses another connection than GTK does. One connection may then be ahead of the other.
    var usesOwnConnection: Bool { get }
    /// The time from `show` until a frame is visible, in nanoseconds. 0 if unknown.
    var delay: Int64 { get }
    /// Returns the size in pixels for a frame that fills an area of `size`, if nothing is drawn over it.
    func pixels(of size: PicturePainter.Area, video: CGSize, scale: Int) -> SurfacePixels

    /// Returns whether the surface is at `area`.
    func isPlaced(at area: PicturePainter.Area) -> Bool
    /// Places the surface within GTK's surface.
    /// - Parameters:
    ///   - area: The area in device pixels, in multiples of `scale`.
    ///   - scale: The number of device pixels per point.
    ///   - pixels: The size of the frames that `show` paints.
    func place(_ area: PicturePainter.Area, scale: Int, pixels: SurfacePixels)
    /// Paints a frame and shows it.
    /// - Parameters:
    ///   - sequence: The number of the frame, to report to `SurfaceEvents.seen`. Nil requests no report.
    ///   - paint: Paints the frame into memory with a number of bytes per row. Returns false if painting fails.
    func show(_ sequence: UInt64?, _ paint: (UnsafeMutableRawPointer, Int) -> Bool) -> PresentationResult
    /// Changes the displayed frame and shows the changed parts. Returns false if that is not possible.
    /// - Parameter change: Changes the frame in memory with a number of bytes per row, and returns the changed parts.
    func alter(_ change: (UnsafeMutableRawPointer, Int) -> [PicturePainter.Area]) -> Bool
    func hide()
    func close()
    /// Notifies the surface that GTK has drawn and sent a frame.
    func framePassed()
    /// Cancels the reports of frames shown so far, because the source of frames has changed.
    func forgetFrames()
    /// Whether the windowing system reports when a frame became visible.
    var reportsPresentationTime: Bool { get }
}

extension VideoSurface {
    var isHidden: Bool { false }
    var delay: Int64 { 0 }
    var reportsPresentationTime: Bool { false }
    func pixels(of size: PicturePainter.Area, video: CGSize, scale: Int) -> SurfacePixels {
        SurfacePixels(width: size.width, height: size.height)
    }
    func framePassed() {}
    func forgetFrames() {}
}

/// The result of showing a frame on a surface.
enum PresentationResult {
    case shown
    /// The surface cannot accept the frame now. The view is notified when the surface can accept a frame.
    case later
    /// The surface does not work, so GTK has to draw.
    case refused
}

struct SurfacePixels: Equatable {
    var width: Int, height: Int
}

/// The callbacks by which a surface notifies its view.
struct SurfaceEvents {
    /// Called when the displayed frame must be painted again in another size.
    var changed: () -> Void = {}
    /// Called when the surface can accept a frame again after `show` has returned `later`.
    var ready: () -> Void = {}
    /// Called when GTK has to draw a frame, with which the new position of the surface takes effect.
    var placed: () -> Void = {}
    /// Called with the time when frame `sequence` became visible. The time is nil if the frame never became visible.
    var seen: (_ sequence: UInt64, _ time: HostTime?) -> Void = { _, _ in }
}
