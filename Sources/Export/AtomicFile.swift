import Foundation
import MediaCore

/// Atomic writing: the complete file replaces its target, or the target stays unchanged.
package enum AtomicFile {
    /// Writes `bytes` to `url` and replaces an existing file. Follows symbolic links.
    ///
    /// A pipe or a device receives the bytes directly. The function waits for a program that reads from the pipe.
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - url: The file, pipe or device to write.
    ///   - timeout: The maximum time to wait for a reader of a pipe, in seconds.
    /// - Throws: `.writeFailed`, `.diskFull`, `.invalidArgument`. `.timedOut` for a pipe without a reader.
    package static func write(_ bytes: [UInt8], to url: URL, timeout: Double = 60) throws(AVError) {
        let target = try WriteTarget(url)
        guard target.kind != .stream else {
            let file = try stream(target, deadline: HostClock.now() + Int64(min(timeout, 1e6) * 1e9))
            defer { close(file) }
            return try send(bytes, to: file, at: target.displayName)
        }
        let partial = try PartialFile(beside: target, replaces: true)
        do throws(AVError) {
            let file = partial.path.withCString { open($0, O_WRONLY | O_CLOEXEC) }
            guard file >= 0 else { throw PartialFile.error(errno, at: target.displayName) }
            var result: Result<Void, AVError>
            do throws(AVError) {
                try send(bytes, to: file, at: target.displayName)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            // Some file systems report write errors only on close.
            if close(file) != 0, case .success = result {
                result = .failure(PartialFile.error(errno, at: target.displayName))
            }
            try result.get()
            try partial.commit()
        } catch {
            partial.discard()
            throw error
        }
    }

    private static func stream(_ target: WriteTarget, deadline: Int64) throws(AVError) -> Int32 {
        while true {
            let file = target.path.withCString { open($0, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            if file >= 0 {
                // Writing waits for a slow reader.
                _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
                return file
            }
            guard errno == ENXIO else { throw PartialFile.error(errno, at: target.displayName) }
            guard HostClock.now() < deadline else {
                throw AVError(
                    .timedOut, at: target.displayName, reason: "no program is reading from the pipe",
                    suggestion: "Start the program that reads from the pipe")
            }
            usleep(20_000)
        }
    }

    /// Writes all bytes, in several system calls if necessary. A file size limit and a closed pipe are errors here and
    /// do not end the process.
    private static func send(_ bytes: [UInt8], to file: Int32, at location: String) throws(AVError) {
        let code = BlockedSignals.during { () -> Int32 in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { return errno }
                sent += count
            }
            return 0
        }
        guard code != 0 else { return }
        if code == EPIPE {
            throw AVError(
                .writeFailed, at: location, reason: "the program that reads from the pipe has ended",
                suggestion: "Make sure that the program reads to the end", underlying: code)
        }
        throw PartialFile.error(code, at: location)
    }
}

/// A namespace for blocking the signals that the kernel sends when a write fails. The write then returns EFBIG or EPIPE
/// and does not end the process.
enum BlockedSignals {
    /// Runs `body` with SIGXFSZ and SIGPIPE blocked on the current thread.
    static func during<R>(_ body: () throws -> R) rethrows -> R {
        var blockedSignals = sigset_t()
        var previousMask = sigset_t()
        var pendingSignals = sigset_t()
        sigemptyset(&blockedSignals)
        for signal in [SIGXFSZ, SIGPIPE] { sigaddset(&blockedSignals, signal) }
        sigpending(&pendingSignals)
        pthread_sigmask(SIG_BLOCK, &blockedSignals, &previousMask)
        defer {
            // Discard the signals that `body` caused. Signals that were already pending stay.
            for signal in [SIGXFSZ, SIGPIPE] where sigismember(&pendingSignals, signal) == 0 {
                var caused = sigset_t()
                var noWait = timespec()
                sigemptyset(&caused)
                sigaddset(&caused, signal)
                while sigtimedwait(&caused, nil, &noWait) == -1, errno == EINTR {}
            }
            pthread_sigmask(SIG_SETMASK, &previousMask, nil)
        }
        return try body()
    }
}
