import CGTK
import Foundation
import GLibSupport

/// Moves a frameless window by dragging anywhere in it and resizes it by its edges and corners.
///
/// Where somebody manages windows, the hand is given to them at the first motion. On a bare X server the window
/// is moved from here, which also keeps its shape to the point. Main actor.
@MainActor
final class PictureInPictureDrag {
    private let window: UnsafeMutablePointer<GtkWidget>
    private let root: UnsafeMutablePointer<GtkWidget>
    private let x11: () -> X11Floating?
    private let geometry: () -> FloatingGeometry
    private let signals = Signals()
    private var gesture: OpaquePointer?

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
        window: UnsafeMutablePointer<GtkWidget>, root: UnsafeMutablePointer<GtkWidget>,
        x11: @escaping () -> X11Floating?,
        geometry: @escaping () -> FloatingGeometry, onMove: @escaping (Bool) -> Void,
        doubleClick: @escaping @MainActor () -> Void
    ) {
        self.onMove = onMove
        self.window = window
        self.root = root
        self.x11 = x11
        self.geometry = geometry
        if let drag = gtk_gesture_drag_new() {
            gesture = drag
            signals.on(drag, "drag-begin") { [weak self] (x: Double, y: Double) in self?.began(CGPoint(x: x, y: y)) }
            signals.on(drag, "drag-update") { [weak self] (dx: Double, dy: Double) in self?.dragged(dx, dy) }
            signals.on(drag, "drag-end") { [weak self] in self?.ended() }
            gtk_widget_add_controller(root, drag)
        }
        if let click = gtk_gesture_click_new() {
            signals.on(click, "pressed") { (count: Int32) in if count == 2 { doubleClick() } }
            gtk_widget_add_controller(root, click)
        }
        if let motion = gtk_event_controller_motion_new() {
            signals.on(motion, "motion") { [weak self] (x: Double, y: Double) in
                self?.point(at: CGPoint(x: x, y: y))
            }
            gtk_widget_add_controller(root, motion)
        }
    }

    func close() {
        signals.disconnect()
        gesture = nil
        (own, way) = (nil, nil)
    }

    private var size: CGSize {
        CGSize(width: Double(gtk_widget_get_width(root)), height: Double(gtk_widget_get_height(root)))
    }

    private func point(at point: CGPoint) {
        guard own == nil else { return }
        gtk_widget_set_cursor_from_name(root, FloatingGeometry.Edge(at: point, in: size)?.cursor)
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
            guard let gesture,
                edge != nil || abs(dx) > PictureInPictureDrag.threshold || abs(dy) > PictureInPictureDrag.threshold
            else { return }
            gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_CLAIMED)
            onMove(true)
            guard let x11 = x11(), !x11.hasWindowManager, let way else { return handOver(gesture) }
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

    private func handOver(_ gesture: OpaquePointer) {
        guard let native = gtk_widget_get_native(window), let surface = gtk_native_get_surface(native),
            let device = gtk_event_controller_get_current_event_device(gesture)
        else { return }
        let time = gtk_event_controller_get_current_event_time(gesture)
        var left = 0.0
        var top = 0.0
        gtk_native_get_surface_transform(native, &left, &top)
        if let edge {
            gdk_toplevel_begin_resize(surface, edge.gdk, device, 1, start.x + left, start.y + top, time)
        } else {
            gdk_toplevel_begin_move(surface, device, 1, start.x + left, start.y + top, time)
        }
        // The rest of the sequence is not ours; its end is never told.
        gtk_event_controller_reset(gesture)
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
