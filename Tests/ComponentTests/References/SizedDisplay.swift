import Foundation
import TestSupport

/// A private X server with a screen of a given size, for windows at scale 2.
final class SizedDisplay: @unchecked Sendable {
    // `@unchecked Sendable`, because only one test at a time uses it.
    private let folder: URL
    private let server: ChildProcess
    private let name: String

    struct DidNotStart: Error {}

    /// - Parameter width: The width of the screen, in pixels.
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

    /// Runs a client of this display and returns its output, without white space at the ends.
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
