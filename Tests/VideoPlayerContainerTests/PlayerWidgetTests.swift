import Foundation
import TestSupport
import Testing

/// Tests of a container in a window on an X server without a window manager (`PlayerWidgetProbe`). The container has
/// 600 × 360 points, 20 points from the edges of a blue background. The video fills it, and its quarters are red,
/// green, blue and white.
@Suite("A container in a window", .serialized)
struct PlayerWidgetTests {
    private final class Probe: @unchecked Sendable {
        let display: PrivateDisplay
        let app: AppProcess

        init(_ film: String = "quad-709.mp4") async throws {
            display = try await PrivateDisplay.launch()
            app = try AppProcess("PlayerWidgetProbe", ["overlays", TestMedia.url(film).path], display: display)
            try await app.wait(for: "ready")
        }
        deinit { display.close() }

        func tell(_ lines: String...) async throws {
            for line in lines {
                try app.send(line)
                try await app.wait(for: "did \(line)")
            }
        }
        /// Waits until `condition` accepts a screenshot. Returns false after the deadline.
        func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
            try await until { try condition(try self.display.screenshot()) ? true : nil } == true
        }
        func showsPicture(width: Int = 600, height: Int = 360) async throws -> Bool {
            try await shows { $0.hasPicture(width: width, height: height) }
        }
        func point(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(20 + x)", "\(20 + y)"]) }
        /// Clicks at a point of the container.
        func click(_ x: Int, _ y: Int) throws {
            try display.xdotool(["mousemove", "\(20 + x)", "\(20 + y)", "click", "1"])
        }
        /// Waits until the last line that begins with `prefix` is `line`. If `asked`, sends `prefix` as a command
        /// before each look. Returns false after the deadline.
        func says(_ line: String, of prefix: String, asked: Bool = false) async throws -> Bool {
            try await until {
                if asked { try self.app.send(prefix) }
                return self.told(prefix).last == line ? true : nil
            } == true
        }
        func told(_ prefix: String) -> [String] { app.lines.filter { $0.hasPrefix(prefix) } }
        var isQuiet: Bool { !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") }
    }

    // MARK: the README

    @Test("the README's walk-through plays, and a click pauses and resumes")
    func walkthrough() async throws {
        // The walk-through plays `demo.mp4` from the folder of the app.
        let name = "walkthrough-\(UUID().uuidString.prefix(8))"
        let files = FileManager.default
        let folder = Programs.folder.appendingPathComponent(name)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: folder) }
        try files.linkItem(
            at: Programs.folder.appendingPathComponent("PlayerWidgetProbe").resolvingSymlinksInPath(),
            to: folder.appendingPathComponent("PlayerWidgetProbe"))
        try files.createSymbolicLink(
            at: folder.appendingPathComponent("demo.mp4"), withDestinationURL: try TestMedia.url("counter.mp4"))
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("\(name)/PlayerWidgetProbe", ["walkthrough"], display: display)
        try await app.wait(for: "rate 1")
        try await app.wait(for: "clickable true")
        // If the controls have hidden, the first click only shows them, so repeat.
        try await app.wait(for: "rate 0") { try display.xdotool(["mousemove", "320", "200", "click", "1"]) }
        try await app.wait(for: "rate 1") { try display.xdotool(["mousemove", "321", "200", "click", "1"]) }
        #expect(
            !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") && !app.errors.contains("⚠"),
            "\(app.errors)")
    }

    // MARK: overlays

    @Test("overlays are stacked in order, each with its custom view above")
    func order() async throws {
        let probe = try await Probe()
        #expect(try await probe.showsPicture())
        try await probe.tell("order")
        // From the left: each custom overlay, with the next built-in overlay over its right part.
        let own: [[Int]] = [[255, 255, 0], [0, 255, 255], [255, 0, 255], [0, 128, 0], [128, 0, 0]]
        let builtIn: [[Int]] = [[128, 128, 128], [64, 64, 64], [0, 0, 128], [191, 191, 191]]
        let hasAll: @Sendable (Screenshot, [Int]) -> Bool = { shot, there in
            (0..<5).allSatisfy { i in
                let x = 120 + 60 * i
                // Three points of each custom overlay: where it is alone, under the next built-in overlay, and over its
                // own built-in overlay.
                return shot.isNear(x + 30, 140, own[i])
                    && (i == 4 || shot.isNear(x + 50, 140, there.contains(i) ? builtIn[i] : own[i]))
                    && shot.isNear(x + 5, 140, own[i])
            }
        }
        #expect(try await probe.shows { hasAll($0, [0, 1, 2, 3]) && $0.isNear(100, 140, [255, 0, 0]) })
        try await probe.tell("enable render plugin toast")
        #expect(try await probe.shows { hasAll($0, [1, 3]) && $0.isNear(100, 140, [255, 0, 0]) })
        // Without the built-in overlays there is no video, only the window's background.
        try await probe.tell("enable")
        #expect(try await probe.shows { hasAll($0, []) && $0.isNear(100, 140, [0, 0, 255]) })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("launched services are created once, and the container reports its size")
    func launch() async throws {
        let probe = try await Probe()
        #expect(try await probe.showsPicture())
        #expect(probe.told("launched") == ["launched"])
        try await probe.tell("size", "hide widget", "show widget", "status full")
        #expect(probe.told("launched") == ["launched"] && probe.told("size") == ["size 600.0 360.0"])
    }

    // MARK: controls

    /// Whether the marks of `Slots` are at their positions in the container.
    private static func hasSlots(_ shot: Screenshot) -> Bool {
        let marks: [(Int, Int, [Int])] = [
            (20, 10, [0, 255, 255]), (520, 30, [255, 0, 255]), (20, 150, [255, 255, 0]), (520, 140, [0, 255, 255]),
            (520, 160, [255, 0, 255]), (270, 150, [255, 0, 255]),
            (20, 270, [255, 255, 0]), (520, 290, [0, 255, 255]), (20, 310, [255, 0, 255]),
        ]
        return marks.allSatisfy { x, y, color in
            // The mark fills its frame but does not extend beyond it.
            shot.isNear(22 + x, 22 + y, color) && shot.isNear(57 + x, 37 + y, color)
                && !shot.isNear(16 + x, 30 + y, color) && !shot.isNear(64 + x, 30 + y, color)
        }
    }

    @Test("the slots are at their positions, and each status has its own")
    func slots() async throws {
        let probe = try await Probe()
        try await probe.tell("slots")
        #expect(try await probe.shows { Self.hasSlots($0) })
        try await probe.tell("status full")
        #expect(
            try await probe.shows {
                $0.isNear(22, 22, [255, 255, 0]) && $0.isNear(57, 37, [255, 255, 0]) && $0.isNear(45, 45, [255, 0, 0])
                    && $0.isNear(550, 60, [0, 255, 0]) && $0.isNear(310, 180, [255, 0, 0])
            })
        try await probe.tell("status portrait")
        #expect(try await probe.showsPicture())
        try await probe.tell("status half")
        #expect(try await probe.shows { Self.hasSlots($0) })
        try await probe.tell("style never")
        // The points of the picture are beside the marks, so also check where two marks were.
        #expect(
            try await probe.shows {
                $0.hasPicture(width: 600, height: 360) && $0.isNear(60, 40, [255, 0, 0])
                    && $0.isNear(310, 180, [255, 0, 0])
            })
        try await probe.tell("style always", "opacity 0.5")
        #expect(try await probe.shows { $0.isNear(40, 40, [128, 128, 128]) && $0.isNear(40, 100, [255, 0, 0]) })
        try await probe.tell("opacity 1", "shadow")
        #expect(
            try await probe.shows {
                $0.isNear(40, 40, [0, 255, 255]) && $0.isNear(100, 100, [128, 0, 0])
                    && $0.isNear(600, 360, [128, 128, 128])
            })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a tap outside the controls toggles them; a double tap does not")
    func taps() async throws {
        let probe = try await Probe()
        try await probe.tell("button", "style manual")
        #expect(try await probe.shows { $0.isNear(320, 200, [255, 255, 0]) })
        try probe.click(100, 80)
        try await probe.app.wait(for: "event tap left end 100 80")
        #expect(try await probe.showsPicture())
        try probe.click(500, 300)
        try await probe.app.wait(for: "event tap right end 500 300")
        #expect(try await probe.shows { $0.isNear(320, 200, [255, 255, 0]) })
        let before = probe.told("event tap").count
        try probe.click(300, 180)
        try await probe.app.wait(for: "pressed")
        // If the video had also received the click, its event would arrive before this one.
        try probe.click(500, 80)
        try await probe.app.wait(for: "event tap")
        #expect(probe.told("event tap").count == before + 1)
        try await probe.app.wait(for: "event doubleTap right end") {
            try probe.display.xdotool(["mousemove", "500", "300", "click", "--repeat", "2", "--delay", "30", "1"])
        }
        // Each single tap toggled the controls once, and the double tap never did. A late tap may still arrive.
        #expect(
            try await until {
                let lines = probe.app.lines
                let controls = lines.count { $0.hasPrefix("controls") }
                return controls == lines.count { $0.hasPrefix("event tap") } + 1 ? true : nil
            } == true)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("automatic controls hide by themselves, and a tap shows them briefly")
    func auto() async throws {
        let probe = try await Probe()
        try await probe.tell("button", "style auto")
        try await probe.app.wait(for: "controls false")
        #expect(try await probe.showsPicture())
        try probe.click(100, 80)
        try await probe.app.wait(for: "controls true")
        try await probe.app.wait(for: "controls false")
        #expect(try await until { probe.told("event tap").isEmpty ? nil : true } == true)
        #expect(probe.told("event tap").count == 1 && probe.isQuiet, "\(probe.app.lines) \(probe.app.errors)")
    }

    // MARK: panels

    @Test("a squeezing panel shrinks the overlays; a covering one does not")
    func panels() async throws {
        let probe = try await Probe()
        let pink = [255, 0, 255]
        let ground = [0, 0, 255]
        try await probe.tell("toasts", "duration 1000000", "toast a", "present right 10 100")
        // The toast stays in the corner of the overlays.
        #expect(
            try await probe.shows {
                $0.hasPicture(width: 490, height: 360) && $0.isNear(522, 22, pink) && $0.isNear(617, 377, pink)
                    && $0.isNear(515, 100, ground) && $0.isNear(40, 320, [0, 255, 255])
            })
        try await probe.tell("present left 0 100")
        #expect(
            try await probe.shows {
                $0.hasPicture(x: 120, width: 500, height: 360) && $0.isNear(22, 22, pink) && $0.isNear(117, 377, pink)
                    && $0.isNear(140, 320, [0, 255, 255])
            })
        try await probe.tell("present top 8 60")
        #expect(
            try await probe.shows {
                $0.hasPicture(y: 88, width: 600, height: 292) && $0.isNear(22, 22, pink) && $0.isNear(617, 77, pink)
                    && $0.isNear(300, 84, ground)
            })
        try await probe.tell("present bottom 8 60")
        #expect(
            try await probe.shows {
                $0.hasPicture(width: 600, height: 292) && $0.isNear(22, 322, pink) && $0.isNear(617, 377, pink)
                    && $0.isNear(300, 316, ground)
            })
        for (edge, inside) in [("left", (30, 30)), ("right", (610, 370)), ("top", (610, 30)), ("bottom", (30, 370))] {
            try await probe.tell("present \(edge) cover 50")
            #expect(
                try await probe.shows { shot in
                    // The center of the video has not moved.
                    shot.isNear(inside.0, inside.1, pink) && shot.isNear(300, 180, [255, 0, 0])
                        && shot.isNear(340, 220, [255, 255, 255]) && shot.isNear(340, 180, [0, 255, 0])
                }, "\(edge)")
        }
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("a tap beside a panel dismisses it without reaching the video")
    func tapBeside() async throws {
        let probe = try await Probe()
        for (panel, beside) in [("present left cover 100", (400, 300)), ("present right 10 100", (50, 50))] {
            try await probe.tell(panel)
            try await probe.app.wait(for: "after present")
            let inside = panel.contains("left") ? (50, 100) : (560, 100)
            #expect(try await probe.shows { $0.isNear(20 + inside.0, 20 + inside.1, [255, 0, 255]) })
            try probe.click(inside.0, inside.1)
            try probe.click(beside.0, beside.1)
            try await probe.app.wait(for: "before dismiss")
            try await probe.app.wait(for: "after dismiss")
            #expect(try await probe.showsPicture())
        }
        #expect(probe.told("before dismiss").count == 2 && probe.told("event tap").isEmpty)
        try await probe.tell("keep", "present left cover 100")
        #expect(try await probe.shows { $0.isNear(50, 100, [255, 0, 255]) })
        try probe.click(400, 300)
        try await probe.app.wait(for: "event tap right")
        #expect(probe.told("before dismiss").count == 2)
        #expect(try await probe.shows { $0.isNear(50, 100, [255, 0, 255]) })
        try await probe.tell("status full")
        #expect(try await probe.showsPicture())
        #expect(probe.told("before dismiss").count == 3 && probe.isQuiet)
    }

    @Test("a panel disappears at the edge where it appeared")
    func leaves() async throws {
        let probe = try await Probe()
        let pink = [255, 0, 255]
        for (edge, far) in [("left", (320, 200)), ("bottom", (320, 200))] {
            try await probe.tell("present \(edge) cover 100")
            #expect(try await probe.shows { $0.isNear(25, 375, pink) })
            try await probe.tell("leave")
            let strayed = Strayed()
            #expect(
                try await probe.shows { shot in
                    if shot.isNear(far.0, far.1, pink) { strayed.is = true }
                    return shot.hasPicture(width: 600, height: 360)
                })
            #expect(!strayed.is, "\(edge)")
        }
    }
    /// `@unchecked Sendable`, because only one thread at a time uses it.
    private final class Strayed: @unchecked Sendable { var `is` = false }

    @Test("without the feature overlay no panel is displayed")
    func noFeature() async throws {
        let probe = try await Probe()
        try await probe.tell("present left 10 100")
        #expect(try await probe.shows { $0.hasPicture(x: 130, width: 490, height: 360) })
        try await probe.tell("enable render plugin control toast")
        #expect(try await probe.showsPicture())
        try await probe.tell("enable render feature")
        #expect(try await probe.shows { $0.hasPicture(x: 130, width: 490, height: 360) })
    }

    // MARK: toasts and plugins

    @Test("toasts stack with the newest lowest, and plugins follow their alignment")
    func toastsAndPlugin() async throws {
        let probe = try await Probe()
        let cyan = [0, 255, 255]
        let pink = [255, 0, 255]
        let blue = [0, 0, 255]
        // The first toast disappears while the others stay.
        try await probe.tell("duration 1000000", "toast a", "toasts", "plugin bottomTrailing")
        #expect(
            try await probe.shows {
                $0.isNear(32, 314, cyan) && $0.isNear(68, 330, cyan) && $0.isNear(26, 320, blue)
                    && $0.isNear(600, 370, cyan) && $0.isNear(582, 352, cyan)
            })
        try await probe.tell("duration 300", "toast b", "duration 1000000", "toast wide")
        #expect(
            try await probe.shows {
                $0.isNear(40, 322, pink) && $0.isNear(108, 322, pink) && $0.isNear(68, 294, cyan)
                    && $0.isNear(72, 294, blue) && $0.isNear(40, 266, blue)
            })
        try await probe.tell("plugin topLeading")
        #expect(
            try await probe.shows {
                $0.isNear(22, 22, cyan) && $0.isNear(57, 47, cyan) && $0.isNear(65, 30, [255, 0, 0])
                    && $0.isNear(600, 370, [255, 255, 255])
            })
        try await probe.tell("plugin none")
        #expect(try await probe.shows { $0.isNear(22, 22, [255, 0, 0]) })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    // MARK: gestures

    @Test("hover and drag events are reported, with a drag's first direction")
    func pointer() async throws {
        let probe = try await Probe()
        #expect(try await probe.showsPicture())
        try probe.point(-10, -10)
        try probe.point(300, 180)
        try await probe.app.wait(for: "event hover start")
        try probe.point(700, 180)
        try await probe.app.wait(for: "event hover end")
        /// Drags over `points` and waits for the line `heard` after the second point, because GTK merges quick motions
        /// into the last one.
        func drag(_ points: [(Int, Int)], _ heard: String?, release: Bool = true) async throws {
            for (index, point) in points.enumerated() {
                try probe.point(point.0, point.1)
                if index == 0 { try probe.display.xdotool(["mousedown", "1"]) }
                if index == 1, let heard { try await probe.app.wait(for: heard) }
            }
            if release { try probe.display.xdotool(["mouseup", "1"]) }
        }
        try await drag([(200, 100), (240, 104), (240, 300)], "event drag horizontal start")
        expectEqual(try await probe.app.wait(for: "event drag horizontal end"), "event drag horizontal end 40 200")
        try await drag([(500, 300), (496, 260), (100, 260)], "event drag vertical right start")
        #expect(
            try await probe.app.wait(for: "event drag vertical right end") == "event drag vertical right end -400 -40")
        // A drag does not report a tap.
        try probe.click(300, 180)
        try await probe.app.wait(for: "event tap")
        #expect(probe.told("event tap") == ["event tap right end 300 180"])
        // The gestures are disabled during a drag.
        try await drag([(100, 100), (100, 140)], "event drag vertical left start", release: false)
        try await probe.tell("gestures off")
        #expect(probe.told("event drag vertical left end").count == 1)
        try probe.display.xdotool(["mouseup", "1"])
        try await probe.tell("gestures on", "simultaneous")
        // The app's own gestures work simultaneously, from the next layout on.
        try await probe.app.wait(for: "own tap 50 60") { try probe.click(50, 60) }
        try await drag([(200, 100), (260, 100), (300, 100)], "event drag horizontal start")
        #expect(
            try await until {
                probe.told("own drag") == ["own drag 100"]
                    && probe.told("event drag horizontal end").last == "event drag horizontal end 100 0" ? true : nil
            } == true)

        // Without the render overlay there are no gestures, but hover still works over the container.
        try await probe.tell("enable feature control")
        #expect(try await probe.shows { $0.isNear(100, 140, [0, 0, 255]) })
        try probe.point(700, 10)
        try await probe.app.wait(for: "event hover end")
        try probe.point(300, 200)
        try await probe.app.wait(for: "event hover start")
        let before = probe.told("event tap").count + probe.told("event drag").count
        try probe.click(300, 180)
        try await drag([(200, 100), (260, 100), (300, 100)], nil)
        try await probe.tell("enable render")
        try probe.click(520, 180)
        try await probe.app.wait(for: "event tap right end 520 180")
        #expect(probe.told("event tap").count + probe.told("event drag").count == before + 1)
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("frames in the container's space are relative to the container's corner")
    func space() async throws {
        let probe = try await Probe()
        try await probe.tell("style always", "frames")
        #expect(try await probe.shows { $0.isNear(320, 200, [255, 255, 0]) })
        #expect(try await probe.says("frame 270 160 60 40", of: "frame"))
        // A squeezing panel moves views, and their frames are still relative to the container.
        try await probe.tell("present left 0 100", "frames")
        #expect(try await probe.shows { $0.isNear(370, 200, [255, 255, 0]) && $0.isNear(330, 190, [255, 0, 0]) })
        #expect(try await probe.says("frame 320 160 60 40", of: "frame"))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    // MARK: missing and released contexts

    @Test("a missing or released context is reported in the widget's place")
    func missing() async throws {
        let probe = try await Probe()
        #expect(try await probe.showsPicture())
        /// Waits until a box of 400 × 200 points in the middle has color `ground`, with `count` pixels of text on it.
        func hasWords(_ count: Range<Int>, on ground: [Int]) async throws -> Bool {
            try await probe.shows { shot in
                guard shot.isNear(125, 105, ground), shot.isNear(515, 295, ground) else { return false }
                return count.contains(
                    (110..<290).reduce(0) { sum, y in sum + (125..<515).filter { !shot.isNear($0, y, ground) }.count })
            }
        }
        try await probe.tell("show outside")
        #expect(try await hasWords(1000..<20_000, on: [0, 255, 0]))
        #expect(probe.app.errors.contains("No ObservableObject of type Context found"))
        try await probe.tell("hide outside", "show below")
        #expect(try await hasWords(100..<1000, on: [0, 255, 0]))
        try await probe.tell("hide below", "show gone")
        #expect(try await hasWords(1000..<20_000, on: [255, 255, 0]))
        try await probe.tell("hide gone")
        #expect(try await probe.showsPicture())
    }

    @Test("removing the widget stops its own player, not an attached one")
    func renderGoes() async throws {
        let probe = try await Probe("counter.mp4")
        try await probe.tell("play", "show narrow", "own", "hide narrow", "own")
        #expect(probe.told("own") == ["own rate 1.0 item some", "own rate 1.0 item some"])
        try await probe.tell("attach", "hide widget")
        #expect(try await probe.says("own rate 0.0 item none", of: "own", asked: true))
        #expect(try await probe.says("other rate 1.0 item some", of: "other", asked: true))
        try await probe.tell("show widget", "enable control", "own")
        #expect(probe.told("other").allSatisfy { $0 == "other rate 1.0 item some" } && probe.isQuiet)
    }
}

extension Screenshot {
    /// Whether the rectangle shows the video's quarters up to its edges: red, green, blue, white.
    fileprivate func hasPicture(x: Int = 20, y: Int = 20, width: Int, height: Int) -> Bool {
        let right = x + width - 4
        let bottom = y + height - 4
        let middle = (x + width / 2, y + height / 2)
        return isNear(x + 3, y + 3, [255, 0, 0]) && isNear(right, y + 3, [0, 255, 0])
            && isNear(right, bottom, [255, 255, 255]) && isNear(x + 3, bottom, [0, 0, 255])
            && isNear(middle.0 - 6, middle.1 - 6, [255, 0, 0]) && isNear(middle.0 + 6, middle.1 - 6, [0, 255, 0])
            && isNear(middle.0 + 6, middle.1 + 6, [255, 255, 255])
    }
}
