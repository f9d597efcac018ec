import Foundation
import TestSupport
import Testing

/// Tests of one `PlayerView` in a real window under a private X server, by screenshots and CPU time.
@Suite("Player view", .serialized)
struct ViewTests {
    private static let black = [0, 0, 0]
    /// The way frames are drawn: on the video's own surface, by GTK as an image, or by OpenGL.
    enum Path: String, CaseIterable, CustomTestStringConvertible {
        case surface, image, gl
        var renderer: String { self == .gl ? "gl" : "cpu" }
        var arguments: [String] { self == .image ? ["--covered"] : [] }
        var testDescription: String { rawValue }
    }

    /// Waits until each point has its color. Records the last screenshot's colors as an issue if not.
    private func shows(
        _ display: PrivateDisplay, _ points: [(x: Int, y: Int, color: [Int])],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var seen: [[Int]] = []
        let isThere = try await Deadline().isMet {
            let shot = try display.screenshot()
            seen = points.map { shot.color($0.x, $0.y) }
            return points.allSatisfy { shot.isNear($0.x, $0.y, $0.color) }
        }
        #expect(isThere, "wanted \(points.map(\.color)), saw \(seen)", sourceLocation: sourceLocation)
    }

    private func quadrants(x: Int = 0, y: Int = 0, width: Int, height: Int, order: [Int] = [0, 1, 2, 3]) -> [(
        x: Int, y: Int, color: [Int]
    )] {
        zip([(1, 1), (3, 1), (1, 3), (3, 3)], order).map {
            (x + width * $0.0 / 4, y + height * $0.1 / 4, TestPicture.colors[$1])
        }
    }

    @Test("every pixel layout, matrix and range has the right colors", arguments: Path.allCases)
    func colors(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        for (layout, matrix, isFull) in [
            ("yuv420p", "bt601", false), ("nv12", "bt709", true), ("yuv422p", "bt709", false),
            ("yuv444p", "bt601", true),
            ("yuv420p10", "bt2020", false), ("p010", "bt2020", false),
        ] {
            let probe = try ProbeProcess(
                ["--layout", layout, "--matrix", matrix] + (isFull ? ["--full"] : []) + path.arguments,
                renderer: path.renderer, display: display)
            try await probe.ask("facts")
            try await shows(display, quadrants(width: 320, height: 180))
            try await probe.ask("quit")
        }
    }

    @Test("each gravity works and applies at once", arguments: Path.allCases)
    func gravity(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        // A 2:1 frame in a square view: with bars of a quarter of the height above and below, cropped to half, or
        // stretched.
        let probe = try ProbeProcess(
            ["--picture", "320x160", "--window", "320x320"] + path.arguments, renderer: path.renderer, display: display)
        try await shows(
            display, quadrants(y: 80, width: 320, height: 160) + [(160, 70, Self.black), (160, 250, Self.black)])
        try await probe.ask("gravity fill")
        try await shows(
            display,
            quadrants(width: 320, height: 320) + [
                (160 - 8, 8, TestPicture.colors[0]), (160 + 8, 312, TestPicture.colors[3]),
            ])
        try await probe.ask("gravity resize")
        try await shows(display, quadrants(width: 320, height: 320))
        try await probe.ask("gravity aspect")
        try await shows(
            display, quadrants(y: 80, width: 320, height: 160) + [(160, 70, Self.black), (160, 250, Self.black)])
    }

    @Test("a rotated frame is cropped on the right sides", arguments: Path.allCases)
    func turnedFill(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(
            ["--picture", "320x160", "--window", "200x200", "--rotation", "90", "--gravity", "fill"] + path.arguments,
            renderer: path.renderer, display: display)
        try await probe.ask("facts")
        try await shows(display, quadrants(width: 200, height: 200, order: [2, 0, 3, 1]))
    }

