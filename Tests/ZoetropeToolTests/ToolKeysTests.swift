import Foundation
import TestSupport
import Testing

/// Tests the keys and the mouse in `zoetrope play`, in a window on a bare X server.
@Suite("The tool's keys and mouse", .serialized)
struct ToolKeysTests {
    private final class Window: @unchecked Sendable {
        // The tests use this object one at a time.
        let display: PrivateDisplay, tool: ToolProcess, shell: ToolShell
        private var id: String?

        /// Starts the tool in a folder of its own.
        /// - Parameters:
        ///   - files: The names of test videos, by the names that they get in the folder.
        convenience init(_ files: [String: String], _ arguments: String, title: String) async throws {
            try await self.init(files, script: "exec \"$Z\" play --size 640x360 \(arguments)", title: title)
        }
        init(_ files: [String: String], script: String, title: String) async throws {
            display = try await PrivateDisplay.launch()
            shell = try ToolShell()
            for (name, film) in files {
                let path = shell.file(name)
                try FileManager.default.createDirectory(
                    at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
                if film.hasPrefix("=") {
                    try String(film.dropFirst()).write(toFile: path, atomically: true, encoding: .utf8)
                } else {
                    try FileManager.default.createSymbolicLink(
                        atPath: path, withDestinationPath: TestMedia.url(film).path)
                }
            }
            // Outside the window, which opens at the upper left.
            try display.xdotool(["mousemove", "1200", "700"])
            tool = try ToolProcess(
                shell: "cd '\(shell.folder)' && \(script)",
                environment: ["ZOETROPE_RENDERER": "cpu", "NO_AT_BRIDGE": "1", "LC_ALL": "C.UTF-8"], display: display)
            #expect(try await has(title: title))
        }
        deinit {
            tool.child.send(SIGKILL)
            display.close()
        }
        func has(title: String) async throws -> Bool {
            try await until {
                self.id = try self.display.window(title)
                return self.id == nil ? nil : true
            } == true
        }
        func shows(_ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws -> Bool {
            try await until { try condition(try self.display.screenshot()) ? true : nil } == true
        }
        /// Returns whether `act` makes the window show a message. A message disappears by itself, maybe before a late
        /// screenshot, so `act` is repeated before each screenshot.
        func says(_ act: @escaping @Sendable () throws -> Void) async throws -> Bool {
            try await until {
                try act()
                return Window.says(try self.display.screenshot()) ? true : nil
            } == true
        }
        func key(_ keys: String) throws { if let id { try display.key(keys, window: id) } }
        func click(_ x: Int, _ y: Int, _ button: Int) throws {
            try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "\(button)"])
        }

        /// Whether the screenshot shows the video, whose quarters are red, green, blue and white.
        static let isPicture: @Sendable (Screenshot) -> Bool = {
            $0.isNear(40, 40, [255, 0, 0], within: 60) && $0.isNear(600, 40, [0, 255, 0], within: 60)
                && $0.isNear(40, 320, [0, 0, 255], within: 60) && $0.isNear(600, 320, [255, 255, 255], within: 60)
        }
        /// Whether the screenshot shows a frame of `counter.mp4`, whose lower half is gray. The empty window is black.
        static let hasCounter: @Sendable (Screenshot) -> Bool = { shot in
            let color = shot.color(320, 215)
            return (color.min() ?? 0) > 12 && (color.max() ?? 255) < 225
        }
        /// Whether a temporary message is shown: something dark in the middle near the lower edge.
        static let says: @Sendable (Screenshot) -> Bool = { shot in
            (300..<336).contains { y in (shot.color(320, y).max() ?? 255) < 120 }
        }
    }
    private static let film = ["film.mp4": "quad-709.mp4"]

