import Export
import Foundation
import MediaCore

/// Unbuffered standard output and standard error. A full disk is therefore reported by the call that prints.
enum Console {
    /// Writes a line to standard output.
    /// - Throws: A failure if the line can't be written. If the reader has closed the pipe, the failure's kind is the
    ///   signal SIGPIPE.
    static func out(_ line: String) throws(ToolFailure) {
        let code = write(line + "\n", to: STDOUT_FILENO)
        guard code != 0 else { return }
        // A program such as `head` closes the pipe when it needs no more lines. This is not an error to print.
        if code == EPIPE {
            throw ToolFailure(.signal(SIGPIPE), "Can't write to standard output: the reading program has ended.")
        }
        throw ToolFailure(.failed, "\(PartialFile.error(code, at: "standard output"))", isReported: true)
    }

    /// Writes a line to standard error. Failures are ignored, because they can't be reported anywhere.
    static func err(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }
    /// Writes a message to standard error.
    static func note(_ text: String) {
        err("zoetrope: " + ToolFailure.sentence(Credentials.removed(from: CommandArguments.readable(text))))
    }
    /// Writes to standard error without a newline at the end.
    static func progress(_ text: String) { _ = write(text, to: STDERR_FILENO) }

    /// Closes standard output. Some file systems report only now that writing failed.
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

@available(*, unavailable, message: "print ignores write errors; use Console.out or Console.err")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
