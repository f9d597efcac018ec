import Foundation
import MediaCore

/// The interfaces that a Wayland compositor offers.
///
/// The interfaces are read over a separate connection before GTK opens the display. GTK itself would wait forever for
/// an unresponsive compositor, and does not report missing interfaces.
struct WaylandGlobals {
    private(set) var names: Set<String> = []
    /// Whether the compositor has answered all requests, or its answer is unreadable.
    private(set) var isComplete = false
    /// The received bytes that are not a complete message yet.
    private var rest: [UInt8] = []

    /// The interfaces that GDK requires to open the display and show a window, but that the compositor lacks.
    var missing: [String] {
        ["wl_compositor", "wl_shm", "xdg_wm_base"].filter {
            // GDK also accepts the unstable version of the shell protocol.
            !names.contains($0) && !($0 == "xdg_wm_base" && names.contains("zxdg_shell_v6"))
        }
    }

    /// The identifiers of the objects that the requests create. The display is 1.
    private enum Object { static let registry: UInt32 = 2, callback: UInt32 = 3 }
    /// The requests `wl_display.get_registry` and `wl_display.sync`, whose answer follows those of the registry.
    static let request: [UInt32] = [1, 12 << 16 | 1, Object.registry, 1, 12 << 16, Object.callback]
    /// The maximum number of bytes to read from a compositor.
    private static let limit = 1 << 20

    /// Parses a part of the compositor's answer, in the machine's byte order. Unknown messages are skipped.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        rest += bytes
        var start = 0
        while rest.count - start >= 8 {
            let (object, head) = (word(start), word(start + 4))
            let size = Int(head >> 16)
            // A message cannot be shorter than its header, so the rest is unreadable.
            guard size >= 8 else { return isComplete = true }
            guard rest.count - start >= size else { break }
            if object == Object.registry, head & 0xFFFF == 0, size >= 20 { addGlobal(start + 8, end: start + size) }
            if object == Object.callback { isComplete = true }
            start += size
        }
        rest.removeFirst(start)
    }

    /// Parses `wl_registry.global`: a number, the interface's name with a null terminator, and its version.
    private mutating func addGlobal(_ start: Int, end: Int) {
        let length = Int(word(start + 4))
        guard length > 0, length <= end - start - 8 else { return }
        names.insert(String(decoding: rest[(start + 8)..<(start + 7 + length)], as: UTF8.self))
    }

    private func word(_ offset: Int) -> UInt32 {
        rest.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
}

extension WaylandGlobals {
    /// Connects to a compositor and reads its interfaces.
    ///
    /// - Parameters:
    ///   - path: The path of the compositor's socket.
    ///   - timeout: The maximum time to wait, in seconds.
    /// - Returns: The interfaces, or nil if there is no compositor or it closes the connection.
    /// - Throws: `AVError` `.timedOut` if a compositor exists but does not respond.
    static func read(_ path: String, within timeout: Double) throws(AVError) -> WaylandGlobals? {
        let socket = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        let deadline = Date().addingTimeInterval(timeout)
        guard try connect(socket, path, until: deadline) else { return nil }
        guard request.withUnsafeBytes({ send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == 24 else {
            return nil
        }
        var globals = WaylandGlobals()
        var buffer = [UInt8](repeating: 0, count: 4096)
        var taken = 0
        while !globals.isComplete, taken < limit {
            var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let count = poll(&wait, 1, Int32(max(0, deadline.timeIntervalSinceNow) * 1000))
            if count == 0 { throw DisplayProbe.timeoutError("Wayland compositor", path) }
            if count < 0 {
                guard errno == EINTR else { return nil }
                continue
            }
            let bytes = recv(socket, &buffer, buffer.count, 0)
            if bytes < 0, errno == EAGAIN || errno == EINTR { continue }
            // The compositor closed the connection.
            guard bytes > 0 else { return nil }
            taken += bytes
            globals.take(buffer.prefix(bytes))
        }
        return globals
    }

    /// Connects a socket. Returns false if there is no compositor.
    private static func connect(_ socket: Int32, _ path: String, until deadline: Date) throws(AVError) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        while true {
            let result = withUnsafePointer(to: &address) { raw in
                raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if result == 0 { return true }
            // The compositor exists, but its queue is full because it is busy or suspended.
            guard errno == EAGAIN else { return false }
            guard Date() < deadline else { throw DisplayProbe.timeoutError("Wayland compositor", path) }
            usleep(50_000)
        }
    }
}
