import Foundation
import TestSupport
import Testing

/// Tests of the look of an app's controls over a video, and of whether GTK or the video's own surface draws the frames.
@Suite("Views over a video", .serialized)
struct VideoCoverTests {
    private static let red = [255, 0, 0], green = [0, 255, 0], blue = [0, 0, 255], white = [255, 255, 255]

    /// A probe with a video of 600 × 360 points at (20, 20), whose quarters are red, green, blue and white.
    private final class Probe: @unchecked Sendable {
        let display: any PrivateScreen
        let app: AppProcess
        /// - Parameter screen: The screen to use. If nil, a new private X server.
        init(_ screen: (any PrivateScreen)? = nil) async throws {
            if let screen { display = screen } else { display = try await PrivateDisplay.launch() }
            app = try AppProcess("Cover", [TestMedia.url("quad-709.mp4").path], display: display)
            try await app.wait(for: "event playing")
            #expect(
                try await shows {
                    $0.isNear(100, 100, red) && $0.isNear(550, 100, green) && $0.isNear(100, 350, blue)
                        && $0.isNear(550, 350, white)
                })
        }
        deinit { display.close() }
        /// The display as an X server, which can send pointer and key events.
        func x11() throws -> PrivateDisplay { try #require(display as? PrivateDisplay) }

        func tell(_ line: String) async throws {
            try app.send(line)
            try await app.wait(for: "did \(line)")
        }

        func shows(_ isRight: @escaping @Sendable (Screenshot) -> Bool) async throws -> Bool {
            try await until { [display] in isRight(try display.screenshot()) ? true : nil } == true
        }

        struct View: Equatable {
            /// Whether GTK draws the video's frames.
            var isGTKs: Bool
            var pictures: Int
            /// The bitmaps over the video, as `WIDTHxHEIGHT@IDENTITY`.
            var bitmaps: [String]
            var sizes: [String] { bitmaps.compactMap { $0.split(separator: "@").first.map(String.init) } }
        }
        /// Returns the current state of all video views.
        func views() async throws -> [View] {
            let before = app.lines.count
            try await tell("views")
            return app.lines.dropFirst(before).filter { $0.hasPrefix("view ") }.map { line in
                let words = line.split(separator: " ")
                return View(
                    isGTKs: words[1] == "gtk", pictures: Int(words[2]) ?? -1,
                    bitmaps: words.count > 3 ? words[3].split(separator: ",").map(String.init) : [])
            }
        }
        /// Waits until `isRight` accepts the state of the video views, and returns that state.
        func views(_ isRight: ([View]) -> Bool) async throws -> [View] {
            var views: [View] = []
            try await eventually("other views", seen: { "\(views)" }) {
                views = try await self.views()
                return isRight(views)
            }
            return views
        }
        var isQuiet: Bool { !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") }
    }

    @Test(
        "a translucent view blends over a playing video, without GTK drawing frames", arguments: Windowing.frameless)
    func blended(windowing: Windowing) async throws {
        let probe = try await Probe(try await windowing.launch(width: 640, height: 400))
        try await probe.tell("put bar")
        #expect(
            try await probe.shows {
                $0.isNear(100, 350, [0, 0, 127]) && $0.isNear(550, 350, [127, 127, 127])
                    && $0.isNear(100, 100, Self.red) && $0.isNear(550, 315, Self.white)
            })
        let views = try await probe.views()
        #expect(views.map(\.isGTKs) == [false])
        #expect(views.map(\.sizes) == [["600x60"]])
        // The video keeps playing below the bar.
        let later = try await probe.views { ($0.first?.pictures ?? 0) > (views.first?.pictures ?? 0) + 10 }
        #expect(later.map(\.isGTKs) == [false])
        #expect(try await probe.shows { $0.isNear(100, 350, [0, 0, 127]) && $0.isNear(550, 350, [127, 127, 127]) })
        try await probe.tell("take bar")
        #expect(try await probe.shows { $0.isNear(100, 350, Self.blue) && $0.isNear(550, 350, Self.white) })
        expectEqual(try await probe.views().map(\.bitmaps), [[]])
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("unchanged views are drawn once while the window changes")
    func still() async throws {
        let probe = try await Probe()
        for part in ["bar", "symbol", "button", "below"] { try await probe.tell("put \(part)") }
        #expect(try await probe.shows { $0.isNear(550, 350, [127, 127, 127]) && $0.isNear(70, 40, [255, 0, 255]) })
        let first = try await probe.views { $0.first?.bitmaps.count == 3 }
        #expect(first.map(\.isGTKs) == [false])
        #expect(first.first?.bitmaps.count == 3)
        for _ in 0..<5 {
            try await probe.tell("count")
            let seen = try await probe.views()
            _ = try await probe.views { ($0.first?.pictures ?? 0) > (seen.first?.pictures ?? 0) + 3 }
        }
        expectEqual(try await probe.views().map(\.bitmaps), first.map(\.bitmaps))
    }

    @Test("GTK draws a video without its own surface, including overlays")
    func withoutSurface() async throws {
        // A display with a depth of 16 bits offers no surface for video.
        let probe = try await Probe(try await PrivateDisplay.launch(depth: 16))
        for part in ["bar", "button", "symbol"] { try await probe.tell("put \(part)") }
        let isOver: @Sendable (Screenshot) -> Bool = {
            $0.isNear(100, 350, [0, 0, 127]) && $0.isNear(550, 350, [127, 127, 127])
                && $0.isNear(70, 40, [255, 0, 255]) && $0.isNear(100, 100, Self.red)
        }
        #expect(try await probe.shows(isOver))
        let first = try await probe.views { $0.first?.bitmaps.count == 3 }
        #expect(first.first?.bitmaps.count == 3)
        // Each frame uses the same bitmaps, and draws them only once: twice would be darker.
        let later = try await probe.views { ($0.first?.pictures ?? 0) > (first.first?.pictures ?? 0) + 10 }
        #expect(later.map(\.bitmaps) == first.map(\.bitmaps))
        #expect(try await probe.shows(isOver))
        try await probe.tell("pause")
        try await probe.app.wait(for: "event paused")
        try await probe.tell("opacity 0.5")
        #expect(try await probe.shows { $0.isNear(100, 350, [0, 0, 191]) && $0.isNear(550, 350, [191, 191, 191]) })
        try await probe.tell("take bar")
        #expect(
            try await probe.shows {
                $0.isNear(100, 350, Self.blue) && $0.isNear(550, 350, Self.white) && $0.isNear(70, 40, [255, 0, 255])
            })
    }

