import Foundation
import TestSupport
import Testing

@Suite("Desktop input in a window", .serialized)
struct DesktopWindowTests {
    /// A container with a video, a button and a text field at the bottom, in a window of 640 × 360 points.
    private struct Probe {
        let display: PrivateDisplay
        let app: AppProcess
        let manager: ChildProcess?
        let window: String

        init(isManaged: Bool = false) async throws {
            display = try await PrivateDisplay.launch()
            manager = isManaged ? try await display.manageWindows() : nil
            app = try AppProcess("Habits", [try TestMedia.url("counter.mp4").path], display: display)
            try await app.wait(for: "ready")
            let display = display
            window = try #require(try await until("its window") { try display.window("Habits") })
            try display.xdotool(["windowfocus", "--sync", window])
            try await tell("time")
        }

        func close() { display.close() }
        func tell(_ line: String) async throws {
            try app.send(line)
            try await app.wait(for: "done \(line)")
        }
        func move(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)"]) }
        func click(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "1"]) }
        /// Clicks the video, which focuses the container. The tap hides the controls when it can't become a double tap any
        /// more. The test goes on after that, or the tap would hide the controls during a later step.
        func clickVideo() async throws {
            try move(320, 100)
            try await last("controls", is: "true")
            try click(320, 100)
            try await last("focused", is: "true")
            try await last("controls", is: "false")
        }
        /// Clicks the text field. A click on hidden controls would only show them. So the pointer shows the controls
        /// first, and an answer of the app confirms that they are visible.
        func clickField() async throws {
            for step in 1...20 {
                // Ten points away from the last click: hidden controls ignore a motion of less than three.
                try move(370 + (step % 2 == 0 ? 10 : -10), 340)
                try await last("controls", is: "true")
                try await tell("time")
                try click(370, 340)
                try await tell("time")
                if app.lines.last(where: { $0.hasPrefix("focused") }) == "focused false" { return }
            }
        }
        func key(_ keys: String...) throws { for key in keys { try display.xdotool(["key", key]) } }
        /// Waits until the last line that begins with `word` is `word wanted`.
        func last(
            _ word: String, is wanted: String, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let app = app
            _ = try await until("\(word) \(wanted)", sourceLocation: sourceLocation) {
                app.lines.last { $0.hasPrefix(word) } == "\(word) \(wanted)" ? true : nil
            }
        }
        /// Advances the clock until the controls hide. It repeats because a pointer event may arrive after a step and
        /// show them again.
        func letControlsGo() async throws {
            for _ in 1...30 where app.lines.last(where: { $0.hasPrefix("controls") }) != "controls false" {
                try await tell("advance 6")
            }
            try await last("controls", is: "false")
        }
        func pointer(becomes isVisible: Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let display = display
            _ = try await until("a pointer whose visibility is \(isVisible)", sourceLocation: sourceLocation) {
                try display.isPointerVisible() == isVisible ? true : nil
            }
        }
    }

    @Test("keys act after a click, except while a text field is focused")
    func keys() async throws {
        let probe = try await Probe()
        defer { probe.close() }
        try await probe.clickVideo()
        try probe.key("m")
        try await probe.app.wait(for: "muted true")
        try probe.key("Down")
        try await probe.app.wait(for: "volume 0.95")
        try probe.key("space")
        try await probe.app.wait(for: "rate 1.0")
        try probe.key("space")
        try await probe.app.wait(for: "rate 0.0")
        try await probe.clickField()
        try await probe.last("focused", is: "false")
        try probe.display.xdotool(["type", "mf5"])
        try await probe.app.wait(for: "text mf5")
        #expect(!probe.app.lines.contains("muted false") && !probe.app.lines.contains("full true"))
        try await probe.clickVideo()
        try probe.key("Up")
        try await probe.app.wait(for: "muted false")
    }

    @Test("the app can focus the container, unless its keys are off")
    func focus() async throws {
        let probe = try await Probe()
        defer { probe.close() }
        try await probe.clickField()
        // The container has no focus at first either. The text proves that the click has focused the field.
        try probe.key("a")
        try await probe.app.wait(for: "text a")
        try await probe.last("focused", is: "false")
        try await probe.tell("focus")
        try await probe.last("focused", is: "true")
        try probe.key("m")
        try await probe.app.wait(for: "muted true")
        try await probe.tell("keys off")
        try probe.key("m")
        try probe.click(320, 100)
        try probe.key("m")
        try await probe.tell("time")
        #expect(!probe.app.lines.contains("muted false"))
    }

    @Test("the controls and pointer hide together, and focus returns to the container")
    func pointer() async throws {
        let probe = try await Probe()
        defer { probe.close() }
        try probe.move(320, 100)
        try await probe.letControlsGo()
        try await probe.pointer(becomes: false)
        try probe.move(340, 120)
        try await probe.last("controls", is: "true")
        try await probe.pointer(becomes: true)
        // The click focuses the button.
        try await probe.app.wait(for: "pressed") { try probe.click(270, 340) }
        try await probe.tell("advance 6")
        try await probe.tell("advance 6")
        let shown = probe.app.lines.last { $0.hasPrefix("controls") }
        #expect(shown == "controls true")
        try probe.move(320, 100)
        try await probe.letControlsGo()
        try await probe.last("focused", is: "true")
        // A key shows the controls.
        try probe.key("m")
        try await probe.app.wait(for: "muted true")
        try await probe.last("controls", is: "true")
    }

    @Test("a wheel changes the volume over controls too, and shows the controls")
    func wheel() async throws {
        let probe = try await Probe()
        defer { probe.close() }
        try probe.move(320, 100)
        try await probe.letControlsGo()
        try await probe.app.wait(for: "volume 0.95") { try probe.display.xdotool(["click", "5"]) }
        try await probe.last("controls", is: "true")
        try probe.move(270, 340)
        try await probe.app.wait(for: "volume") { try probe.display.xdotool(["click", "5"]) }
    }

    @Test("a double click, f and Escape change full screen and the status", arguments: [false, true])
    func fullScreen(_ isManaged: Bool) async throws {
        let probe = try await Probe(isManaged: isManaged)
        defer { probe.close() }
        #expect(probe.app.lines.contains("status halfScreen") && !probe.app.lines.contains("status fullScreen"))
        try await probe.app.wait(for: "full true", every: 20) {
            try probe.display.xdotool(["mousemove", "320", "100", "click", "--repeat", "2", "--delay", "50", "1"])
        }
        try await probe.app.wait(for: "status fullScreen")
        try probe.key("f")
        try await probe.app.wait(for: "full false")
        try await probe.app.wait(for: "status halfScreen")
        try probe.key("f")
        try await probe.app.wait(for: "status fullScreen")
        try await probe.tell("portrait")
        #expect(probe.app.lines.last { $0.hasPrefix("status") } == "status portrait")
        try probe.key("Escape")
        try await probe.app.wait(for: "full false")
        try await probe.app.wait(for: "status halfScreen")
        try probe.display.xdotool(["windowsize", probe.window, "300", "600"])
        try await probe.app.wait(for: "status portrait")
    }

    @Test("an observer of double clicks replaces full screen")
    func doubleTap() async throws {
        let probe = try await Probe()
        defer { probe.close() }
        try await probe.tell("observe")
        try await probe.app.wait(for: "double tap") {
            try probe.display.xdotool(["mousemove", "320", "100", "click", "--repeat", "2", "--delay", "50", "1"])
        }
        try await probe.tell("time")
        #expect(!probe.app.lines.contains("full true"))
    }

    @Test("a widget outside a container displays an error message")
    func outside() async throws {
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
                    "--", Repository.fixture("atspi-dump"), "Below",
                ] + Programs.command("Habits", ["outside"]),
                environment: display.environment.merging(["PULSE_SERVER": "unix:/nonexistent"]) { $1 }, output: output
            ).wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0 && text.contains("Above") && !text.contains("Never seen"), "\(code) \(text)")
        let said = text.split(separator: "\n").first { $0.contains("Context") }
        #expect(said?.contains("environmentObject") == true, "\(text)")
    }
}
