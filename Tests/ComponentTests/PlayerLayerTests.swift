import Foundation
import TestSupport
import Testing

/// Tests of the player views with the names of Apple's, in a window on an X server without a window manager. The
/// quarters of the video are red, green, blue and white. The app's background is blue.
@Suite("Player layers and AVKit's views in a window", .serialized)
struct PlayerLayerWindowTests {
    private final class Probe: @unchecked Sendable {
        let display: PrivateDisplay
        let app: AppProcess

        init(_ page: String) async throws {
            display = try await PrivateDisplay.launch()
            app = try AppProcess("PlayerView", [page, TestMedia.url("quad-709.mp4").path], display: display)
            try await app.wait(for: "ready")
        }
        deinit { display.close() }

        func tell(_ line: String) async throws {
            try app.send(line)
            try await app.wait(for: "did \(line)")
        }
        /// Waits until `condition` accepts a screenshot. Returns false after the deadline.
        func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
            try await until { try condition(try self.display.screenshot()) ? true : nil } == true
        }
        /// Waits until the video, 16:9, fills the rectangle.
        func showsPicture(x: Int, y: Int, width: Int, height: Int) async throws -> Bool {
            try await shows { $0.hasQuarters(x: x, y: y, width: width, height: height) }
        }
        func size() throws -> [Int] {
            let lines = try display.xdotool(["getwindowgeometry", "--shell", try display.window("^Probe$") ?? "0"])
                .split(separator: "\n")
            return ["WIDTH=", "HEIGHT="].compactMap { key in
                lines.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
            }
        }
        func point(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)"]) }
        /// Moves the pointer around (`x`, `y`) until a screenshot shows the controls.
        func showControls(_ x: Int, _ y: Int, _ areSeen: @escaping @Sendable (Screenshot) -> Bool) async throws -> Bool
        {
            let moves = Moves()
            return try await until {
                try self.point(x + moves.next(), y)
                return areSeen(try self.display.screenshot()) ? true : nil
            } == true
        }
        /// `@unchecked Sendable`, because only one thread at a time uses it.
        private final class Moves: @unchecked Sendable {
            private var count = 0
            func next() -> Int {
                count += 1
                return count % 2
            }
        }
        func click(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "1"]) }
        var isQuiet: Bool { !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") }
    }

    // MARK: layers

    @Test("a player layer applies its video gravity and disappears when removed")
    func layer() async throws {
        let probe = try await Probe("layer")
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        // In 600 × 360 points the app's background is visible in 11 points above the video.
        #expect(try probe.display.screenshot().isNear(150, 24, [0, 0, 255]))
        #expect(probe.app.lines.contains("displays true") && probe.app.lines.contains("possible true"))
        try await probe.tell("rect")
        #expect(probe.app.lines.contains("rect 0 11 600 337"))
        try await probe.tell("fill")
        #expect(try await probe.shows { $0.isNear(150, 24, [255, 0, 0]) && $0.isNear(450, 24, [0, 255, 0]) })
        try await probe.tell("nobody")
        #expect(try await probe.shows { $0.isNear(150, 100, [0, 0, 255]) && $0.isNear(450, 300, [0, 0, 255]) })
        #expect(probe.app.lines.contains("displays false"))
        try await probe.tell("somebody")
        #expect(try await probe.showsPicture(x: 20, y: 20, width: 600, height: 360))
        try await probe.tell("away")
        #expect(try await probe.shows { $0.isNear(150, 100, [0, 0, 255]) && $0.isNear(450, 300, [0, 0, 255]) })
        try await probe.tell("back")
        #expect(try await probe.showsPicture(x: 20, y: 20, width: 600, height: 360))
        try await probe.tell("hide")
        #expect(probe.app.lines.contains("dismantled"))
        #expect(try await probe.shows { $0.isNear(150, 100, [0, 0, 255]) && $0.isNear(450, 300, [0, 0, 255]) })
        // The player can be shown again, in a new view.
        try await probe.tell("show")
        #expect(try await probe.showsPicture(x: 20, y: 20, width: 600, height: 360))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a sublayer and a declarative view are drawn over the video")
    func over() async throws {
        let probe = try await Probe("layer")
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        for (put, take) in [("mark", "unmark"), ("cover", "cover")] {
            try await probe.tell(put)
            #expect(
                try await probe.shows {
                    $0.isNear(320, 200, [255, 0, 255]) && $0.isNear(275, 155, [255, 0, 255])
                        && $0.isNear(150, 100, [255, 0, 0]) && $0.isNear(450, 300, [255, 255, 255])
                }, "\(put)")
            try await probe.tell(take)
            #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337), "\(take)")
        }
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a subview and its own subview report each new window once")
    func moves() async throws {
        let probe = try await Probe("layer")
        #expect(try await probe.showsPicture(x: 0, y: 0, width: 640, height: 360))
        for line in ["add", "front", "remove"] { try await probe.tell(line) }
        let told = probe.app.lines.filter { $0.hasPrefix("superview") || $0.hasPrefix("window") || $0.hasPrefix("did") }
        #expect(
            told == [
                "superview true", "superview true", "window true", "window true", "did add", "did front",
                "superview false", "window false", "window false", "did remove",
            ])
    }

    @Test("a player layer can be rounded, faded, rotated, masked and animated")
    func effects() async throws {
        let probe = try await Probe("layer")
        try await probe.tell("fill")
        #expect(try await probe.showsPicture(x: 20, y: 20, width: 600, height: 360))
        try await probe.tell("round")
        #expect(
            try await probe.shows {
                $0.isNear(30, 30, [0, 0, 255]) && $0.isNear(610, 30, [0, 0, 255]) && $0.isNear(150, 100, [255, 0, 0])
            })
        try await probe.tell("square")
        try await probe.tell("half")
        #expect(
            try await probe.shows {
                $0.isNear(150, 100, [127, 0, 128], within: 16) && $0.isNear(450, 300, [127, 127, 255], within: 16)
            })
        try await probe.tell("whole")
        try await probe.tell("turn")
        // Rotated clockwise, the red quarter is at the upper right. The video is 360 points wide and higher than the
        // window.
        #expect(
            try await probe.shows {
                $0.isNear(400, 100, [255, 0, 0]) && $0.isNear(400, 300, [0, 255, 0])
                    && $0.isNear(240, 300, [255, 255, 255]) && $0.isNear(100, 100, [0, 0, 255])
            })
        try await probe.tell("straight")
        try await probe.tell("mask")
        #expect(
            try await probe.shows {
                $0.isNear(150, 100, [255, 0, 0]) && $0.isNear(450, 100, [0, 0, 255])
                    && $0.isNear(450, 300, [0, 0, 255])
            })
        try await probe.tell("unmask")
        #expect(try await probe.showsPicture(x: 20, y: 20, width: 600, height: 360))
        try probe.app.send("fade")
        try await probe.app.wait(for: "animation began")
        try await probe.app.wait(for: "animation ended true")
        #expect(try await probe.shows { $0.isNear(150, 100, [0, 0, 255]) && $0.isNear(450, 300, [0, 0, 255]) })
        try await probe.tell("unfade")
        #expect(try await probe.showsPicture(x: 20, y: 20, width: 600, height: 360))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("an NSView shows a player layer until another layer replaces it")
    func mac() async throws {
        let probe = try await Probe("mac")
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        #expect(try probe.display.screenshot().isNear(150, 24, [0, 0, 0]))
        try await probe.tell("plain")
        #expect(try await probe.shows { $0.isNear(150, 100, [0, 0, 255]) })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a view controller lays out player views between its other views")
    func tree() async throws {
        let probe = try await Probe("tree")
        #expect(
            try await probe.shows {
                // Two videos of 290 × 360 points are side by side, with 20 points of the green background between them
                // and the bar over both.
                $0.isNear(90, 100, [255, 0, 0]) && $0.isNear(240, 100, [0, 255, 0]) && $0.isNear(90, 300, [0, 0, 255])
                    && $0.isNear(400, 100, [255, 0, 0])
                    && $0.isNear(550, 300, [255, 255, 255]) && $0.isNear(320, 200, [0, 255, 0])
                    && $0.isNear(90, 360, [255, 0, 255]) && $0.isNear(550, 360, [255, 0, 255])
            })
        let lines = probe.app.lines.filter { ["loaded", "appeared"].contains($0) || $0.hasPrefix("laid out") }
        #expect(
            lines.filter { $0 == "loaded" }.count == 1 && lines.filter { $0 == "appeared" }.count == 1
                && lines.last?.hasPrefix("laid out 600 360") == true, "\(lines)")
        try await probe.tell("hide")
        #expect(probe.app.lines.contains("disappeared"))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a nested NSViewController appears, is laid out and disappears with its parent")
    func macControllers() async throws {
        let probe = try await Probe("maccontroller")
        #expect(
            try await probe.shows {
                $0.hasQuarters(x: 20, y: 20, width: 290, height: 360)
                    && $0.hasQuarters(x: 330, y: 20, width: 290, height: 360) && $0.isNear(320, 200, [0, 255, 0])
            })
        let lines = probe.app.lines
        #expect(
            lines.filter { $0.hasSuffix("loads") || $0.contains(" appear") }
                == ["outer loads", "inner loads", "outer appears", "inner appears", "inner appeared", "outer appeared"])
        #expect(
            lines.last { $0.hasPrefix("outer laid out") } == "outer laid out 600 360"
                && lines.last { $0.hasPrefix("inner laid out") } == "inner laid out 290 360")
        try await probe.tell("hide")
        #expect(
            probe.app.lines.filter { $0.contains("disappear") } == [
                "outer disappears", "inner disappears", "inner disappeared", "outer disappeared",
            ])
        #expect(try await probe.shows { $0.isNear(150, 100, [0, 0, 255]) && $0.isNear(450, 300, [0, 0, 255]) })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    // MARK: Picture in Picture

    @Test("a player layer floats and returns; its delegate restores only on return")
    func floats() async throws {
        let probe = try await Probe("layer")
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        var from = probe.app.lines.count
        try probe.app.send("float")
        try await probe.app.wait(for: "did start")
        // The video is in the corner of the screen, and the player's view shows a text instead.
        #expect(
            try await probe.shows {
                $0.hasQuarters(x: 936, y: 596, width: 320, height: 180) && $0.isNear(100, 100, [0, 0, 0])
                    && $0.isNear(500, 320, [0, 0, 0])
            })
        try await probe.tell("unfloat")
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        func told() -> [String] {
            probe.app.lines.dropFirst(from).filter {
                !$0.hasPrefix("did unfloat") && !$0.hasPrefix("did float") && !$0.hasPrefix("player")
            }
        }
        await eventually("did stop", seen: { "\(told())" }) { told().contains("did stop") }
        #expect(
            told() == ["will start", "active true", "did start", "restore", "will stop", "active false", "did stop"])
        #expect(try await until { try probe.display.window("Picture in Picture") == nil ? true : nil } == true)

        // Escape returns the video to the view. The close button stops it, which pauses the player.
        from = probe.app.lines.count
        try probe.app.send("float")
        try await probe.app.wait(for: "did start")
        try probe.display.key(
            "Escape", window: try #require(try await until { try probe.display.window("Picture in Picture") }))
        try await probe.app.wait(for: "did stop")
        #expect(told().contains("restore"))
        from = probe.app.lines.count
        try probe.app.send("float")
        try await probe.app.wait(for: "did start")
        // Moving the pointer shows the buttons, which hide again after some time. A window that is not drawn yet is as
        // dark as the buttons.
        #expect(try await probe.showsPicture(x: 936, y: 596, width: 320, height: 180))
        #expect(try await probe.showControls(1000, 700) { ($0.color(980, 750).last ?? 255) < 200 })
        try probe.click(958, 618)
        try await probe.app.wait(for: "did stop")
        await eventually("player paused") { probe.app.lines.dropFirst(from).contains("player paused") }
        #expect(!told().contains("restore"))

        // Releasing the controller ends Picture in Picture.
        try await probe.tell("play")
        try probe.app.send("float")
        try await probe.app.wait(for: "did start")
        try await probe.tell("forget")
        #expect(try await until { try probe.display.window("Picture in Picture") == nil ? true : nil } == true)
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a delegate's late answer does not end the next Picture in Picture")
    func lateAnswer() async throws {
        let probe = try await Probe("layer")
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        try await probe.tell("hold")
        try probe.app.send("float")
        try await probe.app.wait(for: "did start")
        try probe.app.send("unfloat")
        // Picture in Picture ends, because the delegate does not answer in time.
        try await probe.app.wait(for: "did stop")
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        try probe.app.send("float")
        try await probe.app.wait(for: "did start")
        try await probe.tell("answer")
        #expect(probe.app.lines.count { $0 == "did stop" } == 1)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    // MARK: AVKit's views
    //
    // The bar is 8 points from the edges. At its left is a button of 30 points. From its right: two buttons of 26
    // points (full screen, Picture in Picture), the volume slider of 70 points, and the mute button of 26 points. The
    // spacing is 10 points, and 12 points at the ends.
    private static let bar = 371, play = 35, full = 607, floating = 571, volume = 463, mute = 405
    /// The button of a contextual action: its right edge is 16 points from the right, its lower edge 62 from below.
    private static let action = (x: 590, y: 321)

    @Test("VideoPlayer shows video and overlay; its controls work and hide themselves")
    func videoPlayer() async throws {
        let probe = try await Probe("video")
        // The points of the quarters are above the bar, so also check where the bar would be.
        let bare: @Sendable (Screenshot) -> Bool = {
            $0.hasQuarters(x: 0, y: 20, width: 640, height: 360) && $0.isNear(320, 200, [0, 255, 255])
                && $0.isNear(320, 5, [0, 0, 0]) && $0.isNear(560, 356, [255, 255, 255])
                && $0.isNear(20, 356, [0, 0, 255])
        }
        #expect(try await probe.shows(bare))
        // The bar is dark over the blue and the white quarter.
        let barred: @Sendable (Screenshot) -> Bool = {
            ($0.color(560, 356).first ?? 255) < 160 && ($0.color(20, 356).last ?? 255) < 160
        }
        #expect(try await probe.showControls(300, 100, barred))
        #expect(try await probe.shows(bare))

        #expect(try await probe.showControls(300, 100, barred))
        try probe.click(PlayerLayerWindowTests.play, PlayerLayerWindowTests.bar)
        try await probe.app.wait(for: "player paused")
        try probe.click(PlayerLayerWindowTests.play + 1, PlayerLayerWindowTests.bar)
        try await probe.app.wait(for: "player playing")
        try probe.click(PlayerLayerWindowTests.mute, PlayerLayerWindowTests.bar)
        try await probe.app.wait(for: "muted false")
        try probe.click(PlayerLayerWindowTests.volume - 13, PlayerLayerWindowTests.bar)
        try await probe.app.wait(for: "volume low")
        // Click near the right end of the position slider, for a clip of 3 s.
        try await probe.tell("pause")
        #expect(try await probe.showControls(330, 300, barred))
        try probe.click(322, PlayerLayerWindowTests.bar)
        #expect(
            try await until {
                try probe.app.send("time")
                return probe.app.lines.last { $0.hasPrefix("at ") }.flatMap { Double($0.dropFirst(3)) }.map { $0 > 1.6 }
                    == true ? true : nil
            } == true)
        // The controls also appear when the pointer is over the app's overlay.
        #expect(try await probe.showControls(330, 210, barred))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("VideoPlayer enters and leaves full screen and Picture in Picture", arguments: [true, false])
    func places(_ isManaged: Bool) async throws {
        let barred: @Sendable (Screenshot) -> Bool = { ($0.color(560, 356).first ?? 255) < 160 }
        let probe = try await Probe("video")
        let manager = isManaged ? try await probe.display.manageWindows() : nil
        defer { manager?.send(SIGKILL) }
        #expect(try await probe.showsPicture(x: 0, y: 20, width: 640, height: 360))
        #expect(try await probe.showControls(300, 100, barred))
        try probe.click(PlayerLayerWindowTests.full, PlayerLayerWindowTests.bar)
        #expect(
            try await probe.shows { shot in
                try probe.size() == [1280, 800] && shot.hasQuarters(x: 0, y: 40, width: 1280, height: 720)
                    && shot.isNear(640, 10, [0, 0, 0])
            })
        try probe.display.key("Escape", in: "^Probe$")
        #expect(
            try await probe.shows { shot in
                try probe.size() == [640, 400] && shot.hasQuarters(x: 0, y: 20, width: 640, height: 360)
            })
        #expect(try await probe.showControls(300, 100, barred))
        try probe.click(PlayerLayerWindowTests.floating, PlayerLayerWindowTests.bar)
        #expect(
            try await probe.shows {
                $0.hasQuarters(x: 936, y: 596, width: 320, height: 180) && $0.isNear(100, 100, [0, 0, 0])
            })
        try probe.display.key("Escape", window: try #require(try probe.display.window("Picture in Picture")))
        #expect(try await probe.showsPicture(x: 0, y: 20, width: 640, height: 360))
        #expect(!probe.app.lines.contains("player paused") && probe.isQuiet, "\(probe.app.errors)")
    }

    /// Also: full screen begins automatically when playback begins.
    @Test("AVPlayerViewController shows its overlay and optional controls, and enters full screen")
    func controller() async throws {
        let probe = try await Probe("controller")
        // The points of the quarters are above the bar, so also check where the bar would be.
        let bare: @Sendable (Screenshot) -> Bool = {
            $0.hasQuarters(x: 0, y: 20, width: 640, height: 360) && $0.isNear(320, 200, [0, 255, 255])
                && $0.isNear(560, 356, [255, 255, 255]) && $0.isNear(20, 356, [0, 0, 255])
        }
        #expect(try await probe.shows(bare))
        #expect(try await probe.showControls(300, 100) { ($0.color(560, 356).first ?? 255) < 160 })
        try await probe.tell("bare")
        #expect(try await probe.shows(bare))
        try await probe.tell("pause")
        try await probe.tell("enters")
        try probe.app.send("play")
        try await probe.app.wait(for: "full screen")
        #expect(
            try await probe.shows { shot in
                try probe.size() == [1280, 800] && shot.hasQuarters(x: 0, y: 40, width: 1280, height: 720)
            })
        try probe.display.key("Escape", in: "^Probe$")
        try await probe.app.wait(for: "in place")
        #expect(try await probe.shows { shot in try probe.size() == [640, 400] && bare(shot) })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a presented AVPlayerViewController covers the window and closes by Escape and button")
    func presented() async throws {
        let probe = try await Probe("presenting")
        let isBase: @Sendable (Screenshot) -> Bool = { $0.isNear(320, 200, [255, 0, 255]) }
        #expect(try await probe.shows(isBase))
        try await probe.tell("present")
        #expect(try await probe.showsPicture(x: 0, y: 20, width: 640, height: 360))
        try probe.display.key("Escape", in: "^Probe$")
        #expect(try await probe.shows(isBase))
        try await probe.app.wait(for: "player paused")
        try await probe.tell("present")
        #expect(try await probe.showsPicture(x: 0, y: 20, width: 640, height: 360))
        #expect(try await probe.showControls(300, 100) { ($0.color(560, 356).first ?? 255) < 160 })
        // The close button is at the upper left.
        try probe.click(22, 22)
        #expect(try await probe.shows(isBase))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("taps reach gestures around AVPlayerViewController only without controls")
    func tapsAround() async throws {
        let probe = try await Probe("controller")
        #expect(try await probe.showsPicture(x: 0, y: 20, width: 640, height: 360))
        // The controls receive this tap. The overlay's own recognizer receives the next one, with and without controls.
        try probe.click(150, 120)
        try probe.click(320, 200)
        try await probe.app.wait(for: "mark tapped")
        #expect(!probe.app.lines.contains("view tapped"))
        try await probe.tell("bare")
        try await probe.app.wait(for: "view tapped") { try probe.click(150, 120) }
        try probe.click(320, 200)
        try await probe.app.wait(for: "mark tapped")
        try await probe.tell("action")
        try await probe.app.wait(for: "skipped") {
            try probe.click(PlayerLayerWindowTests.action.x, PlayerLayerWindowTests.action.y)
        }
        try await probe.tell("barred")
        #expect(try await probe.showControls(300, 100) { ($0.color(560, 356).first ?? 255) < 160 })
        let count = probe.app.lines.count { $0 == "view tapped" }
        try probe.click(150, 120)
        try probe.click(320, 200)
        try await probe.app.wait(for: "mark tapped")
        #expect(probe.app.lines.count { $0 == "view tapped" } == count)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("AVPlayerView shows the video and the controls of its style")
    func macView() async throws {
        let probe = try await Probe("macview")
        // The view has 600 × 360 points of the window.
        #expect(try await probe.showsPicture(x: 20, y: 31, width: 600, height: 337))
        #expect(try await probe.showControls(300, 100) { ($0.color(540, 336).first ?? 255) < 160 })
        // Click the full-screen button: the view fills the screen.
        try probe.click(587, 351)
        #expect(
            try await probe.shows { shot in
                try probe.size() == [1280, 800] && shot.hasQuarters(x: 0, y: 40, width: 1280, height: 720)
                    && shot.isNear(640, 10, [0, 0, 0])
            })
        try probe.display.key("Escape", in: "^Probe$")
        #expect(
            try await probe.shows { shot in
                try probe.size() == [640, 400] && shot.hasQuarters(x: 20, y: 31, width: 600, height: 337)
            })
        try await probe.tell("minimal")
        // The button is dark, in the middle, where the four quarters meet.
        #expect(
            try await probe.showControls(302, 102) {
                ($0.color(340, 220).first ?? 255) < 160 && $0.isNear(540, 336, [255, 255, 255])
            })
        try probe.click(320, 200)
        try await probe.app.wait(for: "player paused")
        try await probe.tell("none")
        try probe.point(310, 110)
        // Neither the button in the middle nor the bar is there.
        #expect(
            try await probe.shows {
                $0.hasQuarters(x: 20, y: 31, width: 600, height: 337) && $0.isNear(340, 220, [255, 255, 255])
                    && $0.isNear(540, 336, [255, 255, 255])
            })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }
}

extension Screenshot {
    /// Whether the rectangle shows the quarters of the test video: red, green, blue, white.
    fileprivate func hasQuarters(x: Int, y: Int, width: Int, height: Int) -> Bool {
        func at(_ u: Int, _ v: Int) -> (Int, Int) { (x + width * u / 8, y + height * v / 8) }
        let all: [(Int, Int, [Int])] = [
            (1, 2, [255, 0, 0]), (6, 2, [0, 255, 0]), (1, 5, [0, 0, 255]), (6, 5, [255, 255, 255]),
        ]
        return all.allSatisfy { u, v, color in
            let (px, py) = at(u, v)
            return isNear(px, py, color)
        }
    }
}
