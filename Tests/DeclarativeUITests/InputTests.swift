import Foundation
import TestSupport
import Testing

/// Tests of pointer, keys and assistive technology in a real window.
@Suite("Input in a window", .serialized)
struct InputTests {
    /// Starts the probe and waits until its first frame is on the screen.
    private func start() async throws -> (PrivateDisplay, AppProcess) {
        let display = try await PrivateDisplay.launch()
        let app = try AppProcess("Input", display: display)
        try await app.wait(for: "ready")
        _ = try await display.settled { $0.isNear(20, 20, [255, 59, 48]) }
        return (display, app)
    }

    @Test("taps, double taps and long presses reach their view; buttons win")
    func taps() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        try display.xdotool(["mousemove", "75", "50", "click", "1"])
        try await app.wait(for: "tap red")
        try await app.wait(for: "double tap green") {
            try display.xdotool(["mousemove", "225", "50", "click", "--repeat", "2", "--delay", "50", "1"])
        }
        try display.xdotool(["mousemove", "375", "50", "mousedown", "1"])
        try await app.wait(for: "long press blue")
        try display.xdotool(["mouseup", "1"])
        try display.xdotool(["mousemove", "525", "50", "click", "1"])
        try await app.wait(for: "inner button")
        try display.xdotool(["mousemove", "460", "10", "click", "1"])
        try await app.wait(for: "tap yellow 10 10")
        #expect(!app.lines.contains { $0.hasPrefix("tap yellow 7") })
    }

    @Test("a drag moves its view and reports its distance")
    func drag() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        try display.xdotool(["mousemove", "300", "150", "mousedown", "1"])
        for step in 1...8 { try display.xdotool(["mousemove", "\(300 + step * 10)", "150"]) }
        let moved = try await display.settled { $0.isNear(380, 150, [255, 149, 0]) }
        #expect(moved.isNear(380, 150, [255, 149, 0]))
        try display.xdotool(["mouseup", "1"])
        try await app.wait(for: "drag 80 0")
    }

    @Test("buttons react to click, key and shortcut unless disabled; hover is reported")
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

    @Test("a shortcut acts before a click that follows it")
    func shortcutOrder() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        let window = try #require(try display.window("Input"))
        try display.xdotool(["windowfocus", "--sync", window])
        try display.xdotool(["key", "ctrl+g", "mousemove", "100", "250", "click", "1"])
        try await app.wait(for: "pressed 1")
        #expect(app.lines.filter { $0 == "gone true" || $0 == "pressed 1" } == ["gone true", "pressed 1"])
    }

    @Test("focus follows clicks, Tab and the program")
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

    @Test("a removed view loses the keyboard focus and can regain it")
    func goes() async throws {
        let (display, app) = try await start()
        defer { display.close() }
        let window = try #require(try display.window("Input"))
        try display.xdotool(["windowfocus", "--sync", window])
        for _ in 1...5 {
            try await app.wait(for: "focus second") { try display.xdotool(["mousemove", "540", "350", "click", "1"]) }
            try display.key("ctrl+g", window: window)
            try await app.wait(for: "focus none")
            try display.key("ctrl+g", window: window)
            try await app.wait(for: "gone false")
        }
    }

    @Test("labels, hints, values and identifiers reach AT-SPI, with roles")
    func accessibility() async throws {
        let heard = try await hear([], until: "Hover area")
        let press = try #require(heard.first { $0.name == "Press 0" && $0.role.contains("button") })
        #expect(press.description.contains("Counts") && press.description.contains("press-button"))
        #expect(heard.contains { $0.name == "Hover area" && $0.description.contains("empty") })
        #expect(heard.contains { $0.name == "Off" && $0.role.contains("button") && $0.states.contains("disabled") })
        #expect(heard.contains { ["text", "entry"].contains($0.role) })
    }

    @Test("assistive technology reads each label once and skips images beside text")
    func words() async throws {
        let heard = try await hear(["words"], until: "4 of 4")
        // With newer versions of GTK, the group around a menu's button has the same name.
        let names = heard.filter { $0.role != "grouping" || $0.name != "Choices" }.map(\.name)
        for name in ["Like it", "Skip forward 10 seconds", "Settings", "Only seen", "Rate", "Choices"] {
            #expect(names.filter { $0 == name }.count == 1, "\(name) in \(names)")
        }
        #expect(heard.contains { $0.name == "Like it" && $0.role.contains("button") })
        #expect(heard.contains { $0.name == "Settings" && $0.states.contains("disabled") })
        #expect(heard.filter { $0.name == "Beside" }.count == 1)
        #expect(heard.filter { ["image", "img", "icon"].contains($0.role) }.map(\.name) == ["Captions"])
        #expect(!names.contains("Never said") && !names.contains("Inner"))
        #expect(names.filter { $0 == "Outer" }.count == 1)
        for part in ["heart", "bolt", "film", "star"] {
            #expect(!names.contains { $0.lowercased().contains(part) && $0 != "Films" }, "\(part) in \(names)")
        }
        #expect(heard.contains { $0.name == "Chapters" && $0.role == "heading" })
        #expect(heard.contains { $0.name == "Films" && $0.role == "heading" })
    }

    @Test("controls report their value, state and count to assistive technology")
    func controlValues() async throws {
        let heard = try await hear(["words"], until: "4 of 4")
        func said(_ name: String) throws -> Heard {
            try #require(heard.first { $0.name == name && $0.role == "slider" }, "\(name) in \(heard.map(\.name))")
        }
        #expect(try said("Volume").description == "30 percent")
        #expect(try said("Position").description == "1 minute 5 seconds of 3 minutes")
        #expect(try said("Gain").description == "2.5")
        for name in ["Volume", "Position", "Gain"] { #expect(heard.filter { $0.name == name }.count == 1) }
        #expect(heard.contains { $0.name == "Looped" && $0.states.contains("checked") })
        #expect(heard.filter { $0.name == "Looped" }.count == 1)
        for name in ["Decrement Copies", "Increment Copies"] {
            #expect(heard.contains { $0.name == name && $0.role.contains("button") })
        }
        // The picker appears as a combo box and, inside it, the button that takes the focus.
        #expect(heard.contains { $0.name == "Speed" && $0.role.contains("combo") })
        #expect(
            heard.contains {
                $0.name == "Speed" && $0.role.contains("button") && $0.description == "1.5×"
                    && $0.states == ["collapsed"]
            })
        #expect(heard.contains { $0.name == "Choices" && $0.states.contains("collapsed") })
    }

    @Test("a button has its own name again when its label is removed")
    func removedLabel() async throws {
        let heard = try await hear(["relabeled"], until: "\tAlone\t")
        let button = try #require(heard.first { $0.name == "Alone" })
        #expect(button.description.isEmpty, "\(button)")
    }

    @Test("an image that becomes decorative is hidden; a named one is heard")
    func switchedImages() async throws {
        let heard = try await hear(["images"], until: "\tNamed\t")
        #expect(heard.filter { $0.name == "Named" }.count == 1 && !heard.contains { $0.name == "Decorative" })
    }

    @Test("UIKit's buttons report role, name and state to assistive technology")
    func uikitButtons() async throws {
        let heard = try await hear(["uikit"], until: "More")
        for name in ["Play", "Skip forward 10 seconds", "Off", "More"] {
            #expect(heard.filter { $0.name == name && $0.role.contains("button") }.count == 1, "\(name) in \(heard)")
            #expect(heard.filter { $0.name == name && $0.role != "grouping" }.count == 1)
        }
        #expect(heard.contains { $0.name == "Off" && $0.states.contains("disabled") })
        #expect(heard.contains { $0.name == "More" && $0.states.contains("collapsed") })
        #expect(!heard.contains { $0.name.lowercased().contains("heart") })
    }

    @Test("list rows report their text, position and selection")
    func rows() async throws {
        let heard = try await hear(["words"], until: "4 of 4")
        let rows = heard.filter { $0.role == "list item" }
        #expect(rows.map(\.name) == ["Alpha", "Beta", "Gamma", "Delta"])
        #expect(rows.map(\.description) == ["1 of 4", "2 of 4", "3 of 4", "4 of 4"])
        #expect(rows.map { $0.states.contains("selected") } == [false, false, true, false])
        #expect(rows.allSatisfy { $0.states.contains("selected") || $0.states.contains("unselected") })
        // Each row appears once, as a child of the list.
        #expect(heard.filter { $0.name == "Gamma" }.count == 1)
        let list = try #require(heard.firstIndex { $0.role == "list" })
        #expect(heard[list].name.isEmpty)
        #expect(rows.allSatisfy { $0.depth == heard[list].depth + 1 })
    }

    /// An accessible object as a screen reader finds it.
    struct Heard {
        let depth: Int
        let role, name, description, value, valueText: String
        let states: [Substring]
    }

    /// - Parameter word: A name in the last part of the tree: once it is found, the tree is complete.
    private func hear(_ arguments: [String], until word: String) async throws -> [Heard] {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-atspi-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let code = try await offPool {
            try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"), word,
                ] + Programs.command("Input", arguments),
                environment: display.environment.merging(["PULSE_SERVER": "unix:/nonexistent"]) { $1 }, output: output
            ).wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0, "\(word) in \(text)")
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 7, let depth = Int(parts[0]) else { return nil }
            return Heard(
                depth: depth, role: parts[1], name: parts[2], description: parts[3], value: parts[4],
                valueText: parts[5], states: parts[6].split(separator: " "))
        }
    }
}
