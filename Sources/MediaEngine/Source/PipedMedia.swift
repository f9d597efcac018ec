import Foundation
import MediaCore
import Synchronization

/// What comes once, through a pipe (a FIFO, standard input), kept so that it can be read again: in a file without a name, as a ring of a size
/// that is told beforehand. A thread of its own takes what comes; it waits while as much as fits lies ahead of whoever
/// reads, so that neither memory nor the disk is filled.
///
/// It is played by its `url`, in this process, as often as it is opened. Any thread.
package final class PipedMedia: Sendable {
    package static let scheme = "zoetrope-pipe"
    private static let known = Mutex<[String: PipedMedia]>([:])

    /// For `AVURLAsset`, as long as the process lives.
    package let url: URL
    /// For people.
    package let name: String
    /// Bytes that are kept at the most.
    package let capacity: Int64
    private let shared: Shared

    /// - Parameters:
    ///   - descriptor: where it comes from, open for reading; it stays the caller's, who leaves it open.
    ///   - capacity: bytes of disk, at least 1 MiB.
    ///   - folder: where the file without a name is made; nil: `TMPDIR`, else `/var/tmp`, which is on a disk where
    ///     `/tmp` may be memory, else `/tmp`.
    /// - Throws: `.writeFailed` where no such file can be made.
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

    /// A pipe that has a name.
    /// - Parameter descriptor: Open for reading, not blocking; from now on the receiver's.
    private init(owning descriptor: Int32, at url: URL, name: String, patience: Int64) throws(AVError) {
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
        shared = Shared(input: descriptor, file: file, capacity: capacity, name: name, patience: patience)
        start()
    }

    private func start() {
        PipedMedia.known.withLock { $0[url.absoluteString] = self }
        let shared = shared
        WorkerThread.detached(name: "zt-pipe") { shared.take() }
    }

    // MARK: pipes with a name

    /// The bytes kept of each pipe that is opened by its path. Default: 1 GiB.
    package static let capacityOfNamed = Atomic<Int64>(1 << 30)

    /// What comes through the pipe at a path: a FIFO, `/dev/stdin`, or `/dev/fd/63` as a shell's `<(…)` has it. The first
    /// call opens it; later ones return the same object, as a pipe brings its bytes once.
    /// - Returns: Nil if there is no pipe at that path.
    /// - Throws: `.permissionDenied`, `.readFailed`, `.notAFile` for a terminal.
    static func at(
        _ path: FilePath, _ url: URL, patience: Int64 = PipedMedia.patience
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
        // A socket has no other name than the descriptor that the process was started with.
        guard kind == S_IFIFO || kind == S_IFSOCK && own != nil else { return nil }
        let opened: Int32
        if let own, fcntl(own, F_GETFL) & O_ACCMODE != O_WRONLY {
            opened = fcntl(own, F_DUPFD_CLOEXEC, 3)
        } else {
            // Not blocking: a pipe without a writer would hold whoever opens it.
            opened = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        }
        guard opened >= 0 else {
            let code = errno
            throw AVError(
                code == EACCES ? .permissionDenied : .readFailed, at: path.description,
                reason: code == EACCES
                    ? "the current user has no permission to read the file" : String(cString: strerror(code)),
                suggestion: code == EACCES ? "Check the pipe's permissions" : "", underlying: code)
        }
        return try PipedMedia(owning: opened, at: url, name: path.description, patience: patience)
    }

    /// The number of an open descriptor of this process that a path names.
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
        for place in named.map({ [$0] }) ?? ["/var/tmp", "/tmp"] {
            let path = Array("\(place)/zoetrope-XXXXXX".utf8CString)
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

    // MARK: what has come

    /// Bytes that have come, and the first that is still kept.
    package var come: Int64 { shared.state.withLock { $0.come } }
    package var kept: Int64 { shared.state.withLock { shared.kept($0) } }
    /// The other end has closed it, and all has come.
    package var isWhole: Bool { shared.state.withLock { $0.isOver } }
    /// As much lies ahead of whoever reads as may.
    var isFull: Bool { shared.state.withLock { shared.isFull($0) } }
    /// Somebody waits for more.
    var isWaitedFor: Bool { shared.state.withLock { $0.readers > 0 } }
    /// Why nothing more comes, where that is no end.
    var failure: AVError? { shared.state.withLock { $0.failure } }

    enum Read: Equatable {
        case bytes(Int)
        case end
        /// The reader is wanted elsewhere.
        case interrupted
        case failed(AVError)
    }

    /// Waits until there is something at `position`.
    func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer, isInterrupted: () -> Bool) -> Read {
        shared.read(at: position, into: buffer, isInterrupted: isInterrupted)
    }

    /// Those that wait look again.
    func wake() { shared.wake() }
    /// - Parameter call: on another thread; nil: no more.
    func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject) {
        shared.setOnChange(call, for: ObjectIdentifier(owner))
    }

    // MARK: shared with the thread

    fileprivate struct State {
        var come: Int64 = 0
        /// The farthest place that anybody has read: what comes waits for it.
        var reach: Int64 = 0
        var isOver = false
        var failure: AVError?
        var readers = 0
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var toldAt: Int64 = 0
    }

    private final class Shared: Sendable {
        let state = Locked(State())
        private let input: Int32, file: Int32
        private let capacity: Int64
        private let name: String
        /// Of what is kept, so much stays behind whoever reads.
        private var ahead: Int64 { capacity - capacity / 4 }

        /// Of a pipe with a name, which is closed at the end: how long its writer is waited for, nanoseconds.
        private let patience: Int64?

        init(input: Int32, file: Int32, capacity: Int64, name: String, patience: Int64? = nil) {
            (self.input, self.file, self.capacity, self.name) = (input, file, capacity, name)
            self.patience = patience
        }
        deinit { close(file) }

        /// Those that wait look again.
        func wake() { state.withLock { _ in } }
        func isFull(_ state: State) -> Bool { state.come - state.reach >= ahead - PipedMedia.piece }
        /// What the next piece goes over is gone already.
        func kept(_ state: State) -> Int64 { max(0, state.come + PipedMedia.piece - capacity) }

        /// Called on the thread that takes, when more has come, at most ten times a second, and at the end.
        func setOnChange(_ call: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
            state.withLock { $0.listeners[owner] = call }
        }
        private func tell(_ listeners: [@Sendable () -> Void]) { for listener in listeners { listener() } }

        /// The thread's life.
        func take() {
            let failure = takeAll()
            // Close the pipe before reporting the end. Otherwise a program could write into it, and a reader that opens the pipe
            // again would lose that data.
            if patience != nil { close(input) }
            end(failure)
        }

        /// - Returns: nil at the end of the data.
        private func takeAll() -> AVError? {
            // Until a program has opened a pipe for writing, reading says that it is at its end.
            var writerLimit = patience.map { HostClock.now() + $0 }
            var piece = [UInt8](repeating: 0, count: Int(PipedMedia.piece))
            while true {
                let at = state.wait { isFull($0) ? nil : $0.come }
                let count = piece.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                if count == 0, let limit = writerLimit {
                    var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
                    let isReady = poll(&wanted, 1, 100) > 0
                    if isReady, Int32(wanted.revents) & POLLIN != 0 { continue }
                    // Ready without bytes: a writer has been there.
                    if !isReady {
                        if HostClock.now() < limit { continue }
                        let seconds = (patience ?? 0) / 1_000_000_000
                        return AVError(
                            .timedOut, at: name,
                            reason: "no program opened the pipe for writing within \(seconds) s",
                            suggestion: "Start the program that writes into the pipe, then open the pipe again")
                    }
                }
                writerLimit = nil
                if count < 0, errno == EAGAIN {
                    var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
                    poll(&wanted, 1, -1)
                    continue
                }
                guard count > 0 else {
                    let code = errno
                    return count == 0
                        ? nil
                        : AVError(.readFailed, at: name, reason: String(cString: strerror(code)), underlying: code)
                }
                // Nobody reads what is overwritten meanwhile: it lies a whole ring back.
                if let problem = write(piece[..<count], at: at) { return problem }
                tell(
                    state.withLock { state in
                        state.come += Int64(count)
                        let now = HostClock.now()
                        guard now - state.toldAt > 100_000_000 else { return [] }
                        state.toldAt = now
                        return Array(state.listeners.values)
                    })
            }
        }

        private func end(_ failure: AVError?) {
            tell(
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
                let place = at % capacity
                let room = Int(min(Int64(rest.count), capacity - place))
                let done = rest.prefix(room).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(place)) }
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
            // Who waits behind what has come makes room for it.
            state.withLock { state in
                state.readers += 1
                if position >= state.come { state.reach = max(state.reach, position) }
            }
            return state.wait { state in
                let found = isInterrupted() ? .interrupted : look(at: position, into: buffer, &state)
                if found != nil { state.readers -= 1 }
                return found
            }
        }

        /// Nil: nothing has come there yet. With the lock held: what is read is not overwritten.
        private func look(at position: Int64, into buffer: UnsafeMutableRawBufferPointer, _ state: inout State) -> Read?
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
            guard position < state.come else { return state.failure.map { .failed($0) } ?? (state.isOver ? .end : nil) }
            let place = position % capacity
            let most = Int(min(Int64(buffer.count), state.come - position, capacity - place))
            let count = pread(file, buffer.baseAddress, most, off_t(place))
            guard count > 0 else {
                let code = errno
                return .failed(
                    AVError(.readFailed, at: name, reason: String(cString: strerror(code)), underlying: code))
            }
            state.reach = max(state.reach, position + Int64(count))
            return .bytes(count)
        }
    }

    /// How long a pipe's writer is waited for, nanoseconds.
    static let patience: Int64 = 10_000_000_000
    /// Bytes taken at once.
    private static let piece: Int64 = 64 << 10
}

extension URL {
    /// Whether it is a local file that others may read beside the player, from its beginning to its end. A pipe, once it
    /// has been opened, is none.
    var isReadAgain: Bool { isFileURL && PipedMedia.find(self) == nil }
}
