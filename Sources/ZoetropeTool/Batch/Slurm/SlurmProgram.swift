import Foundation

/// The programs of Slurm.
struct SlurmProgram: Sendable {
    struct Output: Sendable {
        let code: Int32
        let text: String
        let error: String
    }

    private let paths: [String: String]

    /// Searches for the programs in the folders of `PATH`.
    /// - Throws: A failure that names the missing programs and the searched folders.
    init() throws(ToolFailure) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":"
        ).map(String.init)
        var paths: [String: String] = [:]
        for name in ["sbatch", "squeue", "scancel", "scontrol", "sacct"] {
            paths[name] = folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
        }
        let missing = ["sbatch", "squeue", "scancel"].filter { paths[$0] == nil }
        guard missing.isEmpty else {
            throw ToolFailure(
                .failed,
                "Can't use Slurm: \(missing.joined(separator: ", ")) was not found in \(folders.joined(separator: ", ")). Install Slurm's programs (Debian: slurm-client), or leave out --slurm to run the jobs on this computer."
            )
        }
        self.paths = paths
    }

    /// Runs a program and waits until it ends. Signals that end the tool, such as SIGINT from Ctrl-C, don't end the
    /// program.
    /// - Parameter arguments: The arguments, in the form of `CommandArguments.text`.
    func run(_ name: String, _ arguments: [String]) -> Output {
        guard let path = paths[name] else { return Output(code: 127, text: "", error: "\(name) is not installed") }
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("zt-slurm-\(UUID().uuidString)").path
        let files = [base + ".out", base + ".err"]
        defer { for file in files { unlink(file) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (index, file) in files.enumerated() {
            posix_spawn_file_actions_addopen(&actions, Int32(index + 1), file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        }
        var argv: [UnsafeMutablePointer<CChar>?] =
            ([path] + arguments).map { strdup(CommandArguments.bytes($0).map { CChar(bitPattern: $0) } + [0]) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child: pid_t = 0
        let rc = posix_spawn(&child, path, &actions, nil, &argv, environ)
        guard rc == 0 else { return Output(code: 127, text: "", error: String(cString: strerror(rc))) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        let texts = files.map { String(decoding: FileManager.default.contents(atPath: $0) ?? Data(), as: UTF8.self) }
        return Output(code: code, text: texts[0], error: texts[1])
    }
}

/// Quotes a text as one word of a shell command.
func shellWord(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }
