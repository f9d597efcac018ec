import Foundation
import TestSupport
import Testing

/// Tests of the Picture in Picture window, on an X server without a window manager.
@Suite("Picture in Picture in its window", .serialized)
struct PictureInPictureTests {
    private static let title = "Picture in Picture"

    private struct Picture: Decodable {
        var shown: Int, dropped: Int, underruns: Int, time: Double, loops: Int, host: [Double], gap: Double,
            turning: Double, rate: Float
        /// Returns these facts with the longest gaps of both.
        func keeping(_ other: Picture) -> Picture {
            var all = self
            (all.gap, all.turning) = (max(gap, other.gap), max(turning, other.turning))
            return all
        }
    }
    private struct Place: Equatable { var x = 0, y = 0, width = 0, height = 0 }

    /// Starts the probe with `media` on a new display and waits until it plays.
    private func start(_ media: String, pip: Bool = true) async throws -> (PrivateDisplay, AppProcess) {
        let display = try await PrivateDisplay.launch()
        let app = try AppProcess("Component", [TestMedia.url(media).path], display: display)
        try await app.wait(for: "event playing")
        if pip { try await app.ask("pip on") }
        return (display, app)
    }

    /// Starts Picture in Picture and returns the window's identifier once the window is open.
    private func float(_ app: AppProcess, _ display: PrivateDisplay) async throws -> String {
        try await app.ask("idle")
        try app.send("startpip")
        try await app.wait(for: "event Started PiP")
        let id = try await until { try display.window(PictureInPictureTests.title) }
        return try #require(id)
    }

    private func isGone(_ display: PrivateDisplay) async throws -> Bool {
        try await until { try display.window(PictureInPictureTests.title) == nil ? true : nil } ?? false
    }

    private func shot(_ display: PrivateDisplay, _ isRight: @escaping @Sendable (Screenshot) -> Bool) async throws
        -> Bool
    {
        try await until { isRight(try display.screenshot()) ? true : nil } ?? false
    }

    /// Waits until the window in the corner of the screen shows the video without buttons. A window that is not drawn
    /// yet is as dark as the buttons.
    private func showsBareVideo(_ display: PrivateDisplay) async throws -> Bool {
        try await shot(display) {
            $0.isNear(980, 620, [255, 0, 0]) && $0.isNear(1200, 620, [0, 255, 0]) && $0.isNear(980, 750, [0, 0, 255])
        }
    }

    private func picture(_ app: AppProcess) async throws -> Picture {
        try app.send("picture")
        return try JSONDecoder().decode(
            Picture.self, from: Data(try await app.wait(for: "picture {").dropFirst(8).utf8))
    }

    /// Returns the facts at a time that is not close to the start or end of the clip of 3 s. There the time restarts a
    /// moment before the loop is counted, because a loop counts when its first frame is displayed.
    private func pictureWithinPass(_ app: AppProcess) async throws -> Picture {
        var first = try await picture(app)
        var facts = first
        for _ in 0..<10_000 {
            facts = try await picture(app).keeping(facts)
            let hasContinued =
                first.time >= 0.3 && facts.time > first.time && facts.time <= 2.7
                && (facts.host.last ?? 0) - (first.host.first ?? 0) < 3
            // A frame of this pass was displayed, so the loop is counted on a busy machine, too.
            if hasContinued, facts.shown > first.shown + 1 { break }
            if !hasContinued { first = facts }
        }
        return facts
    }

    private func place(_ id: String, _ display: PrivateDisplay) throws -> Place {
        var place = Place()
        for line in try display.run("xdotool", ["getwindowgeometry", "--shell", id]).split(separator: "\n") {
            let parts = line.split(separator: "=")
            guard parts.count == 2, let value = Int(parts[1]) else { continue }
            switch parts[0] {
            case "X": place.x = value
            case "Y": place.y = value
            case "WIDTH": place.width = value
            case "HEIGHT": place.height = value
            default: break
            }
        }
        return place
    }

    /// Waits until the window has the position and the size in `wanted`, which change one after the other.
    private func comes(
        _ id: String, _ display: PrivateDisplay, to wanted: Place, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        _ = try await until { try place(id, display) == wanted ? true : nil }
        #expect(try place(id, display) == wanted, sourceLocation: sourceLocation)
    }

