import Foundation
import TestSupport
import Testing

/// Tests `zoetrope play` in a window on a bare X server, with pointer movements.
@Suite("The tool's controls", .serialized)
struct ToolControlsTests {
    private final class Window: @unchecked Sendable {
        // The tests use this object one at a time.
        let display: PrivateDisplay, tool: ToolProcess
        init(_ arguments: String...) async throws {
            display = try await PrivateDisplay.launch()
            // Outside the window, which opens at the upper left.
            try display.xdotool(["mousemove", "1200", "700"])
            tool = try ToolProcess(
                ["play", "--loop", "--size", "640x360", TestMedia.url("quad-709.mp4").path] + arguments,
                environment: ["ZOETROPE_RENDERER": "cpu", "NO_AT_BRIDGE": "1"], display: display)
            #expect(try await shows { Window.isPicture($0) })
        }
        deinit {
            tool.child.send(SIGKILL)
            display.close()
        }
        func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
            try await until { try condition(try self.display.screenshot()) ? true : nil } == true
        }
        /// Moves the pointer around a position, like a hand, until the screenshot satisfies `condition`.
        func points(_ x: Int, _ y: Int, _ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws
            -> Bool
        {
            try await shows { shot in
                try self.display.xdotool(["mousemove", "\(x + Int.random(in: 0...2))", "\(y)"])
                return try condition(shot)
            }
        }
        /// Whether the video is shown without the bar: its lower left is blue, and would be dark under the bar.
        static let isPicture: @Sendable (Screenshot) -> Bool = { $0.isNear(18, 340, [0, 0, 255], within: 60) }
        static let isBarred: @Sendable (Screenshot) -> Bool = {
            ($0.color(18, 340).last ?? 255) < 160 && $0.isNear(18, 300, [0, 0, 255], within: 60)
        }
        /// Whether the play or the pause symbol is shown: the middle of the pause symbol is dark, and that of the play
        /// symbol is light.
        static let canPlay: @Sendable (Screenshot) -> Bool = { isBarred($0) && ($0.color(35, 331).min() ?? 0) > 200 }
        static let canPause: @Sendable (Screenshot) -> Bool = { isBarred($0) && ($0.color(35, 331).min() ?? 255) < 120 }
        func key(_ keys: String) throws { try display.key(keys, in: "quad-709.mp4") }
    }

    @Test("controls appear with the pointer, show thumbnails, and hide when it rests")
    func come() async throws {
        let window = try await Window()
        #expect(try await window.points(300, 100, Window.canPause))
        try window.display.xdotool(["mousemove", "35", "331", "click", "1"])
        #expect(try await window.points(34, 331, Window.canPlay))
        try window.display.xdotool(["click", "1"])
        #expect(try await window.points(34, 331, Window.canPause))
        // A small red area, the thumbnail, over the blue quarter of the video.
        #expect(
            try await window.points(220, 331) { shot in
                (210..<320).contains { y in shot.isNear(190, y, [255, 0, 0], within: 60) }
            })
        try window.display.xdotool(["mousemove", "300", "100"])
        #expect(try await window.shows(Window.isPicture))
    }

    @Test("subtitles move above the bar while it is visible")
    func subtitles() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).srt")
        defer { try? FileManager.default.removeItem(at: file) }
        try "1\n00:00:00,000 --> 00:59:00,000\nHamburgefonts 0123\n".write(to: file, atomically: true, encoding: .utf8)
        let window = try await Window("--subtitles", file.path)
        // The left half of the line is over the blue quarter.
        @Sendable func letters(_ shot: Screenshot, _ rows: Range<Int>) -> Int {
            var light = 0
            for y in rows { for x in 200..<318 where shot.color(x, y).allSatisfy({ $0 > 200 }) { light += 1 } }
            return light
        }
        #expect(try await window.shows { letters($0, 318..<360) > 40 && letters($0, 200..<296) < 10 })
        #expect(try await window.points(300, 100) { letters($0, 200..<300) > 40 })
        try window.display.xdotool(["mousemove", "1200", "700"])
        #expect(try await window.shows { letters($0, 318..<360) > 40 && letters($0, 200..<296) < 10 })
    }

    @Test("keys control the video even if a button has the focus")
    func keys() async throws {
        let window = try await Window()
        #expect(try await window.points(300, 100, Window.canPause))
        // Move the focus to the mute button.
        for _ in 0..<4 { try window.key("Tab") }
        try window.key("space")
        #expect(try await window.points(300, 100, Window.canPlay))
        try window.key("space")
        #expect(try await window.points(300, 100, Window.canPause))
        try window.key("l")
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("--no-controls hides the controls but keeps the keys")
    func none() async throws {
        let window = try await Window("--no-controls")
        for x in stride(from: 100, to: 500, by: 20) {
            try window.display.xdotool(["mousemove", "\(x)", "100"])
            #expect(Window.isPicture(try window.display.screenshot()))
        }
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }
}
