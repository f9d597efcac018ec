import Foundation
import GallerySources
import TestSupport
import Testing

/// Tests of the gallery, which `make play` opens.
@Suite("The gallery", .serialized)
struct GalleryTests {
    @Test(
        "a page opens, shows moving video and logs no GTK warnings",
        arguments: [
            "start", "background", "hint", "controls", "mask", "sources", "events", "pip", "playlist", "part", "stream",
            "grid",
        ])
    func page(_ page: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess(
            "Gallery", ["--page", page] + (page == "hint" || page == "events" ? ["--dark"] : []), display: display)
        let first = try await display.settled { GalleryTests.colours($0) > 300 }
        #expect(GalleryTests.colours(first) > 300)
        let second = try await display.settled { first.differences(from: $0, x: 200..<1000, y: 0..<640) > 200 }
        #expect(first.differences(from: second, x: 200..<1000, y: 0..<640) > 200)
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
        #expect(!app.errors.contains("WARNING") && !app.errors.contains("CRITICAL"), "\(app.errors)")
    }

    @Test("the error page shows the error in the requested color")
    func errors() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "errors"], display: display)
        // The lower left of the four players shows red letters on black.
        let isRed: @Sendable (Screenshot) -> Bool = { shot in
            stride(from: 210, to: 780, by: 1).contains { x in
                stride(from: 400, to: 750, by: 3).contains { y in shot.isNear(x, y, [255, 59, 48]) }
            }
        }
        let shot = try await display.settled(isRed)
        #expect(isRed(shot))
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }

    @Test("the stream page opens --url and enables pickers that have choices")
    func stream() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        // The stream has audio in three languages and subtitles in two, and lasts 24 s.
        let film = try await pickers(
            ["--url", server.url(for: "vod-fmp4/master.m3u8").absoluteString],
            until: ["\tSubtitles\t.*\tcollapsed", " of 24 seconds"])
        #expect(film == [Heard(name: "Audio", isEnabled: true), Heard(name: "Subtitles", isEnabled: true)])
        #expect(!server.requests("vod-fmp4/v*/*").isEmpty)
        // The sample has one audio track and no subtitles, and lasts 5 s.
        let sample = try await pickers([], until: ["\tSubtitles\t.*\tdisabled", " of 5 seconds"])
        #expect(sample == [Heard(name: "Audio", isEnabled: false), Heard(name: "Subtitles", isEnabled: false)])
    }

    private struct Heard: Equatable {
        let name: String
        let isEnabled: Bool
    }

    /// The pickers of the stream page as a screen reader finds them, in the page's order.
    /// - Parameter words: Regular expressions that must all match before the pickers are read.
    private func pickers(_ arguments: [String], until words: [String]) async throws -> [Heard] {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-gallery-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let code = try await offPool {
            try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"),
                    words.joined(separator: "\n"),
                    Programs.path("Gallery"), "--page", "stream",
                ] + arguments,
                environment: display.environment.merging([
                    "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
                ]) { $1 }, output: output
            ).wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0, "\(words) in \(text)")
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            // Only the combo box counts: it contains a button with the same name.
            guard parts.count == 7, parts[1].contains("combo") else { return nil }
            return Heard(name: parts[2], isEnabled: !parts[6].contains("disabled"))
        }
    }

    @Test("an example app opens as a separate process that outlives the gallery")
    func opensExample() async throws {
        let beside = try ExamplesBeside()
        defer { beside.remove() }
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess(beside.gallery, ["--page", "examples"], display: display)
        // The red tile of the first card, the only red object on the page.
        let tile: @Sendable (Screenshot) -> (x: Int, y: Int)? = { shot in
            for y in stride(from: 60, to: 400, by: 5) {
                for x in stride(from: 210, to: 400, by: 5) where shot.isNear(x, y, [232, 62, 58], within: 30) {
                    return (x, y)
                }
            }
            return nil
        }
        let place = try #require(tile(try await display.settled { tile($0) != nil }))
        let pid = try await until("a process of the example") {
            _ = try display.xdotool(["mousemove", "\(place.x + 80)", "\(place.y + 10)", "click", "1"])
            return Deadline(seconds: 2).poll { beside.pids.first }
        }
        let example = try #require(pid)
        app.child.send(SIGKILL)
        app.child.wait()
        #expect(kill(example, 0) == 0)
    }

    @Test("the examples page shows each app's state or its build command")
    func tellsExamples() async throws {
        let beside = try ExamplesBeside()
        defer { beside.remove() }
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let output = beside.folder.appendingPathComponent("heard").path
        let words = "\tYouTube\t[^\t]*Not running\n\tQuickTime\t[^\t]*swift build --product QuickTime"
        let code = try await offPool {
            try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"), words,
                    beside.folder.appendingPathComponent("Gallery").path, "--page", "examples",
                ],
                environment: display.environment.merging([
                    "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
                ]) { $1 }, output: output
            ).wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0, "\(text)")
        let cards = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        .filter {
            $0.count == 7 && $0[1].contains("button") && ($0[3].contains("Not running") || $0[3].contains("Not built"))
        }
        #expect(
            cards.map { $0[2] } == [
                "YouTube", "Bilibili", "TikTok", "System Video Player", "Video Navigation", "QuickTime", "MPlayerKit",
                "Vision Pro",
            ])
        #expect(cards.filter { !$0[6].contains("disabled") }.map { $0[2] } == ["YouTube"])
    }

    /// A copy of the gallery with one example app next to it. The example writes its process identifier to a file and
    /// keeps running.
    private struct ExamplesBeside: Sendable {
        let folder: URL
        /// The path of the gallery as `AppProcess` expects it.
        var gallery: String { "\(folder.lastPathComponent)/Gallery" }
        private var told: URL { folder.appendingPathComponent("Youtube.pids") }

        init() throws {
            let built = Programs.folder
            folder = built.appendingPathComponent("zt-examples-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // A hard link suffices: the gallery looks for examples in the folder of its own file.
            try FileManager.default.linkItem(
                at: built.appendingPathComponent("Gallery"), to: folder.appendingPathComponent("Gallery"))
            let example = folder.appendingPathComponent("Youtube")
            try "#!/bin/sh\necho $$ >> \"$0.pids\"\nexec sleep 600\n".write(
                to: example, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: example.path)
        }

        var pids: [pid_t] {
            let text = (try? String(contentsOf: told, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { pid_t($0) }
        }

        func remove() {
            for pid in pids { kill(pid, SIGKILL) }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Starts the gallery and waits until its window shows a page.
    private func open(_ arguments: [String]) async throws -> (PrivateDisplay, AppProcess, String) {
        let display = try await PrivateDisplay.launch()
        let app = try AppProcess("Gallery", arguments, display: display)
        _ = try await display.settled { GalleryTests.colours($0) > 50 }
        let window = try #require(try display.window("Zoetrope Gallery"))
        return (display, app, window)
    }

    /// Waits until the window's title names the page `title`. Returns false after the deadline.
    private func shows(_ title: String, _ display: PrivateDisplay) async throws -> Bool {
        try await until { try display.window("Zoetrope Gallery: \(title)$") } != nil
    }

    /// Types `words` and Return into the search field until the page `title` is shown. It repeats because the field
    /// gets the focus only a moment after the shortcut. A slow app answers late, so the next attempt comes long after.
    private func look(_ words: String, shows title: String, _ display: PrivateDisplay, _ window: String) async throws
        -> Bool
    {
        try await until { () -> String? in
            try display.key("ctrl+f", window: window)
            try display.key("ctrl+a", window: window)
            try display.xdotool(["type", words])
            try display.key("Return", window: window)
            return try Deadline(seconds: 20).poll { try display.window("Zoetrope Gallery: \(title)$") }
        } != nil
    }

    @Test("shortcuts, search and Tab reach pages without a pointer")
    func keyboard() async throws {
        let (display, app, window) = try await open(["--page", "errors"])
        defer { display.close() }
        try display.key("ctrl+Next", window: window)
        #expect(try await shows("Filters", display))
        try display.key("ctrl+Prior", window: window)
        #expect(try await shows("Errors", display))
        // The search finds a word in a page's text, and the name of a type that a page uses. Return opens the first
        // match.
        #expect(try await look("sixteen", shows: "16 Loops", display, window))
        #expect(try await look("cashapelayer", shows: "Vectors", display, window))
        // The one remaining row of the list is next in the focus order after the field.
        try display.key("ctrl+Next", window: window)
        #expect(try await shows("Subtitles", display))
        let deadline = Deadline()
        var isBack = false
        repeat {
            try display.key("ctrl+f", window: window)
            // Tab moves from the field to its clear button, and then to the row.
            try display.key("Tab", window: window)
            try display.key("Tab", window: window)
            try display.key("space", window: window)
            isBack = try await offPool {
                try Deadline(seconds: 20).poll { try display.window("Zoetrope Gallery: Vectors$") } != nil
            }
            guard !isBack else { break }
            // If the field got the focus late, the space has cleared the search or opened another page.
            #expect(try await look("cashapelayer", shows: "Vectors", display, window))
            try display.key("ctrl+Next", window: window)
            #expect(try await shows("Subtitles", display))
        } while !deadline.isPast
        #expect(isBack)
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }

    @Test("a narrow window hides the sidebar, and a button shows it again")
    func narrow() async throws {
        let (display, app, window) = try await open(["--page", "grid"])
        defer { display.close() }
        try display.xdotool(["windowmove", window, "0", "0"])
        // The loops, which have thousands of colors, extend to the left edge, where the sidebar was.
        let reached = try await until { () -> Screenshot? in
            try display.xdotool(["windowsize", window, "480", "700"])
            let shot = try display.screenshot()
            let colours = Set((80..<600).flatMap { y in (8..<100).map { x in shot.color(x, y) } })
            return colours.count > 1500 ? shot : nil
        }
        let first = try #require(reached)
        try display.xdotool(["mousemove", "26", "26", "click", "1"])
        // Most of the sidebar has one color. The moving loops also differ from `first`, but have many colors.
        let isCovered: @Sendable (Screenshot) -> Bool = { shot in
            let counts = (100..<600).reduce(into: [[Int]: Int]()) { counts, y in
                for x in 20..<200 { counts[shot.color(x, y), default: 0] += 1 }
            }
            return (counts.values.max() ?? 0) > 60_000
                && first.differences(from: shot, x: 20..<200, y: 100..<600) > 60_000
        }
        #expect(isCovered(try await display.settled(isCovered)))
        // The sidebar's search field has the focus. Opening a page hides the sidebar.
        #expect(try await look("mask", shows: "Mask", display, window))
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }

    @Test("a page's source is its own file, and hiding it is remembered")
    func source() async throws {
        let folder = Repository.root.appendingPathComponent("Examples/Gallery/Pages")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.count == 18)
        for file in files {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            #expect(PageSource.text(of: file) == text, "\(file)")
            // The colored pieces together are the whole text.
            let pieces = CodePiece.pieces(of: text)
            #expect(pieces.map(\.text).joined() == text, "\(file)")
            #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.kind != $1.kind }, "\(file)")
            #expect(pieces.contains { $0.kind == .keyword && $0.text.contains("struct") }, "\(file)")
        }
        #expect(PageSource.text(of: "../Gallery.swift") == nil && PageSource.text(of: "NoPage.swift") == nil)

        // After one gallery has hidden the source, the user's next gallery does not show it.
        let home = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-home-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let environment = ["HOME": home.path, "XDG_CONFIG_HOME": home.appendingPathComponent("config").path]
        // The source is text in many colors at the right edge.
        let isShown: @Sendable (Screenshot) -> Bool = { shot in
            Set((110..<500).flatMap { y in (1000..<1190).map { x in shot.color(x, y) } }).count > 60
        }
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let one = try AppProcess(
            "Gallery", ["--page", "mask", "--still", "1"], environment: environment, display: display)
        #expect(isShown(try await display.settled(isShown)))
        let window = try #require(try display.window("Zoetrope Gallery"))
        try display.key("ctrl+u", window: window)
        let isHidden: @Sendable (Screenshot) -> Bool = { GalleryTests.colours($0) > 300 && !isShown($0) }
        #expect(isHidden(try await display.settled(isHidden)))
        one.child.send(SIGTERM)
        one.child.wait()
        let two = try AppProcess(
            "Gallery", ["--page", "mask", "--still", "1"], environment: environment, display: display)
        let again = try await display.settled { GalleryTests.colours($0) > 300 }
        #expect(GalleryTests.colours(again) > 300 && !isShown(again))
        #expect(two.child.exitCode == nil, "\(two.errors.suffix(2000))")
    }

    @Test(
        "Swift code is colored by kind of token",
        arguments: [
            (
                "let a = 12 // x",
                [CodePiece(.keyword, "let "), .init(.plain, "a = "), .init(.number, "12 "), .init(.comment, "// x")]
            ),
            ("\"a \\(b ? \"c\" : \"d\") e\" f", [.init(.text, "\"a \\(b ? \"c\" : \"d\") e\" "), .init(.plain, "f")]),
            (".init(x)", [.init(.plain, ".init(x)")]), ("@State", [.init(.keyword, "@State")]),
            ("/* a", [.init(.comment, "/* a")]), ("\"open", [.init(.text, "\"open")]),
            ("Text(s)", [.init(.type, "Text"), .init(.plain, "(s)")]),
            (
                "\"\"\"\nvec4 \"q\"\n\"\"\" + 1",
                [.init(.text, "\"\"\"\nvec4 \"q\"\n\"\"\" "), .init(.plain, "+ "), .init(.number, "1")]
            ),
            ("", []),
        ])
    func colours(code: String, pieces: [CodePiece]) { #expect(CodePiece.pieces(of: code) == pieces) }

    /// The number of colors in the right part of the window, in every third pixel.
    private static func colours(_ shot: Screenshot) -> Int {
        var seen = Set<Int>()
        for y in stride(from: 0, to: 640, by: 3) {
            for x in stride(from: 180, to: 1000, by: 3) {
                let c = shot.color(x, y)
                if c.count == 3 { seen.insert(c[0] << 16 | c[1] << 8 | c[2]) }
            }
        }
        return seen.count
    }
}
