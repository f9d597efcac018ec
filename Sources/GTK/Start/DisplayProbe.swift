import CX11
import Foundation
import MediaCore

/// Whether the display that GTK is about to open answers. GTK itself waits for it for ever.
enum DisplayProbe {
    /// Seconds.
    static let patience = 10.0

    /// A connection to the X server that GTK will open, to be closed once GTK has; nil on Wayland, and where nobody is.
    /// - Throws: `AVError` `.timedOut` when somebody is there and says nothing.
    static func reach() throws(AVError) -> OpaquePointer? {
        let environment = ProcessInfo.processInfo.environment
        let backends = (environment["GDK_BACKEND"] ?? "").split(separator: ",").map(String.init)
        func isAllowed(_ name: String) -> Bool { backends.isEmpty || backends.contains(name) || backends.contains("*") }
        // GDK tries Wayland first. A socket that was handed down is GDK's alone.
        if isAllowed("wayland"), backends.first != "x11" {
            if environment["WAYLAND_SOCKET"] != nil { return nil }
            if let path = waylandPath(environment), try answersWayland(path) { return nil }
        }
        guard isAllowed("x11"), let name = environment["DISPLAY"], !name.isEmpty else { return nil }
        return try connectX11(name)
    }

    // MARK: X11

    private static func connectX11(_ name: String) throws(AVError) -> OpaquePointer? {
        /// The address of the connection, 0 for none; nil until the attempt has ended.
        let attempt = Locked<Int?>(nil)
        // On a thread of its own, which is left behind if nobody ever answers. No other uses Xlib meanwhile.
        WorkerThread.detached(name: "zt-display") {
            let display = Int(bitPattern: XOpenDisplay(nil))
            attempt.withLock { $0 = display }
        }
        let deadline = HostTime.now() + Int64(patience * 1_000_000_000)
        guard let display = attempt.wait(until: deadline, for: { $0 }) else { throw silence("X server", name) }
        return OpaquePointer(bitPattern: display)
    }

    // MARK: Wayland

    private static func waylandPath(_ environment: [String: String]) -> String? {
        let name = environment["WAYLAND_DISPLAY"] ?? "wayland-0"
        if name.hasPrefix("/") { return name }
        guard let folder = environment["XDG_RUNTIME_DIR"], !name.isEmpty else { return nil }
        return folder + "/" + name
    }

    /// False when nobody is there.
    private static func answersWayland(_ path: String) throws(AVError) -> Bool {
        let socket = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let deadline = Date().addingTimeInterval(patience)
        while true {
            let result = withUnsafePointer(to: &address) { raw in
                raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if result == 0 { break }
            // Its queue is full: it is there, and busy or asleep.
            guard errno == EAGAIN else { return false }
            guard Date() < deadline else { throw silence("Wayland compositor", path) }
            usleep(50_000)
        }
        // wl_display.sync with a new object 2: the compositor answers when it gets to it.
        let request: [UInt32] = [1, 12 << 16, 2]
        guard request.withUnsafeBytes({ send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == 12 else {
            return false
        }
        var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        repeat {
            let left = max(0, deadline.timeIntervalSinceNow)
            let count = poll(&wait, 1, Int32(left * 1000))
            if count > 0 { return true }
            if count == 0 { throw silence("Wayland compositor", path) }
        } while errno == EINTR
        return false
    }

    private static func silence(_ who: String, _ where_: String) -> AVError {
        AVError(
            .timedOut, at: where_, reason: "the \(who) did not respond within \(Int(patience)) s",
            suggestion: "Restart the \(who), or set DISPLAY or WAYLAND_DISPLAY to another display")
    }
}
