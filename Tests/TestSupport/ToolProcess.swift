import Foundation

/// The built program `zoetrope`, run as a user would run it.
public final class ToolProcess: @unchecked Sendable {
    // All properties are constant. `child` is thread-safe.
    public let child: ChildProcess
    private let out: String
    private let err: String

    /// The path of the program. `ZOETROPE_TOOL` selects another one, such as that of `make install`.
    public static var executable: String {
        ProcessInfo.processInfo.environment["ZOETROPE_TOOL"] ?? Programs.path("zoetrope")
    }

    public convenience init(
        _ arguments: [String], environment: [String: String] = [:], display: (any PrivateScreen)? = nil
    ) throws {
        try self.init(ToolProcess.executable, arguments, environment: environment, display: display)
    }

    /// Starts the tool by a bash script, for redirections and other folders. The script should call `exec "$Z"`, where
    /// `$Z` is the tool.
    public convenience init(
        shell script: String, environment: [String: String] = [:], display: (any PrivateScreen)? = nil
    )
        throws
    {
        var environment = environment
        environment["Z"] = ToolProcess.executable
        try self.init("/bin/bash", ["-c", script], environment: environment, display: display)
    }

    private init(
        _ program: String, _ arguments: [String], environment: [String: String], display: (any PrivateScreen)?
    ) throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-tool-\(UUID().uuidString.prefix(8))"
        ).path
        out = base + ".out"
        err = base + ".err"
        var all = display?.environment ?? ProcessInfo.processInfo.environment
        if display == nil {
            all["DISPLAY"] = nil
            all["WAYLAND_DISPLAY"] = nil
        }
        if all["PULSE_SERVER"] == nil { all["PULSE_SERVER"] = "unix:/nonexistent" }
        for (key, value) in environment { all[key] = value }
        child = try ChildProcess(program, arguments, environment: all, output: out, error: err)
    }

    /// The text written to standard error so far.
    public var errors: String { (try? String(contentsOfFile: err, encoding: .utf8)) ?? "" }

    /// Runs the tool until it ends, for at most `seconds`.
    public static func run(
        _ arguments: [String], environment: [String: String] = [:], display: (any PrivateScreen)? = nil,
        seconds: Double = Deadline.seconds
    ) async throws -> (code: Int32, output: String, error: String) {
        let tool = try ToolProcess(arguments, environment: environment, display: display)
        return await tool.finish(seconds: seconds)
    }

    public func finish(seconds: Double = Deadline.seconds) async -> (code: Int32, output: String, error: String) {
        await Task.detached {
            let code = self.child.wait(seconds: seconds)
            let result = (
                code, (try? String(contentsOfFile: self.out, encoding: .utf8)) ?? "",
                (try? String(contentsOfFile: self.err, encoding: .utf8)) ?? ""
            )
            for file in [self.out, self.err] { try? FileManager.default.removeItem(atPath: file) }
            return result
        }.value
    }

    /// Runs `play`, and again, at most twice, if it reports fewer than `frames` displayed and dropped frames.
    ///
    /// Frames that the display misses for more than a second count as neither. This happens on a machine that is busy.
    public static func play(
        _ arguments: [String], counting frames: Int
    ) async throws -> (code: Int32, output: String, error: String) {
        var result = try await run(["play"] + arguments)
        for _ in 0..<2 {
            if try frameCount(result.output) >= frames { break }
            result = try await run(["play"] + arguments)
        }
        return result
    }

    /// Returns the number of displayed and dropped frames in the report in the last line of `output`.
    public static func frameCount(_ output: String) throws -> Int {
        let report = try report(output)
        return (report["framesShown"] as? Int ?? 0) + (report["framesDropped"] as? Int ?? 0)
    }

    /// Returns the report in the last line of `output`.
    public static func report(_ output: String) throws -> [String: Any] {
        let line = output.split(separator: "\n").last.map(String.init) ?? ""
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
}