    @Test("all eight orientations are shown correctly", arguments: Path.allCases, [false, true])
    func orientations(path: Path, isMirrored: Bool) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        for (rotation, order) in zip(
            [0, 90, 180, 270],
            isMirrored
                ? [[1, 0, 3, 2], [3, 1, 2, 0], [2, 3, 0, 1], [0, 2, 1, 3]]
                : [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0], [1, 3, 0, 2]])
        {
            let size = rotation % 180 == 0 ? (320, 160) : (160, 320)
            let probe = try ProbeProcess(
                ["--picture", "320x160", "--window", "\(size.0)x\(size.1)", "--rotation", "\(rotation)"]
                    + (isMirrored ? ["--mirrored"] : []) + path.arguments,
                renderer: path.renderer, display: display)
            try await probe.ask("facts")
            try await shows(display, quadrants(width: size.0, height: size.1, order: order))
        }
    }

    @Test("the view follows frames and resizes, and is black without a frame", arguments: Path.allCases)
    func follows(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(path.arguments, renderer: path.renderer, display: display)
        try await shows(display, quadrants(width: 320, height: 180))
        try await probe.ask("standing 5")
        try await shows(display, quadrants(width: 320, height: 180, order: [1, 2, 3, 0]))
        let window = try #require(try display.window("probe"))
        try display.xdotool(["windowsize", window, "200", "200"])
        try await shows(
            display, quadrants(y: 44, width: 200, height: 112, order: [1, 2, 3, 0]) + [(100, 20, Self.black)])
        try await probe.ask("empty on")
        try await shows(display, quadrants(y: 44, width: 200, height: 112).map { ($0.x, $0.y, Self.black) })
        try await probe.ask("empty off")
        try await shows(display, quadrants(y: 44, width: 200, height: 112, order: [1, 2, 3, 0]))
    }

    // Also: if no frame follows, the view becomes black.
    @Test("the last frame stays until the next item's first frame appears", arguments: Path.allCases)
    func betweenItems(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(path.arguments, renderer: path.renderer, display: display)
        try await shows(display, quadrants(width: 320, height: 180))
        // The view has pulled and got no frame, and still shows the last one.
        let before = try await probe.ask("between on").pulls
        #expect(try await eventually { try await probe.ask("facts").pulls > before })
        try await shows(display, quadrants(width: 320, height: 180))
        let window = try #require(try display.window("probe"))
        try display.xdotool(["windowsize", window, "160", "90"])
        try await shows(display, quadrants(width: 160, height: 90) + [(200, 45, Self.black)])
        try await probe.ask("standing 5")
        try await probe.ask("between off")
        try await shows(display, quadrants(width: 160, height: 90, order: [1, 2, 3, 0]))
        try await probe.ask("between on")
        try await probe.ask("between-over")
        try await shows(display, quadrants(width: 160, height: 90).map { ($0.x, $0.y, Self.black) })
    }

    @Test("a window gets the size requested while it opens")
    func sizes() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess([], display: display)
        try await probe.ask("sizes")
        var wrong: [String] = []
        let isRight = try await Deadline().isMet {
            wrong = []
            for index in 0..<16 {
                let place =
                    try display.window("size \(index)$").map {
                        try display.xdotool(["getwindowgeometry", "--shell", $0])
                    } ?? "none"
                if !place.contains("WIDTH=320\nHEIGHT=180") {
                    wrong.append("\(index): \(place.replacingOccurrences(of: "\n", with: " "))")
                }
            }
            return wrong.isEmpty
        }
        #expect(isRight, "\(wrong)")
    }

    @Test("the view continues through GTK after its X surface is destroyed")
    func refused() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(["--moving"], display: display)
        #expect(try await moves(probe))
        let window = try #require(try display.window("probe"))
        // Another program closes the video's surface, which is a child window of the same size.
        let surface = try #require(
            try display.run("xwininfo", ["-id", window, "-tree"]).split(separator: "\n")
                .first { $0.contains("320x180+0+0  +0+0") && $0.contains("(has no name)") }?.split(separator: " ").first
                .map(String.init))
        try display.xdotool(["windowclose", surface])
        #expect(try await moves(probe))
        try await probe.ask("moving off")
        try await shows(display, quadrants(width: 320, height: 180))
    }

    @Test("playback continues while the view is covered and uncovered")
    func covering() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(["--moving"], display: display)
        for state in ["on", "off", "on", "off"] {
            let before = try await probe.ask("covered \(state)").presented
            #expect(try await eventually { try await probe.ask("facts").presented > before + 3 })
        }
        try await probe.ask("moving off")
        try await shows(display, quadrants(width: 320, height: 180))
    }

    /// Waits until the view neither draws nor (if `pulls`) pulls frames any more. Returns false after the deadline.
    private func rests(_ probe: ProbeProcess, pulls: Bool = true) async throws -> Bool {
        try await eventually {
            let before = try await probe.ask("facts")
            await letTimePass(0.4, because: "a view at rest draws nothing while time passes")
            let after = try await probe.ask("facts")
            return before.presented == after.presented && (!pulls || before.pulls == after.pulls)
        }
    }

    private func moves(_ probe: ProbeProcess) async throws -> Bool {
        let before = try await probe.ask("facts").presented
        return try await eventually { try await probe.ask("facts").presented > before + 5 }
    }

    @Test("frames on the view's own surface need no refreshes of GTK")
    func withoutGTK() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(["--moving"], display: display)
        #expect(try await moves(probe))
        let before = try await probe.ask("facts")
        #expect(try await eventually { try await probe.ask("facts").presented > before.presented + 30 })
        let after = try await probe.ask("facts")
        #expect(after.refreshes - before.refreshes < 10, "\(before), \(after)")
        // Content over the video must be drawn with the display's refreshes.
        let marked = try await probe.ask("marker on")
        #expect(try await eventually { try await probe.ask("facts").refreshes > marked.refreshes + 30 })
    }

    @Test("a hidden or minimized view draws and requests nothing, then continues", arguments: Path.allCases)
    func hidden(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(["--moving"] + path.arguments, renderer: path.renderer, display: display)
        #expect(try await moves(probe))
        let window = try #require(try display.window("probe"))
        try await probe.ask("visible off")
        #expect(try await rests(probe))
        try await probe.ask("visible on")
        #expect(try await moves(probe))
        // A window manager unmaps a minimized window.
        try display.xdotool(["windowunmap", "--sync", window])
        #expect(try await rests(probe))
        try display.xdotool(["windowmap", "--sync", window])
        #expect(try await moves(probe))
        try await probe.ask("moving off")
        try await shows(display, quadrants(width: 320, height: 180))
    }

    @Test("the view draws nothing while another window covers it fully")
    func obscured() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let below = try ProbeProcess(["--moving"], display: display)
        #expect(try await moves(below))
        let above = try ProbeProcess(["--window", "640x480"], display: display)
        try await above.ask("facts")
        #expect(try await rests(below, pulls: false))
        above.child.send(SIGKILL)
        #expect(try await moves(below))
        try await below.ask("moving off")
        try await shows(display, quadrants(width: 320, height: 180))
    }

    @Test("the view resumes after overlay changes below another window")
    func coveredWhileObscured() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let below = try ProbeProcess(["--moving"], display: display)
        #expect(try await moves(below))
        let above = try ProbeProcess(["--window", "640x480"], display: display)
        try await above.ask("facts")
        #expect(try await rests(below, pulls: false))
        try await below.ask("covered on")
        #expect(try await moves(below))
        try await below.ask("covered off")
        #expect(try await rests(below, pulls: false))
        above.child.send(SIGKILL)
        #expect(try await moves(below))
        try await below.ask("moving off")
        try await shows(display, quadrants(width: 320, height: 180))
    }

    @Test("the view survives the destruction of its window", arguments: Path.allCases)
    func windows(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(path.arguments, renderer: path.renderer, display: display)
        try await shows(display, quadrants(width: 320, height: 180))
        for picture in 5...7 {
            try await probe.ask("replant")
            try await probe.ask("standing \(picture)")
            try await shows(display, quadrants(width: 320, height: 180, order: (0..<4).map { ($0 + picture) % 4 }))
        }
        try await probe.ask("moving on")
        try await probe.ask("destroy")
        #expect(try await rests(probe))
        try await probe.ask("drop")
        try await probe.ask("quit")
        #expect(probe.child.wait() == 0, "\(probe.errors)")
        #expect(!probe.errors.contains("CRITICAL") && !probe.errors.contains("WARNING"), "\(probe.errors)")
    }

    @Test("the view starts as the only client of a resetting X server")
    func onlyClient() async throws {
        let display = try await PrivateDisplay.launch(resets: true)
        defer { display.close() }
        for _ in 0..<10 {
            let probe = try ProbeProcess(["--moving"], display: display)
            #expect(try await moves(probe))
            try await probe.ask("quit")
            #expect(probe.child.wait() == 0, "\(probe.errors)")
        }
    }

    @Test("a view can be removed while its window stays", arguments: Path.allCases)
    func dropped(path: Path) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(["--moving"] + path.arguments, renderer: path.renderer, display: display)
        #expect(try await moves(probe))
        try await probe.ask("drop")
        #expect(try await rests(probe))
        try await probe.ask("quit")
        #expect(probe.child.wait() == 0, "\(probe.errors)")
        #expect(!probe.errors.contains("CRITICAL"), "\(probe.errors)")
    }

    @Test("the main actor runs under GLib's loop, and still frames cost nothing")
    func mainLoop() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess([], display: display)
        try await shows(display, quadrants(width: 320, height: 180))
        expectEqual(try await probe.ask("hop 10000").command, "hop")
        // Once settled, the process must have at least one second without a tick (10 ms) of CPU time.
        #expect(
            await eventually {
                let before = probe.cpuTicks
                await letTimePass(1, because: "CPU time is measured over a second")
                return before >= 0 && probe.cpuTicks == before
            })
        expectEqual(try await probe.ask("hop 100").command, "hop")
    }
}
