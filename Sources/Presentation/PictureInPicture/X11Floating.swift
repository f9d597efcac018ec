import CGTK
import CX11
import Foundation
import GTK

/// The requests of a floating window on X11 that GTK does not offer: staying above others, position, and aspect ratio.
///
/// Uses GDK's connection, so that requests before and after GDK maps the window arrive in that order. Sizes and
/// positions are in points.
@MainActor
final class X11Floating {
    private let gdk: GDKDisplay
    private let display: OpaquePointer
    private let surface: GDKSurface
    private let window: Window
    private let scale: Double
    private let signals = Signals()
    private let opcode: Int32
    /// The size of the window according to the events so far.
    private var size: CGSize = .zero

    /// Creates the object for a surface. Returns nil if the surface is not on X11.
    init?(surface: GDKSurface) {
        guard let gdk = surface.display, gdk.windowing == .x11,
            let raw = gdk_x11_display_get_xdisplay(gdk.pointer)
        else { return nil }
        self.gdk = gdk
        self.surface = surface
        display = OpaquePointer(raw)
        window = Window(surface.x11Window)
        scale = Double(max(1, surface.scaleFactor))
        opcode = zt_x11_xinput(display)
        size = frame.size
        signals.on(gdk, "xevent") { [weak self] (event: OpaquePointer?) in
            if let event { self?.handleEvent(UnsafeMutablePointer<XEvent>(event)) }
        }
    }

    /// Runs `body` and ignores X errors, which occur if the window is being destroyed.
    private func trapped<T>(_ body: () -> T) -> T {
        gdk_x11_display_error_trap_push(gdk.pointer)
        defer { gdk_x11_display_error_trap_pop_ignored(gdk.pointer) }
        return body()
    }

    private func atom(_ name: String) -> Atom { XInternAtom(display, name, 0) }
    private func device(_ points: Double) -> Int32 { Int32((points * scale).rounded()) }

    /// Whether a window manager moves and resizes windows on request.
    var hasWindowManager: Bool { surface.x11Supports("_NET_WM_MOVERESIZE") }

    // MARK: kind of window

    private var states: [Atom] {
        ["_NET_WM_STATE_ABOVE", "_NET_WM_STATE_STICKY", "_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER"].map(
            atom)
    }

    private func set(_ property: String, _ type: Atom, _ values: [UInt]) {
        values.withUnsafeBytes { raw in
            _ = XChangeProperty(
                display, window, atom(property), type, 32, 0, raw.bindMemory(to: UInt8.self).baseAddress,
                Int32(values.count))  // PropModeReplace
        }
    }

    /// Describes the window before it is mapped, when the window manager reads its properties.
    func describe() {
        trapped {
            set("_NET_WM_WINDOW_TYPE", zt_x11_atom, [UInt(atom("_NET_WM_WINDOW_TYPE_UTILITY"))])
            set("_NET_WM_DESKTOP", zt_x11_cardinal, [0xFFFF_FFFF])
            set("_NET_WM_STATE", zt_x11_atom, states.map { UInt($0) })
            gdk_x11_surface_set_skip_taskbar_hint(surface.pointer, 1)
            gdk_x11_surface_set_skip_pager_hint(surface.pointer, 1)
        }
    }

    /// Repeats the description right after GTK has mapped the window, because GDK has just overwritten the states.
    ///
    /// A window manager that has already read those states also gets messages, which arrive after the request to map.
    func reapplyState() {
        trapped {
            let states = states
            set("_NET_WM_STATE", zt_x11_atom, states.map { UInt($0) })
            set("_NET_WM_DESKTOP", zt_x11_cardinal, [0xFFFF_FFFF])
            guard hasWindowManager else { return }
            let change = atom("_NET_WM_STATE")
            let add = 1
            for state in states { zt_x11_send_request(display, window, change, add, Int(state), 0) }
            zt_x11_send_request(display, window, atom("_NET_WM_DESKTOP"), 0xFFFF_FFFF, 1, 0)
        }
    }

    // MARK: frame

