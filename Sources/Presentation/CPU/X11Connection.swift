import CGTK
import CX11
import Foundation

/// A connection to the X server of our own, shared by all video surfaces of a display: GDK never sees its events, and
/// its errors end here. (One for each surface cost 70 KB of Xlib's buffers.) Open while there is a surface. Main thread
/// only.
@MainActor
final class X11Connection {
    private struct Holder {
        weak var surface: X11VideoSurface?
    }
    private static var open: [String: X11Connection] = [:]

    let display: OpaquePointer
    let visual: UnsafeMutablePointer<Visual>
    let depth: Int32
    let canShare: Bool
    let completionEvent: Int32
    private let name: String
    private var surfaces: [Window: Holder] = [:]
    private var watch: guint = 0
    private var willTell = false

    /// Nil when the server refuses: no X11, no true-colour visual of 24 bits.
    /// - Parameter displayName: nil: what `DISPLAY` says.
    static func to(_ displayName: String?) -> X11Connection? {
        if let known = open[displayName ?? ""] { return known }
        guard let fresh = X11Connection(displayName) else { return nil }
        open[displayName ?? ""] = fresh
        return fresh
    }

    private init?(_ displayName: String?) {
        // Once a process, before any other connection of ours: Xlib's own default would end the process
        // when GTK's window goes before ours.
        X11Errors.install()
        guard let display = XOpenDisplay(displayName) else { return nil }
        X11Errors.ours.insert(display)
        let depth = zt_x11_depth(display)
        guard depth == 24 || depth == 32, let visual = zt_x11_visual(display) else {
            X11Errors.ours.remove(display)
            XCloseDisplay(display)
            return nil
        }
        (self.display, self.depth, self.visual, name) = (display, depth, visual, displayName ?? "")
        canShare = XShmQueryExtension(display) != 0
        completionEvent = canShare ? XShmGetEventBase(display) : -1
        let me = Unmanaged.passUnretained(self).toOpaque()
        watch = g_unix_fd_add(
            XConnectionNumber(display), G_IO_IN,
            { _, _, me in
                nonisolated(unsafe) let me = me
                return MainActor.assumeIsolated {
                    guard let me else { return 0 }
                    let connection = Unmanaged<X11Connection>.fromOpaque(me).takeUnretainedValue()
                    connection.takeEvents()
                    connection.tell()
                    return 1
                }
            }, me)
    }

    func add(_ surface: X11VideoSurface, _ window: Window) { surfaces[window] = Holder(surface: surface) }

    /// Closes the connection with its last surface.
    func remove(_ window: Window) {
        guard surfaces.removeValue(forKey: window) != nil, surfaces.isEmpty else { return }
        if watch != 0 { g_source_remove(watch) }
        watch = 0
        X11Connection.open[name] = nil
        XSync(display, 0)
        XCloseDisplay(display)
        X11Errors.ours.remove(display)
    }

    /// Hands everything that has come to the surfaces it is for.
    func takeEvents() {
        var event = XEvent()
        while XPending(display) > 0 {
            XNextEvent(display, &event)
            surfaces[event.xany.window]?.surface?.take(event)
        }
        for window in X11Errors.takeRefused() { surfaces[window]?.surface?.isRefused = true }
        guard !willTell, surfaces.values.contains(where: { $0.surface?.hasNews == true }) else { return }
        // Whoever looked for news of his own has taken those of others out of the socket: it will not speak of them
        // again.
        willTell = true
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.tell() } }
    }

    private func tell() {
        willTell = false
        for holder in surfaces.values { holder.surface?.tellNews() }
    }
}

/// X errors on our own connections: counted and told to the surface they are about, never fatal. Errors on all others
/// go to whoever handled them before (GDK).
enum X11Errors {
    nonisolated(unsafe) private static var previous:
        (@convention(c) (OpaquePointer?, UnsafeMutablePointer<XErrorEvent>?) -> Int32)?
    // Touched on the main thread only: Xlib calls the handler from within our own calls.
    nonisolated(unsafe) private(set) static var count = 0
    nonisolated(unsafe) private static var isInstalled = false
    nonisolated(unsafe) private static var refused: Set<XID> = []
    nonisolated(unsafe) static var ours: Set<OpaquePointer> = []

    static func install() {
        guard !isInstalled else { return }
        isInstalled = true
        previous = XSetErrorHandler { display, event in
            guard let display, X11Errors.ours.contains(display) else { return X11Errors.previous?(display, event) ?? 0 }
            X11Errors.count += 1
            if let event { X11Errors.refused.insert(event.pointee.resourceid) }
            return 0
        }
    }

    /// What the server refused requests about since the last time.
    static func takeRefused() -> Set<XID> {
        defer { if !refused.isEmpty { refused = [] } }
        return refused
    }
}
