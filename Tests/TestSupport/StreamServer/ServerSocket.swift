import Foundation
import MediaCore

/// The reason why a connection ends before its answer is complete.
enum ConnectionEnd: Error {
    /// The client closed or reset the connection.
    case clientGone
    /// The server is being closed, or its cable was pulled.
    case serverGone
}

/// A socket whose waits can be ended at any time by `cut()`.
///
/// Waiting for bytes, for buffer space and for time is always one `poll` on the socket and on a pipe that wakes it.
/// Only one thread uses an instance, except for `wake` and `cut`.
final class ServerSocket: @unchecked Sendable {
    // All properties are constant, except `isCut` and `isClosed`, which the lock guards.
    private let fd: Int32
    private let pipe: WakePipe
    private let lock = NSLock()
    private var isCut = false
    private var isClosed = false

    /// Takes ownership of the descriptor; nil if the system can't create a pipe.
    init?(_ fd: Int32) {
        guard let pipe = WakePipe() else { return nil }
        self.fd = fd
        self.pipe = pipe
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    }

    /// Makes the current wait check its condition again. Call from any thread.
    func wake() {
        lock.withLock { if !isClosed { pipe.wake() } }
    }

    /// Makes all current and later waits throw `.serverGone`. Call from any thread.
    func cut() {
        lock.withLock { isCut = true }
        wake()
    }

    private static let peerClosed: Int32 = 0x2000  // POLLRDHUP, which Glibc declares only for _GNU_SOURCE

    /// Waits for `events`, a wake or the deadline.
    /// - Parameter deadline: A time in nanoseconds of CLOCK_MONOTONIC; nil for no deadline.
    /// - Returns: Whether one of the events occurred.
    @discardableResult
    func poll(_ events: Int32, until deadline: Int64?) throws -> Bool {
        if lock.withLock({ isCut }) { throw ConnectionEnd.serverGone }
        var timeout: Int32 = -1
        if let deadline { timeout = Int32(clamping: max(0, (deadline - HostClock.now() + 999_999) / 1_000_000)) }
        var both = [
            pollfd(fd: fd, events: Int16(events), revents: 0),
            pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        _ = Foundation.poll(&both, 2, timeout)
        if both[1].revents != 0 { pipe.empty() }
        if lock.withLock({ isCut }) { throw ConnectionEnd.serverGone }
        let seen = Int32(both[0].revents)
        if seen & (POLLERR | POLLHUP | POLLNVAL | Self.peerClosed) != 0 { throw ConnectionEnd.clientGone }
        return seen & events != 0
    }

    /// Waits until `condition` is true. The condition is checked again after each `wake()`.
    /// - Returns: False if the deadline passed first.
    @discardableResult
    func wait(until deadline: Int64?, _ condition: () -> Bool = { false }) throws -> Bool {
        while !condition() {
            if let deadline, HostClock.now() >= deadline { return false }
            try poll(Self.peerClosed, until: deadline)
        }
        return true
    }

    func pause(seconds: Double) throws { try wait(until: HostClock.now() + Int64(seconds * 1e9)) }

    func send(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            // The poll is also needed while the buffer has space. Otherwise, a closed client would go unnoticed on a
            // fast network.
            guard try poll(POLLOUT | Self.peerClosed, until: nil) else { continue }
            let count = Foundation.send(fd, base, rest.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EAGAIN && errno != EINTR {
                throw ConnectionEnd.clientGone
            }
        }
    }

    /// Returns the next bytes; nil at the end of the stream.
    func receive() throws -> Data? {
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            guard try poll(POLLIN, until: nil) else { continue }
            let count = recv(fd, &buffer, buffer.count, 0)
            if count > 0 { return Data(buffer[..<count]) }
            if count == 0 { return nil }
            if errno != EAGAIN && errno != EINTR { throw ConnectionEnd.clientGone }
        }
    }

    /// Waits, at most 0.5 s, until the client's system has received everything. An RST would discard bytes that are
    /// still in the send buffer.
    func drain() {
        let deadline = HostClock.now() + 500_000_000
        var waiting: Int32 = 0
        while ioctl(fd, UInt(TIOCOUTQ), &waiting) == 0, waiting > 0, HostClock.now() < deadline {
            guard (try? wait(until: HostClock.now() + 1_000_000)) != nil else { return }
        }
    }

    /// Closes the socket.
    /// - Parameter reset: Whether to close with RST (SO_LINGER of 0 seconds) instead of FIN.
    func close(reset: Bool) {
        lock.withLock {
            guard !isClosed else { return }
            isClosed = true
            if reset {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            }
            Foundation.close(fd)
            pipe.close()
        }
    }

    deinit { close(reset: false) }
}
