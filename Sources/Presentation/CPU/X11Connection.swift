import CGIO
import CX11
import Foundation
import GTK
import Synchronization

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
                    connection.tell()
                    return 1
                } ?? 0
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
        X11Errors.leave(display)
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
    private struct State {
        /// Who handled errors before: set once, before there is a connection of ours.
        var previous: (@convention(c) (OpaquePointer?, UnsafeMutablePointer<XErrorEvent>?) -> Int32)?
        var isInstalled = false
        var count = 0
        var refused: Set<XID> = []
        /// Our connections, by address.
        var ours: Set<UInt> = []
    }
    // Xlib calls the handler from within whatever call, on the thread of that.
    private static let state = Mutex(State())

    /// So far, for tests.
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

    /// What the server refused requests about since the last time.
    static func takeRefused() -> Set<XID> {
        state.withLock { state in
            defer { if !state.refused.isEmpty { state.refused = [] } }
            return state.refused
        }
    }
}
