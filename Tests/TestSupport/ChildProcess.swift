import Foundation

/// A child process, started by `posix_spawn` and awaited by `waitpid`.
///
/// Foundation's `Process` is not used. It detects the end of a child by a descriptor that the child inherits. Programs
/// that close inherited descriptors, such as PulseAudio and its tools, make it wait forever.
public final class ChildProcess: @unchecked Sendable {
    // The lock guards `status`.
    public let pid: pid_t
    private let lock = NSLock()
    private var status: Int32?

    public struct SpawnFailed: Error {
        public let program: String
        public let code: Int32
    }

    /// Starts a program.
    /// - Parameters:
    ///   - output: The file for standard output; nil to discard the output.
    ///   - error: The file for standard error; nil to discard the errors.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, output: String? = nil,
        error: String? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, error ?? "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        let all = environment ?? ProcessInfo.processInfo.environment
        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0)=\($1)") } + [nil]
        defer { for p in argv + envp { free(p) } }
        // A child inherits blocked signals. Swift's threads block most signals, so SIGTERM would not end the child.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Processes that a shell starts in the background, or that nohup starts, ignore these signals. Their children
        // would inherit this.
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var child: pid_t = 0
        let rc = posix_spawnp(&child, program, &actions, &attributes, &argv, &envp)
        guard rc == 0 else { throw SpawnFailed(program: program, code: rc) }
        pid = child
    }

    /// Starts a program by its command line, which begins with the program.
    public convenience init(
        line: [String], environment: [String: String]? = nil, output: String? = nil, error: String? = nil
    ) throws {
        try self.init(
            line.first ?? "", Array(line.dropFirst()), environment: environment, output: output, error: error)
    }

    /// Runs a program by its command line until it ends, and kills it after `Deadline.seconds`.
    public static func run(
        line: [String], environment: [String: String]? = nil
    ) async throws -> (code: Int32, output: String, error: String) {
        try await offPool {
            let base = FileManager.default.temporaryDirectory.appendingPathComponent("zt-run-\(UUID().uuidString)")
            let (output, error) = (base.appendingPathExtension("out"), base.appendingPathExtension("err"))
            defer { for file in [output, error] { try? FileManager.default.removeItem(at: file) } }
            let child = try ChildProcess(line: line, environment: environment, output: output.path, error: error.path)
            let code = child.wait()
            func text(_ file: URL) throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
            return (code, try text(output), try text(error))
        }
    }

    /// The exit code, or 128 plus the signal that ended the process; nil while the process runs.
    public var exitCode: Int32? {
        lock.withLock { reap(WNOHANG) }
    }

    /// Requires the lock to be held.
    private func reap(_ options: Int32) -> Int32? {
        if let status { return status }
        var raw: Int32 = 0
        guard waitpid(pid, &raw, options) == pid else { return nil }
        status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
        return status
    }

    /// The state of the process, for messages about failed tests.
    public var state: String { exitCode.map { "ended with \($0)" } ?? "runs" }

    public func send(_ signal: Int32) { if exitCode == nil { kill(pid, signal) } }

    /// Waits until the process ends, and kills it after `seconds`.
    /// - Returns: The exit code, or 128 plus the signal that ended the process.
    @discardableResult
    public func wait(seconds: Double = Deadline.seconds) -> Int32 {
        if let code = Deadline(seconds: seconds).poll({ exitCode }) { return code }
        kill(pid, SIGKILL)
        return lock.withLock { reap(0) ?? 128 + SIGKILL }
    }

    deinit {
        send(SIGKILL)
        wait(seconds: 5)
    }

    /// Returns the lines of a file that a child may still be writing. Only complete lines count: when a write crosses a
    /// page, a reader can see only its beginning.
    public static func wholeLines(of file: URL) -> [String] {
        let text = (try? String(decoding: Data(contentsOf: file), as: UTF8.self)) ?? ""
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n").map(String.init)
    }
}
