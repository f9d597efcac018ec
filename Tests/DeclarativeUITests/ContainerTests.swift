import Foundation
import TestSupport
import Testing

/// The probe `Container` as a process: reads its output, and sends pointer and key events to its window.
final class ContainerProcess {
    struct NotSeen: Error { let what: String }
    static let red = [255, 0, 0], green = [0, 255, 0], blue = [0, 0, 255], magenta = [255, 0, 255],
        cyan = [0, 255, 255], yellow = [255, 255, 0]

    let display: PrivateDisplay
    private let child: ChildProcess
    private let folder: URL
    private var waited = 0

    init(_ page: String, _ display: PrivateDisplay) throws {
        self.display = display
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-containers-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        child = try ChildProcess(
            line: Programs.command("Container", [page]),
            environment: display.environment.merging(["ZOETROPE_RENDERER": "cpu"]) { $1 },
            output: folder.appendingPathComponent("out").path, error: folder.appendingPathComponent("err").path)
    }

    deinit {
        child.send(SIGKILL)
        child.wait(seconds: 5)
        try? FileManager.default.removeItem(at: folder)
    }

    private var lines: [String] { ChildProcess.wholeLines(of: folder.appendingPathComponent("out")) }
    var errors: String { (try? String(contentsOf: folder.appendingPathComponent("err"), encoding: .utf8)) ?? "" }
    /// All lines that the probe has printed.
    var said: [String] { lines }

    /// Waits until `condition` is true and returns whether it became so in time.
    func comes(
        _ expected: String? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
    ) async throws -> Bool {
        try await eventually(
            expected, seen: { "it said \(lines.suffix(20)) \(errors.suffix(500)), it \(child.state)" },
            while: { child.exitCode == nil }, sourceLocation: sourceLocation, condition)
    }

    /// Waits until the probe prints `line`, after the lines of earlier calls. Throws ``NotSeen`` if it does not.
    func says(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let isSaid = try await comes(line, sourceLocation: sourceLocation) {
            guard let at = lines.dropFirst(waited).firstIndex(of: line) else { return false }
            waited = at + 1
            return true
        }
        if !isSaid { throw NotSeen(what: "\(line); said: \(lines.dropFirst(waited)); \(errors)") }
    }

    /// Waits until `color` is on the screen and `isThere` accepts its position. Returns the center of its pixels.
    func find(_ color: [Int], where isThere: ((x: Int, y: Int)) -> Bool = { _ in true }) async throws -> (
        x: Int, y: Int
    ) {
        var found: (x: Int, y: Int)?
        let isFound = try await comes("colour \(color)") {
            found = ContainerProcess.middle(of: color, in: try display.screenshot())
            return found.map(isThere) ?? false
        }
        guard isFound, let found else { throw NotSeen(what: "colour \(color); \(errors)") }
        return found
    }

    /// Waits until no pixel of `color` is on the screen.
    func isGone(_ color: [Int]) async throws -> Bool {
        try await comes("no \(color)") { ContainerProcess.middle(of: color, in: try display.screenshot()) == nil }
    }

    func shows(_ color: [Int], _ x: Int, _ y: Int) async throws -> Bool {
        try await comes { try display.screenshot().isNear(x, y, color) }
    }

    private static func middle(of color: [Int], in shot: Screenshot) -> (x: Int, y: Int)? {
        var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
        for y in stride(from: 0, to: 500, by: 2) {
            for x in stride(from: 0, to: 500, by: 2) where shot.isNear(x, y, color, within: 2) {
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            }
        }
        return left <= right ? ((left + right) / 2, (top + bottom) / 2) : nil
    }

