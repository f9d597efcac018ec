import Foundation
import Testing

/// A sound server of a test's own: PulseAudio on a private socket, with a null sink whose monitor can be recorded.
///
/// The null sink runs without rewinds: a default one (`sink: .asLoaded`) renders up to two seconds ahead while idle and
/// delays whoever starts to play.
public final class PrivatePulseServer: @unchecked Sendable {
    // Used by one test at a time.
    private let folder: URL
    private let channels: Int
    private let rate: Int
    private let sink: Sink
    private var process: ChildProcess?

    /// For `PULSE_SERVER`, or a player's `audioServer`.
    public var address: String { "unix:\(folder.path)/native" }

    public enum Sink: Sendable { case prompt, asLoaded }

    public init(channels: Int = 2, rate: Int = 48000, sink: Sink = .prompt) throws {
        self.sink = sink
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-pulse-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.channels = channels
        self.rate = rate
        try start()
    }

    /// Starts one without holding up the caller's actor.
    public static func launch(channels: Int = 2, rate: Int = 48000, sink: Sink = .prompt) async throws
        -> PrivatePulseServer
    {
        try await offPool { try PrivatePulseServer(channels: channels, rate: rate, sink: sink) }
    }

    public func start() throws {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = folder.path
        environment["HOME"] = folder.path
        // With a server named in its environment PulseAudio refuses to start one.
        environment["PULSE_SERVER"] = nil
        process = try ChildProcess(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
                "-L", "module-native-protocol-unix socket=\(folder.path)/native auth-anonymous=1",
                "-L",
                sink == .asLoaded
                    ? "module-null-sink sink_name=test"
                    : "module-null-sink sink_name=test rate=\(rate) channels=\(channels) format=float32le norewinds=1",
            ],
            environment: environment)
        var said = ""
        let isThere: Bool? = Deadline().poll(while: { process?.exitCode == nil }) {
            said = (try? pactl(["info"])) ?? ""
            return said.contains("Default Sink: test") ? true : nil
        }
        if isThere == nil { throw Failure.didNotStart(expected: "Default Sink: test", seen: said) }
    }

    /// As a crash: no goodbyes.
    public func kill() {
        process?.send(SIGKILL)
        process?.wait()
        process = nil
        try? FileManager.default.removeItem(at: folder.appendingPathComponent("native"))
    }

    /// Stops it where it is, as a server that hangs: it answers nobody; or lets it go on.
    public func setHanging(_ hangs: Bool) { process?.send(hangs ? SIGSTOP : SIGCONT) }

    public func stop() {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { stop() }

    public enum Failure: Error { case didNotStart(expected: String, seen: String) }

    /// `pactl` against this server; its output.
    public func pactl(_ arguments: [String]) throws -> String {
        let file = folder.appendingPathComponent("pactl-\(UUID().uuidString.prefix(8))").path
        let tool = try ChildProcess("pactl", ["-s", address] + arguments, output: file)
        tool.wait()
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    /// Records the sink's monitor, first channel, from now until `finish()`.
    public func record() async throws -> Recording {
        try await offPool { try Recording(server: self.address, channels: self.channels, rate: self.rate) }
    }

    public final class Recording: Sendable {
        private let process: ChildProcess
        private let file: URL
        private let channels: Int

        init(server: String, channels: Int, rate: Int) throws {
            self.channels = channels
            file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "zt-rec-\(UUID().uuidString.prefix(8)).raw")
            process = try ChildProcess(
                "parec",
                [
                    "-s", server, "-d", "test.monitor", "--format=float32le", "--rate=\(rate)",
                    "--channels=\(channels)", "--latency-msec=20",
                ], output: file.path)
            // It records when bytes come.
            blockUntil("a recording of \(server)") { size > 0 }
        }

        private var size: Int {
            ((try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? NSNumber)?.intValue ?? 0
        }

        /// The first channel so far.
        public func samples() throws -> [Float] {
            let data = try Data(contentsOf: file)
            return data.withUnsafeBytes { raw in
                let all = raw.bindMemory(to: Float.self)
                return stride(from: 0, to: all.count / channels * channels, by: channels).map { all[$0] }
            }
        }

        public func finish() async throws -> [Float] {
            try await offPool { try self.end() }
        }

        private func end() throws -> [Float] {
            process.send(SIGKILL)
            process.wait(seconds: 5)
            defer { try? FileManager.default.removeItem(at: file) }
            return try samples()
        }
    }
}
