import Foundation

/// Connections to a server's Unix socket.
enum LocalSocket {
    struct NotConnected: Error {
        let path: String
        /// The error number of `connect`; nil for a path that is too long for a socket.
        let code: Int32?
    }

    /// Connects to the server at `path`.
    /// - Returns: The descriptor, which the caller closes.
    static func connect(to path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw NotConnected(path: path, code: nil)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = withUnsafePointer(to: &address) { raw in
            raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            Glibc.close(socket)
            throw NotConnected(path: path, code: code)
        }
        return socket
    }

    /// Whether a server accepts connections at `path`. The file alone does not show this: it exists from `bind` on, and
    /// connections are refused until `listen`.
    static func accepts(_ path: String) -> Bool {
        guard let socket = try? connect(to: path) else { return false }
        Glibc.close(socket)
        return true
    }
}
