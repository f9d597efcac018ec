import Foundation
import TestSupport
import Testing

/// Tests of full screen with a window manager, and on an X server without one, which does not answer requests.
@Suite("A player in full screen", .serialized)
struct FullScreenTests {
    private final class Probe: @unchecked Sendable {
        let display: PrivateDisplay
        let app: AppProcess
        private var manager: ChildProcess?

        init(isManaged: Bool, isAllowed: Bool = true) async throws {
            display = try await PrivateDisplay.launch()
            if isManaged { manager = try await display.manageWindows() }
            app = try AppProcess("Component", [TestMedia.url("quad-709.mp4").path], display: display)
            try await app.wait(for: "event playing")
            if isAllowed { try await app.ask("full on") }
            try await app.ask("idle")
            try focus()
            #expect(try await shows(isFull: false))
        }

        deinit {
            manager?.send(SIGKILL)
            display.close()
        }

        func focus() throws {
            let window = try #require(try Deadline().poll { try display.window("^Probe$") })
            try display.xdotool(["windowfocus", "--sync", window])
        }
        func key(_ keys: String) throws { try display.key(keys, in: "^Probe$") }
        func doubleClick(_ x: Int, _ y: Int) throws {
            try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "--repeat", "2", "--delay", "60", "1"])
        }
        func size() throws -> [Int] {
            let lines = try display.xdotool(["getwindowgeometry", "--shell", try display.window("^Probe$") ?? "0"])
                .split(separator: "\n")
            return ["WIDTH=", "HEIGHT="].compactMap { key in
                lines.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
            }
        }
        func comes(_ condition: @escaping @Sendable () throws -> Bool) async throws -> Bool {
            try await until { try condition() ? true : nil } == true
        }

        /// Whether the frame's quarters (red, green, blue, white) appear at their positions, with black around them in
        /// full screen, and otherwise the app's blue.
        func shows(isFull: Bool) async throws -> Bool {
            try await comes {
                let shot = try self.display.screenshot()
                // A 16:9 frame has 40 pixels above it in 1280 × 800, and 11 in the window's 600 × 360 at (20, 20).
                return isFull
                    ? try self.size() == [1280, 800] && shot.isNear(300, 200, [255, 0, 0])
                        && shot.isNear(900, 200, [0, 255, 0]) && shot.isNear(300, 600, [0, 0, 255])
                        && shot.isNear(640, 10, [0, 0, 0]) && shot.isNear(640, 790, [0, 0, 0])
                    : try self.size() == [640, 400] && shot.isNear(150, 100, [255, 0, 0])
                        && shot.isNear(450, 100, [0, 255, 0]) && shot.isNear(10, 10, [0, 0, 255])
            }
        }
        func told(_ word: String) async throws { try await app.wait(for: "event \(word) full screen") }
        /// Double-clicks until full screen is entered or exited. On a busy machine, two clicks may be too far apart.
        func doubleClick(_ x: Int, _ y: Int, until word: String) async throws {
            try await app.wait(for: "event \(word) full screen", every: 20) { try doubleClick(x, y) }
        }
    }

    @Test(
        "commands enter and leave full screen; playback continues and events report sizes",
        arguments: [true, false])
    func commands(_ isManaged: Bool) async throws {
        let probe = try await Probe(isManaged: isManaged)
        try probe.app.send("enterfull")
        try await probe.told("entered")
        #expect(try await probe.shows(isFull: true))
        #expect(try await probe.comes { probe.app.lines.contains("event Bounds changed 1280 × 800") })
        try await probe.app.wait(for: "time ")
        try probe.app.send("exitfull")
        try await probe.told("exited")
        #expect(try await probe.shows(isFull: false))
        #expect(
            try await probe.comes {
                probe.app.lines.last { $0.hasPrefix("event Bounds changed") } == "event Bounds changed 600 × 360"
            })
        try await probe.app.wait(for: "time ")
        #expect(!probe.app.lines.contains("event Paused"))
        #expect(!probe.app.errors.contains("CRITICAL"), "\(probe.app.errors)")
    }

    @Test("Escape and F11 leave full screen; a double click enters and leaves", arguments: [true, false])
    func keys(_ isManaged: Bool) async throws {
        let probe = try await Probe(isManaged: isManaged)
        for leave in ["Escape", "F11"] {
            try await probe.app.ask("idle")
            try probe.app.send("enterfull")
            try await probe.told("entered")
            #expect(try await probe.shows(isFull: true))
            try probe.key(leave)
            try await probe.told("exited")
            #expect(try await probe.shows(isFull: false), "\(leave)")
        }
        try await probe.doubleClick(300, 200, until: "entered")
        #expect(try await probe.shows(isFull: true))
        try await probe.doubleClick(600, 300, until: "exited")
        #expect(try await probe.shows(isFull: false))
    }

    @Test("leaving a player's full screen keeps a window's earlier full screen")
    func windowFirst() async throws {
        let probe = try await Probe(isManaged: true)
        try probe.key("F11")
        // The app's blue background, and the frame in the remaining space.
        #expect(
            try await probe.comes {
                let shot = try probe.display.screenshot()
                return try probe.size() == [1280, 800] && shot.isNear(10, 10, [0, 0, 255])
                    && shot.isNear(300, 200, [255, 0, 0])
            })
        #expect(!probe.app.lines.contains { $0.hasPrefix("event Entered") })
        try probe.app.send("enterfull")
        try await probe.told("entered")
        #expect(try await probe.shows(isFull: true))
        try probe.key("Escape")
        try await probe.told("exited")
        #expect(
            try await probe.comes {
                let shot = try probe.display.screenshot()
                return try probe.size() == [1280, 800] && shot.isNear(10, 10, [0, 0, 255])
            })
        try probe.key("Escape")
        #expect(try await probe.shows(isFull: false))
    }

    @Test("without the setting full screen is unavailable; removing the setting ends it")
    func setting() async throws {
        let probe = try await Probe(isManaged: true, isAllowed: false)
        try await probe.app.ask("enterfull")
        try probe.doubleClick(300, 200)
        try await probe.app.ask("idle")
        try await probe.app.ask("full on")
        #expect(try await probe.shows(isFull: false))
        try probe.app.send("enterfull")
        try await probe.told("entered")
        #expect(probe.app.lines.filter { $0.hasPrefix("event Entered") }.count == 1)
        try probe.app.send("full off")
        try await probe.told("exited")
        #expect(try await probe.shows(isFull: false))
    }

    @Test("full screen and PiP end each other; removal restores the window")
    func ends() async throws {
        let probe = try await Probe(isManaged: true)
        try await probe.app.ask("pip on")
        try probe.app.send("startpip")
        try await probe.app.wait(for: "event started pip")
        try probe.app.send("enterfull")
        try await probe.app.wait(for: "event stopped pip")
        try await probe.told("entered")
        #expect(try await probe.shows(isFull: true))
        // The same in the other direction: Picture in Picture leaves full screen.
        try probe.app.send("startpip")
        try await probe.told("exited")
        try await probe.app.wait(for: "event started pip")
        try probe.app.send("stoppip")
        try await probe.app.wait(for: "event stopped pip")
        try probe.app.send("enterfull")
        try await probe.told("entered")
        try probe.app.send("hide")
        #expect(
            try await probe.comes {
                let shot = try probe.display.screenshot()
                return try probe.size() == [640, 400] && shot.isNear(150, 100, [0, 0, 255])
            })
    }
}
