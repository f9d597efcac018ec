import Foundation
import MediaCore

/// Why a connection is not served on.
enum ConnectionEnd: Error {
    /// The client closed or reset it.
    case clientGone
    /// The server closes, or its cable was pulled.
    case serverGone
}

/// A descriptor whose every wait `cut()` ends at once.
///
/// All waiting, for bytes, for room and for time, is one `poll` on the connection and on a pipe that wakes it.
/// Used by one thread, but for `wake` and `cut`.
final class ServerSocket: @unchecked Sendable {
    // Fixed, but for `isCut` and `isClosed`, which the lock guards.
    private let fd: Int32
    private let pipe: WakePipe
    private let lock = NSLock()
    private var isCut = false
    private var isClosed = false

    /// Takes over the descriptor; nil when the system gives no pipe.
    init?(_ fd: Int32) {
        guard let pipe = WakePipe() else { return nil }
        self.fd = fd
        self.pipe = pipe
        _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    }

    /// From any thread: what is waited for is looked at again.
    func wake() {
        lock.withLock { if !isClosed { pipe.wake() } }
    }

    /// From any thread: every wait, now and later, throws `.serverGone`.
    func cut() {
        lock.withLock { isCut = true }
        wake()
    }

    private static let peerClosed: Int32 = 0x2000  // POLLRDHUP, which Glibc shows only to _GNU_SOURCE

    /// Waits for `events`, a wake, or the deadline (CLOCK_MONOTONIC nanoseconds); false when it was not the events.
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

    /// True when `condition` holds, false when the deadline passed first; looks again after each `wake()`.
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
            // Also when there is room: a client that has gone must be noticed on a fast network too.
            guard try poll(POLLOUT | Self.peerClosed, until: nil) else { continue }
            let count = Foundation.send(fd, base, rest.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EAGAIN && errno != EINTR {
                throw ConnectionEnd.clientGone
            }
        }
    }

    /// More bytes; nil at the end of the stream.
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

    /// Waits until the client's system has everything that was sent: an RST throws away what still waits here.
    func drain() {
        let deadline = HostClock.now() + 500_000_000
        var waiting: Int32 = 0
        while ioctl(fd, UInt(TIOCOUTQ), &waiting) == 0, waiting > 0, HostClock.now() < deadline {
            guard (try? wait(until: HostClock.now() + 1_000_000)) != nil else { return }
        }
    }

    /// - Parameter reset: by RST (SO_LINGER of no seconds) instead of FIN.
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
