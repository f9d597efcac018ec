import Foundation
import TestSupport
import Testing

/// Tests of the ready-made player's controls in a window of 640 × 400 points, on an X server without a window manager
/// (the probe `Kit`).
@Suite("The system player's controls", .serialized)
struct SystemControlsTests {
    private final class Probe: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let display: PrivateDisplay, app: AppProcess
        init(_ film: String, environment: [String: String] = [:]) async throws {
            display = try await PrivateDisplay.launch()
            app = try AppProcess(
                "Kit", ["system-items", TestMedia.url(film).path], environment: environment, display: display
            )
            try await app.wait(for: "ready")
            try app.send("load")
            try await app.wait(for: "done load")
            // The empty window is black, like the bar, and may ignore keys. Here, the videos are gray or white.
            #expect(try await shows { ($0.color(440, 225).min() ?? 0) > 12 })
        }
        deinit { display.close() }
        func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
            try await until { try condition(try self.display.screenshot()) ? true : nil } == true
        }
        /// Moves the pointer around (`x`, `y`) until `condition` accepts a screenshot. Returns false after the
        /// deadline.
        func points(_ x: Int, _ y: Int, _ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws
            -> Bool
        {
            try await shows { shot in
                try self.display.xdotool(["mousemove", "\(x + Int.random(in: 0...2))", "\(y)"])
                return try condition(shot)
            }
        }
        func key(_ keys: String) throws { try display.key(keys, in: "Player kit") }
        func tells(_ words: String) async throws -> Bool {
            try await until {
                (try? self.app.send("tell")) != nil
                    && self.app.lines.last { $0.hasPrefix("at ") }?.contains(words) == true ? true : nil
            } == true
        }
        var isQuiet: Bool {
            !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") && !app.errors.contains("⚠")
        }
    }
    private static let isBarred: @Sendable (Screenshot) -> Bool = {
        ($0.color(20, 376).last ?? 255) < 160 && ($0.color(420, 376).first ?? 255) < 160
    }

    @Test("pointing at the seek bar shows a thumbnail; dragging seeks")
    func pictures() async throws {
        let probe = try await Probe("quad-709.mp4")
        #expect(try await probe.points(300, 100, Self.isBarred))
        // The thumbnail's red quarter appears over the blue quarter of the video.
        #expect(
            try await probe.points(220, 371) { shot in
                (250..<360).contains { y in shot.isNear(190, y, [255, 0, 0], within: 60) }
            })
        try probe.display.xdotool([
            "mousedown", "1", "mousemove", "200", "371", "mousemove", "240", "371", "mouseup", "1",
        ])
        #expect(
            try await until {
                try probe.app.send("tell")
                return probe.app.lines.last { $0.hasPrefix("at ") }.flatMap { Double($0.split(separator: " ")[1]) }.map
                { $0 > 0.5 && $0 < 2.9 } == true ? true : nil
            } == true)
        // The thumbnail disappears when the pointer leaves the slider.
        #expect(
            try await probe.points(220, 150) { shot in
                !(250..<340).contains { y in shot.isNear(190, y, [255, 0, 0], within: 60) }
            })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("right-to-left languages mirror the controls and the seek bar")
    func mirrored() async throws {
        // Newer versions of GTK ignore LANGUAGE if the locale has another language.
        let locales = FileManager.default.temporaryDirectory.appendingPathComponent("zt-locale-\(UUID())")
        try FileManager.default.createDirectory(at: locales, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: locales) }
        let locale = locales.appendingPathComponent("ar_EG.UTF-8").path
        let code = try await offPool { try ChildProcess("localedef", ["-i", "ar_EG", "-f", "UTF-8", locale]).wait() }
        try #require(code == 0, "localedef failed. Is the package locales installed? scripts/bootstrap test")
        let probe = try await Probe("counter.mp4", environment: ["LOCPATH": locales.path, "LC_ALL": "ar_EG.UTF-8"])
        /// Drags the knob to `x`. Returns whether `condition` accepts the player's position before the deadline.
        func pulled(from: Int, to x: Int, _ condition: @escaping @Sendable (Double) -> Bool) async throws -> Bool {
            _ = try await probe.points(320, 100, Self.isBarred)
            try probe.display.xdotool([
                "mousemove", "\(from)", "371", "mousedown", "1", "mousemove", "\((from + x) / 2)", "371", "mousemove",
                "\(x)", "371", "mouseup", "1",
            ])
            return try await until {
                try probe.app.send("tell")
                return probe.app.lines.last { $0.hasPrefix("at ") }.flatMap { Double($0.split(separator: " ")[1]) }.map(
                    condition) == true ? true : nil
            } == true
        }
        #expect(try await pulled(from: 400, to: 460) { $0 > 0.3 && $0 < 9 })
        #expect(try await pulled(from: 400, to: 280) { $0 > 10 })
        #expect(try await pulled(from: 400, to: 460) { $0 > 0.3 && $0 < 9 })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("the position and the frame follow the knob during the drag")
    func scrubbing() async throws {
        let probe = try await Probe("counter.mp4")
        #expect(try await probe.points(300, 100, Self.isBarred))
        /// Waits until the position is more than `least`.
        func position(after least: Double) async throws -> Double {
            try #require(
                await until {
                    try probe.app.send("tell")
                    let now = probe.app.lines.last { $0.hasPrefix("at ") }.flatMap {
                        Double($0.split(separator: " ")[1])
                    }
                    return now.flatMap { $0 > least ? $0 : nil }
                })
        }
        try probe.display.xdotool(["mousemove", "220", "371", "mousedown", "1"])
        var last = try await position(after: 0.5)
        await letTimePass(3.5, because: "the controls of an unused player are visible for a shorter time")
        for x in [240, 270, 300] {
            let before = try probe.display.screenshot()
            try probe.display.xdotool(["mousemove", "\(x)", "371"])
            last = try await position(after: last + 0.5)
            // The video shows another frame number.
            #expect(try await probe.shows { $0.differences(from: before, x: 0..<640, y: 60..<200) > 50 })
        }
        try probe.display.xdotool(["mouseup", "1"])
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("keys on a focused control play, mute, skip and set the volume")
    func keys() async throws {
        let probe = try await Probe("counter.mp4")
        try probe.key("Tab")
        try probe.key("m")
        #expect(try await probe.tells("muted true"))
        try probe.key("m")
        #expect(try await probe.tells("muted false"))
        try probe.key("Down")
        #expect(try await probe.tells("volume 0.95"))
        try probe.key("l")
        #expect(try await probe.tells("at 10.0"))
        try probe.key("Left")
        #expect(try await probe.tells("at 5.0"))
        try probe.key("k")
        #expect(try await probe.tells("rate 1.0"))
        try probe.key("k")
        #expect(try await probe.tells("rate 0.0"))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test(
        "an app's button and action are displayed, and controls have names",
        arguments: [("C", "Play", "Volume"), ("de_DE.UTF-8", "Wiedergeben", "Lautstärke")])
    func names(_ language: String, _ play: String, _ volume: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let film = try TestMedia.url("quad-709.mp4").path
        let environment = display.environment.merging([
            "LC_ALL": language, "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
        ]) { $1 }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-atspi-\(UUID().uuidString.prefix(8))")
        let pipe = output.appendingPathExtension("in").path
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { for path in [output.path, pipe] { try? FileManager.default.removeItem(atPath: path) } }
        let code = try await offPool {
            try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"), "Skip Intro",
                ] + Programs.command("Kit", ["--input", pipe, "system-items", film]),
                environment: environment, output: output.path
            ).wait()
        }
        let dump = try String(contentsOf: output, encoding: .utf8)
        #expect(code == 0, "\(dump.suffix(500))")
        for name in [play, volume, "Favorite", "Skip Intro"] {
            #expect(dump.contains(name), "\(name): \(dump.suffix(3000))")
        }
        // The text of a tooltip, with its shortcut key, is the accessible description. (A slider's description is its
        // value.)
        for tip in ["\(play) (K)", " (M)", " (F)"] {
            #expect(dump.contains(tip), "\(tip): \(dump.suffix(3000))")
        }
    }
}
