import Foundation
import TestSupport

/// An X server of a test's own whose screen is of a size that is said, for windows at scale 2.
final class SizedDisplay: @unchecked Sendable {
    // Used by one test at a time.
    private let folder: URL
    private let server: ChildProcess
    private let name: String

    struct DidNotStart: Error {}

    /// - Parameter width: of its screen, pixels.
    init(width: Int, height: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-display-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let number = folder.appendingPathComponent("number").path
        server = try ChildProcess(
            "Xvfb",
            [
                "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp", "-r", "-noreset",
            ], output: number)
        let found: Int? = Deadline().poll(while: { [server] in server.exitCode == nil }) {
            let text = (try? String(contentsOfFile: number, encoding: .utf8)) ?? ""
            return text.hasSuffix("\n") ? Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) : nil
        }
        guard let found else { throw DidNotStart() }
        name = ":\(found)"
    }

    func close() {
        server.send(SIGTERM)
        server.wait(seconds: 5)
        try? FileManager.default.removeItem(at: folder)
    }

    deinit { close() }

    var environment: [String: String] {
        var all = ProcessInfo.processInfo.environment
        all["DISPLAY"] = name
        all["WAYLAND_DISPLAY"] = nil
        return all
    }

    /// Runs a client of this display; what it printed.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> String {
        let file = folder.appendingPathComponent("output-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try ChildProcess(program, arguments, environment: environment, output: file).wait()
        return ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    @discardableResult
    func xdotool(_ arguments: [String]) throws -> String { try run("xdotool", arguments) }
}
