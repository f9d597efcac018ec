import Foundation
import TestSupport
import Testing

/// Tests that every player view draws the subtitles that are selected in the item.
@Suite("Subtitles in player views", .serialized)
struct SubtitledViewTests {
    static let kinds = [
        "ext", "video", "layer", "controller", "macview", "gtk", "kit-system", "kit-custom", "container",
    ]

    /// Makes a video of one minute with two subtitle tracks. English is a half-transparent magenta box over the middle
    /// third of the frame, and German is text.
    private static func film() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-seen-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let box = folder.appendingPathComponent("box.ass"), words = folder.appendingPathComponent("words.srt")
        try """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 300
        PlayResY: 180
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, Outline, Shadow, Alignment
        Style: Default,Sans,20,&H00FFFFFF,&H00000000,0,0,7
        [Events]
        Format: Layer, Start, End, Style, Text
        Dialogue: 0,0:00:00.00,0:00:40.00,Default,{\\an7\\pos(0,0)\\1c&HFF00FF&\\1a&H80&\\bord0\\shad0\\p1}m 100 60 l 200 60 200 120 100 120

        """.write(to: box, atomically: true, encoding: .utf8)
        try "1\n00:00:00,000 --> 00:00:59,000\nHamburgefonts 0123\n".write(
            to: words, atomically: true, encoding: .utf8)
        let film = folder.appendingPathComponent("film.mkv")
        let code = try ChildProcess(
            "ffmpeg",
            [
                "-v", "error", "-y", "-stream_loop", "60", "-i", try TestMedia.url("quad-709.mp4").path, "-i", box.path,
                "-i", words.path, "-map", "0:v", "-map", "1", "-map", "2", "-c:v", "copy", "-c:s:0", "ass", "-c:s:1",
                "subrip", "-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=deu", "-disposition:s", "0",
                "-t", "60", film.path,
            ]
        ).wait()
        try #require(code == 0)
        return film
    }

    /// Whether the box is drawn, checked over red and over white.
    private static func hasBox(_ shot: Screenshot) -> Bool {
        shot.isNear(260, 170, [255, 0, 127], within: 16) && shot.isNear(380, 230, [255, 127, 255], within: 16)
            && shot.isNear(100, 170, [255, 0, 0])
    }

    @Test("selected subtitles are drawn until none are selected", arguments: kinds)
    func chosen(_ kind: String) async throws {
        let film = try Self.film()
        defer { try? FileManager.default.removeItem(at: film.deletingLastPathComponent()) }
        let seen = try await SeenApp(kind, film)
        // No subtitles are selected, so none are drawn.
        #expect(try SeenApp.isPicture(seen.display.screenshot()))
        try await seen.tell("choose en")
        #expect(try await seen.shows(Self.hasBox), "while it plays")
        try await seen.tell("pause", "choose none")
        #expect(try await seen.shows { SeenApp.isPicture($0) }, "off")
        // Subtitles are drawn over a paused frame, and after a seek away and back.
        try await seen.tell("choose en")
        #expect(try await seen.shows(Self.hasBox), "while it is paused")
        try await seen.tell("seek 50")
        #expect(try await seen.shows { SeenApp.isPicture($0) }, "where there are none")
        try await seen.tell("seek 20")
        #expect(try await seen.shows(Self.hasBox), "after a seek")
        #expect(seen.isQuiet, "\(seen.app.errors)")
    }

    /// Whether letters are in the lower part of the left half of the frame, the only place where the text has some.
    private static func hasLetters(_ shot: Screenshot) -> Bool {
        var light = 0
        for y in 290..<366 { for x in 130..<310 where shot.color(x, y).allSatisfy({ $0 > 200 }) { light += 1 } }
        return light > 40
    }

    /// The number of light pixels in `rows`, in the columns of the text.
    private static func letters(_ shot: Screenshot, _ rows: Range<Int>) -> Int {
        var light = 0
        for y in rows { for x in 130..<310 where shot.color(x, y).allSatisfy({ $0 > 200 }) { light += 1 } }
        return light
    }

    @Test("subtitles stay above the control bar while it is shown", arguments: ["video", "controller", "macview"])
    func aboveBar(_ kind: String) async throws {
        let film = try Self.film()
        defer { try? FileManager.default.removeItem(at: film.deletingLastPathComponent()) }
        let seen = try await SeenApp(kind, film)
        try await seen.tell("pause", "choose de")
        #expect(try await seen.shows { Self.letters($0, 325..<370) > 40 && Self.letters($0, 240..<316) < 10 })
        let display = seen.display
        #expect(
            try await seen.shows { shot in
                try display.xdotool(["mousemove", "\(500 + Int.random(in: 0...3))", "120"])
                return Self.letters(shot, 240..<316) > 40
            })
        // The subtitles return to their position when the bar hides.
        try display.xdotool(["mousemove", "1200", "700"])
        #expect(try await seen.shows { Self.letters($0, 325..<370) > 40 && Self.letters($0, 240..<316) < 10 })
        #expect(seen.isQuiet, "\(seen.app.errors)")
    }

    @Test("subtitles look and are placed as in ExtVideoPlayer", arguments: kinds.dropFirst())
    func words(_ kind: String) async throws {
        let film = try Self.film()
        defer { try? FileManager.default.removeItem(at: film.deletingLastPathComponent()) }
        let (model, seen) = (try await SeenApp("ext", film), try await SeenApp(kind, film))
        for one in [model, seen] {
            try await one.tell("pause", "choose de")
            #expect(try await one.shows(Self.hasLetters))
        }
        let expected = try model.display.screenshot()
        let isSame: @Sendable (Screenshot) -> Bool = { shot in
            for y in 240..<366 {
                for x in 24..<616 where !shot.isNear(x, y, expected.color(x, y), within: 24) { return false }
            }
            return true
        }
        #expect(try await seen.shows(isSame))
    }

    @Test("the Picture in Picture window draws subtitles too", arguments: ["layer", "ext"])
    func floating(_ kind: String) async throws {
        let film = try Self.film()
        defer { try? FileManager.default.removeItem(at: film.deletingLastPathComponent()) }
        let seen = try await SeenApp(kind, film)
        try await seen.tell("choose en")
        #expect(try await seen.shows(Self.hasBox))
        try await seen.tell("float")
        // The view shows no video any more. The box is over the small video, wherever its window is.
        #expect(
            try await seen.shows { shot in
                guard !SeenApp.isPicture(shot), !Self.hasBox(shot) else { return false }
                var red = 0, box = 0
                for y in stride(from: 400, to: 800, by: 2) {
                    for x in stride(from: 640, to: 1280, by: 2) {
                        if shot.isNear(x, y, [255, 0, 0]) { red += 1 }
                        if shot.isNear(x, y, [255, 0, 127], within: 16) { box += 1 }
                    }
                }
                // The box is a ninth of the frame, and a quarter of the box is over red.
                return red > 100 && box * 20 > red
            })
    }
}
