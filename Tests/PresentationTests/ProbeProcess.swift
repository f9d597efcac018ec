import Foundation
import GTK
import TestSupport
import Testing

/// The probe `Presentation` as a process: one view with ready-made frames, controlled by commands.
final class ProbeProcess {
    struct Facts: Decodable {
        var command: String
        var presented: Int
        var pulls: Int
        /// The number of times that GTK's frame clock has run.
        var refreshes: Int
        var cpuSeconds: Double
        /// Whether the view's own surface shows its frames.
        var isOnSurface: Bool
    }
    struct NoAnswer: Error { let command: String }

    /// GTK's name of its OpenGL renderer.
    static var glRenderer: String { GTKVersion.isAtLeast(minor: 14) ? "ngl" : "gl" }

    let child: ChildProcess
    private let folder: URL
    private var answers = 0

    init(
        _ arguments: [String], renderer: String = "cpu", environment: [String: String] = [:], display: any PrivateScreen
    )
        throws
    {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-probe-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipe = folder.appendingPathComponent("in").path
        guard mkfifo(pipe, 0o600) == 0 else { throw NoAnswer(command: "mkfifo") }
        var all = display.environment.merging(["ZOETROPE_RENDERER": renderer]) { $1 }
        if renderer == "gl" { all["GSK_RENDERER"] = ProbeProcess.glRenderer }
        all.merge(environment) { $1 }
        child = try ChildProcess(
            line: Programs.command("Presentation", ["--input", pipe] + arguments), environment: all,
            output: folder.appendingPathComponent("out").path, error: folder.appendingPathComponent("err").path)
    }

    /// Sends `command` and returns the facts after it. Throws ``NoAnswer`` if the probe does not answer in time.
    @discardableResult
    func ask(_ command: String) async throws -> Facts {
        let descriptor = open(folder.appendingPathComponent("in").path, O_RDWR)
        let line = Array((command + "\n").utf8)
        // The probe opens the pipe too; until then the line waits in it, so it must not be closed before.
        guard descriptor >= 0, write(descriptor, line, line.count) == line.count else {
            throw NoAnswer(command: command)
        }
        defer { close(descriptor) }
        var facts: Facts?
        await eventually(
            "an answer to \(command)", seen: { "\(errors), it \(child.state)" }, while: { child.exitCode == nil }
        ) {
            let lines = ChildProcess.wholeLines(of: folder.appendingPathComponent("out"))
            guard lines.count > answers else { return false }
            facts = try? JSONDecoder().decode(Facts.self, from: Data(lines[answers].utf8))
            return facts != nil
        }
        guard let facts else { throw NoAnswer(command: command + ": " + errors) }
        answers += 1
        Sightings.note { "\(facts)" }
        return facts
    }

    /// The probe's standard error.
    var errors: String { (try? String(contentsOf: folder.appendingPathComponent("err"), encoding: .utf8)) ?? "" }

    /// The CPU time of the process so far, in clock ticks of 10 ms, or -1 if it cannot be read.
    var cpuTicks: Int {
        let stat = (try? String(contentsOfFile: "/proc/\(child.pid)/stat", encoding: .utf8)) ?? ""
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : -1
    }

    deinit {
        child.send(SIGKILL)
        child.wait(seconds: 5)
        try? FileManager.default.removeItem(at: folder)
    }
}
