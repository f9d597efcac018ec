import Foundation
import TestSupport
import Testing

/// Tests that drag content from another program's window into the app's window.
@Suite("Drag and drop into the app", .serialized)
struct AppDropTests {
    /// The program `Tests/Fixtures/drag-source`, with its window away from the app's.
    private final class Source: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        private let child: ChildProcess
        private let said: URL
        static let place: AppRig.Place = (1150, 650)

        init(_ rig: AppRig, _ arguments: [String]) async throws {
            said = rig.home.appendingPathComponent("said-\(UUID().uuidString.prefix(8))")
            child = try ChildProcess(
                Repository.fixture("drag-source"), arguments,
                environment: rig.display.environment.merging(rig.environment) { $1 }, output: said.path,
                error: said.path + ".err")
            #expect(try await rig.comes { self.lines.contains("ready") }, "\(errors)")
            #expect(
                try await rig.comes {
                    // Without a window manager, the window opens at the position of the app's, so move it.
                    if let window = try rig.display.window("drag-source") {
                        try rig.display.xdotool(["windowmove", window, "1050", "550"])
                    }
                    return try rig.display.screenshot().isNear(Self.place.x, Self.place.y, [0, 0xC0, 0x40])
                })
        }
        /// Closes the window, because the next source has its window at the same place.
        func close() {
            child.send(SIGKILL)
            child.wait(seconds: 5)
        }
        deinit { close() }
        var lines: [String] { ChildProcess.wholeLines(of: said) }
        var errors: String { (try? String(contentsOfFile: said.path + ".err", encoding: .utf8)) ?? "" }
    }
    private static let film: AppRig.Place = (250, 250)
    /// The theme's accent color, which outlines a drop target.
    private static let accent = [0x35, 0x84, 0xE4]

    /// Drags content onto the video or the start page, and drops it.
    private func drop(_ rig: AppRig, _ arguments: String...) async throws {
        let source = try await Source(rig, arguments)
        let isSeen = try await rig.drag(Source.place, to: Self.film) { shot in
            shot.isNear(7, 250, Self.accent, within: 60)
        }
        #expect(isSeen, "the window shows that it accepts the drop; \(source.lines) \(source.errors)")
        #expect(try await rig.comes { source.lines.contains("end") }, "\(source.lines)")
    }

    @Test("files, URLs and paths that are dropped on the window play now")
    func everything() async throws {
        let rig = try await AppRig()
        let server = try StreamServer(root: rig.home)
        let names = ["a.mp4", "b c.mp4", "d.mp4", "e.mp4"]
        var films: [URL] = []
        for name in names { films.append(try rig.film(name)) }
        try rig.left(showsList: false)
        let app = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        try await drop(rig, "files", films[0].absoluteString, films[1].absoluteString)
        #expect(try await rig.comes { try rig.titles().contains("a.mp4 (1/2)") })
        #expect(try await rig.plays())
        try await drop(rig, "uris", server.url(for: "d.mp4").absoluteString)
        #expect(try await rig.comes { try rig.titles().contains("d.mp4") })
        #expect(try await rig.plays())
        try await drop(rig, "text", films[3].path)
        #expect(try await rig.comes { try rig.titles().contains("e.mp4") })
        #expect(try await rig.plays())
        // A file that cannot be played does not replace the current one.
        let bad = rig.home.appendingPathComponent("bad.mp4")
        try Data("no film".utf8).write(to: bad)
        try await drop(rig, "files", bad.absoluteString)
        let own = try #require(try rig.display.window("e.mp4"))
        #expect(try await rig.comes { app.errors.contains("bad.mp4") })
        #expect(try rig.titles().contains("e.mp4"))
        expectEqual(try await rig.ctl("status"), "Playing")
        #expect(
            try await rig.comes {
                try rig.display.xdotool(["key", "Escape"])
                try rig.display.key("ctrl+q", window: own)
                return app.child.exitCode != nil
            })
        #expect(await rig.ends(app) == 0)
    }

    @Test("a drop beside the overlaid playlist plays now, as on the video")
    func ontoShade() async throws {
        let rig = try await AppRig()
        let (one, two) = (try rig.film("one.mp4"), try rig.film("two.mp4"))
        try rig.left(showsList: false, size: (400, 450))
        let app = try rig.start(one.path)
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        let isBlue: @Sendable (Screenshot) -> Bool = { $0.isNear(50, 250, AppRig.blue, within: 24) }
        #expect(try await rig.comes { isBlue(try rig.display.screenshot()) })
        try rig.key("F9", in: "one.mp4")
        #expect(try await rig.comes { !isBlue(try rig.display.screenshot()) }, "the playlist darkens the video")
        let source = try await Source(rig, ["files", two.absoluteString])
        // The window outlines the target when it has seen the pointer there. A drop before that would miss the target.
        let isSeen = try await rig.drag(Source.place, to: (50, 250)) { shot in
            (0..<12).contains { shot.isNear($0, 250, Self.accent, within: 60) }
        }
        #expect(isSeen, "\(source.lines) \(source.errors)")
        #expect(try await rig.comes { source.lines.contains("end") }, "\(source.lines) \(source.errors)")
        #expect(try await rig.comes { try rig.titles().contains("two.mp4") })
        #expect(try await rig.plays())
        try rig.key("ctrl+q", in: "two.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("a frame surrounds the drop target, the video or the playlist")
    func frame() async throws {
        let rig = try await AppRig()
        let (one, two) = (try rig.film("one.mp4"), try rig.film("two.mp4"))
        try rig.left(showsList: true)
        let app = try rig.start(one.path)
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        let source = try await Source(rig, ["files", two.absoluteString])
        // The outline is at the left edge of the video, and at its right edge, where the playlist begins.
        @Sendable func isAround(_ x: Range<Int>, _ shot: Screenshot) -> Bool {
            x.contains { x in
                (150..<400).allSatisfy { $0 % 10 != 0 || shot.isNear(x, $0, Self.accent, within: 20) }
            }
        }
        let isSeen = try await rig.drag(Source.place, to: Self.film) { shot in
            isAround(0..<12, shot) && isAround(490..<512, shot) && !isAround(780..<812, shot)
        }
        #expect(isSeen, "\(source.lines) \(source.errors)")
        #expect(try await rig.comes { source.lines.contains("end") }, "\(source.lines)")
        #expect(try await rig.comes { try rig.titles().contains("two.mp4") })
        source.close()
        let other = try await Source(rig, ["files", one.absoluteString])
        let isBeside = try await rig.drag(Source.place, to: (620, 300)) { shot in
            !isAround(0..<12, shot) && isAround(780..<812, shot)
        }
        #expect(isBeside, "\(other.lines)")
        #expect(try await rig.comes { other.lines.contains("end") }, "\(other.lines)")
        #expect(try await rig.comes { try rig.titles().contains("two.mp4 (1/2)") })
        try rig.key("ctrl+q", in: "two.mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("drops on the playlist are inserted between its rows, folders included")
    func intoList() async throws {
        let rig = try await AppRig()
        let films = rig.home.appendingPathComponent("films")
        try FileManager.default.createDirectory(at: films, withIntermediateDirectories: true)
        for name in ["films/x.mp4", "films/y.mp4"] { _ = try rig.film(name) }
        let (one, two) = (try rig.film("one.mp4"), try rig.film("two.mp4"))
        try rig.left(showsList: true)
        let app = try rig.start(one.path, two.path)
        #expect(try await rig.shows("one.mp4 (1/2)"))
        let source = try await Source(rig, ["files", films.absoluteString])
        // Drop onto the upper half of the second row. On the way there, the line is at the end of the list.
        _ = try await rig.drag(Source.place, to: (620, 150)) { shot in
            (127..<152).contains { shot.isNear(620, $0, Self.accent, within: 40) }
        }
        #expect(try await rig.comes { source.lines.contains("end") }, "\(source.lines)")
        #expect(try await rig.comes { try rig.titles() == ["one.mp4 (1/4)"] })
        source.close()
        // Drop below the rows, which appends.
        let last = try rig.film("last.mp4")
        let other = try await Source(rig, ["uris", last.absoluteString])
        let isBelow = try await rig.drag(Source.place, to: (620, 440)) { shot in
            (80..<500).contains { shot.isNear(620, $0, Self.accent, within: 40) }
        }
        #expect(isBelow, "\(other.lines) \(other.errors)")
        #expect(try await rig.comes { other.lines.contains("end") }, "\(other.lines)")
        for title in ["x.mp4 (2/5)", "y.mp4 (3/5)", "two.mp4 (4/5)", "last.mp4 (5/5)"] {
            try rig.key("alt+Right", in: "mp4")
            #expect(try await rig.shows(title))
        }
        try rig.key("ctrl+q", in: "mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("dropped text that is no URL and no path is ignored")
    func nothing() async throws {
        let rig = try await AppRig()
        try rig.left(showsList: false)
        let app = try rig.start()
        #expect(try await rig.shows("Zoetrope"))
        try await drop(rig, "text", "only words")
        #expect(try rig.titles().contains("Zoetrope"))
        try rig.key("ctrl+q", in: "Zoetrope")
        #expect(await rig.ends(app) == 0)
    }
}