    @Test("wheel and volume keys show a message, which disappears")
    func volume() async throws {
        let window = try await Window(Self.film, "--loop film.mp4", title: "film.mp4")
        #expect(try await window.shows(Window.isPicture))
        for (button, key) in [(5, nil), (4, nil), (6, nil), (7, nil), (0, "9"), (0, "0"), (0, "m"), (0, "o")]
            as [(Int, String?)]
        {
            #expect(
                try await window.says {
                    if let key { try window.key(key) } else { try window.click(320, 100, button) }
                }, "\(button) \(key ?? "")")
            #expect(try await window.shows { !Window.says($0) }, "the message disappears")
            try window.display.xdotool(["mousemove", "1200", "700"])
        }
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("? shows the keys, i the information; both can be hidden")
    func overlays() async throws {
        let window = try await Window(Self.film, "--loop film.mp4", title: "film.mp4")
        #expect(try await window.shows(Window.isPicture))
        // The help is a dark panel over the middle of the red and green quarters.
        let help: @Sendable (Screenshot) -> Bool = { shot in
            (220..<420).count { (shot.color($0, 100).max() ?? 255) < 100 } > 120
        }
        try window.key("question")
        #expect(try await window.shows(help))
        try window.key("Escape")
        // The panels may leave the window's corners free.
        #expect(try await window.shows { Window.isPicture($0) && !help($0) })
        try window.key("i")
        #expect(
            try await window.shows {
                ($0.color(24, 60).max() ?? 255) < 100 && $0.isNear(600, 320, [255, 255, 255], within: 60)
            })
        try window.key("i")
        #expect(try await window.shows { Window.isPicture($0) && $0.isNear(24, 60, [255, 0, 0], within: 60) })
        // The tool must also end while both panels are shown.
        try window.key("i")
        try window.key("question")
        #expect(try await window.shows(help))
        try window.key("q")
        let end = await window.tool.finish()
        #expect(end.code == 0 && !end.error.contains("CRITICAL") && !end.error.contains("WARNING"), "\(end.error)")
    }

    @Test("the key s saves a frame named after the file and time")
    func picture() async throws {
        let window = try await Window(Self.film, "--loop film.mp4", title: "film.mp4")
        #expect(try await window.shows(Window.isPicture))
        try window.key("space")
        /// The names of the files that are complete: a PNG file ends with the chunk IEND and its checksum.
        @Sendable func pictures() throws -> [String] {
            let end = Data([0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
            return window.shell.contents.filter { name in
                guard name.hasSuffix(".png") else { return false }
                return (try? Data(contentsOf: URL(fileURLWithPath: window.shell.file(name))))?.suffix(8) == end
            }
        }
        // The message disappears by itself, maybe before a late screenshot, so each look may save another frame.
        #expect(try await window.says { try window.key("s") })
        #expect(try await until { try pictures().count >= 1 ? true : nil } == true)
        try window.key("s")
        #expect(try await until { try pictures().count >= 2 ? true : nil } == true)
        let names = try pictures()
        #expect(names.allSatisfy { $0.hasPrefix("film 0.00.0") }, "\(names)")
        let raw = window.shell.file("picture.rgb")
        let first = try #require(names.first)
        #expect(
            try ChildProcess(
                "ffmpeg",
                ["-v", "error", "-y", "-i", window.shell.file(first), "-f", "rawvideo", "-pix_fmt", "rgb24", raw]
            ).wait() == 0)
        let shot = Screenshot(pixels: [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw))), width: 320)
        #expect(shot.isNear(80, 45, [255, 0, 0]) && shot.isNear(240, 135, [255, 255, 255]))
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("keys and mouse buttons navigate the playlist, and the title follows")
    func list() async throws {
        // Each video lasts longer than the test, so that only the keys and buttons change the item.
        let films = ["a.mp4": "blue.mp4", "b.mp4": "blue.mp4", "c.mp4": "blue.mp4"]
        let window = try await Window(films, ".", title: "a.mp4 .1/3.")
        // A window that is not drawn yet may ignore keys.
        #expect(try await window.shows { $0.isNear(320, 100, [0x20, 0x60, 0xC0], within: 24) })
        try window.key("greater")
        #expect(try await window.has(title: "b.mp4 .2/3."))
        try window.key("Return")
        #expect(try await window.has(title: "c.mp4 .3/3."))
        // The last item has no next one, so it stays.
        #expect(try await window.says { try window.key("greater") })
        #expect(try await window.has(title: "c.mp4 .3/3."))
        try window.key("less")
        #expect(try await window.has(title: "b.mp4 .2/3."))
        try window.click(320, 100, 8)
        #expect(try await window.has(title: "a.mp4 .1/3."))
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("the context menu closes with Escape and can close the window")
    func menu() async throws {
        let window = try await Window(Self.film, "--loop film.mp4", title: "film.mp4")
        #expect(try await window.shows(Window.isPicture))
        let bare = try window.display.screenshot()
        try window.click(200, 20, 3)
        // The menu is a surface of its own, which may extend beyond the window.
        let opens: @Sendable (Screenshot) -> Bool = { $0.differences(from: bare, x: 210..<380, y: 60..<330) > 5000 }
        // The menu fades in and out, and takes keys only when it is completely shown.
        let isOpen: @Sendable (Screenshot) throws -> Bool = { [display = window.display] shot in
            try opens(shot) && shot.differences(from: display.screenshot(), x: 210..<380, y: 60..<290) < 100
        }
        #expect(try await window.shows(isOpen))
        try window.key("Escape")
        // The menu leaves the window's corners free.
        #expect(try await window.shows { Window.isPicture($0) && !opens($0) })
        try window.click(200, 20, 3)
        #expect(try await window.shows(isOpen))
        // The last entry is Close Window.
        try window.display.xdotool(["key", "Up", "Return"])
        expectEnd(await window.tool.finish(), 0)
    }

    /// Whether subtitles are shown: pixels in the lower middle that have neither of the two quarters' colors. The empty
    /// window before the first frame has none.
    private static let hasWords: @Sendable (Screenshot) -> Bool = { shot in
        guard Window.isPicture(shot) else { return false }
        let pixels = (220..<300).flatMap { x in (290..<345).map { y in shot.color(x, y) } }
        return pixels.count { ($0.max() ?? 0) < 60 || ($0.min() ?? 255) > 200 } > 100
    }

    @Test("the video's default or forced subtitles are displayed; v hides them", arguments: ["default", "forced"])
    func automaticSubtitles(_ mark: String) async throws {
        let words = "=1\n00:00:00,000 --> 00:01:00,000\n<b><font size=\"60\">HHHHHHHH</font></b>\n"
        // Forced subtitles are shown if their language is that of the audio.
        let window = try await Window(
            ["source.mp4": "quad-709.mp4", "words.srt": words],
            script: "ffmpeg -v error -stream_loop 60 -i source.mp4 -f lavfi -i anullsrc=r=48000 -i words.srt -t 60"
                + " -map 0:v -map 1 -map 2 -c:v copy -c:a pcm_s16le -c:s srt -metadata:s:a:0 language=eng"
                + " -metadata:s:s:0 language=eng -disposition:s:0 \(mark) film.mkv"
                + " && exec \"$Z\" play --size 640x360 --loop film.mkv", title: "film.mkv")
        let hasWords = Self.hasWords
        #expect(try await window.shows(hasWords))
        try window.key("v")
        #expect(try await window.shows { Window.isPicture($0) && !hasWords($0) })
        try window.key("v")
        #expect(try await window.shows(hasWords))
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("subtitle files are displayed by language; v hides and j selects them")
    func sidecars() async throws {
        let words = "=1\n00:00:00,000 --> 00:09:00,000\n<b><font size=\"60\">HHHHHHHH</font></b>\n"
        let window = try await Window(
            ["film.mp4": "quad-709.mp4", "film.en.srt": words, "Subs/film.de.srt": words], "--loop film.mp4",
            title: "film.mp4")
        let hasWords = Self.hasWords
        #expect(try await window.shows(hasWords), "English subtitles are shown, because programs run in the C locale")
        try window.key("v")
        #expect(try await window.shows { Window.isPicture($0) && !hasWords($0) })
        try window.key("j")
        #expect(try await window.shows(hasWords))
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("dragging on the bar seeks immediately; releasing keeps the position")
    func scrubs() async throws {
        let window = try await Window(["film.mp4": "counter.mp4"], "film.mp4", title: "film.mp4")
        #expect(try await window.shows(Window.hasCounter))
        try window.key("space")
        let display = window.display
        // The pointer shows the bar. The middle of its play button is light.
        #expect(
            try await window.shows { shot in
                try display.xdotool(["mousemove", "\(300 + Int.random(in: 0...9))", "200"])
                return (shot.color(35, 331).min() ?? 0) > 200
            })
        let before = try display.screenshot()
        try display.xdotool([
            "mousemove", "150", "331", "mousedown", "1", "mousemove", "300", "331", "mousemove", "340", "331",
        ])
        // While the button is held, another frame is shown.
        #expect(try await window.shows { $0.differences(from: before, x: 0..<640, y: 0..<250) > 500 })
        try display.xdotool(["mouseup", "1"])
        // After the release the position stays, and the video is still paused. A busy machine shows the frame of the
        // last position some time after the release.
        try window.key("o")
        #expect(
            try await window.shows { one in
                try one.differences(from: before, x: 0..<640, y: 100..<180) > 500
                    && one.differences(from: display.screenshot(), x: 0..<640, y: 100..<180) == 0
            })
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("seeking back works in input from a pipe")
    func pipeGoesBack() async throws {
        let window = try await Window(
            ["film.mp4": "quad-709.mp4"],
            "- < <(ffmpeg -v error -stream_loop 100 -i film.mp4 -c copy -f matroska -)", title: "standard input")
        #expect(try await window.shows(Window.isPicture))
        try window.key("Right")
        #expect(try await window.says { try window.key("Home") })
        #expect(try await window.shows(Window.isPicture))
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }

    @Test("PgUp goes to the next chapter, and b displays a message")
    func chapters() async throws {
        let metadata =
            "=;FFMETADATA1\n"
            + (0..<4).map { "[CHAPTER]\nTIMEBASE=1/1\nSTART=\($0 * 5)\nEND=\($0 * 5 + 5)\ntitle=Part \($0)\n" }.joined()
        let window = try await Window(
            ["source.mp4": "counter.mp4", "meta": metadata],
            script: "ffmpeg -v error -i source.mp4 -i meta -map_metadata 1 -map_chapters 1 -c copy film.mkv"
                + " && exec \"$Z\" play --size 640x360 film.mkv", title: "film.mkv")
        #expect(try await window.shows(Window.hasCounter))
        try window.key("space")
        let paused = try await until("a picture that stays the same") { [display = window.display] () -> Screenshot? in
            let (one, two) = (try display.screenshot(), try display.screenshot())
            return Window.hasCounter(one) && one.differences(from: two, x: 0..<640, y: 100..<180) == 0 ? two : nil
        }
        let first = try #require(paused)
        try window.key("Prior")
        #expect(try await window.shows { $0.differences(from: first, x: 0..<640, y: 100..<180) > 500 })
        try window.key("Home")
        #expect(try await window.says { try window.key("b") })
        try window.key("q")
        expectEnd(await window.tool.finish(), 0)
    }
}
