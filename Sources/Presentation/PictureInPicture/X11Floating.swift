import CGTK
import CX11
import Foundation
import GTK

/// What X11 lets a floating window ask for beyond GTK: to stay above, where to be, to keep its shape.
///
/// Over GDK's own connection, so that what is said before and after GDK maps the window arrives in that order.
/// Sizes and places are points. Main actor.
@MainActor
final class X11Floating {
    private let gdk: GDKDisplay
    private let display: OpaquePointer
    private let surface: GDKSurface
    private let window: Window
    private let scale: Double
    private let signals = Signals()
    private let opcode: Int32
    /// The window's, as far as events have told.
    private var size: CGSize = .zero

    /// - Returns: nil when the surface is not on X11.
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
            if let event { self?.heard(UnsafeMutablePointer<XEvent>(event)) }
        }
    }

    /// A window that is just going answers with errors, which are nobody's business.
    private func trapped<T>(_ body: () -> T) -> T {
        gdk_x11_display_error_trap_push(gdk.pointer)
        defer { gdk_x11_display_error_trap_pop_ignored(gdk.pointer) }
        return body()
    }

    private func atom(_ name: String) -> Atom { XInternAtom(display, name, 0) }
    private func device(_ points: Double) -> Int32 { Int32((points * scale).rounded()) }

    /// Somebody moves and resizes windows for us.
    var hasWindowManager: Bool { surface.x11Supports("_NET_WM_MOVERESIZE") }

    // MARK: what kind of window it is

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

    /// Before the window is mapped, when its manager reads what it is.
    func describe() {
        trapped {
            set("_NET_WM_WINDOW_TYPE", zt_x11_atom, [UInt(atom("_NET_WM_WINDOW_TYPE_UTILITY"))])
            set("_NET_WM_DESKTOP", zt_x11_cardinal, [0xFFFF_FFFF])
            set("_NET_WM_STATE", zt_x11_atom, states.map { UInt($0) })
            gdk_x11_surface_set_skip_taskbar_hint(surface.pointer, 1)
            gdk_x11_surface_set_skip_pager_hint(surface.pointer, 1)
        }
    }

    /// Right after GTK mapped it: GDK has just written the states it knows over ours. A manager that has read
    /// those already is asked by message, which it gets after the request to map.
    func insist() {
        trapped {
            let states = states
            set("_NET_WM_STATE", zt_x11_atom, states.map { UInt($0) })
            set("_NET_WM_DESKTOP", zt_x11_cardinal, [0xFFFF_FFFF])
            guard hasWindowManager else { return }
            let change = atom("_NET_WM_STATE")
            let add = 1
            for state in states { zt_x11_ask(display, window, change, add, Int(state), 0) }
            zt_x11_ask(display, window, atom("_NET_WM_DESKTOP"), 0xFFFF_FFFF, 1, 0)
        }
    }

    // MARK: where it is

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

    /// Says where it wants to be; under a window manager that is a wish.
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

    // MARK: the hand

    /// A hand's way from where it was pressed, on the screen.
    ///
    /// By what the events say. GTK tells places in the window only, which are others as the window moves, and
    /// asking the server tells where the pointer is by now: on a machine that is behind, the button has long been let
    /// go there.
    final class Way {
        /// The window's, when the hand was pressed.
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

    /// The newest; it goes on until the hand lets go.
    private(set) var way: Way?

    private func heard(_ event: UnsafePointer<XEvent>) {
        var x = 0.0
        var y = 0.0
        let what = zt_x11_hand(event, window, opcode, &x, &y)
        let at = CGPoint(x: x / scale, y: y / scale)
        switch what {
        case 1: way = Way(size: size, start: at)
        case 2, 3:
            guard let way, !way.isOver else { return }
            way.end = at
            way.isOver = what == 3
        case 4: size = CGSize(width: x / scale, height: y / scale)
        default: break
        }
    }

    // MARK: which sizes it may have

    /// Minimum, maximum and shape for the window manager. GDK writes hints of its own whenever the least size of
    /// the content changes; only then, and when ours change, something is sent.
    /// - Parameter place: for the window that is not mapped yet.
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