    @Test("GTK draws the video only while a mask is applied")
    func mask() async throws {
        let probe = try await Probe()
        try await probe.tell("put bar")
        expectEqual(try await probe.views { $0.first?.bitmaps.count == 1 }.map(\.isGTKs), [false])
        try await probe.tell("put mask")
        // The mask is a circle of 300 points in the middle. Its lower end extends 30 points into the bar.
        #expect(
            try await probe.shows {
                $0.isNear(40, 100, Self.blue) && $0.isNear(250, 150, Self.red) && $0.isNear(330, 340, [127, 127, 127])
                    && $0.isNear(550, 350, Self.blue)
            })
        #expect(try await probe.views { $0.allSatisfy(\.isGTKs) }.allSatisfy(\.isGTKs))
        try await probe.tell("take mask")
        #expect(try await probe.shows { $0.isNear(40, 100, Self.red) && $0.isNear(550, 350, [127, 127, 127]) })
        #expect(try await probe.views { $0.allSatisfy { !$0.isGTKs } }.allSatisfy { !$0.isGTKs })
    }

    @Test("a fading view is drawn once and shown at each opacity")
    func fade() async throws {
        let probe = try await Probe()
        try await probe.tell("put bar")
        try await probe.tell("lasting 10")
        try await probe.tell("opacity 0")
        #expect(
            try await probe.shows {
                (140...200).contains($0.color(550, 350).first ?? 0)
                    && (140...200).contains($0.color(550, 350).last ?? 0)
            })
        let early = try await probe.views()
        #expect(early.map(\.isGTKs) == [false])
        #expect(early.map(\.sizes) == [["600x60"]])
        #expect(try await probe.shows { (205...245).contains($0.color(550, 350).first ?? 0) })
        expectEqual(try await probe.views().map(\.bitmaps), early.map(\.bitmaps))
        #expect(try await probe.shows { $0.isNear(550, 350, Self.white) && $0.isNear(100, 350, Self.blue) })
        expectEqual(try await probe.views { $0.first?.bitmaps.isEmpty == true }.map(\.bitmaps), [[]])
    }

    @Test("views over a paused video update at once and disappear cleanly")
    func paused() async throws {
        let probe = try await Probe()
        try await probe.tell("pause")
        try await probe.app.wait(for: "event paused")
        let pictures = try await probe.views().map(\.pictures)
        try await probe.tell("put bar")
        #expect(try await probe.shows { $0.isNear(100, 350, [0, 0, 127]) && $0.isNear(550, 350, [127, 127, 127]) })
        try await probe.tell("color red")
        #expect(try await probe.shows { $0.isNear(100, 350, [127, 0, 127]) && $0.isNear(550, 350, [255, 127, 127]) })
        try await probe.tell("opacity 0.5")
        #expect(try await probe.shows { $0.isNear(100, 350, [64, 0, 191]) && $0.isNear(550, 350, [255, 191, 191]) })
        // GTK draws the part of the bar that is beside the video.
        try await probe.tell("shift 50")
        #expect(
            try await probe.shows {
                $0.isNear(45, 350, Self.blue) && $0.isNear(100, 350, [64, 0, 191]) && $0.isNear(630, 350, [64, 0, 191])
                    && $0.isNear(100, 310, Self.blue)
            })
        try await probe.tell("take bar")
        #expect(
            try await probe.shows {
                $0.isNear(100, 350, Self.blue) && $0.isNear(550, 350, Self.white) && $0.isNear(630, 350, Self.blue)
                    && $0.isNear(100, 100, Self.red)
            })
        expectEqual(try await probe.views().map(\.isGTKs), [false])
        expectEqual(try await probe.views().map(\.pictures), pictures)
    }

    /// Returns a screenshot once nothing moves in the area of `x` and `y`, or nil after the deadline. Two screenshots
    /// may show the same step of an animation on a busy machine, so four must be equal.
    private static func still(_ probe: Probe, x: Range<Int>, y: Range<Int>) async throws -> Screenshot? {
        try await until { [display = probe.display] in
            let first = try display.screenshot()
            for _ in 0..<3 {
                blockWhileTimePasses(0.2, because: "screens apart show whether something moves")
                if first.differences(from: try display.screenshot(), x: x, y: y) != 0 { return nil }
            }
            return first
        }
    }

    @Test("a change without a new size is visible over a video", arguments: ["clock", "cards"])
    func changes(_ part: String) async throws {
        let probe = try await Probe()
        try await probe.tell("pause")
        try await probe.app.wait(for: "event paused")
        try await probe.tell("put \(part)")
        let (x, y) = (30..<610, 30..<370)
        var seen: [Screenshot] = []
        for step in 0..<4 {
            if step > 0 { try await probe.tell("count") }
            // Each digit and slider position looks different from all earlier ones.
            let before = seen
            #expect(
                try await probe.shows { shot in before.allSatisfy { $0.differences(from: shot, x: x, y: y) > 20 } },
                "step \(step)")
            let kept = try #require(try await Self.still(probe, x: x, y: y))
            seen.append(kept)
            try await Self.expectFresh(probe, kept, x: x, y: y)
        }
        guard part == "cards" else { return }
        // A click on a switch moves it all the way.
        let start = try #require(seen.last)
        try probe.x11().xdotool(["mousemove", "340", "207", "click", "1"])
        #expect(try await probe.shows { $0.differences(from: start, x: x, y: y) > 20 })
        try probe.x11().xdotool(["mousemove", "630", "390"])
        let kept = try #require(try await Self.still(probe, x: x, y: y))
        try await Self.expectFresh(probe, kept, x: x, y: y)
    }

    /// Checks that the screen looks like `kept` when no cached drawing is used.
    private static func expectFresh(_ probe: Probe, _ kept: Screenshot, x: Range<Int>, y: Range<Int>) async throws {
        try await probe.tell("kept off")
        try await probe.tell("kick")
        let fresh = try #require(try await still(probe, x: x, y: y))
        #expect(kept.differences(from: fresh, x: x, y: y) == 0)
        try await probe.tell("kept on")
    }

    @Test("controls over a video accept clicks and text, and show them")
    func input() async throws {
        let probe = try await Probe()
        try await probe.tell("put button")
        #expect(try await probe.shows { $0.isNear(70, 40, [255, 0, 255]) })
        try probe.x11().xdotool(["mousemove", "70", "40", "click", "1"])
        try await probe.app.wait(for: "clicked")
        try await probe.tell("put field")
        let empty = try await probe.views { ($0.first?.bitmaps.count ?? 0) >= 2 }
        #expect(empty.map(\.isGTKs) == [false])
        try probe.x11().xdotool(["mousemove", "320", "200", "click", "1"])
        try probe.x11().xdotool(["type", "abc"])
        try await probe.app.wait(for: "typed abc")
        // Dark letters are on the field's background, which was light everywhere.
        #expect(
            try await probe.shows { shot in
                (225..<260).contains { x in (190..<212).contains { shot.color(x, $0).allSatisfy { $0 < 110 } } }
            })
        expectEqual(try await probe.views().map(\.isGTKs), [false])
    }

    @Test("each video has its overlays; the upper video keeps its surface")
    func several() async throws {
        let probe = try await Probe()
        try await probe.tell("put two")
        // Each video is 290 points wide, at x = 20 and x = 330, with a square in the middle. The square's lower right
        // quarter is over white.
        #expect(
            try await probe.shows {
                $0.isNear(190, 230, [127, 127, 127]) && $0.isNear(140, 170, [127, 0, 0])
                    && $0.isNear(475, 200, [255, 255, 0]) && $0.isNear(600, 350, Self.white)
            })
        #expect(
            try await probe.views { $0.count == 2 && $0.allSatisfy { !$0.isGTKs && $0.sizes == ["100x100"] } }.map(
                \.sizes) == [["100x100"], ["100x100"]])
        try await probe.tell("take two")
        try await probe.tell("put inset")
        try await probe.tell("put bar")
        // The inset video has 200 × 120 points at (420, 260). Its upper left quarter is red, and the bar covers its
        // lower quarters.
        #expect(
            try await probe.shows {
                $0.isNear(450, 280, Self.red) && $0.isNear(590, 280, Self.green) && $0.isNear(450, 350, [0, 0, 127])
                    && $0.isNear(590, 350, [127, 127, 127]) && $0.isNear(400, 300, Self.white)
                    && $0.isNear(100, 350, [0, 0, 127])
            })
        #expect(
            try await probe.views { $0.count == 2 && $0.filter(\.isGTKs).count == 1 }.filter { !$0.isGTKs }.map(\.sizes)
                == [["200x60"]])
    }

    @Test("sublayers and views over a player layer are both blended")
    func layer() async throws {
        let probe = try await Probe()
        try await probe.tell("put layer")
        try await probe.tell("put bar")
        let isRight: @Sendable (Screenshot) -> Bool = {
            $0.isNear(290, 170, [127, 0, 0]) && $0.isNear(350, 230, [127, 127, 127])
                && $0.isNear(100, 350, [0, 0, 127]) && $0.isNear(550, 350, [127, 127, 127])
                && $0.isNear(100, 100, Self.red)
        }
        #expect(try await probe.shows(isRight))
        let views = try await probe.views { $0.count == 1 && $0[0].bitmaps.count == 2 }
        #expect(views.map(\.isGTKs) == [false])
        #expect(Set(views.first?.sizes ?? []) == ["102x102", "600x60"])
        #expect(try await probe.shows(isRight))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("overlays stay in place after a video returns or its window shrinks")
    func comesAndGoes() async throws {
        let probe = try await Probe()
        try await probe.tell("put bar")
        try await probe.tell("hide")
        #expect(try await probe.shows { $0.isNear(550, 350, Self.blue) && $0.isNear(100, 100, Self.blue) })
        try await probe.tell("show")
        #expect(try await probe.shows { $0.isNear(550, 350, [127, 127, 127]) && $0.isNear(100, 100, Self.red) })
        expectEqual(try await probe.views().map(\.isGTKs), [false])
        let window = try #require(try probe.x11().window("Probe"))
        try probe.x11().xdotool(["windowsize", window, "440", "300"])
        // The video now has 400 × 260 points at (20, 20).
        #expect(
            try await probe.shows {
                $0.isNear(400, 250, [127, 127, 127]) && $0.isNear(400, 215, Self.white)
                    && $0.isNear(100, 250, [0, 0, 127]) && $0.isNear(100, 100, Self.red)
            })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }
}
