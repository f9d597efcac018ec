import Foundation
import TestSupport
import Testing

/// Tests of the filters, shaders, posters and subtitles of an `ExtVideoPlayer`, by screenshots of its window.
@Suite("Filters, shaders, posters and subtitles in a window", .serialized)
struct PictureComponentTests {
    private let red = [255, 0, 0], cyan = [0, 255, 255], white = [255, 255, 255], magenta = [255, 0, 255]

    /// Starts the probe. Its window has 640 × 400 points at the corner of the screen, and the player 600 × 360 points
    /// at (20, 20): red at the upper left, white at the lower right.
    private func launch(_ display: PrivateDisplay) async throws -> AppProcess {
        let app = try AppProcess("Component", [TestMedia.url("quad-709.mp4").path], display: display)
        try await app.wait(for: "event playing")
        _ = try await display.settled { $0.isNear(100, 100, [255, 0, 0]) && $0.isNear(500, 300, [255, 255, 255]) }
        return app
    }

    @Test("brightness and filters change the video, combine and can be removed")
    func filters() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try await launch(display)
        try await app.ask("filter CIColorInvert")
        let first = try await display.settled {
            $0.isNear(100, 100, [0, 255, 255]) && $0.isNear(500, 300, [0, 0, 0])
        }
        #expect(first.isNear(100, 100, cyan) && first.isNear(500, 300, [0, 0, 0]))
        // A filter that only changes colors needs no thread.
        expectEqual(try await app.ask("idle").composers, 0)
        try await app.ask("brightness 0.5")
        // Brightness applies after the filter. Before the filter, it would turn red into pink, and the filter would
        // darken that.
        let bright = try await display.settled { $0.isNear(100, 100, [127, 255, 255]) }
        #expect(bright.isNear(100, 100, [127, 255, 255]))
        // The filters are removed and brightness stays, so red is pink.
        try await app.ask("nofilters")
        let pink = try await display.settled { $0.isNear(100, 100, [255, 127, 127]) }
        #expect(pink.isNear(100, 100, [255, 127, 127]))
        try await app.ask("brightness 0")
        _ = try await display.settled { $0.isNear(310, 100, [255, 0, 0]) }
        // A filter that reads neighboring pixels has its own thread, which ends with the view.
        try await app.ask("filter CIGaussianBlur")
        // Ten points beside the border of red and green, which is slightly blurred even without the filter.
        let edge = try await display.settled {
            !$0.isNear(310, 100, [255, 0, 0], within: 40) && $0.isNear(100, 100, [255, 0, 0])
        }
        #expect(!edge.isNear(310, 100, red, within: 40) && edge.isNear(100, 100, red))
        // Repeat, because a thread has its name only after it first runs.
        let blurred = try await app.ask("idle") { $0.composers == 1 }
        #expect(blurred.composers == 1)
        expectEqual(try await app.ask("hide") { $0.playerThreads == 0 }.playerThreads, 0)
    }

    @Test("a shader draws the video; a broken shader reports its line")
    func shader() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try await launch(display)
        try await app.ask("shader vec4 shade(vec2 uv) { return vec4(video(uv).bgr, 1.0); }")
        let swapped = try await display.settled { $0.isNear(100, 100, [0, 0, 255]) }
        #expect(swapped.isNear(100, 100, [0, 0, 255]) && swapped.isNear(500, 300, white))
        try await app.ask("shader vec4 shade(vec2 uv) { return oops; }")
        let told = try await app.wait(for: "event error:")
        #expect(told.contains("probe") && told.contains("line 1"))
        let plain = try await display.settled { $0.isNear(100, 100, [255, 0, 0]) }
        #expect(plain.isNear(100, 100, red))
    }

    /// Also: the layer is never built with an empty size.
    @Test("a vector layer has the view's size and ignores the filters")
    func vectors() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try await launch(display)
        try app.send("vector")
        expectEqual(try await app.wait(for: "built"), "built 600x360")
        let drawn = try await display.settled { $0.isNear(100, 60, [255, 0, 255]) }
        #expect(drawn.isNear(100, 60, magenta) && drawn.isNear(100, 150, red) && drawn.isNear(300, 60, red))
        try await app.ask("filter CIColorInvert")
        let both = try await display.settled { $0.isNear(100, 150, [0, 255, 255]) }
        #expect(both.isNear(100, 60, magenta), "filters change the frame, not the layers")
        try await app.ask("novectors")
        let gone = try await display.settled { $0.isNear(100, 60, [0, 255, 255]) }
        #expect(gone.isNear(100, 60, cyan))
    }

    @Test("a poster covers the background until the first frame is displayed")
    func poster() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("held.mp4") { _ in .text("nothing yet", type: "video/mp4") }
        server.inject(.stall(after: 0), on: "held.mp4")
        let app = try AppProcess("Component", [server.url(for: "held.mp4").absoluteString], display: display)
        try await app.wait(for: "ready")
        let blue = [0, 0, 255]
        let before = try await display.settled { $0.isNear(320, 200, blue) }
        #expect(before.isNear(320, 200, blue) && before.isNear(100, 200, blue))
        try await app.ask("poster \(TestMedia.url("cover.png").path)")
        // The poster has one color.
        let cover = [0x33, 0x66, 0xCC]
        let poster = try await display.settled { $0.isNear(320, 200, cover, within: 24) }
        #expect(poster.isNear(320, 200, cover, within: 24))
        try await app.ask("source \(TestMedia.url("quad-709.mp4").path)")
        try await app.wait(for: "event playing")
        let playing = try await display.settled { $0.isNear(100, 100, red) && $0.isNear(500, 300, white) }
        #expect(playing.isNear(100, 100, red) && playing.isNear(500, 300, white))
        // A source whose server does not answer: the poster replaces the frame of the previous source.
        try await app.ask("source \(server.url(for: "held.mp4").absoluteString)")
        let again = try await display.settled { $0.differences(from: poster, x: 120..<520, y: 40..<360) < 50 }
        #expect(again.differences(from: poster, x: 120..<520, y: 40..<360) < 50)
        try await app.ask("source \(TestMedia.url("quad-709.mp4").path)")
        let back = try await display.settled {
            $0.isNear(100, 100, [255, 0, 0]) && $0.isNear(500, 300, [255, 255, 255])
        }
        #expect(back.isNear(100, 100, red) && back.isNear(500, 300, white))
    }

    @Test("an image as a poster keeps its shape until the first frame")
    func picturePoster() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("held.mp4") { _ in .text("nothing yet", type: "video/mp4") }
        server.inject(.stall(after: 0), on: "held.mp4")
        let app = try AppProcess("Component", [server.url(for: "held.mp4").absoluteString], display: display)
        try await app.wait(for: "ready")
        try await app.ask("picture-poster \(TestMedia.url("cover.png").path)")
        // The poster is a square of one color, which fits 600 × 360 as 360 × 360 points in the middle. The app's
        // background is beside it.
        let isShown: @Sendable (Screenshot) -> Bool = { shot in
            [(320, 200), (160, 40), (480, 360)].allSatisfy { shot.isNear($0.0, $0.1, [0x33, 0x66, 0xCC], within: 24) }
                && shot.isNear(100, 200, [0, 0, 255]) && shot.isNear(540, 200, [0, 0, 255])
        }
        let poster = try await display.settled(isShown)
        #expect(isShown(poster), "\(poster.color(320, 200)), \(poster.color(100, 200))")
        try await app.ask("source \(TestMedia.url("quad-709.mp4").path)")
        try await app.wait(for: "event playing")
        let playing = try await display.settled {
            $0.isNear(100, 100, [255, 0, 0]) && $0.isNear(500, 300, [255, 255, 255])
        }
        #expect(playing.isNear(100, 100, red) && playing.isNear(500, 300, white))
    }

    @Test("a subtitle file is shown and removed; a missing file is reported")
    func subtitles() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try await launch(display)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).srt")
        defer { try? FileManager.default.removeItem(at: file) }
        try "1\n00:00:00,000 --> 00:10:00,000\n█████████████\n".write(to: file, atomically: true, encoding: .utf8)
        // The text appears in the lower part of the blue quarter, so compare that area.
        let before = try display.screenshot()
        try await app.ask("subtitles \(file.path)")
        let shown = try await display.settled { $0.differences(from: before, x: 220..<420, y: 320..<375) > 500 }
        #expect(shown.differences(from: before, x: 220..<420, y: 320..<375) > 500)
        #expect(shown.isNear(100, 100, red))
        try await app.ask("nosubtitles")
        let gone = try await display.settled { $0.differences(from: before, x: 220..<420, y: 320..<375) < 50 }
        #expect(gone.differences(from: before, x: 220..<420, y: 320..<375) < 50)
        try await app.ask("subtitles nowhere.srt")
        #expect(try await app.wait(for: "event error:").contains("nowhere.srt"))
    }
}
