import Foundation
import MediaCore
import Synchronization

/// The data that arrives once through a pipe (a FIFO, standard input), stored so that it can be read again. The data is
/// stored in an unnamed file that is used as a ring buffer of fixed size. A separate thread reads the pipe. The thread
/// waits while the allowed amount ahead of the reader is stored, so that neither memory nor the disk fills up.
///
/// The data can be played by its `url`, in this process, any number of times. Thread-safe.
package final class PipedMedia: Sendable {
    package static let scheme = "zoetrope-pipe"
    private static let known = Mutex<[String: PipedMedia]>([:])
    /// A lock held while a named pipe is opened, so that two threads do not each receive a part of its data.
    private static let opening = Mutex(())

    /// The URL for `AVURLAsset`, valid as long as the process runs.
    package let url: URL
    /// The name that users see.
    package let name: String
    /// The maximum number of bytes that are kept.
    package let capacity: Int64
    private let shared: Shared

    /// Starts to read a pipe.
    ///
    /// - Parameters:
    ///   - descriptor: The file descriptor to read from. The caller owns it and must keep it open.
    ///   - name: The name that users see.
    ///   - capacity: The maximum number of bytes to store on disk; at least 1 MiB is used.
    ///   - folder: The folder of the unnamed file; `nil` for the folder in `TMPDIR`. Without `TMPDIR`, the file is in
    ///     `/var/tmp`, because `/tmp` may be in memory, or in `/tmp` if that fails.
    /// - Throws: `.writeFailed` if the file cannot be created.
    package init(reading descriptor: Int32, name: String, capacity: Int64, folder: String? = nil) throws(AVError) {
        var parts = URLComponents()
        parts.scheme = PipedMedia.scheme
        parts.host = ""
        parts.path = "/\(UUID().uuidString)/\(name)"
        url = parts.url ?? URL(fileURLWithPath: "/")
        self.name = name
        self.capacity = max(1 << 20, capacity)
        shared = Shared(
            input: descriptor, file: try PipedMedia.namelessFile(folder), capacity: self.capacity, name: name)
        start()
    }

    /// Starts to read a named pipe.
    ///
    /// - Parameter descriptor: The non-blocking file descriptor to read from. This object owns it from now on.
    private init(owning descriptor: Int32, at url: URL, name: String, timeout: Int64) throws(AVError) {
        self.url = url
        self.name = name
        capacity = PipedMedia.capacityOfNamed.load(ordering: .relaxed)
        let file: Int32
        do throws(AVError) {
            file = try PipedMedia.namelessFile(nil)
        } catch {
            close(descriptor)
            throw error
        }
        shared = Shared(input: descriptor, file: file, capacity: capacity, name: name, timeout: timeout)
        start()
    }

    private func start() {
        PipedMedia.known.withLock { $0[url.absoluteString] = self }
        let shared = shared
        WorkerThread.detached(name: "zt-pipe") { shared.take() }
    }

    // MARK: named pipes

    /// The number of bytes that are kept of each pipe that is opened by its path. The default is 1 GiB.
    package static let capacityOfNamed = Atomic<Int64>(1 << 30)

    /// Returns the data of the pipe at a path: a FIFO, `/dev/stdin`, or `/dev/fd/63` for a shell's `<(…)`. The first
    /// call opens the pipe. Later calls return the same object, because a pipe delivers its data only once. After a
    /// failure, the next call opens the pipe again.
    ///
    /// - Returns: `nil` if there is no pipe at that path.
    /// - Throws: `.permissionDenied`, `.readFailed` or `.writeFailed`; `.notAFile` for a terminal.
    static func at(
        _ path: FilePath, _ url: URL, timeout: Int64 = PipedMedia.timeout
    ) throws(AVError) -> PipedMedia? {
        if let known = find(url), known.failure == nil { return known }
        var info = stat()
        guard path.withCString({ stat($0, &info) }) == 0 else { return nil }
        let kind = info.st_mode & S_IFMT
        let own = descriptor(path.description)
        if kind == S_IFCHR, let own, isatty(own) != 0 {
            throw AVError(
                .notAFile, at: path.description, reason: "the input is a terminal, not media",
                suggestion: "Pipe media into the command: `cat film.mkv | zoetrope play -`")
        }
        // A socket can only be opened through the descriptor that the process inherited.
        guard kind == S_IFIFO || kind == S_IFSOCK && own != nil else { return nil }
        return try opening.withLock { (_) throws(AVError) -> PipedMedia in
            // Another thread may have opened the pipe while this one waited.
            if let known = find(url), known.failure == nil { return known }
            return try open(path, descriptor: own, at: url, timeout: timeout)
        }
    }

    private static func open(
        _ path: FilePath, descriptor own: Int32?, at url: URL, timeout: Int64
    ) throws(AVError) -> PipedMedia {
        let opened: Int32
        if let own, fcntl(own, F_GETFL) & O_ACCMODE != O_WRONLY {
            opened = fcntl(own, F_DUPFD_CLOEXEC, 3)
        } else {
            // Opened without blocking, because a pipe without a writer would otherwise block the caller.
            opened = path.withCString { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        }
        guard opened >= 0 else {
            let code = errno
            throw AVError(
                code == EACCES ? .permissionDenied : .readFailed, at: path.description,
                reason: code == EACCES
                    ? "the current user has no permission to read the file" : String(cString: strerror(code)),
                suggestion: code == EACCES ? "Check the pipe's permissions" : "", underlying: code)
        }
        return try PipedMedia(owning: opened, at: url, name: path.description, timeout: timeout)
    }

    /// Returns the open file descriptor that a path names; `nil` if there is none.
    private static func descriptor(_ path: String) -> Int32? {
        if path == "/dev/stdin" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.count)).flatMap { fcntl($0, F_GETFD) >= 0 ? $0 : nil }
        }
        return nil
    }

    package static func find(_ url: URL) -> PipedMedia? { known.withLock { $0[url.absoluteString] } }

    private static func namelessFile(_ folder: String?) throws(AVError) -> Int32 {
        let named = folder ?? ProcessInfo.processInfo.environment["TMPDIR"]
        var code: Int32 = ENOENT
        for candidate in named.map({ [$0] }) ?? ["/var/tmp", "/tmp"] {
            let path = Array("\(candidate)/zoetrope-XXXXXX".utf8CString)
            var name = path
            let file = mkstemp(&name)
            guard file >= 0 else {
                code = errno
                continue
            }
            unlink(name)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            return file
        }
        throw AVError(
            .writeFailed, at: named ?? "/var/tmp", reason: String(cString: strerror(code)),
            suggestion: "Set TMPDIR to a folder with free space", underlying: code)
    }

    // MARK: received data

    /// The number of bytes that have been received.
    package var receivedBytes: Int64 { shared.state.withLock { $0.receivedBytes } }
    /// The position of the first byte that is still stored.
    package var kept: Int64 { shared.state.withLock { shared.kept($0) } }
    /// Whether no more data follows: the writer has closed the pipe, or receiving its data has failed.
    package var isWhole: Bool { shared.state.withLock { $0.isOver } }
    /// Whether the allowed amount of data ahead of the reader is stored.
    var isFull: Bool { shared.state.withLock { shared.isFull($0) } }
    /// Whether a reader is waiting for data.
    var isWaitedFor: Bool { shared.state.withLock { $0.readers > 0 } }
    /// The error that ended the data; `nil` if there is none.
    var failure: AVError? { shared.state.withLock { $0.failure } }

    enum Read: Equatable {
        case bytes(Int)
        case end
        /// The read was interrupted.
        case interrupted
        case failed(AVError)
    }

    /// Reads the data at `position`. Waits until some is available.
    func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer, isInterrupted: () -> Bool) -> Read {
        shared.read(at: position, into: buffer, isInterrupted: isInterrupted)
    }

    /// Makes waiting readers check again whether they are interrupted.
    func wake() { shared.wake() }
    /// Sets the closure that is called on another thread when data arrives; `nil` ends the calls.
    func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject) {
        shared.setOnChange(call, for: ObjectIdentifier(owner))
    }

    // MARK: shared with the thread

    fileprivate struct State {
        var receivedBytes: Int64 = 0
        /// The largest position that has been read. Reading from the pipe waits for it to advance.
        var reach: Int64 = 0
        var isOver = false
        var failure: AVError?
        var readers = 0
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var lastNotification: Int64 = 0
    }

    private final class Shared: Sendable {
        let state = Locked(State())
        private let input: Int32, file: Int32
        private let capacity: Int64
        private let name: String
        /// The number of bytes that may be stored ahead of the reader. A quarter of the capacity stays behind the
        /// reader.
        private var ahead: Int64 { capacity - capacity / 4 }

        /// The time that a named pipe waits for a writer, in nanoseconds; `nil` for other descriptors, which are not
        /// closed at the end.
        private let timeout: Int64?

        init(input: Int32, file: Int32, capacity: Int64, name: String, timeout: Int64? = nil) {
            (self.input, self.file, self.capacity, self.name) = (input, file, capacity, name)
            self.timeout = timeout
        }
        deinit { close(file) }

        /// Makes waiting readers check again whether they are interrupted.
        func wake() { state.withLock { _ in } }
        func isFull(_ state: State) -> Bool { state.receivedBytes - state.reach >= ahead - PipedMedia.piece }
        /// Returns the position of the first stored byte. The space for the next piece counts as overwritten.
        func kept(_ state: State) -> Int64 { max(0, state.receivedBytes + PipedMedia.piece - capacity) }

        /// Sets the closure that is called on the reading thread when data arrives, at most ten times per second, and
        /// at the end.
        func setOnChange(_ call: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
            state.withLock { $0.listeners[owner] = call }
        }
        private func notify(_ listeners: [@Sendable () -> Void]) { for listener in listeners { listener() } }

        /// Reads the pipe to its end. Runs on the thread zt-pipe.
        func take() {
            let failure = takeAll()
            // Close the pipe before reporting the end. Otherwise a program could write to it, and a reader that opens
            // the pipe again would lose that data.
            if timeout != nil { close(input) }
            end(failure)
        }

        /// Reads all data.
        ///
        /// - Returns: The error, or `nil` at the end of the data.
        private func takeAll() -> AVError? {
            // Until a program opens the pipe for writing, each read reports the end of the data.
            var writerLimit = timeout.map { HostClock.now() + $0 }
            var piece = [UInt8](repeating: 0, count: Int(PipedMedia.piece))
            while true {
                let at = state.wait { isFull($0) ? nil : $0.receivedBytes }
                let count = piece.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                if count == 0, let limit = writerLimit {
                    var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
                    let isReady = poll(&request, 1, 100) > 0
                    if isReady, Int32(request.revents) & POLLIN != 0 { continue }
                    // The pipe is ready but has no data: a writer has opened and closed it.
                    if !isReady {
                        if HostClock.now() < limit { continue }
                        let seconds = (timeout ?? 0) / 1_000_000_000
                        return AVError(
                            .timedOut, at: name,
                            reason: "no program opened the pipe for writing within \(seconds) s",
                            suggestion: "Start the program that writes into the pipe, then open the pipe again")
                    }
                }
                writerLimit = nil
                if count < 0, errno == EAGAIN {
                    var request = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
                    poll(&request, 1, -1)
                    continue
                }
                guard count > 0 else {
                    let code = errno
                    return count == 0
                        ? nil
                        : AVError(.readFailed, at: name, reason: String(cString: strerror(code)), underlying: code)
                }
                // The overwritten bytes are a whole ring behind, so no reader uses them.
                if let problem = write(piece[..<count], at: at) { return problem }
                notify(
                    state.withLock { state in
                        state.receivedBytes += Int64(count)
                        let now = HostClock.now()
                        guard now - state.lastNotification > 100_000_000 else { return [] }
                        state.lastNotification = now
                        return Array(state.listeners.values)
                    })
            }
        }

        private func end(_ failure: AVError?) {
            notify(
                state.withLock { state in
                    state.failure = failure
                    state.isOver = true
                    return Array(state.listeners.values)
                })
        }

        private func write(_ bytes: ArraySlice<UInt8>, at position: Int64) -> AVError? {
            var rest = bytes
            var at = position
            while !rest.isEmpty {
                let fileOffset = at % capacity
                let space = Int(min(Int64(rest.count), capacity - fileOffset))
                let done = rest.prefix(space).withUnsafeBytes {
                    pwrite(file, $0.baseAddress, $0.count, off_t(fileOffset))
                }
                if done < 0, errno == EINTR { continue }
                guard done > 0 else {
                    let code = errno
                    let isFull = code == ENOSPC || code == EDQUOT
                    return AVError(
                        isFull ? .diskFull : .writeFailed, at: name,
                        reason: "the pipe's data can't be stored for seeking: \(String(cString: strerror(code)))",
                        suggestion:
                            "Keep less of the pipe's data with --stdin-buffer, or set TMPDIR to a folder with free space",
                        underlying: code)
                }
                rest = rest.dropFirst(done)
                at += Int64(done)
            }
            return nil
        }

        func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer, isInterrupted: () -> Bool) -> Read {
            // If a reader waits for data that has not been received, more may be read from the pipe.
            state.withLock { state in
                state.readers += 1
                if position >= state.receivedBytes { state.reach = max(state.reach, position) }
            }
            return state.wait { state in
                let found = isInterrupted() ? .interrupted : readStored(at: position, into: buffer, &state)
                if found != nil { state.readers -= 1 }
                return found
            }
        }

        /// Reads stored data at `position`; returns `nil` if none has been received yet. Called with the lock held, so
        /// that the data is not overwritten meanwhile.
        private func readStored(at position: Int64, into buffer: UnsafeMutableRawBufferPointer, _ state: inout State)
            -> Read?
        {
            if position < kept(state) {
                return .failed(
                    AVError(
                        .readFailed, at: name,
                        reason:
                            "the requested data is no longer stored: only the last \(capacity >> 20) MiB of a pipe are kept",
                        suggestion:
                            "Keep more of the pipe's data with --stdin-buffer, or write the data to a file first"))
            }
            guard position < state.receivedBytes else {
                return state.failure.map { .failed($0) } ?? (state.isOver ? .end : nil)
            }
            let fileOffset = position % capacity
            let maximumCount = Int(min(Int64(buffer.count), state.receivedBytes - position, capacity - fileOffset))
            let count = pread(file, buffer.baseAddress, maximumCount, off_t(fileOffset))
            guard count > 0 else {
                let code = errno
                return .failed(
                    AVError(.readFailed, at: name, reason: String(cString: strerror(code)), underlying: code))
            }
            state.reach = max(state.reach, position + Int64(count))
            return .bytes(count)
        }
    }

    /// The time that a named pipe waits for a writer, in nanoseconds.
    static let timeout: Int64 = 10_000_000_000
    /// The number of bytes read from the pipe at once.
    private static let piece: Int64 = 64 << 10
}

extension URL {
    /// Whether this is a local file that can be read again from the beginning while it plays. False for a pipe that has
    /// been opened.
    var isReadAgain: Bool { isFileURL && PipedMedia.find(self) == nil }
    /// The name of the media in messages: “standard input”, for example, or else the location.
    package var mediaName: String { PipedMedia.find(self)?.name ?? location }
}
