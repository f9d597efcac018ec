import CGTK
import Foundation
import GTK

/// Moves a frameless window by dragging anywhere in it and resizes it by its edges and corners.
///
/// Where somebody manages windows, the hand is given to them at the first motion. On a bare X server the window
/// is moved from here, which also keeps its shape to the point. Main actor.
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
    /// What the hand does on X11, since it was pressed.
    private var way: X11Floating.Way?
    /// Under way, from where the window was then.
    private var own: (x11: X11Floating, way: X11Floating.Way, frame: CGRect)?
    private let onMove: (Bool) -> Void

    var isUnderWay: Bool { own != nil }

    /// A shorter way is a click with an unsteady hand.
    private static let threshold = 4.0

    /// - Parameter onMove: the window is the hand's from now on (true), or not any more.
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
        (own, way) = (nil, nil)
    }

    private var size: CGSize { root.size }

    private func point(at point: CGPoint) {
        guard own == nil else { return }
        root.setCursor(FloatingGeometry.Edge(at: point, in: size)?.cursor)
    }

    private func began(_ point: CGPoint) {
        start = point
        way = x11()?.way
        // As large as it was when it was pressed, which GTK may not have laid out yet.
        edge = FloatingGeometry.Edge(at: point, in: way?.size ?? size)
        own = nil
    }

    private func dragged(_ dx: Double, _ dy: Double) {
        if own == nil {
            guard
                edge != nil || abs(dx) > PictureInPictureDrag.threshold || abs(dy) > PictureInPictureDrag.threshold
            else { return }
            gesture.claim()
            onMove(true)
            guard let x11 = x11(), !x11.hasWindowManager, let way else { return handOver() }
            // Where it is now: when it was pressed, the way before this one may not have been gone yet.
            own = (x11, way, x11.frame)
        }
        follow()
    }

    private func follow() {
        guard let (x11, way, frame) = own else { return }
        guard let edge else { return x11.move(to: CGPoint(x: frame.minX + way.x, y: frame.minY + way.y)) }
        x11.place(geometry().resized(frame, edge: edge, dx: way.x, dy: way.y))
    }

    private func ended() {
        // To where it was let go.
        follow()
        let wasOwn = own != nil
        (own, way) = (nil, nil)
        if wasOwn { onMove(false) }
    }

    private func handOver() {
        guard let native = window.native, let surface = native.surface, let device = gesture.device else { return }
        let origin = native.surfaceOrigin
        let place = CGPoint(x: start.x + origin.x, y: start.y + origin.y)
        if let edge {
            surface.beginResize(edge.gdk, device, button: 1, at: place, time: gesture.time)
        } else {
            surface.beginMove(device, button: 1, at: place, time: gesture.time)
        }
        // The rest of the sequence is not ours; its end is never told.
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

    /// Its cursor, by its name in CSS.
    var cursor: String { (y < 0 ? "n" : y > 0 ? "s" : "") + (x < 0 ? "w" : x > 0 ? "e" : "") + "-resize" }
}
