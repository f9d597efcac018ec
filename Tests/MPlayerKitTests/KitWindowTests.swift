import Foundation
import TestSupport
import Testing

/// Tests of MPlayerKit's players in a window of 640 × 400 points with a blue background, on an X server without a
/// window manager (the probe `Kit`).
@Suite("The kit's players in a window", .serialized)
struct KitWindowTests {
    private final class Probe: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let display: PrivateDisplay, app: AppProcess
        private let server: PrivateSoundServer?, manager: ChildProcess?

        init(
            _ page: String, _ film: String = "quad-709.mp4", preview: String? = nil, server: PrivateSoundServer? = nil,
            managed: Bool = false
        ) async throws {
            display = try await PrivateDisplay.launch()
            manager = managed ? try await display.manageWindows() : nil
            self.server = server
            let files = [film] + [preview].compactMap { $0 }
            app = try AppProcess(
                "Kit", [page] + files.map { try TestMedia.url($0).path },
                environment: server.map { ["PULSE_SERVER": $0.address] } ?? [:], display: display)
            try await app.wait(for: "ready")
        }
        deinit {
            manager?.send(SIGKILL)
            display.close()
            server?.stop()
        }
        func tell(_ lines: String...) async throws {
            for line in lines {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
        }
        func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
            try await until { try condition(try self.display.screenshot()) ? true : nil } == true
        }
        func point(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)"]) }
        func click(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "1"]) }
        func key(_ keys: String) throws { try display.key(keys, in: "Player kit") }
        /// Waits until there are `count` lines that begin with `prefix`. Returns false after the deadline.
        func hears(_ prefix: String, _ count: Int = 1) async throws -> Bool {
            try await until { self.heard(prefix).count >= count ? true : nil } == true
        }
        /// Waits until the last line that begins with `kind` is `line`. Returns false after the deadline.
        func becomes(_ line: String, of kind: String) async throws -> Bool {
            try await until { self.heard(kind).last == line ? true : nil } == true
        }
        func heard(_ prefix: String) -> [String] { app.lines.filter { $0.hasPrefix(prefix) } }
        /// Returns the number after `name` in the answer to the command `tell`, or nil.
        func fact(_ name: String) async throws -> Double? {
            try await tell("tell")
            let words = heard("at ").last?.split(separator: " ").map(String.init) ?? []
            return words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? Double(words[$0 + 1]) : nil }
        }
        /// Waits until the answer to the command `tell` contains `words`. Returns false after the deadline.
        func tells(_ words: String) async throws -> Bool {
            try await eventually(words, seen: { self.heard("at ").last ?? "" }) {
                try await self.tell("tell")
                return self.heard("at ").last?.contains(words) == true
            }
        }
        /// Returns the number of windows and menus on the screen.
        func windows() throws -> Int {
            try display.xdotool(["search", "--onlyvisible", "--class", "Probes"]).split(separator: "\n").count
        }
        var isQuiet: Bool {
            !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") && !app.errors.contains("⚠")
        }
    }
    /// Whether the screenshot shows the video's red, green, blue and white quarters, 640 × 360 points in the middle.
    private static let hasPicture: @Sendable (Screenshot) -> Bool = {
        $0.isNear(160, 110, [255, 0, 0], within: 30) && $0.isNear(480, 110, [0, 255, 0], within: 30)
            && $0.isNear(160, 290, [0, 0, 255], within: 30) && $0.isNear(480, 290, [255, 255, 255], within: 30)
    }

    /// Whether the screenshot shows a frame of `counter.mp4`, whose lower half is gray, without controls over it. The
    /// empty window is black.
    private static let hasCounter: @Sendable (Screenshot) -> Bool = { ($0.color(440, 225).min() ?? 0) > 12 }
    /// Whether the custom controls are shown over `counter.mp4`: they darken the blue above the video. The empty window
    /// is black.
    private static let hasControls: @Sendable (Screenshot) -> Bool = {
        (50..<140).contains($0.color(300, 60).last ?? 0)
    }

    @Test("the model moves the custom player into picture in picture and back")
    func floats() async throws {
        let probe = try await Probe("custom", "counter.mp4")
        try await probe.tell("load", "play")
        @Sendable func windows() throws -> Int {
            try probe.display.xdotool(["search", "--onlyvisible", "--name", ".+"]).split(separator: "\n").count
        }
        #expect(try await probe.tells("pip false possible true"))
        let before = try windows()
        try await probe.tell("pip")
        #expect(try await probe.tells("pip true"))
        #expect(try await until { try windows() > before ? true : nil } == true)
        try await probe.tell("pip")
        #expect(try await probe.tells("pip false"))
        #expect(try await until { try windows() == before ? true : nil } == true)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("picture in picture of the inline player survives full screen")
    func floatsAfterFullScreen() async throws {
        let probe = try await Probe("inline-full", "counter.mp4")
        try await probe.tell("load")
        #expect(try await probe.tells("possible true inline true"))
        try await probe.tell("full")
        #expect(try await probe.tells("possible true inline false"))
        // The cover is black above the video.
        #expect(try await probe.shows { Self.hasCounter($0) && $0.isNear(320, 5, [0, 0, 0]) })
        try probe.key("Escape")
        #expect(try await probe.becomes("presentation none", of: "presentation"))
        #expect(try await probe.tells("possible true inline true"))
        try await probe.tell("pip")
        #expect(try await probe.tells("pip true"))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("the system player is prepared once, displays the video and reports state")
    func system() async throws {
        let probe = try await Probe("system")
        #expect(try await probe.hears("prepared true"))
        #expect(probe.heard("state ").first == "state paused(reason: MPlayerKit.PlayerPauseReason.userInitiated)")
        #expect(try await probe.hears("presentation inline(autoplay: false)"))
        try await probe.tell("load")
        #expect(try await probe.shows(Self.hasPicture))
        // The pointer shows the bar, which is dark over blue and white.
        try probe.point(300, 100)
        #expect(
            try await probe.shows { shot in
                try probe.point(300 + Int.random(in: 0...4), 100)
                return (shot.color(560, 376).first ?? 255) < 160
            })
        // Slowly, so that the video does not end before the pause.
        try await probe.tell("rate 0.25", "play")
        #expect(try await probe.becomes("state playing", of: "state"))
        #expect(try await probe.hears("changes 1"))
        try await probe.tell("pause")
        #expect(
            try await probe.becomes("state paused(reason: MPlayerKit.PlayerPauseReason.userInitiated)", of: "state"))
        #expect(probe.heard("prepared").count == 1)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("the controls stay visible while a menu is open, then hide")
    func menuKeepsControls() async throws {
        let probe = try await Probe("system")
        try await probe.tell("load", "rate 0.5")
        // The empty window is black, like the bar.
        #expect(try await probe.shows(Self.hasPicture))
        let isBarred: @Sendable (Screenshot) -> Bool = {
            ($0.color(20, 376).last ?? 255) < 160 && ($0.color(420, 376).first ?? 255) < 160
        }
        #expect(
            try await probe.shows { shot in
                try probe.point(300 + Int.random(in: 0...4), 100)
                return isBarred(shot)
            })
        try probe.click(529, 371)
        #expect(try await until { try probe.windows() > 1 ? true : nil } == true)
        // The pointer rests while three seconds of video play at half speed. That is twice as long as the controls
        // would stay without a menu.
        let told = probe.heard("state paused").count
        try await probe.tell("play")
        #expect(try await probe.hears("state paused", told + 1))
        // The state changes directly to the end of the media, without a pause by the user in between.
        #expect(probe.heard("state paused").dropFirst(told).first?.contains("endOfMedia") == true)
        #expect(isBarred(try probe.display.screenshot()))
        #expect(try probe.windows() > 1)
        // A click outside a menu closes it.
        try probe.click(300, 100)
        #expect(try await until { try probe.windows() == 1 ? true : nil } == true)
        #expect(try await probe.shows { !isBarred($0) && $0.isNear(160, 110, [255, 0, 0], within: 30) })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a click toggles the custom controls; they hide after ten seconds")
    func custom() async throws {
        let probe = try await Probe("custom")
        #expect(try await probe.hears("prepared true"))
        try await probe.tell("load")
        #expect(try await probe.shows(Self.hasPicture))
        let dark: @Sendable (Screenshot) -> Bool = {
            ($0.color(480, 290).first ?? 255) < 140 && ($0.color(160, 110).first ?? 255) < 140
        }
        try probe.click(520, 110)
        #expect(try await probe.shows(dark))
        try probe.click(519, 110)
        #expect(try await probe.shows(Self.hasPicture))
        let clicked = ContinuousClock.now
        try probe.click(521, 110)
        #expect(try await probe.shows(dark))
        // Without another motion the controls hide by themselves.
        #expect(try await probe.shows(Self.hasPicture))
        #expect(ContinuousClock.now - clicked > .seconds(9.5))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("the custom player's controls play, pause and skip")
    func controls() async throws {
        let probe = try await Probe("custom", "counter.mp4")
        try await probe.tell("load")
        #expect(try await probe.shows { $0.isNear(300, 60, [0, 0, 255]) })
        // The controls hide by themselves, and a click where no button is toggles them.
        func showControls() throws {
            if try !Self.hasControls(probe.display.screenshot()) { try probe.click(480, 60) }
        }
        // The play button is in the middle, with the buttons for 10 s back and forward at its sides. A second click
        // undoes one that is only late, so it comes long after.
        try await probe.app.wait(for: "state playing", every: 20) {
            try showControls()
            try probe.click(320, 200)
        }
        try await probe.app.wait(for: "state paused", every: 20) {
            try showControls()
            try probe.click(321, 200)
        }
        // A slow program may have received the last click twice, and play.
        try await probe.tell("pause", "seek 0")
        try showControls()
        #expect(try await probe.shows(Self.hasControls))
        try probe.click(409, 200)
        #expect(
            try await until {
                (try? probe.app.send("tell")) != nil
                    && probe.heard("at ").last.flatMap { Double($0.split(separator: " ")[1]) }.map {
                        $0 > 9.5 && $0 < 10.9
                    } == true ? true : nil
            } == true)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a rate from the custom controls' menu applies now and later")
    func rates() async throws {
        // The video has no audio track, so the rate is the only choice in the menu.
        let probe = try await Probe("custom", "counter-video.mp4")
        try await probe.tell("load")
        #expect(try await probe.shows { $0.isNear(300, 60, [0, 0, 255]) })
        func choose(_ y: Int) async throws {
            // The controls may have hidden meanwhile.
            if try !Self.hasControls(probe.display.screenshot()) { try probe.click(520, 60) }
            #expect(try await probe.shows(Self.hasControls))
            func opens(_ x: Int, _ y: Int, _ count: Int) async throws {
                try probe.click(x, y)
                #expect(try await until { try probe.windows() == count ? true : nil } == true)
            }
            try await opens(606, 318, 2)
            try await opens(596, 368, 3)
            // The video must not end before the new rate is checked.
            try await probe.tell("seek 0")
            try await opens(680, y, 1)
        }
        try await choose(375)
        expectEqual(try await probe.fact("default"), 0.5)
        expectEqual(try await probe.fact("rate"), 0)
        try await probe.tell("play")
        #expect(try await probe.becomes("state playing", of: "state"))
        expectEqual(try await probe.fact("rate"), 0.5)
        try await choose(465)
        expectEqual(try await probe.fact("default"), 2)
        #expect(try await probe.becomes("state playing", of: "state"))
        expectEqual(try await probe.fact("rate"), 2)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("autoplay starts when the player appears, and pauses when it disappears")
    func autoplay() async throws {
        let probe = try await Probe("autoplay", "counter.mp4")
        #expect(
            try await probe.becomes(
                "state buffering(reason: MPlayerKit.PlayerBufferingReason.noItemToPlay)", of: "state"))
        try await probe.tell("load")
        #expect(try await probe.becomes("state playing", of: "state"))
        try await probe.tell("page nothing")
        #expect(
            try await until {
                (try? probe.app.send("tell")) != nil && probe.heard("at ").last?.contains("rate 0.0") == true
                    ? true : nil
            } == true)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("Space pauses a player that waits to play")
    func space() async throws {
        let probe = try await Probe("autoplay", "counter.mp4")
        #expect(
            try await probe.becomes(
                "state buffering(reason: MPlayerKit.PlayerBufferingReason.noItemToPlay)", of: "state"))
        try probe.key("Tab")
        try probe.key("space")
        #expect(
            try await probe.becomes(
                "state paused(reason: MPlayerKit.PlayerPauseReason.userInitiated)", of: "state"))
        try probe.key("space")
        #expect(
            try await probe.becomes(
                "state buffering(reason: MPlayerKit.PlayerBufferingReason.noItemToPlay)", of: "state"))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test(
        "a presenter covers the window in full screen; Escape ends the presentation",
        arguments: ["full-system", "full-custom"])
    func presenter(_ page: String) async throws {
        let probe = try await Probe(page)
        try await probe.tell("load")
        #expect(try await probe.shows { $0.isNear(320, 10, [0, 0, 255]) })
        try await probe.tell("full")
        // The video is short, and may have ended before the next look.
        #expect(try await probe.hears("state playing"))
        // The video is on black and covers everything.
        #expect(try await probe.shows { Self.hasPicture($0) && $0.isNear(320, 5, [0, 0, 0]) })
        #expect(probe.heard("prepared").count == 1)
        try probe.key("Escape")
        #expect(try await probe.becomes("presentation none", of: "presentation"))
        #expect(try await probe.shows { $0.isNear(320, 10, [0, 0, 255]) && $0.isNear(480, 290, [0, 0, 255]) })
        #expect(
            try await until {
                (try? probe.app.send("tell")) != nil && probe.heard("at ").last?.contains("rate 0.0") == true
                    ? true : nil
            } == true)
        // Enter full screen again, and leave it by the model.
        try await probe.tell("full")
        #expect(try await probe.shows(Self.hasPicture))
        try await probe.tell("none")
        #expect(try await probe.shows { $0.isNear(480, 290, [0, 0, 255]) })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("dragging the track bar previews the position; releasing seeks there")
    func track() async throws {
        let probe = try await Probe("track", "counter.mp4", preview: "quad-709.mp4")
        try await probe.tell("load")
        #expect(try await probe.shows { $0.isNear(10, 200, [0, 0, 255]) }, "the window is drawn")
        // Press the track at x = 200 and move the pointer to the middle.
        try probe.display.xdotool(["mousemove", "200", "235", "mousedown", "1"])
        try await probe.app.wait(for: "track tracking")
        try probe.point(320, 236)
        try await probe.app.wait(for: "track tracking(value: 0.5")
        // The preview has 178 × 100 points above the middle of the track. Red is over blue at its left.
        #expect(
            try await probe.shows { shot in
                (0..<400).contains { y in shot.isNear(270, y, [255, 0, 0], within: 40) }
                    && (0..<400).contains { y in shot.isNear(370, y, [0, 255, 0], within: 40) }
            })
        try probe.display.xdotool(["mouseup", "1"])
        try await probe.app.wait(for: "track ended(value: 0.5")
        try await probe.app.wait(for: "track idle")
        #expect(
            try await until {
                (try? probe.app.send("tell")) != nil
                    && probe.heard("at ").last.flatMap { Double($0.split(separator: " ")[1]) }.map {
                        abs($0 - 10) < 0.3
                    } == true ? true : nil
            } == true)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("the speaker button opens its bar and mutes; the bar closes itself")
    func speaker() async throws {
        let probe = try await Probe("track", "counter.mp4")
        try await probe.tell("load")
        func isMuted(_ muted: Bool) async throws -> Bool {
            try await until {
                (try? probe.app.send("tell")) != nil && probe.heard("at ").last?.contains("muted \(muted)") == true
                    ? true : nil
            } == true
        }
        // The speaker button is in the middle, below the bar. With the volume slider beside it, the button is 54 points
        // to the left.
        let bar = 345..<392
        let row = 272..<290
        try probe.point(600, 20)
        let drawn = try await until("a window that stays the same") { [display = probe.display] () -> Screenshot? in
            let shot = try display.screenshot()
            return try shot.isNear(10, 200, [0, 0, 255]) && shot == display.screenshot() ? shot : nil
        }
        let closed = try #require(drawn)
        // Wait until nothing moves, because the speaker button moves to make space for the slider.
        func isOpen(_ wanted: Bool) async throws -> Bool {
            try await probe.shows {
                try ($0.differences(from: closed, x: bar, y: row) > 50) == wanted && $0 == probe.display.screenshot()
            }
        }
        try probe.click(320, 281)
        #expect(try await isOpen(true))
        try probe.click(266, 281)
        #expect(try await isMuted(true))
        #expect(try await isOpen(false))
        try probe.click(320, 281)
        #expect(try await isMuted(false))
        #expect(try await isOpen(true))
        // The unused slider closes by itself.
        #expect(try await isOpen(false))
        #expect(try await isMuted(false))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("keys cannot skip in a linear player, but can mute")
    func linear() async throws {
        let probe = try await Probe("linear", "counter.mp4")
        try await probe.tell("load", "seek 3")
        #expect(
            try await until {
                (try? probe.app.send("tell")) != nil && probe.heard("at ").last?.hasPrefix("at 3.0") == true
                    ? true : nil
            } == true)
        #expect(try await probe.shows(Self.hasCounter))
        try probe.key("Tab")
        for key in ["l", "Right", "j", "Left", "m"] { try probe.key(key) }
        #expect(
            try await until {
                (try? probe.app.send("tell")) != nil && probe.heard("at ").last?.contains("muted true") == true
                    ? true : nil
            } == true)
        #expect(probe.heard("at ").last?.hasPrefix("at 3.0") == true)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("leaving the system player's full screen ends the presentation")
    func ownFullScreen() async throws {
        let probe = try await Probe("system", managed: true)
        try await probe.tell("load")
        #expect(try await probe.becomes("presentation inline(autoplay: false)", of: "presentation"))
        try probe.key("Tab")
        try probe.key("f")
        #expect(
            try await probe.shows {
                $0.isNear(300, 200, [255, 0, 0], within: 30) && $0.isNear(1000, 200, [0, 255, 0], within: 30)
            })
        #expect(probe.heard("presentation").last == "presentation inline(autoplay: false)")
        try probe.key("Escape")
        #expect(try await probe.becomes("presentation none", of: "presentation"))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a suspended audio device interrupts playback, which then resumes")
    func cork() async throws {
        let server = try await PrivateSoundServer.launch()
        let probe = try await Probe("custom", "counter.mp4", server: server)
        try await probe.tell("load", "play")
        #expect(try await probe.becomes("state playing", of: "state"))
        #expect(try await until { try server.pactl(["list", "short", "sink-inputs"]).isEmpty ? nil : true } == true)
        _ = try server.pactl(["suspend-sink", "test", "1"])
        try await probe.app.wait(for: "state paused(reason: MPlayerKit.PlayerPauseReason.interrupted)")
        #expect(try await probe.tells("session false"))
        _ = try server.pactl(["suspend-sink", "test", "0"])
        try await probe.app.wait(for: "state playing")
        #expect(try await probe.tells("session true"))
    }

    @Test("the end of an interruption resumes only the model that was playing")
    func corkOfAnother() async throws {
        let server = try await PrivateSoundServer.launch()
        let probe = try await Probe("custom", "counter.mp4", server: server)
        try await probe.tell("load", "other", "play")
        #expect(try await probe.becomes("state playing", of: "state"))
        #expect(try await until { try server.pactl(["list", "short", "sink-inputs"]).isEmpty ? nil : true } == true)
        _ = try server.pactl(["suspend-sink", "test", "1"])
        try await probe.app.wait(for: "state paused(reason: MPlayerKit.PlayerPauseReason.interrupted)")
        _ = try server.pactl(["suspend-sink", "test", "0"])
        try await probe.app.wait(for: "state playing")
        // The other model has received everything by the time of this answer.
        try await probe.tell("tell")
        #expect(
            Set(probe.heard("other ")) == ["other paused(reason: MPlayerKit.PlayerPauseReason.userInitiated)"])
    }

    @Test("a model that is paused during an interruption stays paused")
    func pauseDuringCork() async throws {
        let server = try await PrivateSoundServer.launch()
        let probe = try await Probe("custom", "counter.mp4", server: server)
        try await probe.tell("load", "play")
        #expect(try await probe.becomes("state playing", of: "state"))
        #expect(try await until { try server.pactl(["list", "short", "sink-inputs"]).isEmpty ? nil : true } == true)
        _ = try server.pactl(["suspend-sink", "test", "1"])
        try await probe.app.wait(for: "state paused(reason: MPlayerKit.PlayerPauseReason.interrupted)")
        try await probe.tell("pause")
        _ = try server.pactl(["suspend-sink", "test", "0"])
        try await probe.app.wait(for: "state paused(reason: MPlayerKit.PlayerPauseReason.userInitiated)")
        expectEqual(try await probe.fact("rate"), 0)
    }
}