    private func drag(_ display: PrivateDisplay, from: (x: Int, y: Int), by: (x: Int, y: Int)) throws {
        try display.xdotool(["mousemove", "\(from.x)", "\(from.y)", "mousedown", "1"])
        for step in 1...5 {
            try display.xdotool(["mousemove", "\(from.x + by.x * step / 5)", "\(from.y + by.y * step / 5)"])
        }
    }

    /// Also: the window stays above others and keeps the video's aspect ratio, and the player's view shows a text.
    @Test("Picture in Picture floats in the corner and returns without interrupting playback")
    func floats() async throws {
        let (display, app) = try await start("quad-709.mp4")
        defer { display.close() }
        _ = try await picture(app)
        let before = try await pictureWithinPass(app)
        // A player may start to play before its window has laid it out.
        #expect(try await until { app.lines.contains("event Bounds changed 600 × 360") ? true : nil } == true)
        let from = app.lines.count
        let id = try await float(app, display)
        @Sendable func hints() throws -> String {
            try display.run(
                "xprop",
                [
                    "-id", id, "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE", "_NET_WM_DESKTOP", "_MOTIF_WM_HINTS",
                    "WM_NORMAL_HINTS",
                ])
        }
        // GTK sets its own hints first, so wait for the final ones.
        let told = try await until { try hints().contains("maximum size") ? try hints() : nil } ?? hints()
        for state in ["ABOVE", "STICKY", "SKIP_TASKBAR", "SKIP_PAGER"] {
            #expect(told.contains("_NET_WM_STATE_\(state)"), "\(told)")
        }
        #expect(told.contains("_NET_WM_WINDOW_TYPE_UTILITY") && told.contains("4294967295"))
        #expect(told.contains("minimum aspect ratio: 320/180") && told.contains("maximum aspect ratio: 320/180"))
        #expect(told.contains("minimum size: 192 by 108") && told.contains("maximum size: 960 by 540"))
        // The window is a quarter of 1280 pixels wide, 24 pixels from the corner of the screen.
        #expect(try place(id, display) == Place(x: 936, y: 596, width: 320, height: 180))
        // The window shows the video. The player's view shows black and a line of gray text.
        let isThere = try await shot(display) {
            $0.isNear(980, 620, [255, 0, 0]) && $0.isNear(1200, 620, [0, 255, 0]) && $0.isNear(980, 750, [0, 0, 255])
                && $0.isNear(100, 100, [0, 0, 0]) && $0.isNear(500, 300, [0, 0, 0]) && $0.isNear(10, 10, [0, 0, 255])
        }
        #expect(isThere)
        let text = try await shot(display) { shot in
            (200..<440).contains { x in (190..<240).contains { y in (shot.color(x, y).first ?? 0) > 120 } }
        }
        #expect(text)

        let during = try await picture(app)
        #expect(during.shown > before.shown)
        // A second start has no effect.
        try await app.ask("idle")
        try await app.ask("startpip")
        try app.send("stoppip")
        try await app.wait(for: "event Stopped PiP")
        #expect(try await isGone(display))
        #expect(try await shot(display) { $0.isNear(100, 100, [255, 0, 0]) && $0.isNear(500, 300, [255, 255, 255]) })
        try await app.ask("idle")
        try await app.ask("stoppip")
        let after = try await pictureWithinPass(app)
        #expect(after.shown > during.shown)
        // The player's clock ran without a stop or restart: its time, over all loops of 3 s, advanced as much as the
        // host's. The player's time was read between two host times, which are far apart only on a busy machine.
        #expect(before.host.count == 2 && after.host.count == 2)
        let passed = (after.time + 3 * Double(after.loops)) - (before.time + 3 * Double(before.loops))
        let host = (after.host[0] + after.host[1] - before.host[0] - before.host[1]) / 2
        let unsure = (after.host[1] - after.host[0] + before.host[1] - before.host[0]) / 2
        #expect(abs(passed - host) < 0.1 + unsure, "\(passed) of \(host) ± \(unsure)")
        // A busy machine may stop the main loop for up to three seconds.
        #expect(max(during.gap, after.gap) < 5, "\(during.gap), \(after.gap) seconds without a new picture")
        // Each loop reports an item change, which does not count here.
        let events = app.lines.dropFirst(from).filter { $0.hasPrefix("event") && $0 != "event ItemChanged" }
        #expect(events == ["event Started PiP", "event Stopped PiP"])
        // On a busy machine, a frame may be late, but not in each of several rounds.
        var turning = [max(during.turning, after.turning)]
        while turning.last ?? 0 >= 0.5, turning.count < 6 { turning.append(try await startAndStop(app, display)) }
        #expect(turning.last ?? 1 < 0.5, "\(turning) seconds of turning without a new picture")
    }

