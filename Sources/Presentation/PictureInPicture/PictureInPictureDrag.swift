import CGTK
import Foundation
import GTK

/// The drag handling of a frameless window: a drag moves the window, or resizes it at an edge or a corner.
///
/// A window manager takes over the drag at the first motion. On an X server without one, this object moves the window
/// and keeps its exact aspect ratio.
@MainActor
final class PictureInPictureDrag {
    private let window: GTKWindow
    private let root: GTKOverlay
    private let x11: () -> X11Floating?
    private let geometry: () -> FloatingGeometry
    private let signals = Signals()
    private let gesture = GTKDragGesture()

    private var edge: FloatingGeometry.Edge?
    private var start: CGPoint = .zero
    /// The movement of the pointer on X11 since the button was pressed.
    private var drag: X11Floating.PointerDrag?
    /// The current drag, with the frame of the window at its start.
    private var own: (x11: X11Floating, drag: X11Floating.PointerDrag, frame: CGRect)?
    private let onMove: (Bool) -> Void

    var isUnderWay: Bool { own != nil }

    /// The minimum distance of a drag, in points. A shorter movement counts as a click.
    private static let threshold = 4.0

    /// Creates the drag handling of a window.
    /// - Parameters:
    ///   - window: The window.
    ///   - root: The overlay that receives the gestures.
    ///   - x11: Returns the window on X11, or nil.
    ///   - geometry: Returns the current limits of the window.
    ///   - onMove: Called with true when a drag starts, and with false when it ends. The end is not reported if a
    ///     window manager has taken over the drag.
    ///   - doubleClick: Called for a double click.
    init(
        window: GTKWindow, root: GTKOverlay,
        x11: @escaping () -> X11Floating?,
        geometry: @escaping () -> FloatingGeometry, onMove: @escaping (Bool) -> Void,
        doubleClick: @escaping @MainActor () -> Void
    ) {
        self.onMove = onMove
        self.window = window
        self.root = root
        self.x11 = x11
        self.geometry = geometry
        signals.on(gesture, "drag-begin") { [weak self] (x: Double, y: Double) in self?.began(CGPoint(x: x, y: y)) }
        signals.on(gesture, "drag-update") { [weak self] (dx: Double, dy: Double) in self?.dragged(dx, dy) }
        signals.on(gesture, "drag-end") { [weak self] in self?.ended() }
        root.add(gesture)
        let click = GTKClickGesture()
        signals.on(click, "pressed") { (count: Int32) in if count == 2 { doubleClick() } }
        root.add(click)
        let motion = GTKController.motion()
        signals.on(motion, "motion") { [weak self] (x: Double, y: Double) in
            self?.point(at: CGPoint(x: x, y: y))
        }
        root.add(motion)
    }

    func close() {
        signals.disconnect()
        (own, drag) = (nil, nil)
    }

    private var size: CGSize { root.size }

    private func point(at point: CGPoint) {
        guard own == nil else { return }
        root.setCursor(FloatingGeometry.Edge(at: point, in: size)?.cursor)
    }

    private func began(_ point: CGPoint) {
        start = point
        drag = x11()?.drag
        // Use the size at the time of the press, because GTK may not have laid out that size yet.
        edge = FloatingGeometry.Edge(at: point, in: drag?.size ?? size)
        own = nil
    }

    private func dragged(_ dx: Double, _ dy: Double) {
        if own == nil {
            guard
                edge != nil || abs(dx) > PictureInPictureDrag.threshold || abs(dy) > PictureInPictureDrag.threshold
            else { return }
            gesture.claim()
            onMove(true)
            guard let x11 = x11(), !x11.hasWindowManager, let drag else { return handOver() }
            // Use the current frame, because the previous drag may not have been finished at the time of the press.
            own = (x11, drag, x11.frame)
        }
        follow()
    }

    private func follow() {
        guard let (x11, drag, frame) = own else { return }
        guard let edge else { return x11.move(to: CGPoint(x: frame.minX + drag.x, y: frame.minY + drag.y)) }
        x11.place(geometry().resized(frame, edge: edge, dx: drag.x, dy: drag.y))
    }

    private func ended() {
        // Move the window to the position at which the button was released.
        follow()
        let wasOwn = own != nil
        (own, drag) = (nil, nil)
        if wasOwn { onMove(false) }
    }

    private func handOver() {
        guard let native = window.native, let surface = native.surface, let device = gesture.device else { return }
        let origin = native.surfaceOrigin
        let point = CGPoint(x: start.x + origin.x, y: start.y + origin.y)
        if let edge {
            surface.beginResize(edge.gdk, device, button: 1, at: point, time: gesture.time)
        } else {
            surface.beginMove(device, button: 1, at: point, time: gesture.time)
        }
        // The rest of the gesture belongs to the window manager, and its end is not reported.
        gesture.reset()
    }
}

extension FloatingGeometry.Edge {
    var gdk: GdkSurfaceEdge {
        switch (x, y) {
        case (-1, -1): GDK_SURFACE_EDGE_NORTH_WEST
        case (0, -1): GDK_SURFACE_EDGE_NORTH
        case (1, -1): GDK_SURFACE_EDGE_NORTH_EAST
        case (-1, 0): GDK_SURFACE_EDGE_WEST
        case (1, 0): GDK_SURFACE_EDGE_EAST
        case (-1, 1): GDK_SURFACE_EDGE_SOUTH_WEST
        case (0, 1): GDK_SURFACE_EDGE_SOUTH
        default: GDK_SURFACE_EDGE_SOUTH_EAST
        }
    }

    /// The CSS name of the cursor.
    var cursor: String { (y < 0 ? "n" : y > 0 ? "s" : "") + (x < 0 ? "w" : x > 0 ? "e" : "") + "-resize" }
}
