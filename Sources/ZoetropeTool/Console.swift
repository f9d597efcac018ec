import Composition
import Foundation
import MediaCore

/// Standard output and standard error. Nothing is gathered in between: a disk that is full is noticed by whoever
/// prints.
enum Console {
    /// Writes a line to standard output.
    /// - Throws: a failure for a full disk and the like; one by SIGPIPE where nobody reads any more.
    static func out(_ line: String) throws(ToolFailure) {
        let code = write(line + "\n", to: STDOUT_FILENO)
        guard code != 0 else { return }
        // As any tool in a pipe: whoever has read enough closes it, and that is no fault.
        if code == EPIPE { throw ToolFailure(.signal(SIGPIPE), "standard output: nobody reads any more") }
        throw ToolFailure(.failed, "\(PartialFile.error(code, at: "standard output"))", isReported: true)
    }

    /// Writes a line to standard error. If that fails, there is nobody left to tell.
    static func err(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }
    static func note(_ line: String) { err("zoetrope: " + Credentials.removed(from: CommandArguments.readable(line))) }
    /// Without a line's end.
    static func progress(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Some file systems tell only now that they could not write.
    static func close() throws(ToolFailure) {
        guard Glibc.close(STDOUT_FILENO) != 0, errno != EBADF else { return }
        throw ToolFailure(.failed, "\(PartialFile.error(errno, at: "standard output"))", isReported: true)
    }

    private static func write(_ text: String, to file: Int32) -> Int32 {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}

@available(*, unavailable, message: "print drops what the disk answers; use Console.out or Console.err")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