    /// Starts and stops Picture in Picture. Returns the longest time without a new frame while the main loop ran.
    private func startAndStop(_ app: AppProcess, _ display: PrivateDisplay) async throws -> Double {
        _ = try await picture(app)
        _ = try await float(app, display)
        #expect(try await shot(display) { $0.isNear(980, 620, [255, 0, 0]) && $0.isNear(100, 100, [0, 0, 0]) })
        let during = try await picture(app)
        try app.send("stoppip")
        try await app.wait(for: "event Stopped PiP")
        #expect(try await isGone(display))
        #expect(try await shot(display) { $0.isNear(100, 100, [255, 0, 0]) && $0.isNear(500, 300, [255, 255, 255]) })
        let after = try await picture(app)
        return max(during.turning, after.turning)
    }

    @Test("closing pauses; Escape and a double click return playing; space toggles playback")
    func hands() async throws {
        let (display, app) = try await start("quad-709.mp4")
        defer { display.close() }
        var id = try await float(app, display)
        #expect(try await showsBareVideo(display))
        try display.key("space", window: id)
        try await app.wait(for: "event paused")
        try display.key("space", window: id)
        try await app.wait(for: "event playing")
        // Every key shows the buttons, even a key without a function. The middle button is drawn over a darkened frame.
        // The buttons hide again, so each screenshot needs a new key press.
        let shaded = try await until { [id] in
            try display.key("x", window: id)
            return (try display.screenshot().color(980, 620).first ?? 255) < 230 ? true : nil
        }
        #expect(shaded == true)
        try display.key("Escape", window: id)
        try await app.wait(for: "event Stopped PiP")
        expectEqual(try await picture(app).rate, 1)

        id = try await float(app, display)
        #expect(try await showsBareVideo(display))
        // Moving the pointer shows the buttons. The button in the upper left closes the window.
        let pointed = try await until {
            try display.xdotool(["mousemove", "1002", "700", "mousemove", "1000", "700"])
            return (try display.screenshot().color(980, 750).last ?? 255) < 200 ? true : nil
        }
        #expect(pointed == true)
        try display.xdotool(["mousemove", "958", "618", "click", "1"])
        try await app.wait(for: "event paused")
        try await app.wait(for: "event Stopped PiP")
        #expect(try await isGone(display))

        try await app.ask("idle")
        try app.send("play")
        try await app.wait(for: "event playing")
        id = try await float(app, display)
        try await app.wait(for: "event Stopped PiP") {
            try display.xdotool(["mousemove", "1000", "720", "click", "--repeat", "2", "--delay", "60", "1"])
        }
        expectEqual(try await picture(app).rate, 1)

        id = try await float(app, display)
        // Closes the window as a window manager does, with `WM_DELETE_WINDOW`.
        try display.run(
            "python3",
            [
                "-c",
                """
                import ctypes, struct, sys
                x = ctypes.CDLL("libX11.so.6")
                for f in ("XOpenDisplay", "XInternAtom"): getattr(x, f).restype = ctypes.c_void_p
                d = ctypes.c_void_p(x.XOpenDisplay(None))
                a = lambda n: x.XInternAtom(d, n, 0)
                w = int(sys.argv[1])
                e = ctypes.create_string_buffer(struct.pack("iLiPLLi4xlllll", 33, 0, 1, 0, w, a(b"WM_PROTOCOLS"), 32, a(b"WM_DELETE_WINDOW"), 0, 0, 0, 0), 192)
                x.XSendEvent(d, ctypes.c_ulong(w), 0, ctypes.c_long(0), e)
                x.XSync(d, 0)
                """, id,
            ])
        try await app.wait(for: "event paused")
        #expect(try await isGone(display))
    }