    var frame: CGRect {
        trapped {
            var root: Window = 0
            var child: Window = 0
            var x: Int32 = 0
            var y: Int32 = 0
            var width: UInt32 = 0
            var height: UInt32 = 0
            var border: UInt32 = 0
            var depth: UInt32 = 0
            guard XGetGeometry(display, window, &root, &x, &y, &width, &height, &border, &depth) != 0,
                XTranslateCoordinates(display, window, root, 0, 0, &x, &y, &child) != 0
            else { return .zero }
            return CGRect(
                x: Double(x) / scale, y: Double(y) / scale, width: Double(width) / scale, height: Double(height) / scale
            )
        }
    }

    /// Requests a frame. A window manager may choose another one.
    func place(_ frame: CGRect) {
        trapped {
            _ = XMoveResizeWindow(
                display, window, device(frame.minX), device(frame.minY), UInt32(max(1, device(frame.width))),
                UInt32(max(1, device(frame.height))))
        }
    }

    func move(to point: CGPoint) {
        trapped { _ = XMoveWindow(display, window, device(point.x), device(point.y)) }
    }

    // MARK: dragging

    /// The movement of the pointer on the screen since a button was pressed.
    ///
    /// It is computed from the X events. GTK reports positions in the window, which change as the window moves. A query
    /// to the server returns the current position, and on a slow machine the button may have been released long before.
    final class PointerDrag {
        /// The size of the window when the button was pressed.
        let size: CGSize
        private let start: CGPoint
        fileprivate var end: CGPoint
        fileprivate var isOver = false

        fileprivate init(size: CGSize, start: CGPoint) {
            self.size = size
            self.start = start
            end = start
        }

        var x: Double { end.x - start.x }
        var y: Double { end.y - start.y }
    }

    /// The latest movement, which continues until the button is released.
    private(set) var drag: PointerDrag?

    private func handleEvent(_ event: UnsafePointer<XEvent>) {
        var x = 0.0
        var y = 0.0
        let eventKind = zt_x11_pointer_event(event, window, opcode, &x, &y)
        let at = CGPoint(x: x / scale, y: y / scale)
        switch eventKind {
        case 1: drag = PointerDrag(size: size, start: at)
        case 2, 3:
            guard let drag, !drag.isOver else { return }
            drag.end = at
            drag.isOver = eventKind == 3
        case 4: size = CGSize(width: x / scale, height: y / scale)
        default: break
        }
    }

    // MARK: size hints

    /// Sets the minimum size, maximum size and aspect ratio for the window manager.
    ///
    /// GDK writes its own hints whenever the minimum size of the content changes. Hints are sent only if they differ.
    /// - Parameters:
    ///   - geometry: The limits.
    ///   - place: The position, for a window that is not mapped yet.
    func setSizes(_ geometry: FloatingGeometry, place: CGPoint? = nil) {
        trapped {
            var hints = XSizeHints()
            var supplied = 0
            if XGetWMNormalHints(display, window, &hints, &supplied) == 0 { hints = XSizeHints() }
            let old = hints
            hints.flags |= 1 << 4 | 1 << 5 | 1 << 7  // PMinSize, PMaxSize, PAspect
            (hints.min_width, hints.min_height) = (device(geometry.minimum.width), device(geometry.minimum.height))
            (hints.max_width, hints.max_height) = (device(geometry.maximum.width), device(geometry.maximum.height))
            (hints.min_aspect.x, hints.min_aspect.y) = geometry.ratio
            (hints.max_aspect.x, hints.max_aspect.y) = geometry.ratio
            if let place {
                hints.flags |= 1 << 0 | 1 << 2  // USPosition, PPosition
                (hints.x, hints.y) = (device(place.x), device(place.y))
            }
            let isSame =
                old.flags == hints.flags && old.min_width == hints.min_width && old.min_height == hints.min_height
                && old.max_width == hints.max_width && old.max_height == hints.max_height
                && old.min_aspect.x == hints.min_aspect.x && old.min_aspect.y == hints.min_aspect.y
                && old.max_aspect.x == hints.max_aspect.x
            if !isSame || place != nil { XSetWMNormalHints(display, window, &hints) }
        }
    }
}
