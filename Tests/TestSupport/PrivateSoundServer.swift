import Foundation
import Testing

/// An audio server for one test, on a private socket. Its null sink `test` has a monitor that can be recorded.
///
/// PulseAudio's null sink runs without rewinds. With `sink: .asLoaded`, it renders up to two seconds ahead while idle,
/// which delays clients that start to play. PipeWire has only one kind of null sink.
public final class PrivateSoundServer: @unchecked Sendable {
    // Only one test at a time uses an instance.
    private let folder: URL
    private let channels: Int
    private let rate: Int
    private let programs: SoundPrograms
    private var running: [ChildProcess] = []

    public let kind: SoundServer
    /// The address for `PULSE_SERVER`, or for a player's `audioServer`.
    public var address: String { "unix:\(folder.path)/native" }

    public enum Sink: Sendable { case prompt, asLoaded }

    public init(_ kind: SoundServer = .pulseAudio, channels: Int = 2, rate: Int = 48000, sink: Sink = .prompt) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-sound-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.channels = channels
        self.rate = rate
        programs =
            switch kind {
            case .pulseAudio: .pulseAudio(in: folder, channels: channels, rate: rate, isPrompt: sink == .prompt)
            case .pipeWire: try .pipeWire(in: folder, channels: channels, rate: rate)
            }
        try start()
    }

    /// Starts a server without blocking the caller's actor.
    public static func launch(
        _ kind: SoundServer = .pulseAudio, channels: Int = 2, rate: Int = 48000, sink: Sink = .prompt
    ) async throws -> PrivateSoundServer {
        try await offPool { try PrivateSoundServer(kind, channels: channels, rate: rate, sink: sink) }
    }

    public func start() throws {
        running = try programs.start()
        var information = ""
        let isThere: Bool? = Deadline().poll(while: { running.allSatisfy { $0.exitCode == nil } }) {
            information = (try? pactl(["info"])) ?? ""
            return information.contains("Default Sink: test") ? true : nil
        }
        if isThere == nil { throw Failure.didNotStart(expected: "Default Sink: test", seen: information) }
    }

    /// Kills all programs of the server, as in a crash.
    public func kill() {
        // The server for clients is killed first. Otherwise, it would detect that the others end, and close its
        // connections properly.
        for program in running.reversed() { program.send(SIGKILL) }
        for program in running { program.wait() }
        running = []
        try? FileManager.default.removeItem(at: folder.appendingPathComponent("native"))
    }

    /// Whether PipeWire has played without a client for at least one cycle, because the machine ran the client's
    /// process too late. This includes the process that passes on the audio of PulseAudio's clients, and the recorder.
    /// The recording then has a gap that no client can prevent. Always false for PulseAudio.
    public var hasSkippedClient: Bool {
        (try? String(contentsOf: SoundPrograms.log(in: folder), encoding: .utf8))?.contains("client too slow") ?? false
    }

    /// Suspends the server, so that it answers no client, or resumes it.
    public func setHanging(_ hangs: Bool) { for program in running { program.send(hangs ? SIGSTOP : SIGCONT) } }

    public func stop() {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { stop() }

    public enum Failure: Error {
        case didNotStart(expected: String, seen: String)
        case didNotRun(line: [String], code: Int32)
    }

    /// Runs `pactl` against this server. Throws `Failure.didNotRun` if it fails.
    /// - Returns: The output of `pactl`.
    public func pactl(_ arguments: [String]) throws -> String { try output(of: ["pactl", "-s", address] + arguments) }

    /// Returns PipeWire's objects, as `pw-dump` lists them.
    public func objects() throws -> [[String: Any]] {
        let text = try output(of: ["pw-dump"], ["XDG_RUNTIME_DIR": folder.path])
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    }

    private func output(of line: [String], _ environment: [String: String] = [:]) throws -> String {
        let file = folder.appendingPathComponent("output-\(UUID().uuidString.prefix(8))").path
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let tool = try ChildProcess(line: line, environment: all, output: file)
        let code = tool.wait()
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard code == 0 else { throw Failure.didNotRun(line: line, code: code) }
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    /// Records the first channel of the sink's monitor, from now until `finish()`.
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
            // The recording has started when the file has bytes.
            blockUntil("a recording of \(server)") { size > 0 }
        }

        private var size: Int {
            ((try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? NSNumber)?.intValue ?? 0
        }

        /// Returns the samples of the first channel recorded so far.
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
