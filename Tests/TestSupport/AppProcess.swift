import Foundation
import Testing

/// A program of this package (`Programs.command`) on a private display. The test sends it commands through a pipe and
/// reads its output.
public final class AppProcess: @unchecked Sendable {
    // Only one test at a time uses an instance.
    public struct NoAnswer: Error {
        public let what: String
        public init(what: String) { self.what = what }
    }

    public let child: ChildProcess
    private let folder: URL
    private var nextLine = 0
    /// The index of the first line after the last answer of `ask`. Lines before an answer can still be found by `wait`.
    private var nextAnswer = 0

    /// Starts a program with the environment of `display`.
    /// - Parameter prefix: The command that starts the program, such as that of `PrivateNetwork.prefix`.
    public convenience init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], display: any PrivateScreen,
        through prefix: [String] = []
    ) throws {
        try self.init(
            program, arguments, through: prefix,
            whole: display.environment.merging(["ZOETROPE_RENDERER": "cpu", "PULSE_SERVER": "unix:/nonexistent"]) { $1 }
                .merging(environment) { $1 })
    }

    /// Starts a program.
    /// - Parameters:
    ///   - prefix: The command that starts the program.
    ///   - environment: The complete environment of the program.
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
        // The pipe stays open: when the last writer closes it, lines that were not read yet are lost.
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

    /// Waits for the first line that `matches`, and returns it. Lines up to the last found line are not searched again.
    @discardableResult
    public func wait(
        for what: String, seconds: Double = Deadline.seconds, _ matches: @escaping @Sendable (String) -> Bool
    )
        async throws -> String
    {
        let found = try await first(what, from: nextLine, seconds: seconds, matches)
        nextLine = found.at + 1
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

    /// Performs `action` and waits for a line that begins with `prefix`. The action is repeated every two seconds,
    /// because two clicks on a slow machine may be too far apart for a double click.
    /// - Parameter pause: The seconds between two actions. They are more if a second action would undo a first one that
    ///   is handled late.
    public func wait(for prefix: String, every pause: Double = 2, _ action: () throws -> Void) async throws {
        let deadline = Deadline()
        let isIt: @Sendable (String) -> Bool = { $0.lowercased().hasPrefix(prefix.lowercased()) }
        repeat {
            try action()
            if (try? await wait(for: prefix, seconds: pause, isIt)) != nil { return }
        } while !deadline.isPast && child.exitCode == nil
        try await wait(for: prefix)
    }

    /// The state that the probe `Component` reports.
    public struct Facts: Decodable {
        public var line: String, playerThreads: Int, composers: Int, mediaFiles: Int, sockets: Int
    }

    /// Sends `line`, waits for its answer, and returns the program's state after it.
    @discardableResult
    public func ask(_ line: String) async throws -> Facts {
        try send(line)
        let start = "facts {\"line\":\"\(line)\""
        let answer = try await first(start, from: nextAnswer) { $0.hasPrefix(start) }
        nextAnswer = answer.at + 1
        return try JSONDecoder().decode(Facts.self, from: Data(answer.line.dropFirst(6).utf8))
    }

    /// Sends `line` repeatedly until the answer is as wanted. The system may list a thread for a moment after it was
    /// joined.
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
