import Foundation

/// A pipe that is used only to end a `poll`.
///
/// Its owner must not write to it after closing it.
struct WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    func wake() {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    /// Discards all wakes so far.
    func empty() {
        var waste = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &waste, waste.count) == waste.count {}
    }

    func close() {
        Foundation.close(readEnd)
        Foundation.close(writeEnd)
    }
}

/// An interface to `accept4`, which Glibc's Swift module does not contain. A child that is spawned between `accept` and
/// `fcntl` would inherit the connection and keep it open after the server closes it.
enum AcceptCloseOnExec {
    private typealias Accept4 = @convention(c) (Int32, OpaquePointer?, OpaquePointer?, Int32) -> Int32
    private static let accept4: Accept4? = dlsym(nil, "accept4").map { unsafeBitCast($0, to: Accept4.self) }

    /// Accepts a connection. With `accept4`, its descriptor is non-blocking.
    /// - Returns: The descriptor; negative on failure, with the reason in `errno`.
    static func accept(_ fd: Int32) -> Int32 {
        if let accept4 { return accept4(fd, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)) }
        let client = Foundation.accept(fd, nil, nil)
        if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
        return client
    }
}
