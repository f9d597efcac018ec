import Foundation
import TestSupport
import Testing

/// Tests of the tool in a real window, by screenshots and keys.
@Suite("Player window", .serialized)
struct WindowTests {
    private static let red = [255, 0, 0], green = [0, 255, 0], blue = [0, 0, 255], white = [255, 255, 255],
        black = [0, 0, 0]

    private func expect(
        _ name: String, arguments: [String] = [], environment: [String: String] = [:],
        x: Int = 0, y: Int = 0, width: Int, height: Int, order: [[Int]]? = nil
    ) async throws {
        let wrong = try await misplaced(
            name, arguments: arguments, environment: environment, x: x, y: y, width: width, height: height, order: order
        )
        #expect(wrong == nil, "\(name) \(arguments) \(environment)")
    }

    /// Plays `name` and waits for its four quadrants in the given rectangle, with black around them. Returns nil if
    /// they appear, otherwise a description of the last screenshot.
    private func misplaced(
        _ name: String, arguments: [String] = [], environment: [String: String] = [:],
        x: Int = 0, y: Int = 0, width: Int, height: Int, order: [[Int]]? = nil
    ) async throws -> String? {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let tool = try ToolProcess(
            ["play", TestMedia.url(name).path, "--loop"] + arguments, environment: environment, display: display)
        defer { tool.child.send(SIGKILL) }
        let colors = order ?? [Self.red, Self.green, Self.blue, Self.white]
        let wanted =
            [(1, 1), (3, 1), (1, 3), (3, 3)].enumerated().map { index, at in
                (x + width * at.0 / 4, y + height * at.1 / 4, colors[index])
            }
            + [(x + width + 4, y + height / 2, Self.black), (x + width / 2, y + height + 4, Self.black)]
        var last = ""
        let isShown = try await Deadline().isMet {
            let shot = try display.screenshot()
            last = wanted.map { "\($0.0),\($0.1): \(shot.color($0.0, $0.1))" }.joined(separator: " ")
            return wanted.allSatisfy { shot.isNear($0.0, $0.1, $0.2) }
        }
        return isShown ? nil : "\(last); the program \(tool.child.exitCode.map { "ended with \($0)" } ?? "runs")"
    }

