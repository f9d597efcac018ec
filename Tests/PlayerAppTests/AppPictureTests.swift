import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests of keys and mouse over the video in the app's window.
@Suite("Keys and mouse over the app's video", .serialized)
struct AppPictureTests {
    private func linked(_ film: String, _ name: String, _ rig: AppRig) throws -> URL {
        let url = rig.home.appendingPathComponent(name)
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: TestMedia.url(film))
        return url
    }

    @Test("a double click turns full screen on and off")
    func fillsScreen() async throws {
        let rig = try await AppRig()
        let manager = try await rig.display.manageWindows()
        defer { manager.send(SIGTERM) }
        let film = try rig.film("one.mp4")
        try rig.left(showsList: false)
        let app = try rig.start(film.path)
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        @Sendable func isLarge() throws -> Bool {
            let shot = try rig.display.screenshot()
            return [(200, 100), (1200, 100), (1200, 700), (640, 400)].allSatisfy {
                shot.isNear($0.0, $0.1, AppRig.blue, within: 24)
            }
        }
        // The video plays before its first frame is drawn.
        let found = try await until("the video") { () -> AppRig.Place? in
            let opened = try rig.display.screenshot()
            return (0..<80).lazy.flatMap { x in (0..<50).map { (x: x * 16, y: $0 * 16) } }.first {
                opened.isNear($0.x, $0.y, AppRig.blue, within: 24)
                    && opened.isNear($0.x + 80, $0.y + 80, AppRig.blue, within: 24)
            }
        }
        let place = try #require(found)
        #expect(try !isLarge())
        for wanted in [true, false] {
            /// Whether the video is shown at the wanted size. It is shown at `place` at both sizes.
            @Sendable func isDone() throws -> Bool {
                let shot = try rig.display.screenshot()
                return try shot.isNear(place.x + 80, place.y + 80, AppRig.blue, within: 24) && isLarge() == wanted
            }
            let came = try await rig.comes {
                if try isDone() { return true }
                try rig.click((place.x + 80, place.y + 80), times: 2)
                // Repeat the double click if its two clicks were too far apart. It would undo one that is only late, so
                // the repeat comes long after.
                return try Deadline(seconds: 20).poll { try isDone() ? true : nil } == true
            }
            #expect(came, "full screen \(wanted)")
        }
        expectEqual(try await rig.ctl("status"), "Playing")
        try rig.key("ctrl+q", in: "one.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("a file chosen in the Ctrl+O dialog plays in the same window")
    func opens() async throws {
        let rig = try await AppRig()
        let one = try rig.film("one.mp4")
        _ = try rig.film("two.mp4")
        try rig.left(showsList: false)
        let app = try rig.start(one.path)
        #expect(try await rig.shows("one.mp4"))
        let dialog = try await rig.dialog("ctrl+o", in: "one.mp4").title
        let isChosen = try await rig.comes {
            guard let window = try rig.display.window(dialog) else { return true }
            try rig.display.xdotool(["windowfocus", "--sync", window])
            // The dialog shows the folder of the current video, and the last file there is the other one.
            try rig.display.xdotool(["key", "--delay", "100", "Down", "End", "Return"])
            return try Deadline(seconds: 20).poll { try rig.titles().count == 1 ? true : nil } == true
        }
        #expect(isChosen)
        #expect(try await rig.shows("two.mp4"))
        #expect(try await rig.plays())
        // Escape closes the dialog without opening a file.
        try rig.key("ctrl+o", in: "two.mp4")
        #expect(try await rig.comes { try rig.titles().count == 2 })
        #expect(
            try await rig.comes {
                // Repeated, because a new window may ignore the first key press.
                if let window = try rig.display.window(dialog) { try rig.display.key("Escape", window: window) }
                return try Deadline(seconds: 4).poll { try rig.titles() == ["two.mp4"] ? true : nil } == true
            })
        try rig.key("ctrl+q", in: "two.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("the key # cycles through the audio tracks and displays their names")
    func tracks() async throws {
        let rig = try await AppRig()
        let film = try linked("languages.mkv", "film.mkv", rig)
        try rig.left(showsList: false)
        let app = try rig.start(film.path, environment: AppRig.toldOf)
        #expect(try await rig.shows("film.mkv"))
        try rig.key("space", in: "film.mkv")
        // A message disappears by itself, perhaps before a look, so the key is pressed before each look until all names
        // were seen and the first one again.
        let places = Mutex<[String]>([])
        #expect(
            try await rig.comes {
                try rig.key("numbersign", in: "film.mkv")
                guard let said = try await rig.told(app).first(where: { $0.name.hasPrefix("Audio: ") })?.name else {
                    return false
                }
                return places.withLock { places in
                    places.append(said)
                    return Set(places).count == 3 && places.first == said
                }
            }, "\(places.withLock { $0 })")
        #expect(Set(places.withLock { $0 }).count == 3, "\(places.withLock { $0 })")
        try rig.key("ctrl+q", in: "film.mkv")
        #expect(await rig.ends(app) == 0)
    }

    @Test("the key A cycles between fit, fill and stretch")
    func aspects() async throws {
        let rig = try await AppRig()
        let film = try linked("quad-709.mp4", "film.mp4", rig)
        // The window is twice as wide as the video, so it has bars at the sides.
        try rig.left(showsList: false, size: (960, 270))
        let app = try rig.start(film.path)
        #expect(try await rig.shows("film.mp4"))
        // The red quarter of the video is beside the bar. A window that is not drawn yet is black everywhere.
        let isBlack: @Sendable (Screenshot) -> Bool = {
            $0.isNear(60, 120, [0, 0, 0], within: 30) && $0.isNear(360, 120, [255, 0, 0], within: 60)
        }
        let isRed: @Sendable (Screenshot) -> Bool = { $0.isNear(60, 80, [255, 0, 0], within: 60) }
        #expect(try await rig.comes { isBlack(try rig.display.screenshot()) })
        try rig.key("A", in: "film.mp4")
        // The video fills the window at first, and is then stretched. In both cases this point is red.
        #expect(try await rig.comes { isRed(try rig.display.screenshot()) })
        try rig.key("A", in: "film.mp4")
        #expect(try await rig.comes { isRed(try rig.display.screenshot()) })
        try rig.key("A", in: "film.mp4")
        #expect(try await rig.comes { isBlack(try rig.display.screenshot()) })
        try rig.key("ctrl+q", in: "film.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("the key b sets an A–B loop's start, end, then clears it")
    func section() async throws {
        let rig = try await AppRig()
        let film = try rig.film("one.mp4")
        try rig.left(showsList: false)
        let app = try rig.start(film.path)
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        _ = try await rig.ctl("pause")
        func go(to seconds: Double) async throws {
            _ = try await rig.ctl("position", "\(seconds)")
            #expect(try await rig.comes { abs(try await rig.position - seconds) < 0.5 })
        }
        try await go(to: 30)
        try rig.key("b", in: "one.mp4")
        try await go(to: 33)
        try rig.key("b", in: "one.mp4")
        _ = try await rig.ctl("play")
        // Playback returns to the start of the section twice and never passes its end.
        let watch = Watch()
        #expect(try await rig.comes { watch.saw(try await rig.position, wraps: 2) })
        #expect(watch.most < 33.6 && watch.least > 29.4, "\(watch.least) \(watch.most)")
        try rig.key("b", in: "one.mp4")
        #expect(try await rig.comes { try await rig.position > 35 })
        try rig.key("ctrl+q", in: "one.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("key l toggles looping; the controls' menu hides a subtitle file")
    func controls() async throws {
        let rig = try await AppRig()
        let manager = try await rig.display.manageWindows()
        defer { manager.send(SIGTERM) }
        let film = try rig.film("film.mp4")
        try "1\n00:00:00,000 --> 00:09:00,000\n<b><font size=\"60\">HHHHHHHH</font></b>\n".write(
            to: rig.home.appendingPathComponent("film.en.srt"), atomically: true, encoding: .utf8)
        try rig.left(showsList: false)
        let app = try rig.start(film.path, environment: ["LC_ALL": "C.UTF-8"])
        #expect(try await rig.shows("film.mp4"))
        #expect(try await rig.plays())
        for loop in ["Track", "None"] {
            try rig.key("l", in: "film.mp4")
            #expect(try await rig.comes("the loop \(loop)") { try await rig.ctl("loop") == loop })
        }
        /// The number of light pixels.
        @Sendable func light(_ xs: Range<Int>, _ ys: Range<Int>) throws -> Int {
            let shot = try rig.display.screenshot()
            return ys.reduce(0) { sum, y in sum + xs.count { (shot.color($0, y).min() ?? 0) > 200 } }
        }
        // The subtitles are in the lower middle, above the bar.
        @Sendable func hasText() throws -> Bool { try light(400..<880, 560..<740) > 500 }
        /// Whether the video fills the screen. A window that is not drawn yet may be light or black.
        @Sendable func isFull() throws -> Bool {
            let shot = try rig.display.screenshot()
            return [(60, 400), (640, 300), (1220, 400)].allSatisfy { shot.isNear($0.0, $0.1, AppRig.blue, within: 24) }
        }
        try rig.key("f", in: "film.mp4")
        #expect(try await rig.comes("full screen") { try isFull() })
        #expect(try await rig.comes("the subtitles") { try hasText() })
        // The gear is the second symbol from the right in the bar, which appears when the pointer moves.
        // A slow bar may have hidden again before the click, so the click is repeated until the menu is there. A click
        // would close a menu that is only late, so the repeat comes long after.
        @Sendable func hasMenu() throws -> Bool { try light(1144..<1148, 718..<722) == 16 }
        #expect(
            try await rig.comes("the menu") {
                if try hasMenu() { return true }
                try rig.display.xdotool(["mousemove", "\(1200 + Int.random(in: 0...4))", "771"])
                guard try light(1190..<1214, 760..<783) > 40 else { return false }
                try rig.display.xdotool(["click", "1"])
                return try Deadline(seconds: 30).poll { try hasMenu() ? true : nil } == true
            })
        // The second entry opens the menu of the subtitles, whose first entry is Off.
        try rig.display.xdotool(["key", "--delay", "100", "Down", "Return"])
        #expect(try await rig.comes("the entry Off") { try light(1098..<1102, 665..<669) == 16 })
        try rig.display.xdotool(["key", "Return"])
        #expect(try await rig.comes("no subtitles") { try isFull() && !hasText() })
        try rig.key("ctrl+q", in: "film.mp4")
        #expect(await rig.ends(app) == 0)
    }

    private final class Watch: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        var least = Double.infinity, most = -Double.infinity
        private var last = -1.0, wrapped = 0
        func saw(_ place: Double, wraps: Int) -> Bool {
            guard place >= 0 else { return false }
            (least, most) = (min(least, place), max(most, place))
            if place < last - 0.5 { wrapped += 1 }
            last = place
            return wrapped >= wraps
        }
    }
}