    /// Also: another source changes the window's aspect ratio.
    @Test("dragging moves the window; a corner resizes it in the video's shape")
    func moves() async throws {
        let (display, app) = try await start("quad-709.mp4")
        defer { display.close() }
        let id = try await float(app, display)
        #expect(try await showsBareVideo(display))
        try drag(display, from: (1000, 700), by: (-400, -100))
        try await comes(id, display, to: Place(x: 536, y: 496, width: 320, height: 180))
        try display.xdotool(["mouseup", "1"])
        try drag(display, from: (538, 498), by: (-160, -40))
        // The opposite corner keeps its position.
        try await comes(id, display, to: Place(x: 376, y: 406, width: 480, height: 270))
        try display.xdotool(["mouseup", "1"])
        #expect(
            try await shot(display) {
                $0.isNear(400, 660, [0, 0, 255], within: 100) && $0.isNear(840, 430, [0, 255, 0], within: 100)
            })
        // The rotated video is 9:16. The window is not smaller than the controls need.
        try await app.ask("source \(TestMedia.url("quad-rot90.mp4").path)")
        let turned = try await until { () -> Place? in
            let now = try place(id, display)
            guard now.x + now.width == 856, now.y + now.height == 676, now.width >= 160 else { return nil }
            return abs(Double(now.width) / Double(now.height) - 9.0 / 16) < 0.01 ? now : nil
        }
        let last = try place(id, display)
        #expect(turned != nil, "\(last)")
    }

    @Test("a drag faster than the app ends where the button is released")
    func hurries() async throws {
        let (display, app) = try await start("quad-709.mp4")
        defer { display.close() }
        let id = try await float(app, display)
        #expect(try await showsBareVideo(display))
        // Stops the app during a quick drag: from before the press, or (`seen`) from the first motion that the app has
        // seen, until the pointer is elsewhere.
        func hurry(from: (x: Int, y: Int), by: (x: Int, y: Int), seen: Bool = false, to wanted: Place) async throws {
            if seen {
                let before = try place(id, display)
                try display.xdotool([
                    "mousemove", "\(from.x)", "\(from.y)", "mousedown", "1", "mousemove", "\(from.x + by.x / 5)",
                    "\(from.y + by.y / 5)",
                ])
                #expect(try await until { try place(id, display) == before ? nil : true } == true)
            }
            app.child.send(SIGSTOP)
            if seen {
                try display.xdotool(["mousemove", "\(from.x + by.x)", "\(from.y + by.y)"])
            } else {
                try drag(display, from: from, by: by)
            }
            try display.xdotool(["mouseup", "1", "mousemove", "20", "780"])
            app.child.send(SIGCONT)
            try await comes(id, display, to: wanted)
            // When the app answers, it has handled all earlier events.
            try await app.ask("idle")
            _ = try await picture(app)
            #expect(try place(id, display) == wanted)
        }
        try await hurry(from: (1000, 700), by: (-400, -100), to: Place(x: 536, y: 496, width: 320, height: 180))
        try await hurry(from: (538, 498), by: (-160, -40), to: Place(x: 376, y: 406, width: 480, height: 270))
        try await hurry(from: (854, 674), by: (-160, -90), to: Place(x: 376, y: 406, width: 320, height: 180))
        try await hurry(from: (500, 500), by: (100, 50), seen: true, to: Place(x: 476, y: 456, width: 320, height: 180))
        try await hurry(
            from: (478, 458), by: (-160, -90), seen: true, to: Place(x: 316, y: 366, width: 480, height: 270))
        try await hurry(
            from: (794, 634), by: (-160, -90), seen: true, to: Place(x: 316, y: 366, width: 320, height: 180))
        // Two drags before the app sees either.
        app.child.send(SIGSTOP)
        try drag(display, from: (420, 430), by: (100, 50))
        try display.xdotool(["mouseup", "1"])
        try drag(display, from: (520, 480), by: (-50, 20))
        try display.xdotool(["mouseup", "1", "mousemove", "20", "780"])
        app.child.send(SIGCONT)
        try await comes(id, display, to: Place(x: 366, y: 436, width: 320, height: 180))
    }

    /// Also: removing the player's view closes the window and sends an event.
    @Test("Picture in Picture needs its setting and a video, and survives minimizing")
    func refusals() async throws {
        let (display, app) = try await start("quad-709.mp4", pip: false)
        defer { display.close() }
        // The command has no effect and reports nothing: the next events belong to later commands.
        try await app.ask("startpip")
        try app.send("pause")
        try await app.wait(for: "event paused")
        try app.send("play")
        try await app.wait(for: "event playing")
        try await app.ask("pip on")
        #expect(!app.lines.contains { $0.hasPrefix("event error") || $0 == "event Started PiP" })
        let id = try await float(app, display)
        let main = try #require(try display.window("Probe"))
        // Unmapping the window has the effect of minimizing it, which needs a window manager.
        try display.xdotool(["windowunmap", "--sync", main])
        let hidden = try await picture(app)
        let goesOn = try await until { try display.window(PictureInPictureTests.title) }
        #expect(goesOn == id)
        var shown = hidden.shown
        try await eventually("more than \(hidden.shown + 5) frames", seen: { "\(shown)" }) {
            shown = try await picture(app).shown
            return shown > hidden.shown + 5
        }
        try display.xdotool(["windowmap", "--sync", main])
        try app.send("hide")
        try await app.wait(for: "event Stopped PiP")
        #expect(try await isGone(display))

        try await app.ask("source \(TestMedia.url("audio.flac").path)")
        try await app.ask("idle")
        try app.send("show")
        try await app.wait(for: "event playing")
        try app.send("startpip")
        try await app.wait(for: "event error: Picture-in-Picture")
        #expect(try display.window(PictureInPictureTests.title) == nil)
    }

    @Test("two players have a window each; ending one keeps the other")
    func two() async throws {
        let (display, app) = try await start("quad-709.mp4")
        defer { display.close() }
        try app.send("second on")
        try await app.wait(for: "second playing")
        let first = try await float(app, display)
        try app.send("second-startpip")
        try await app.wait(for: "second Started PiP")
        let both = try await until { () -> [String]? in
            let all = try display.xdotool(["search", "--onlyvisible", "--name", PictureInPictureTests.title]).split(
                separator: "\n"
            ).map(String.init)
            return all.count == 2 ? all : nil
        }
        #expect(both?.contains(first) == true)
        try app.send("second-stoppip")
        try await app.wait(for: "second Stopped PiP")
        let left = try await until { () -> [String]? in
            let all = try display.xdotool(["search", "--onlyvisible", "--name", PictureInPictureTests.title]).split(
                separator: "\n"
            ).map(String.init)
            return all.count == 1 ? all : nil
        }
        #expect(left == [first])
        #expect(!app.lines.contains("event Stopped PiP"))
    }

    @Test("a start event is sent only once the window is visible")
    func startedWhenShown() async throws {
        let (display, app) = try await start("quad-709.mp4")
        defer { display.close() }
        try await app.ask("idle")
        try await app.ask("blinkpip")
        #expect(try await isGone(display))
        let id = try await float(app, display)
        #expect(try display.run("xwininfo", ["-id", id]).contains("IsViewable"))
        try app.send("stoppip")
        try await app.wait(for: "event Stopped PiP")
        let told = app.lines.filter { $0 == "event Started PiP" || $0 == "event Stopped PiP" }
        #expect(told.count == 2, "\(told)")
    }

    @Test("a start command sent together with its setting takes effect")
    func together() async throws {
        let (display, app) = try await start("quad-709.mp4", pip: false)
        defer { display.close() }
        try app.send("pip on\nstartpip")
        try await app.wait(for: "event Started PiP")
        #expect(!app.lines.contains { $0.lowercased().hasPrefix("event error") })
    }

    @Test("assistive technology finds the placeholder's text and the window's buttons")
    func accessibility() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-pip-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("in").path
        let output = folder.appendingPathComponent("out").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let descriptor = open(pipe, O_RDWR)
        defer { close(descriptor) }
        let lines = Array("pip on\nplaying startpip\n".utf8)
        #expect(write(descriptor, lines, lines.count) == lines.count)
        let media = try TestMedia.url("quad-709.mp4").path
        let code = try await offPool {
            try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"),
                    "Playing in Picture in Picture",
                ] + Programs.command("Component", ["--input", pipe, media]),
                environment: display.environment.merging([
                    "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
                ]) { $1 }, output: output
            ).wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0, "\(text)")
        let heard = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        for name in ["Pause", "Return to App", "Close"] {
            #expect(heard.contains { $0.count > 2 && $0[2] == name && $0[1].contains("button") }, "\(name) in \(heard)")
        }
        #expect(heard.contains { $0.count > 2 && $0[2] == PictureInPictureTests.title })
        #expect(heard.first { $0.count > 2 && $0[1] == "application" }?[2] == "Probes")
    }
}
