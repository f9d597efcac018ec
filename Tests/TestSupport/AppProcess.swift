import Foundation
import Testing

/// A program of ours (`Programs.command`) in a private display, told what to do through a pipe, heard by its lines.
public final class AppProcess: @unchecked Sendable {
    // Used by one test at a time.
    public struct NoAnswer: Error {
        public let what: String
        public init(what: String) { self.what = what }
    }

    public let child: ChildProcess
    private let folder: URL
    private var heard = 0
    /// The same for answers alone: what is told before one is still to be heard after it.
    private var answered = 0

    /// - Parameter prefix: what it is started by, as `PrivateNetwork.prefix` has it.
    public convenience init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], display: any PrivateScreen,
        through prefix: [String] = []
    ) throws {
        try self.init(
            program, arguments, through: prefix,
            whole: display.environment.merging(["ZOETROPE_RENDERER": "cpu", "PULSE_SERVER": "unix:/nonexistent"]) { $1 }
                .merging(environment) { $1 })
    }

    /// - Parameter environment: all of it.
    public init(
        _ program: String, _ arguments: [String] = [], through prefix: [String] = [],
        whole environment: [String: String]
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-app-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipe = folder.appendingPathComponent("in").path
        guard mkfifo(pipe, 0o600) == 0 else { throw NoAnswer(what: "mkfifo") }
        let line =
            prefix + Programs.command(program, ["--input", pipe] + arguments)
        child = try ChildProcess(
            line: line, environment: environment,
            output: folder.appendingPathComponent("out").path, error: folder.appendingPathComponent("err").path)
    }

    public func send(_ line: String) throws {
        // Kept open: what nobody has read yet would be lost with the last who has it open.
        if writer < 0 { writer = open(folder.appendingPathComponent("in").path, O_RDWR) }
        let bytes = Array((line + "\n").utf8)
        guard writer >= 0, write(writer, bytes, bytes.count) == bytes.count else { throw NoAnswer(what: line) }
    }
    private var writer: Int32 = -1

    public var lines: [String] {
        let all = ChildProcess.wholeLines(of: folder.appendingPathComponent("out"))
        Sightings.note { "it said \(all.suffix(20).joined(separator: " | "))" }
        return all
    }
    public var errors: String { (try? String(contentsOf: folder.appendingPathComponent("err"), encoding: .utf8)) ?? "" }

    /// The first line from here on that `matches`; what was heard so far does not count again.
    @discardableResult
    public func wait(
        for what: String, seconds: Double = Deadline.seconds, _ matches: @escaping @Sendable (String) -> Bool
    )
        async throws -> String
    {
        let found = try await first(what, from: heard, seconds: seconds, matches)
        heard = found.at + 1
        return found.line
    }

    private func first(
        _ what: String, from: Int, seconds: Double = Deadline.seconds, _ matches: @escaping @Sendable (String) -> Bool
    )
        async throws -> (at: Int, line: String)
    {
        let found: (at: Int, line: String)? = try await offPool {
            Deadline(seconds: seconds).poll(while: { self.child.exitCode == nil }) {
                let all = self.lines
                return all.indices.first { $0 >= from && matches(all[$0]) }.map { ($0, all[$0]) }
            }
        }
        guard let found else {
            throw NoAnswer(
                what:
                    "\(what); heard: \(lines.dropFirst(from).filter { !$0.hasPrefix("time") }.suffix(30).joined(separator: " | ")) \(errors.suffix(2000)); it \(child.state)"
            )
        }
        return found
    }

    @discardableResult
    public func wait(for prefix: String) async throws -> String {
        try await wait(for: prefix) { $0.lowercased().hasPrefix(prefix.lowercased()) }
    }

    /// The same for what `action` leads to, which is done anew every two seconds: two clicks of a slow machine may lie
    /// too far apart to be a double one.
    public func wait(for prefix: String, _ action: () throws -> Void) async throws {
        let deadline = Deadline()
        let isIt: @Sendable (String) -> Bool = { $0.lowercased().hasPrefix(prefix.lowercased()) }
        repeat {
            try action()
            if (try? await wait(for: prefix, seconds: 2, isIt)) != nil { return }
        } while !deadline.isPast && child.exitCode == nil
        try await wait(for: prefix)
    }

    /// What the probe `Component` tells of itself.
    public struct Facts: Decodable {
        public var line: String, playerThreads: Int, composers: Int, mediaFiles: Int, sockets: Int
    }

    /// Does `line` and tells how things stand after it.
    @discardableResult
    public func ask(_ line: String) async throws -> Facts {
        try send(line)
        let start = "facts {\"line\":\"\(line)\""
        let answer = try await first(start, from: answered) { $0.hasPrefix(start) }
        answered = answer.at + 1
        return try JSONDecoder().decode(Facts.self, from: Data(answer.line.dropFirst(6).utf8))
    }

    /// The same, and again until the answer is as wanted: a thread that was joined may be listed by the system for a
    /// moment yet.
    public func ask(
        _ line: String, sourceLocation: SourceLocation = #_sourceLocation, until isWanted: (Facts) -> Bool
    ) async throws -> Facts {
        var facts = try await ask(line)
        try await eventually(
            "other facts", seen: { "\(facts)" }, sourceLocation: sourceLocation
        ) {
            if isWanted(facts) { return true }
            facts = try await ask(line)
            return isWanted(facts)
        }
        return facts
    }

    deinit {
        if writer >= 0 { close(writer) }
        child.send(SIGKILL)
        child.wait(seconds: 5)
        try? FileManager.default.removeItem(at: folder)
    }
}
