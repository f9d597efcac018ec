import Foundation
import TestSupport
import Testing

/// The probe `UI` as a process on its own display: reads its output, and sends pointer and key events to it.
final class ControlProbe {
    let display: PrivateDisplay
    private let child: ChildProcess
    private let folder: URL
    private var read = 0

    struct NeverSaid: Error, CustomStringConvertible {
        let expected: String, said: [String]
        var description: String { "never said \(expected), but: \(said.joined(separator: " | "))" }
    }

    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        display = try await PrivateDisplay.launch()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-controls-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        child = try ChildProcess(
            line: Programs.command("UI", arguments), environment: display.environment.merging(environment) { $1 },
            output: folder.appendingPathComponent("out").path, error: folder.appendingPathComponent("err").path)
        try await expect("ready=\(arguments[0])")
        guard let window = try await window() else { throw NeverSaid(expected: "a window", said: said) }
        _ = try await until("the first frame of the probe") { [display] in
            try display.screenshot().isBlack ? nil : true
        }
        try display.xdotool(["windowfocus", "--sync", window])
    }

    private func window() async throws -> String? {
        try await until("the window of the probe") { [display] in try display.window("probe") }
    }

    var said: [String] {
        ChildProcess.wholeLines(of: folder.appendingPathComponent("out"))
    }
    /// The warnings and critical messages that GTK printed.
    var complaints: [String] {
        ((try? String(contentsOf: folder.appendingPathComponent("err"), encoding: .utf8)) ?? "").split(separator: "\n")
            .map(String.init)
            .filter { $0.contains("CRITICAL") || $0.contains("WARNING") || $0.contains("Fatal") }
    }

    /// Waits until the probe prints `line`, after the lines of earlier calls. Throws ``NeverSaid`` if it does not.
    func expect(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let isSaid = try await comes(line, sourceLocation: sourceLocation) {
            let all = said
            guard let index = all[min(read, all.count)...].firstIndex(of: line) else { return false }
            read = index + 1
            return true
        }
        if !isSaid { throw NeverSaid(expected: line, said: said + complaints) }
    }

    /// Waits until `condition` is true and returns whether it became so in time.
    func comes(
        _ expected: String? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
    ) async throws -> Bool {
        try await eventually(
            expected, seen: { "it said \(said.suffix(20)) \(complaints), it \(child.state)" },
            while: { child.exitCode == nil }, sourceLocation: sourceLocation, condition)
    }

    /// The width and height of the window, in points.
    func windowSize() throws -> [Int] {
        let id = try display.window("probe") ?? ""
        let lines = try display.xdotool(["getwindowgeometry", "--shell", id]).split(separator: "\n")
        return ["WIDTH=", "HEIGHT="].compactMap { key in
            lines.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
        }
    }

    /// Returns the frame of a view on the screen, whose top-left corner is the window's. Waits until the view has
    /// printed it: views print their frames one after another, so other frames may arrive earlier.
    func frame(_ name: String) throws -> (x: Int, y: Int, width: Int, height: Int) {
        let line = Deadline().poll(while: { child.exitCode == nil }) { said.last { $0.hasPrefix("at-\(name)=") } }
        let numbers = line?.split(separator: "=")[1].split(separator: ",").compactMap { Int($0) } ?? []
        guard numbers.count == 4 else { throw NeverSaid(expected: "at-\(name)", said: said) }
        return (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Returns the point at a fraction of the view's width and height, as arguments for `xdotool`.
    private func point(_ name: String, _ x: Double, _ y: Double) throws -> [String] {
        let frame = try frame(name)
        return ["\(frame.x + Int(Double(frame.width) * x))", "\(frame.y + Int(Double(frame.height) * y))"]
    }
    func move(_ name: String, _ x: Double = 0.5, _ y: Double = 0.5) throws {
        try display.xdotool(["mousemove"] + point(name, x, y))
    }
    func click(_ name: String, _ x: Double = 0.5, _ y: Double = 0.5) throws {
        try display.xdotool(["mousemove"] + point(name, x, y) + ["click", "1"])
    }
    /// Presses the pointer's button at a fraction of the view's width and height, and releases it at another one.
    func drag(_ name: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double)) throws {
        try display.xdotool(
            ["mousemove"] + point(name, start.x, start.y) + ["mousedown", "1", "mousemove"] + point(name, end.x, end.y)
                + ["mouseup", "1"])
    }
    func key(_ keys: String...) throws { try display.xdotool(["key", "--delay", "40"] + keys) }
    func type(_ text: String) throws { try display.xdotool(["type", "--delay", "30", text]) }

    /// Returns the color on the screen at a fraction of the view's width and height.
    func color(_ name: String, _ x: Double, _ y: Double = 0.5) throws -> [Int] {
        let at = try point(name, x, y).compactMap { Int($0) }
        return try display.screenshot().color(at[0], at[1])
    }

    /// Waits until the screen shows about `color` at a fraction of the view's width and height.
    func shows(
        _ color: [Int], _ name: String, _ x: Double, _ y: Double = 0.5, within tolerance: Int = 15,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Bool {
        var seen: [Int] = []
        return try await eventually(
            "\(color) in \(name)", seen: { "\(seen)" }, while: { child.exitCode == nil }, sourceLocation: sourceLocation
        ) {
            seen = try self.color(name, x, y)
            return Self.isNear(seen, color, tolerance)
        }
    }

    /// Whether none of `looks` consecutive screenshots shows about `color` at that point. Each screenshot takes several
    /// display refreshes.
    func lacks(_ color: [Int], _ name: String, _ x: Double, looks: Int) throws -> Bool {
        for _ in 0..<looks where Self.isNear(try self.color(name, x), color, 15) { return false }
        return true
    }

    private static func isNear(_ seen: [Int], _ color: [Int], _ tolerance: Int) -> Bool {
        zip(seen, color).allSatisfy { abs($0 - $1) <= tolerance }
    }

    deinit {
        child.send(SIGKILL)
        child.wait(seconds: 5)
        try? FileManager.default.removeItem(at: folder)
    }
}
