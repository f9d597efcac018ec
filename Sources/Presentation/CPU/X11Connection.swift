import CGIO
import CX11
import Foundation
import GTK
import Synchronization

/// A separate connection to the X server, which all video surfaces of a display share while at least one exists.
///
/// GDK does not see the events of this connection, and `X11Errors` handles its errors. A separate connection for each
/// surface would cost 70 KB for Xlib's buffers.
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
    private var isNotificationScheduled = false

    /// Returns the connection to a display. Nil if there is no X server, or if the screen's default depth is neither 24
    /// nor 32 bits.
    /// - Parameter displayName: The name of the display. Nil uses the environment variable `DISPLAY`.
    static func to(_ displayName: String?) -> X11Connection? {
        if let known = open[displayName ?? ""] { return known }
        guard let fresh = X11Connection(displayName) else { return nil }
        open[displayName ?? ""] = fresh
        return fresh
    }

    private init?(_ displayName: String?) {
        // Runs once per process, before the first of these connections opens. Xlib's default handler would end the
        // process if GTK's window is destroyed before the video's window.
        X11Errors.install()
        guard let display = XOpenDisplay(displayName) else { return nil }
        X11Errors.adopt(display)
        let depth = zt_x11_depth(display)
        guard depth == 24 || depth == 32, let visual = zt_x11_visual(display) else {
            X11Errors.leave(display)
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
                MainThread.run(me, as: X11Connection.self) { connection in
                    connection.takeEvents()
                    connection.notifySurfaces()
                    return 1
                } ?? 0
            }, me)
    }

    func add(_ surface: X11VideoSurface, _ window: Window) { surfaces[window] = Holder(surface: surface) }

    /// Removes a surface, and closes the connection after the last one.
    func remove(_ window: Window) {
        guard surfaces.removeValue(forKey: window) != nil, surfaces.isEmpty else { return }
        if watch != 0 { g_source_remove(watch) }
        watch = 0
        X11Connection.open[name] = nil
        XSync(display, 0)
        XCloseDisplay(display)
        X11Errors.leave(display)
    }

    /// Distributes all pending events to their surfaces.
    func takeEvents() {
        var event = XEvent()
        while XPending(display) > 0 {
            XNextEvent(display, &event)
            surfaces[event.xany.window]?.surface?.take(event)
        }
        for window in X11Errors.takeRefused() { surfaces[window]?.surface?.isRefused = true }
        guard !isNotificationScheduled, surfaces.values.contains(where: { $0.surface?.hasPendingEvents == true }) else {
            return
        }
        // The events of other surfaces are already read from the socket, so the main loop would not be woken for them.
        isNotificationScheduled = true
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.notifySurfaces() } }
    }

    private func notifySurfaces() {
        isNotificationScheduled = false
        for holder in surfaces.values { holder.surface?.notifyView() }
    }
}

/// The handling of X errors on the connections of video surfaces. They are counted and reported to the surface, and are
/// never fatal.
///
/// Errors on other connections are passed to the previous handler (GDK's).
enum X11Errors {
    private struct State {
        /// The previous error handler, which is set once, before the first connection opens.
        var previous: (@convention(c) (OpaquePointer?, UnsafeMutablePointer<XErrorEvent>?) -> Int32)?
        var isInstalled = false
        var count = 0
        var refused: Set<XID> = []
        /// The addresses of the connections of video surfaces.
        var ours: Set<UInt> = []
    }
    // Xlib calls the handler from within any call, on the thread of that call.
    private static let state = Mutex(State())

    /// The number of errors so far, for tests.
    static var count: Int { state.withLock { $0.count } }

    static func install() {
        let isFirst = state.withLock { state in
            defer { state.isInstalled = true }
            return !state.isInstalled
        }
        guard isFirst else { return }
        let previous = XSetErrorHandler { display, event in
            let number = UInt(bitPattern: display)
            let refused = event?.pointee.resourceid
            let (isOurs, previous) = X11Errors.state.withLock { state in
                guard state.ours.contains(number) else { return (false, state.previous) }
                state.count += 1
                if let refused { state.refused.insert(refused) }
                return (true, state.previous)
            }
            return isOurs ? 0 : previous?(display, event) ?? 0
        }
        state.withLock { $0.previous = previous }
    }

    static func adopt(_ display: OpaquePointer) {
        let number = UInt(bitPattern: display)
        state.withLock { _ = $0.ours.insert(number) }
    }
    static func leave(_ display: OpaquePointer) {
        let number = UInt(bitPattern: display)
        state.withLock { _ = $0.ours.remove(number) }
    }

    /// Returns the resources for which the server has refused requests since the last call.
    static func takeRefused() -> Set<XID> {
        state.withLock { state in
            defer { if !state.refused.isEmpty { state.refused = [] } }
            return state.refused
        }
    }
}
