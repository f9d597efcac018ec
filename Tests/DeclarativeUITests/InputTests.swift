import Foundation
import TestSupport
import Testing

/// Pointer, keys and assistive technology at a real window.
@Suite("Input in a window", .serialized)
struct InputTests {
    /// The probe, mapped: its first frame answers.
    private func start() async throws -> (PrivateDisplay, AppProcess) {
        let display = try await PrivateDisplay.launch()
        let app = try AppProcess("InputProbe", display: display)
        try await app.wait(for: "ready")
        _ = try await offPool {
            let deadline = Date().addingTimeInterval(20)
            while Date() < deadline, !(try display.screenshot().isNear(20, 20, [255, 59, 48])) {}
        }
        return (display, app)
    }

    @Test("taps, double taps and long presses are told by the view under the pointer; a button in a tapped view comes first")
    func taps() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        try display.xdotool(["mousemove", "75", "50", "click", "1"])
        try await app.wait(for: "tap red")
        try display.xdotool(["mousemove", "225", "50", "click", "--repeat", "2", "--delay", "50", "1"])
        try await app.wait(for: "double tap green")
        try display.xdotool(["mousemove", "375", "50", "mousedown", "1"])
        try await app.wait(for: "long press blue")
        try display.xdotool(["mouseup", "1"])
        try display.xdotool(["mousemove", "525", "50", "click", "1"])
        try await app.wait(for: "inner button")
        try display.xdotool(["mousemove", "460", "10", "click", "1"])
        try await app.wait(for: "tap yellow 10 10")
        #expect(!app.lines.contains { $0.hasPrefix("tap yellow 7") })
    }

    @Test("a drag tells how far; its state ends with it")
    func drag() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        try display.xdotool(["mousemove", "300", "150", "mousedown", "1"])
        for step in 1...8 { try display.xdotool(["mousemove", "\(300 + step * 10)", "150"]) }
        let moved = try await offPool {
            let deadline = Date().addingTimeInterval(10)
            var shot = try display.screenshot()
            while Date() < deadline, !shot.isNear(380, 150, [255, 149, 0]) { shot = try display.screenshot() }
            return shot
        }
        #expect(moved.isNear(380, 150, [255, 149, 0]))
        try display.xdotool(["mouseup", "1"])
        try await app.wait(for: "drag 80 0")
    }

    @Test("a press, a key on the focused button, a shortcut; a disabled button does nothing; hover is told")
    func buttons() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        try display.xdotool(["mousemove", "100", "250", "click", "1"])
        try await app.wait(for: "pressed 1")
        let window = try #require(try display.window("Input"))
        try display.key("space", window: window)
        try await app.wait(for: "pressed 2")
        try display.key("ctrl+k", window: window)
        try await app.wait(for: "pressed 3")
        try display.xdotool(["mousemove", "300", "250", "click", "1"])
        try display.xdotool(["mousemove", "500", "250"])
        try await app.wait(for: "hover true")
        try display.xdotool(["mousemove", "500", "150"])
        try await app.wait(for: "hover false")
        #expect(!app.lines.contains("never"))
    }

    @Test("focus follows the pointer's press, Tab, and the program")
    func focus() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        let window = try #require(try display.window("Input"))
        try display.xdotool(["windowfocus", "--sync", window])
        try display.xdotool(["mousemove", "100", "350", "click", "1"])
        try await app.wait(for: "focus first")
        try display.xdotool(["type", "ab"])
        try await app.wait(for: "text ab")
        try display.key("Tab", window: window)
        try await app.wait(for: "focus second")
        try display.xdotool(["mousemove", "100", "350", "click", "1"])
        try await app.wait(for: "focus first")
        try display.xdotool(["mousemove", "540", "350", "click", "1"])
        try await app.wait(for: "focus second")
    }

    @Test("labels, hints, values and identifiers reach AT-SPI, with roles")
    func accessibility() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("zt-atspi-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let code = try await offPool {
            try ChildProcess("dbus-run-session", ["--", Repository.root.appendingPathComponent("scripts/atspi-dump").path, "Hover area",
                Repository.root.appendingPathComponent(".build/debug/InputProbe").path],
                environment: display.environment.merging(["PULSE_SERVER": "unix:/nonexistent"]) { $1 }, output: output).wait(seconds: 60)
        }
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        #expect(code == 0)
        let press = try #require(lines.first { $0.count > 3 && $0[2] == "Press 0" && $0[1].contains("button") })
        #expect(press[3].contains("Counts") && press[3].contains("press-button"))
        #expect(lines.contains { $0.count > 3 && $0[2] == "Hover area" && $0[3].contains("empty") })
        #expect(lines.contains { $0.count > 2 && $0[2] == "Off" && $0[1].contains("button") })
        #expect(lines.contains { $0.count > 1 && ["text", "entry"].contains($0[1]) })
    }
}
