import Foundation

/// Runs the tool in a shell, in a folder of its own. Used for redirections, limits and names that are not UTF-8. `$Z`
/// is the tool.
public final class ToolShell: @unchecked Sendable {
    // The properties are constant after `init`.
    public let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "zt-shell-\(UUID().uuidString.prefix(8))"
    ).path

    public init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    public func file(_ name: String) -> String { folder + "/" + name }
    /// The names of all files, except the shell's own.
    public var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix("std") }.sorted()
    }

    public func start(_ script: String) throws -> ChildProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = nil
        environment["WAYLAND_DISPLAY"] = nil
        environment["PULSE_SERVER"] = "unix:/nonexistent"
        environment["Z"] = ToolProcess.executable
        return try ChildProcess(
            "/bin/bash", ["-c", "cd '\(folder)' || exit 99\n" + script], environment: environment,
            output: file("stdout"), error: file("stderr"))
    }

    public func finish(_ child: ChildProcess, seconds: Double = Deadline.seconds) async -> (
        code: Int32, output: String, error: String
    ) {
        await Task.detached { [self] in
            let code = child.wait(seconds: seconds)
            return (
                code, (try? String(contentsOfFile: file("stdout"), encoding: .utf8)) ?? "",
                (try? String(contentsOfFile: file("stderr"), encoding: .utf8)) ?? "no UTF-8"
            )
        }.value
    }

    public func run(_ script: String, seconds: Double = Deadline.seconds) async throws -> (
        code: Int32, output: String, error: String
    ) {
        await finish(try start(script), seconds: seconds)
    }
}