    func press(_ color: [Int]) async throws {
        let at = try await find(color)
        try click(at.x, at.y)
    }
    func click(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "1"]) }
    func key(_ key: String) throws { try display.xdotool(["key", key]) }
    func xdotool(_ arguments: String) throws { try display.xdotool(arguments.split(separator: " ").map(String.init)) }

    /// Shows a page of the probe on a display of its own, and checks that GTK has reported nothing.
    static func with(_ page: String, _ body: (ContainerProcess) async throws -> Void) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ContainerProcess(page, display)
        try await body(probe)
        #expect(!probe.errors.contains("CRITICAL") && !probe.errors.contains("WARNING"), "\(probe.errors)")
    }

    /// Presses `key` in a dialog, and waits until the probe prints `line`.
    ///
    /// The dialog gets the focus first, because a dialog may get it some time after it is visible. If the dialog has
    /// closed meanwhile, `xdotool` fails and presses no key: Return would press the focused button of the window below,
    /// which opens the dialog again. For the same reason, the press is repeated only if nothing happens for 10 seconds.
    func answer(_ key: String, until line: String) async throws {
        try await opens()
        var nextPress = ContinuousClock.now
        _ = try await comes(line) {
            if self.lines.dropFirst(self.waited).contains(line) { return true }
            guard ContinuousClock.now >= nextPress, let dialog = try self.dialog() else { return false }
            try self.display.xdotool(["windowfocus", "--sync", dialog, "key", key])
            nextPress = .now + .seconds(10)
            return false
        }
        try await says(line)
    }
    /// Creates a file in a folder of its own and returns its URL. A file dialog loads the folder of a typed path, and
    /// the folder for temporary files is large and changes while tests run.
    func makeFile(_ name: String, containing text: String = "") throws -> URL {
        let own = folder.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        let file = own.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }
    /// Enters the path of a file in the open file dialog, and waits until the probe prints `line`.
    ///
    /// The dialog may lose the first keys, and ignores Return while it loads the folder. It answers Return later, with
    /// the text of that moment, so Return is pressed again alone before another attempt replaces what the first one has
    /// typed, into the location or as a search.
    func choose(file path: String, until line: String) async throws {
        try await opens()
        _ = try await comes(line) {
            if self.said.contains(line) { return true }
            guard let dialog = try self.dialog() else { return false }
            try self.display.xdotool(["windowfocus", "--sync", dialog, "key", "--delay", "100", "ctrl+l", "ctrl+a"])
            try self.display.xdotool(["type", "--delay", "40", path])
            return try (0..<2).contains { _ in
                try self.key("Return")
                return Deadline(seconds: 20).poll { self.said.contains(line) ? true : nil } == true
            }
        }
        try await says(line)
    }
    /// Returns the ID of a visible window of the probe other than its first one.
    func dialog() throws -> String? {
        let first = try display.window("containers")
        let windows = try display.xdotool(["search", "--onlyvisible", "--class", "Probes"]).split(separator: "\n")
        return windows.map(String.init).last { $0 != first }
    }
}

