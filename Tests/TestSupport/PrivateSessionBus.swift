import Foundation

/// A session bus for one test.
public final class PrivateSessionBus: @unchecked Sendable {
    // Only one test at a time uses an instance.
    private let folder: URL
    private let process: ChildProcess
    public let address: String
    /// The folder for `XDG_RUNTIME_DIR`.
    public var runtimeFolder: String { folder.path }
    /// The environment for programs on this bus, without the variables of the user's desktop.
    public var environment: [String: String] {
        Self.environment(folder).merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
    }
    private static func environment(_ folder: URL) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !["DISPLAY", "WAYLAND_DISPLAY"].contains($0.key) }
            .merging(["XDG_RUNTIME_DIR": folder.path]) { $1 }
    }

    public enum Failure: Error { case didNotStart(expected: String, seen: String) }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-bus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = folder.appendingPathComponent("address")
        // The address is explicit, so that the daemon creates its socket in this folder. No system services start on
        // this bus. Session services do, and create their sockets in the runtime folder; accessibility has a separate
        // bus there.
        process = try ChildProcess(
            "dbus-daemon",
            [
                "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=unix:path=\(folder.path)/bus",
                "--print-address=1",
            ],
            environment: Self.environment(folder), output: output.path)
        let found = Deadline().poll(while: { [process] in process.exitCode == nil }) {
            ChildProcess.wholeLines(of: output).first
        }
        guard let found else { throw Failure.didNotStart(expected: "the address of dbus-daemon", seen: process.state) }
        address = found
    }

    public static func launch() async throws -> PrivateSessionBus { try await offPool { try PrivateSessionBus() } }

    /// Runs a program on this bus until it ends.
    /// - Returns: The exit code, and the text of standard output and standard error.
    public func run(_ program: String, _ arguments: [String], seconds: Double = Deadline.seconds) async throws -> (
        code: Int32, text: String
    ) {
        let file = folder.appendingPathComponent("output-\(UUID().uuidString.prefix(8))").path
        let environment = environment
        defer { for end in ["", ".err"] { try? FileManager.default.removeItem(atPath: file + end) } }
        let code = try await offPool {
            try ChildProcess(program, arguments, environment: environment, output: file, error: file + ".err").wait(
                seconds: seconds)
        }
        let text = [file, file + ".err"].map { (try? String(contentsOfFile: $0, encoding: .utf8)) ?? "" }.joined()
            .trimmingCharacters(in: .whitespacesAndNewlines)
        Sightings.note { "\(program) \(arguments.joined(separator: " ")): \(code) \(text.suffix(300))" }
        return (code, text)
    }

    /// Starts a program on this bus that keeps running.
    /// - Parameter output: The file for standard output.
    public func start(_ program: String, _ arguments: [String], output: String) throws -> ChildProcess {
        try ChildProcess(program, arguments, environment: environment, output: output)
    }

    public func stop() {
        process.send(SIGKILL)
        process.wait()
        try? FileManager.default.removeItem(at: folder)
    }
    deinit { stop() }
}
