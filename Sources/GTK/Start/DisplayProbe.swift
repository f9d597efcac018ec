import CX11
import Foundation
import MediaCore

/// A check, before GTK opens the display, that the display responds. GTK itself would wait forever.
enum DisplayProbe {
    /// The maximum time to wait, in seconds.
    static let timeout = 10.0

    /// Connects to the X server that GTK will open. The caller closes the connection after GTK has opened its own.
    ///
    /// - Returns: The connection. Nil on Wayland, or if there is no server.
    /// - Throws: `AVError` `.timedOut` if a server exists but does not respond, `.operationNotSupported` if a Wayland
    ///   compositor lacks required interfaces and there is no X server.
    static func connect() throws(AVError) -> OpaquePointer? {
        let environment = ProcessInfo.processInfo.environment
        let backends = (environment["GDK_BACKEND"] ?? "").split(separator: ",").map(String.init)
        func isAllowed(_ name: String) -> Bool { backends.isEmpty || backends.contains(name) || backends.contains("*") }
        // GDK tries Wayland first. An inherited socket can be used only once, so it is left to GDK.
        if isAllowed("wayland"), backends.first != "x11" {
            if environment["WAYLAND_SOCKET"] != nil { return nil }
            if let path = waylandPath(environment), let globals = try WaylandGlobals.read(path, within: timeout) {
                let missing = globals.missing
                if missing.isEmpty { return nil }
                // GDK then tries X11.
                guard isAllowed("x11"), environment["DISPLAY"]?.isEmpty == false else {
                    throw AVError(
                        .operationNotSupported, at: path,
                        reason: "the Wayland compositor lacks what windows require: \(missing.joined(separator: ", "))",
                        suggestion: "Use another compositor, or set DISPLAY to an X server")
                }
            }
        }
        guard isAllowed("x11"), let name = environment["DISPLAY"], !name.isEmpty else { return nil }
        return try connectX11(name)
    }

    // MARK: X11

    private static func connectX11(_ name: String) throws(AVError) -> OpaquePointer? {
        /// The connection as an integer, 0 if it failed, or nil while the attempt runs.
        let attempt = Locked<Int?>(nil)
        // `XOpenDisplay` may block forever, so a detached thread calls it. No other thread uses Xlib at this time.
        WorkerThread.detached(name: "zt-display") {
            let display = Int(bitPattern: XOpenDisplay(nil))
            attempt.withLock { $0 = display }
        }
        let deadline = HostTime.now() + Int64(timeout * 1_000_000_000)
        guard let display = attempt.wait(until: deadline, for: { $0 }) else { throw timeoutError("X server", name) }
        return OpaquePointer(bitPattern: display)
    }

    // MARK: Wayland

    private static func waylandPath(_ environment: [String: String]) -> String? {
        let name = environment["WAYLAND_DISPLAY"] ?? "wayland-0"
        if name.hasPrefix("/") { return name }
        guard let folder = environment["XDG_RUNTIME_DIR"], !name.isEmpty else { return nil }
        return folder + "/" + name
    }

    static func timeoutError(_ serverKind: String, _ location: String) -> AVError {
        AVError(
            .timedOut, at: location, reason: "the \(serverKind) did not respond within \(Int(timeout)) s",
            suggestion: "Restart the \(serverKind), or set DISPLAY or WAYLAND_DISPLAY to another display")
    }
}