/// Tests of containers and presented views in real windows under a private X server, by pointer and keys.
@Suite("Containers on a screen", .serialized)
struct ContainerTests {
    @Test("a toolbar outside navigation belongs to the window; its items change")
    func windowToolbar() async throws {
        try await ContainerProcess.with("toolbar") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("pressed first")
            try await probe.press(ContainerProcess.blue)
            try await probe.says("pressed page")
            try await probe.press(ContainerProcess.green)
            try await probe.says("pressed second")
            try await probe.press(ContainerProcess.blue)
            #expect(try await probe.isGone(ContainerProcess.green))
        }
    }

    @Test("the wheel scrolls, makes rows on demand and keeps their state")
    func scroll() async throws {
        try await ContainerProcess.with("scroll") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("row 0 1")
            try probe.xdotool("mousemove 200 250 click --repeat 60 --delay 8 5")
            try await probe.says("made 50")
            #expect(!probe.said.contains("made 100"))
            try probe.xdotool("click --repeat 70 --delay 8 4")
            try await probe.says("at 0")
            try await probe.press(ContainerProcess.red)
            try await probe.says("row 0 2")
        }
    }

    @Test("scrollTo jumps without making rows between, and animates back to the start")
    func scrollTo() async throws {
        try await ContainerProcess.with("scroll") { probe in
            try await probe.press(ContainerProcess.magenta)
            try await probe.says("at -16000")
            try await probe.press(ContainerProcess.blue)
            try await probe.says("row 400 1")
            #expect(!probe.said.contains("made 200"))
            try await probe.press(ContainerProcess.cyan)
            try await probe.says("at 0")
            _ = try await probe.find(ContainerProcess.red)
        }
    }

    @Test("pointer and keys select list rows; End makes no rows between")
    func list() async throws {
        try await ContainerProcess.with("list") { probe in
            try await probe.says("made 0")
            // Rows are made before the window is on the screen.
            _ = try await probe.display.settled { !$0.isBlack }
            try probe.click(150, 130)
            try await probe.says("chosen 2")
            try probe.key("Down")
            try await probe.says("chosen 3")
            try probe.key("Up")
            try await probe.says("chosen 2")
            _ = try await probe.find(ContainerProcess.red) { (110...150).contains($0.y) }
            try probe.key("End")
            try await probe.says("chosen 999")
            _ = try await probe.find(ContainerProcess.red) { $0.y > 350 }
            #expect(!probe.said.contains("made 500"))
            try probe.key("Home")
            try await probe.says("chosen 0")
        }
    }

    @Test("a tab is made when first shown and keeps its state")
    func tabs() async throws {
        try await ContainerProcess.with("tabs") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("one 1")
            #expect(!probe.said.contains("made two"))
            try await probe.press(ContainerProcess.blue)
            try await probe.says("made two")
            try await probe.press(ContainerProcess.green)
            try await probe.says("two 1")
            try probe.key("ctrl+Page_Up")
            try await probe.says("page one")
            try await probe.press(ContainerProcess.red)
            try await probe.says("one 2")
        }
    }

    @Test("pages follow a drag and settle; arrow keys turn pages")
    func pages() async throws {
        try await ContainerProcess.with("pages") { probe in
            _ = try await probe.find(ContainerProcess.red)
            try probe.xdotool("mousemove 300 200 mousedown 1 mousemove 250 200 mousemove 150 200")
            // During the drag both pages are visible, side by side.
            #expect(try await probe.shows(ContainerProcess.red, 100, 200))
            #expect(try await probe.shows(ContainerProcess.green, 380, 200))
            try probe.xdotool("mouseup 1")
            try await probe.says("page 1")
            #expect(try await probe.isGone(ContainerProcess.red))
            try probe.key("Right")
            try await probe.says("page 2")
            #expect(try await probe.shows(ContainerProcess.blue, 5, 200))
            try probe.key("Left")
            try await probe.says("page 1")
            // The arrow keys of the number pad.
            try probe.key("KP_Right")
            try await probe.says("page 2")
            try probe.key("KP_Left")
            try await probe.says("page 1")
            // A short drag returns to the same page. It begins when the page rests, without the blue page beside it.
            #expect(try await probe.shows(ContainerProcess.green, 398, 200))
            try probe.xdotool("mousemove 200 200 mousedown 1 mousemove 180 200 mousemove 160 200")
            #expect(try await probe.shows(ContainerProcess.blue, 398, 200))
            try probe.xdotool("mouseup 1")
            #expect(try await probe.isGone(ContainerProcess.blue))
            #expect(probe.said.filter { $0.hasPrefix("page") }.last == "page 1")
        }
    }

    @Test("from right to left, pages follow the pointer and the arrow keys")
    func mirroredPages() async throws {
        try await ContainerProcess.with("pages-rtl") { probe in
            _ = try await probe.find(ContainerProcess.red)
            try probe.xdotool("mousemove 100 200 mousedown 1 mousemove 150 200 mousemove 250 200")
            // The next page comes from the left.
            #expect(try await probe.shows(ContainerProcess.red, 300, 200))
            #expect(try await probe.shows(ContainerProcess.green, 20, 200))
            try probe.xdotool("mouseup 1")
            try await probe.says("page 1")
            #expect(try await probe.isGone(ContainerProcess.red))
            try probe.key("Left")
            try await probe.says("page 2")
            try probe.key("Right")
            try await probe.says("page 1")
        }
    }

    @Test("links push pages; button, Alt+Left, Escape and dismiss close them")
    func navigation() async throws {
        try await ContainerProcess.with("navigation") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("first 1")
            try await probe.press(ContainerProcess.cyan)
            try await probe.says("pressed tool")
            try await probe.press(ContainerProcess.green)
            try await probe.says("path [7]")
            #expect(try await probe.isGone(ContainerProcess.cyan))
            try await probe.press(ContainerProcess.yellow)
            try await probe.says("third")
            _ = try await probe.find(ContainerProcess.magenta)
            #expect(try await probe.isGone(ContainerProcess.yellow))
            try probe.key("alt+Left")
            _ = try await probe.find(ContainerProcess.yellow)
            try await probe.press(ContainerProcess.blue)
            try await probe.says("path []")
            try await probe.press(ContainerProcess.green)
            try await probe.says("path [7]")
            _ = try await probe.find(ContainerProcess.yellow)
            try probe.key("Escape")
            try await probe.says("path []")
            try await probe.press(ContainerProcess.green)
            try await probe.says("path [7]")
            _ = try await probe.find(ContainerProcess.yellow)
            try probe.click(30, 23)
            try await probe.says("path []")
            try await probe.press(ContainerProcess.red)
            try await probe.says("first 2")
        }
    }

    @Test("in a right-to-left layout, Alt+Right goes back")
    func mirroredBack() async throws {
        try await ContainerProcess.with("navigation-rtl") { probe in
            try await probe.press(ContainerProcess.green)
            try await probe.says("path [7]")
            _ = try await probe.find(ContainerProcess.yellow)
            try probe.key("alt+Right")
            try await probe.says("path []")
        }
    }

    @Test("a sheet covers its window and closes by Escape and dismiss")
    func sheet() async throws {
        try await ContainerProcess.with("sheet") { probe in
            let below = try await probe.find(ContainerProcess.red)
            try await probe.press(ContainerProcess.red)
            try await probe.says("sheet presented true")
            try await probe.press(ContainerProcess.green)
            try await probe.says("sheet 1")
            // The view below the sheet is dimmed and takes no input.
            #expect(try await probe.isGone(ContainerProcess.red))
            try probe.click(below.x, below.y)
            try probe.key("Escape")
            try await probe.says("shown false")
            try await probe.says("dismissed")
            #expect(probe.said.filter { $0 == "pressed open" }.count == 1)
            #expect(try await probe.isGone(ContainerProcess.green))
            try await probe.press(ContainerProcess.red)
            try await probe.press(ContainerProcess.green)
            // The sheet was presented again with new state.
            try await probe.says("sheet 1")
            try await probe.press(ContainerProcess.blue)
            try await probe.says("sheet gone")
        }
    }

    @Test("a phone's sheet closes by Escape, dismiss and a click above it")
    func phoneSheet() async throws {
        try await ContainerProcess.with("sheet-phone") { probe in
            for time in 0..<3 {
                try await probe.press(ContainerProcess.red)
                try await probe.says("sheet presented true")
                // The sheet slides in. On a busy machine, two screenshots may show the same step.
                var (last, repeats) = ((x: 0, y: 0), 0)
                _ = try await probe.find(ContainerProcess.green) { place in
                    repeats = place == last ? repeats + 1 : 0
                    last = place
                    return repeats == 3
                }
                // The button below the sheet has lost the focus.
                try probe.key("space")
                try await probe.press(ContainerProcess.green)
                try await probe.says("sheet 1")
                #expect(try probe.windowCount() == 1)
                switch time {
                case 0: try probe.key("Escape")
                case 1: try probe.click(200, 20)
                default: try await probe.press(ContainerProcess.blue)
                }
                try await probe.says("shown false")
                #expect(try await probe.isGone(ContainerProcess.green))
            }
            #expect(probe.said.filter { $0 == "pressed open" }.count == 3)
        }
    }

    @Test("a click beside the only button of a phone's row presses it")
    func rowButtons() async throws {
        try await ContainerProcess.with("row-buttons") { probe in
            try await probe.press(ContainerProcess.yellow)
            try await probe.press(ContainerProcess.green)
            try await probe.says("pressed second")
            try await probe.press(ContainerProcess.blue)
            try await probe.says("pressed first")
            try await probe.press(ContainerProcess.red)
            try await probe.says("pressed first")
            #expect(probe.said.filter { $0.hasPrefix("pressed") }.count == 3)
        }
    }

    @Test("in an alert Return is the default button, Escape cancels")
    func alert() async throws {
        try await ContainerProcess.with("alert") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("asks true")
            // The blue of the default button.
            _ = try await probe.find([53, 132, 228])
            try probe.key("Return")
            try await probe.says("asks false")
            #expect(probe.said.contains("kept"))
            try await probe.press(ContainerProcess.red)
            try await probe.says("asks true")
            _ = try await probe.find([53, 132, 228])
            try probe.key("Escape")
            try await probe.says("asks false")
            #expect(probe.said.contains("cancelled") && !probe.said.contains("removed"))
            try await probe.press(ContainerProcess.green)
            try await probe.says("chooses true")
            _ = try await probe.find([53, 132, 228])
            try probe.key("Escape")
            try await probe.says("chooses false")
            #expect(!probe.said.contains("left"))
        }
    }

    @Test("a popover points to its view; Escape and outside clicks close it")
    func popover() async throws {
        try await ContainerProcess.with("popover") { probe in
            let button = try await probe.find(ContainerProcess.red)
            try probe.click(button.x, button.y)
            try await probe.says("made")
            let inside = try await probe.find(ContainerProcess.green)
            #expect(abs(inside.x - button.x) < 6 && inside.y > button.y + 30)
            try probe.click(inside.x, inside.y)
            try await probe.says("inside 1")
            try probe.key("Escape")
            try await probe.says("shown false")
            try await probe.says("gone")
            #expect(try await probe.isGone(ContainerProcess.green))
            try await probe.press(ContainerProcess.red)
            try await probe.says("made")
            _ = try await probe.find(ContainerProcess.green)
            try probe.click(20, 20)
            try await probe.says("shown false")
        }
    }

    @Test("a popover is hidden behind the cover of its content")
    func popoverCover() async throws {
        try await ContainerProcess.with("popover-cover") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.press(ContainerProcess.green)
            #expect(try await probe.shows(ContainerProcess.yellow, 2, 2))
            #expect(try await probe.isGone(ContainerProcess.green))
            try await probe.press(ContainerProcess.blue)
            _ = try await probe.find(ContainerProcess.green)
            #expect(!probe.said.contains("shown false"))
        }
    }

    @Test("a cover fills the window and blocks input to views below")
    func cover() async throws {
        try await ContainerProcess.with("cover") { probe in
            try await probe.press(ContainerProcess.magenta)
            try await probe.says("below 1")
            let below = try await probe.find(ContainerProcess.magenta)
            try await probe.press(ContainerProcess.red)
            try await probe.says("shown true")
            #expect(try await probe.shows(ContainerProcess.yellow, 2, 2))
            #expect(try await probe.shows(ContainerProcess.yellow, 397, 397))
            try probe.click(below.x, below.y - 4)
            try await probe.press(ContainerProcess.blue)
            try await probe.says("dismissed")
            #expect(!probe.said.contains("below 2"))
            try await probe.press(ContainerProcess.magenta)
            try await probe.says("below 2")
        }
    }

    @Test("a split view opens links, resizes and hides its first column")
    func split() async throws {
        try await ContainerProcess.with("split") { probe in
            try await probe.says("ready")
            _ = try await probe.find(ContainerProcess.magenta)
            try await probe.press(ContainerProcess.red)
            _ = try await probe.find(ContainerProcess.blue)
            #expect(try await probe.isGone(ContainerProcess.magenta))
            try await probe.press(ContainerProcess.green)
            try await probe.says("page 7")
            _ = try await probe.find(ContainerProcess.cyan)
            #expect(try await probe.isGone(ContainerProcess.blue))
            let before = try await probe.find(ContainerProcess.red)
            try probe.xdotool("mousemove 120 300 mousedown 1")
            for x in [124, 140, 160] { try probe.xdotool("mousemove \(x) 300") }
            try probe.xdotool("mouseup 1")
            _ = try await probe.find(ContainerProcess.red) { $0.x >= before.x + 15 }
            try probe.click(20, 23)
            #expect(try await probe.isGone(ContainerProcess.red))
            try probe.click(20, 23)
            _ = try await probe.find(ContainerProcess.red)
        }
    }
}
