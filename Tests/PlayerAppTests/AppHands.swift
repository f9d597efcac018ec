import Foundation
import TestSupport
import Testing

/// What a user's hands do with the app's windows, and what a screen reader is told of them.
extension AppRig {
    /// The app begins as if it had been left so.
    /// - Parameter size: of what stands below the bar, points.
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

    /// Presses at one place, goes to another in the steps of a hand, waits there with a trembling hand until `isSo`, and
    /// lets go.
    /// - Returns: whether it became so.
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
        // Used by one test at a time.
        private let place: Place
        private var step = 0
        init(_ place: Place) { self.place = place }
        func next() -> [String] {
            step += 1
            return ["\(place.x + step % 3)", "\(place.y)"]
        }
    }

    // MARK: what is told to a screen reader

    /// A process's accessibles as lines of `Tests/Fixtures/atspi-dump`.
    struct Told: Sendable {
        let role: String, name: String, description: String, states: Set<String>
    }
    /// Of an app that was started with `GTK_A11Y=atspi`.
    func told(_ app: ToolProcess) async throws -> [Told] {
        let output = home.appendingPathComponent("told-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let environment = display.environment.merging(self.environment) { $1 }
        _ = try await offPool {
            try ChildProcess(
                Repository.fixture("atspi-dump"),
                ["--look", "\(app.child.pid)"], environment: environment, output: output
            ).wait()
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
    /// Words that are read out, whatever they stand on.
    func isTold(_ words: String, by app: ToolProcess) async throws -> Bool {
        try await comes { try await self.told(app).contains { $0.name.contains(words) } }
    }
    static let toldOf = ["GTK_A11Y": "atspi", "NO_AT_BRIDGE": "0"]
}
