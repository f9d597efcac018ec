import Foundation
import TestSupport
import Testing

/// Tests of the playlist beside the video, by mouse and keys.
@Suite("The app's playlist", .serialized)
struct AppPlaylistTests {
    /// Returns the middle of a row, moved down by `part` points, in a window of the size that `AppRig.left` stores.
    private func row(_ index: Int, _ part: Int = 0) -> AppRig.Place { (620, 115 + 48 * index + part) }
    /// A point over the video, and a point of the playlist.
    private static let film: AppRig.Place = (250, 250)
    private static let panel: AppRig.Place = (620, 400)
    /// The button in the bar that shows the playlist.
    private static let button: AppRig.Place = (613, 27)
    /// The accent color of the line that shows where a dragged row will be inserted.
    private static let accent = [0x35, 0x84, 0xE4]

    private func three(_ rig: AppRig, showsList: Bool) async throws -> ToolProcess {
        try rig.left(showsList: showsList)
        var films: [String] = []
        for name in ["a.mp4", "b.mp4", "c.mp4"] { films.append(try rig.film(name).path) }
        let app = try rig.start(films[0], films[1], films[2])
        #expect(try await rig.shows("a.mp4 (1/3)"))
        #expect(try await rig.plays())
        return app
    }

    @Test("a dragged row moves to the drop position while playback continues")
    func reorders() async throws {
        let rig = try await AppRig()
        let app = try await three(rig, showsList: true)
        #expect(
            try await rig.comes {
                try rig.display.screenshot().isNear(Self.film.x, Self.film.y, AppRig.blue, within: 24)
            })
        let before = try await rig.position
        /// Whether the line is in these rows of pixels. A slow app may still show an earlier position of the drag.
        @Sendable func showsTarget(_ shot: Screenshot, _ rows: Range<Int>) -> Bool {
            rows.contains { shot.isNear(Self.panel.x, $0, Self.accent, within: 40) }
        }
        // Drag the current row onto the lower half of the last one.
        let seen = try await rig.drag(row(0), to: row(2, 10)) { showsTarget($0, 212..<260) }
        #expect(seen, "the drop position is shown")
        #expect(try await rig.shows("a.mp4 (3/3)"))
        #expect(try await rig.position >= before)
        expectEqual(try await rig.ctl("status"), "Playing")
        // Drag the last row onto the upper half of the first one.
        let isSeenAgain = try await rig.drag(row(2), to: row(0, -10)) { showsTarget($0, 80..<105) }
        #expect(isSeenAgain, "the drop position is shown")
        #expect(try await rig.shows("a.mp4 (1/3)"))
        for title in ["b.mp4 (2/3)", "c.mp4 (3/3)"] {
            try rig.key("alt+Right", in: "mp4")
            #expect(try await rig.shows(title))
        }
        try rig.key("ctrl+q", in: "mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("keys and clicks open the playlist, and play and remove its rows")
    func panel() async throws {
        let rig = try await AppRig()
        let app = try await three(rig, showsList: false)
        @Sendable func isOpen() throws -> Bool {
            !(try rig.display.screenshot().isNear(Self.panel.x, Self.panel.y, AppRig.blue, within: 24))
        }
        #expect(try await rig.comes { try !isOpen() })
        try rig.key("F9", in: "mp4")
        #expect(try await rig.comes { try isOpen() })
        try rig.key("F9", in: "mp4")
        #expect(try await rig.comes { try !isOpen() })
        try rig.click(Self.button)
        #expect(try await rig.comes { try isOpen() })
        // On a slow machine the two clicks may be too far apart, so repeat.
        #expect(
            try await rig.comes {
                try rig.click(row(1), times: 2)
                return try rig.titles() == ["b.mp4 (2/3)"]
            })
        try rig.click(row(2))
        try rig.display.xdotool(["key", "Return"])
        #expect(try await rig.shows("c.mp4 (3/3)"))
        // Delete the current entry, then other entries.
        try rig.display.xdotool(["key", "Delete"])
        #expect(try await rig.shows("b.mp4 (2/2)"))
        try rig.click(row(0))
        try rig.display.xdotool(["key", "Delete"])
        #expect(try await rig.shows("b.mp4"))
        expectEqual(try await rig.ctl("status"), "Playing")
        try rig.display.xdotool(["key", "Delete"])
        #expect(try await rig.shows("Zoetrope"))
        try rig.click(Self.button)
        try rig.key("ctrl+q", in: "Zoetrope")
        #expect(await rig.ends(app) == 0)
        #expect(try String(contentsOf: rig.stateFile, encoding: .utf8).contains("\"showsList\":false"))
    }

    @Test("a row's context menu plays and removes the row")
    func menu() async throws {
        let rig = try await AppRig()
        let app = try await three(rig, showsList: true)
        func choose(_ keys: String..., until title: String) async throws {
            // The menu covers the rows below. It fades in and out, and takes keys only when it is completely shown.
            @Sendable func isStill(differingFrom other: Screenshot? = nil) throws -> Bool {
                let looks = (try rig.display.screenshot(), try rig.display.screenshot())
                func changes(_ look: Screenshot) -> Int { looks.1.differences(from: look, x: 560..<700, y: 190..<240) }
                return changes(looks.0) == 0 && other.map { changes($0) > 500 } != false
            }
            #expect(try await rig.comes { try isStill() })
            let before = try rig.display.screenshot()
            try rig.click(row(1), button: 3)
            #expect(try await rig.comes { try isStill(differingFrom: before) })
            // A pointer that rests on a row or on a button shows a tooltip, which is a window, too.
            try rig.display.xdotool(["mousemove", "\(Self.film.x)", "\(Self.film.y)"])
            try rig.display.xdotool(["key", "--delay", "100"] + keys)
            #expect(try await rig.shows(title))
            // Keys are lost while the menu fades out.
            #expect(try await rig.comes { try isStill() })
        }
        // The first entry of the menu has the focus.
        try await choose("Return", until: "b.mp4 (2/3)")
        try await choose("Down", "Return", until: "c.mp4 (2/2)")
        try rig.key("ctrl+q", in: "mp4")
        #expect(await rig.ends(app) == 0)
    }
}