    @Test("a window closed by the user has no views and ignores calls")
    func closed() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let line = Programs.command("Start", ["closed", try TestMedia.url("quad-709.mp4").path])
        let environment = display.environment.merging(["ZOETROPE_RENDERER": "cpu", "PULSE_SERVER": "unix:/nonexistent"])
        {
            $1
        }
        let run = try await ChildProcess.run(line: line, environment: environment)
        #expect(run.code == 0 && run.output == "closed with 0 views\n", "\(run.code): \(run.output) \(run.error)")
        #expect(!run.error.contains("CRITICAL"), "\(run.error)")
    }

    @Test("each renderer shows the right colors in the right places", arguments: ["cpu", "gl"])
    func colors(renderer: String) async throws {
        for (name, width, height) in [
            ("quad-709.mp4", 320, 180), ("quad-full.mp4", 320, 180), ("quad-hevc10.mkv", 320, 180),
            ("quad-anamorphic.mp4", 320, 180),
        ] {
            try await expect(name, arguments: ["--renderer", renderer], width: width, height: height)
        }
    }

    @Test("rotated videos are shown upright", arguments: ["cpu", "gl"])
    func rotation(renderer: String) async throws {
        try await expect(
            "quad-rot90.mp4", arguments: ["--renderer", renderer], width: 180, height: 320,
            order: [Self.blue, Self.red, Self.white, Self.green])
        try await expect(
            "quad-rot180.mp4", arguments: ["--renderer", renderer], width: 320, height: 180,
            order: [Self.white, Self.blue, Self.green, Self.red])
        try await expect(
            "quad-rot270.mp4", arguments: ["--renderer", renderer], width: 180, height: 320,
            order: [Self.green, Self.white, Self.red, Self.blue])
    }

    @Test("the window opens directly at the video's size")
    func opening() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let log = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-sizes-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: log) }
        let watch = try ChildProcess(
            "xev", ["-root", "-event", "substructure", "-event", "property"], environment: display.environment,
            output: log.path)
        defer { watch.send(SIGKILL) }
        func seen() throws -> String { try String(contentsOf: log, encoding: .utf8) }
        #expect(
            try await eventually {
                try display.run("xprop", ["-root", "-f", "ZOETROPE_TEST", "8s", "-set", "ZOETROPE_TEST", "x"])
                return try seen().contains("PropertyNotify")
            })
        let tool = try ToolProcess(["play", TestMedia.url("quad-rot90.mp4").path, "--loop"], display: display)
        defer { tool.child.send(SIGKILL) }
        #expect(try await eventually { try display.screenshot().isNear(45, 80, Self.blue) })
        // A later X event marks the end: once the log contains it, the log contains all sizes.
        try display.run("xprop", ["-root", "-f", "ZOETROPE_FENCE", "8s", "-set", "ZOETROPE_FENCE", "x"])
        #expect(try await eventually { try seen().contains("ZOETROPE_FENCE") })
        // Ignore GTK's internal windows of 1 × 1. (GLib also makes one of 10 × 10 when it starts a session bus with
        // dbus-x11.)
        let sizes = Set(try seen().matches(of: /width (\d+), height (\d+)/).map { "\($0.1)x\($0.2)" }).subtracting([
            "1x1"
        ])
        #expect(sizes == ["180x320"])
    }

    @Test("the frame stays visible when the window becomes much smaller", arguments: ["cpu", "gl"])
    func shrunk(renderer: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let tool = try ToolProcess(
            ["play", TestMedia.url("quad-rot90.mp4").path, "--loop", "--size", "640x360", "--renderer", renderer],
            display: display)
        defer { tool.child.send(SIGKILL) }
        // The video is in the middle: 203 of 640 points, from x = 218.
        #expect(try await eventually { try display.screenshot().isNear(250, 90, Self.blue) })
        try display.xdotool(["windowsize", try #require(try display.window("quad-rot90.mp4")), "180", "320"])
        #expect(
            try await eventually {
                let shot = try display.screenshot()
                return shot.isNear(45, 80, Self.blue) && shot.isNear(135, 240, Self.green)
                    && shot.isNear(250, 90, Self.black)
            })
    }

    @Test("black bars keep the aspect ratio in a differently shaped window", arguments: ["cpu", "gl"])
    func bars(renderer: String) async throws {
        try await expect(
            "quad-709.mp4", arguments: ["--renderer", renderer, "--size", "400x400"], y: 87, width: 400, height: 225)
    }

    @Test("drawing uses device pixels on a HiDPI display", arguments: ["cpu", "gl"])
    func hiDPI(renderer: String) async throws {
        try await expect(
            "quad-709.mp4", arguments: ["--renderer", renderer], environment: ["GDK_SCALE": "2"], width: 640,
            height: 360)
    }

    @Test("a window opens in full screen without a window manager")
    func fullScreen() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let tool = try ToolProcess(
            ["play", TestMedia.url("quad-709.mp4").path, "--loop", "--fullscreen"], display: display)
        defer { tool.child.send(SIGKILL) }
        /// Waits for the video in full screen, with 40 rows above and below, or in its own size at the upper left.
        func shows(isFull: Bool) async throws -> Bool {
            try await eventually {
                let shot = try display.screenshot()
                return isFull
                    ? shot.isNear(320, 220, Self.red) && shot.isNear(960, 580, Self.white)
                        && shot.isNear(640, 10, Self.black)
                    : shot.isNear(80, 45, Self.red) && shot.isNear(240, 135, Self.white)
                        && shot.isNear(640, 400, Self.black)
            }
        }
        #expect(try await shows(isFull: true))
        let window = try #require(try display.window("quad-709.mp4"))
        try display.key("f", window: window)
        #expect(try await shows(isFull: false))
        try display.key("f", window: window)
        #expect(try await shows(isFull: true))
    }

    @Test("the window follows a resize and the keys")
    func keys() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let tool = try ToolProcess(["play", TestMedia.url("counter.mp4").path, "--report", "json"], display: display)
        defer { tool.child.send(SIGKILL) }
        // Reads the counter's number from its blocks in a screenshot.
        func number(_ shot: Screenshot, width: Int, y: Int) -> Int {
            (0..<16).reduce(0) { $0 << 1 | ((shot.color(width * $1 / 16 + width / 32, y).first ?? 0) > 128 ? 1 : 0) }
        }
        #expect(try await eventually { number(try display.screenshot(), width: 320, y: 16) > 10 })
        let window = try #require(try display.window("counter.mp4"))

        try display.key("space", window: window)
        let plain = try await rested(display)
        let paused = number(plain, width: 320, y: 16)
        // A text appears over the video and disappears again, perhaps between two looks. So press the key again after
        // two seconds.
        var pressed = Date.distantPast
        #expect(
            try await eventually {
                if Date().timeIntervalSince(pressed) > 2 {
                    try display.key("m", window: window)
                    pressed = Date()
                }
                return try display.screenshot().differences(from: plain, x: 100..<220, y: 0..<64) > 50
            })
        #expect(try await eventually { try display.screenshot() == plain })

        try display.key("period", window: window)
        #expect(try await eventually { number(try display.screenshot(), width: 320, y: 16) == paused + 1 })
        try display.key("comma", window: window)
        #expect(try await eventually { number(try display.screenshot(), width: 320, y: 16) == paused })

        try display.xdotool(["windowsize", window, "640", "128"])
        #expect(try await eventually { number(try display.screenshot(), width: 640, y: 32) == paused })
        try display.key("f", window: window)
        try display.key("q", window: window)
        let result = await tool.finish()
        expectEnd(result, 0)
        // At least the frame at the pause and both steps. A busy machine drops most of the frames before.
        #expect((try ToolProcess.report(result.output)["framesShown"] as? Int ?? 0) >= 3)
    }

    /// Returns a screenshot once the screen has not changed for 2.5 s, which is longer than the text stays.
    private func rested(_ display: PrivateDisplay) async throws -> Screenshot {
        var last = try display.screenshot()
        var since = Date()
        try await eventually("a screen that stands still for 2.5 s") {
            let now = try display.screenshot()
            if now != last { since = Date() }
            last = now
            return Date().timeIntervalSince(since) >= 2.5
        }
        return last
    }
}
