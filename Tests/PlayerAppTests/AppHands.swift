import Foundation
import TestSupport
import Testing

/// Input to the app's windows, and the texts that a screen reader gets from them.
extension AppRig {
    /// Writes the state file of a previous run, with which the app then starts.
    /// - Parameter size: The size of the content below the bar, in points.
    func left(showsList: Bool, size: (width: Int, height: Int) = (800, 450)) throws {
        try FileManager.default.createDirectory(
            at: stateFile.deletingLastPathComponent(), withIntermediateDirectories: true)
        let json =
            "{\"showsList\": \(showsList), \"size\": {\"width\": \(size.width), \"height\": \(size.height)}}"
        try Data(json.utf8).write(to: stateFile)
    }

    typealias Place = (x: Int, y: Int)

    func click(_ place: Place, times: Int = 1, button: Int = 1) throws {
        try display.xdotool(["mousemove", "\(place.x)", "\(place.y)"])
        try display.xdotool(["click", "--repeat", "\(times)", "--delay", "60", "\(button)"])
    }

    /// Drags from one place to another in small steps, keeps moving slightly until `isSo` accepts a screenshot, and
    /// releases the button.
    /// - Returns: Whether `isSo` returned true before the deadline.
    func drag(
        _ from: Place, to place: Place, until isSo: @escaping @Sendable (Screenshot) async throws -> Bool
    ) async throws -> Bool {
        try display.xdotool(["mousemove", "\(from.x)", "\(from.y)"])
        try display.xdotool(["mousedown", "1"])
        for step in 1...20 {
            let (x, y) = (from.x + (place.x - from.x) * step / 20, from.y + (place.y - from.y) * step / 20)
            try display.xdotool(["mousemove", "\(x)", "\(y)"])
        }
        let tremble = Tremble(place)
        let came = try await comes {
            try self.display.xdotool(["mousemove"] + tremble.next())
            return try await isSo(try self.display.screenshot())
        }
        try display.xdotool(["mousemove", "\(place.x)", "\(place.y)"])
        try display.xdotool(["mouseup", "1"])
        return came
    }
    private final class Tremble: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        private let place: Place
        private var step = 0
        init(_ place: Place) { self.place = place }
        func next() -> [String] {
            step += 1
            return ["\(place.x + step % 3)", "\(place.y)"]
        }
    }

    // MARK: screen reader

    /// An accessible object of a process: one line of `Tests/Fixtures/atspi-dump`.
    struct Told: Sendable {
        let role: String, name: String, description: String, states: Set<String>
    }
    struct NothingTold: Error { let errors: String }
    /// Returns the accessible objects of an app that was started with `GTK_A11Y=atspi`.
    func told(_ app: ToolProcess) async throws -> [Told] {
        let output = home.appendingPathComponent("told-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let environment = display.environment.merging(self.environment) { $1 }
        // libatspi sometimes crashes when an object disappears while it is read.
        try await offPool {
            let code = try Deadline().poll(while: { app.child.exitCode == nil }) {
                let look = try ChildProcess(
                    Repository.fixture("atspi-dump"), ["--look", "\(app.child.pid)"], environment: environment,
                    output: output)
                return look.wait() == 0 ? 0 : nil
            }
            if code == nil { throw NothingTold(errors: app.errors) }
        }
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 7 else { return nil }
            return Told(
                role: parts[1], name: parts[2], description: parts[3],
                states: Set(parts[6].split(separator: " ").map(String.init)))
        }
    }
    /// Waits until the name of any accessible object contains `words`. Returns false after the deadline.
    func isTold(_ words: String, by app: ToolProcess) async throws -> Bool {
        try await comes { try await self.told(app).contains { $0.name.contains(words) } }
    }
    static let toldOf = ["GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"]
}
