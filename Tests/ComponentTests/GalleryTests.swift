import Foundation
import TestSupport
import Testing

/// The gallery, which `make play` opens.
@Suite("The gallery", .serialized)
struct GalleryTests {
    @Test("every page opens, light and dark, shows pictures that move, and GTK has nothing to complain about",
        arguments: ["background", "hint", "controls", "mask", "sources", "events", "pip", "playlist", "part", "stream", "grid"])
    func page(_ page: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", page] + (page == "hint" || page == "events" ? ["--dark"] : []), display: display)
        let first = try await settled(display) { GalleryTests.colours($0) > 300 }
        #expect(GalleryTests.colours(first) > 300)
        let second = try await settled(display) { first.differences(from: $0, x: 200..<1000, y: 0..<640) > 200 }
        #expect(first.differences(from: second, x: 200..<1000, y: 0..<640) > 200)
        #expect(app.child.exitCode == nil)
        #expect(!app.errors.contains("WARNING") && !app.errors.contains("CRITICAL"), "\(app.errors)")
    }

    @Test("the error page says what is wrong, in the colour asked for")
    func errors() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "errors"], display: display)
        // Red letters on black in the lower left of four.
        let isRed: @Sendable (Screenshot) -> Bool = { shot in
            stride(from: 200, to: 580, by: 1).contains { x in stride(from: 330, to: 600, by: 3).contains { y in shot.isNear(x, y, [255, 59, 48]) } }
        }
        let shot = try await settled(display, isRed)
        #expect(isRed(shot))
        #expect(app.child.exitCode == nil)
    }

    @Test("the stream page opens what --url names; its pickers can be used where there is something to pick")
    func stream() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        // Sound in three languages, subtitles in two; 24 s.
        let film = try await pickers(["--url", server.url(for: "vod-fmp4/master.m3u8").absoluteString], until: ["\tSubtitles\t.*\tcollapsed", " of 24 seconds"])
        #expect(film == [Heard(name: "Audio", isEnabled: true), Heard(name: "Subtitles", isEnabled: true)])
        #expect(!server.requests("vod-fmp4/v*/*").isEmpty)
        // The sample: sound in one, none to read; 5 s.
        let sample = try await pickers([], until: ["\tSubtitles\t.*\tdisabled", " of 5 seconds"])
        #expect(sample == [Heard(name: "Audio", isEnabled: false), Heard(name: "Subtitles", isEnabled: false)])
    }

    private struct Heard: Equatable {
        let name: String
        let isEnabled: Bool
    }

    /// The stream page's pickers as a screen reader finds them, in the order of the page.
    /// - Parameter words: regular expressions of what is there once all is.
    private func pickers(_ arguments: [String], until words: [String]) async throws -> [Heard] {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("zt-gallery-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let code = try await offPool {
            try ChildProcess("dbus-run-session", ["--", Repository.root.appendingPathComponent("scripts/atspi-dump").path, words.joined(separator: "\n"),
                Repository.root.appendingPathComponent(".build/debug/Gallery").path, "--page", "stream"] + arguments,
                environment: display.environment.merging(["PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu"]) { $1 }, output: output).wait(seconds: 60)
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0, "\(words) in \(text)")
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            // The combo box; in it is a button of the same name.
            guard parts.count == 7, parts[1].contains("combo") else { return nil }
            return Heard(name: parts[2], isEnabled: !parts[6].contains("disabled"))
        }
    }

    @Test("pages are reached by the keyboard alone")
    func keyboard() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "errors"], display: display)
        _ = try await settled(display) { GalleryTests.colours($0) > 50 }
        let window = try #require(try display.window("Zoetrope Gallery"))
        // Tab goes from button to button, from the first; Space opens its page, which has a picture.
        try display.key("Tab", window: window)
        try display.key("space", window: window)
        let shot = try await settled(display) { GalleryTests.colours($0) > 1000 }
        #expect(GalleryTests.colours(shot) > 1000)
        let titled = try await offPool {
            let deadline = Date().addingTimeInterval(60)
            var found = try display.window("Gallery: (Background|Hint)")
            while found == nil, Date() < deadline { found = try display.window("Gallery: (Background|Hint)") }
            return found
        }
        #expect(titled != nil)
        #expect(app.child.exitCode == nil)
    }

    /// How many colours the window's right part has, of every third pixel.
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

    private func settled(_ display: PrivateDisplay, _ isRight: @escaping @Sendable (Screenshot) -> Bool) async throws -> Screenshot {
        try await offPool {
            let deadline = Date().addingTimeInterval(60)
            var shot = try display.screenshot()
            while !isRight(shot), Date() < deadline { shot = try display.screenshot() }
            return shot
        }
    }
}
