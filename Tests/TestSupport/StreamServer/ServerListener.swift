import Foundation
import MediaCore

/// A listening socket on 127.0.0.1 with the thread that accepts connections.
final class ServerListener: @unchecked Sendable {
    // All properties are constant. The thread ends before `stop` closes the descriptors.
    let port: UInt16
    private let fd: Int32
    private let pipe: WakePipe
    private let thread: WorkerThread

    init(core: ServerCore, port wanted: UInt16) throws {
        guard let (fd, port) = Self.bind(wanted), listen(fd, 128) == 0 else {
            throw ServerFailed(
                description:
                    "StreamServer cannot listen on 127.0.0.1:\(wanted): \(String(cString: strerror(errno))). Choose another port, or 0."
            )
        }
        guard let pipe = WakePipe() else {
            Foundation.close(fd)
            throw ServerFailed(description: "StreamServer gets no pipe: \(String(cString: strerror(errno)))")
        }
        (self.fd, self.port, self.pipe) = (fd, port, pipe)
        // The port is part of the thread's name, which distinguishes the threads of several servers.
        let name = "test-\(port)"
        thread = WorkerThread(name: name) {
            while true {
                var both = [
                    pollfd(fd: fd, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
                ]
                _ = poll(&both, 2, -1)
                if both[1].revents != 0 { return }
                guard both[0].revents != 0 else { continue }
                let client = AcceptCloseOnExec.accept(fd)
                guard client >= 0 else { continue }
                var on: Int32 = 1
                var room: Int32 = 131_072
                setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                // A small send buffer keeps the number of bytes in the log close to the number that the client has
                // received.
                setsockopt(client, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
                core.serve(client, thread: name)
            }
        }
    }

    /// Stops accepting connections and closes the socket. Call only once.
    func stop() {
        pipe.wake()
        thread.join()
        Foundation.close(fd)
        pipe.close()
    }

    /// Returns a socket that is bound to 127.0.0.1 and does not listen yet.
    /// - Parameter port: The port; 0 for any free port.
    static func bind(_ port: UInt16) -> (fd: Int32, port: UInt16)? {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { return nil }
        var on: Int32 = 1
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                Foundation.bind(fd, generic, size) == 0 && getsockname(fd, generic, &size) == 0
            }
        }
        guard bound else {
            let code = errno
            Foundation.close(fd)
            errno = code
            return nil
        }
        return (fd, UInt16(bigEndian: address.sin_port))
    }
}
