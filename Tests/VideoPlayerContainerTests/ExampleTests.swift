import Foundation
import TestSupport
import Testing

/// Tests of the apps in `Examples/`, by screenshots and as a screen reader finds them. They need no example films: the
/// sample loop replaces missing ones.
@Suite("The example apps", .serialized)
struct ExampleTests {
    /// An accessible object as a screen reader finds it.
    private struct Heard {
        let role, name, states: String
    }

    static let apps: [(name: String, arguments: [String], words: [String])] = [
        ("Youtube", [], ["\t(Play|Pause)\t", "\tPosition\t", "\tComments\t", "\tFull Screen\t"]),
        ("Bilibili", [], ["\t(Play|Pause)\t", "\tPosition\t", "\tLike\t", "\tFavorite\t", "\tLock Controls\t"]),
        ("TikTok", [], ["\tLike\t", "\tComments\t", "\tShare\t", "\tFollow\t"]),
        (
            "SystemVideoPlayer", [],
            ["\t(Play|Pause)\t", "\tPosition\t", "\tVolume\t", "\tSpeed\t", "\tClose\t", "\tBack 150 Frames\t"]
        ),
        ("VideoNavigation", [], ["\tOpen Hills at dusk\t", "\tRemaining Time\t"]),
        (
            "QuickTime", [Repository.root.appendingPathComponent("Examples/SampleMedia/zoetrope.mp4").path],
            ["\t(Play|Pause)\t", "\tPosition\t", "\tVolume\t", "\tPlaylist\t", "\tNext Video\t"]
        ),
        ("VisionPro", [], ["\t(Play|Pause)\t", "\tPosition\t", "\tSpeed\t"]),
        ("PlayerKit", ["inlineSystem"], ["\t(Play|Pause)\t", "\tPosition\t", "\tVolume\t", "\tPlayback Options\t"]),
    ]

    @Test("each example app opens, and its controls have accessible names", arguments: apps.map(\.name))
    func names(_ name: String) async throws {
        let app = try #require(Self.apps.first { $0.name == name })
        let heard = try await Self.listen(app.name, app.arguments, movesPointer: true, until: app.words)
        let pressed = heard.filter { item in
            ["button", "slider", "combo", "entry", "text", "toggle", "check"].contains { item.role.contains($0) }
        }
        #expect(!pressed.isEmpty)
        let nameless = pressed.filter { $0.name.trimmingCharacters(in: .whitespaces).isEmpty }
        #expect(nameless.isEmpty, "\(nameless.map(\.role)) among \(pressed.map { "\($0.role): \($0.name)" })")
    }

    @Test("QuickTime without a video shows how to open one")
    func empty() async throws {
        let heard = try await Self.listen("QuickTime", [], until: ["\tDrop a video here\t", "\tOpen…\t"])
        #expect(!heard.contains { $0.name == "Playlist" })
    }

    @Test(
        "each example app displays video and causes no GTK warnings", arguments: apps.map(\.name), Windowing.allCases)
    func pictures(_ name: String, _ windowing: Windowing) async throws {
        let app = try #require(Self.apps.first { $0.name == name })
        let display = try await windowing.launch(width: 1280, height: 800)
        defer { display.close() }
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-example-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: errors) }
        let process = try ChildProcess(
            Programs.path(app.name), app.arguments,
            environment: display.environment.merging(Self.environment) { $1 }, error: errors)
        defer {
            process.send(SIGKILL)
            process.wait(seconds: 5)
        }
        // The sample's frames have thousands of colors. An app without video has dozens.
        let many = try await until { Self.colours(try display.screenshot()) > 400 ? true : nil }
        #expect(many == true && process.exitCode == nil)
        let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        #expect(!said.contains("WARNING") && !said.contains("CRITICAL"), "\(said)")
    }

    @Test(
        "each page of the player kit example fits a narrow window",
        arguments: [
            ("inlineSystem", "\t(Play|Pause)\t"), ("inlineCustom", "\tMPlayerKit\t|\tInline Custom Player\t"),
            ("fullScreenSystem", "\tPlay Evening Hills\t"), ("fullScreenCustom", "\tPlay Evening Hills\t"),
        ])
    func kitPages(_ page: String, _ word: String) async throws {
        let heard = try await Self.listen("PlayerKit", [page], until: [word])
        #expect(!heard.isEmpty)
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-example-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: errors) }
        let process = try ChildProcess(
            Programs.path("PlayerKit"), [page],
            environment: display.environment.merging(Self.environment) { $1 }, error: errors)
        defer {
            process.send(SIGKILL)
            process.wait(seconds: 5)
        }
        #expect(try await until { try display.window("Player") != nil ? true : nil } == true)
        let window = try #require(try display.window("Player"))
        try display.xdotool(["windowsize", window, "340", "560"])
        #expect(
            try await until {
                try display.xdotool(["getwindowgeometry", window]).contains("Geometry: 340x560") ? true : nil
            } == true)
        // The middle of the window shows a poster or a frame, nothing extends beyond the window, and GTK does not
        // report a lack of space.
        #expect(
            try await until {
                let shot = try display.screenshot()
                return Set((0..<340).map { shot.color($0, 280) }).count > 1 && shot.color(340, 280) == [0, 0, 0]
                    ? true : nil
            } == true)
        #expect(process.exitCode == nil)
        let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        #expect(!said.contains("WARNING") && !said.contains("CRITICAL"), "\(said)")
    }

    private static let environment = [
        "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu", "ZOETROPE_EXAMPLE_MEDIA": "/nonexistent",
    ]

    private static func colours(_ shot: Screenshot) -> Int {
        var seen: Set<[Int]> = []
        for x in stride(from: 0, to: 1000, by: 4) {
            for y in stride(from: 0, to: 640, by: 4) { seen.insert(shot.color(x, y)) }
        }
        return seen.count
    }

    /// Returns the objects that a screen reader finds, once all `words` (regular expressions) match.
    ///
    /// - Parameter movesPointer: Whether the pointer keeps moving over the video meanwhile, for controls that hide.
    private static func listen(
        _ program: String, _ arguments: [String], movesPointer: Bool = false, until words: [String]
    ) async throws -> [Heard] {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-example-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: output) }
        let code = try await offPool {
            let reader = try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"),
                    words.joined(separator: "\n"),
                    Programs.path(program),
                ] + arguments,
                environment: display.environment.merging(environment) { $1 }, output: output)
            var moves = 0
            while movesPointer, reader.exitCode == nil {
                moves += 1
                try display.xdotool(["mousemove", "\(400 + moves % 2 * 8)", "300"])
                blockWhileTimePasses(0.2, because: "a hand moves the pointer now and then")
            }
            return reader.wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0, "\(words) in \(text)")
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return parts.count == 7 ? Heard(role: parts[1], name: parts[2], states: parts[6]) : nil
        }
    }
}
