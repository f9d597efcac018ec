import Foundation
import MediaEngine
import TestSupport
import Testing

@testable import Presentation

/// Tests of audio files in the tool's window.
@Suite("Audio files in the window", .serialized)
struct SoundTests {
    private func size(_ id: String, _ display: PrivateDisplay) throws -> (width: Int, height: Int) {
        let numbers = try display.xdotool(["getwindowgeometry", "--shell", id]).split(separator: "\n").reduce(
            into: [String: Int]()
        ) { found, line in
            let parts = line.split(separator: "=")
            if parts.count == 2 { found[String(parts[0])] = Int(parts[1]) }
        }
        return (numbers["WIDTH"] ?? 0, numbers["HEIGHT"] ?? 0)
    }

    @Test(
        "without a title, an item has its file's or window's name",
        arguments: [("file:///music/evening%20song.flac", "evening song"), ("https://example.com/live.mp3", "Radio")])
    @MainActor func titles(url: String, name: String) throws {
        let item = AVPlayerItem(url: try #require(URL(string: url)))
        func title(_ file: [AVMetadataItem] = []) -> String {
            AudioCard.texts(of: item, over: file, name: "Radio").title
        }
        let own = AVMutableMetadataItem()
        own.identifier = .commonIdentifierTitle
        own.value = "Abendlied" as NSString
        item.externalMetadata = [own]
        #expect(title() == "Abendlied")
        item.externalMetadata = []
        #expect(title() == name)
        // A radio station without a name reports an empty title between songs.
        #expect(title([AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "")]) == name)
    }

    @Test("small artwork fills the window above the text")
    func cover() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let tool = try ToolProcess(["play", try TestMedia.url("audio-cover.m4a").path, "--loop"], display: display)
        defer { tool.child.send(SIGKILL) }
        let window = try #require(try await until { try display.window("audio-cover.m4a") })
        let isLarge = try await until {
            let size = try self.size(window, display)
            return size.width == 480 && size.height > 300 ? true : nil
        }
        let last = try size(window, display)
        #expect(isLarge == true, "\(last)")
        // White text and the bar are below the cover. A window that is not drawn yet may be light as a whole.
        let hasWords = try await until { () -> Bool? in
            let shot = try display.screenshot()
            let height = try self.size(window, display).height
            let bright = (0..<480).reduce(0) { sum, x in
                sum + ((height - 90)..<height).filter { shot.isNear(x, $0, [255, 255, 255], within: 40) }.count
            }
            return (60..<20_000).contains(bright) ? true : nil
        }
        #expect(hasWords == true)
    }

    @Test("the title, artist and position are accessible, from tags or file name", arguments: [true, false])
    func words(tagged: Bool) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-sound-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("evening song.flac").path
        let output = folder.appendingPathComponent("out").path
        let tags =
            tagged
            ? ["-metadata", "title=Abendlied", "-metadata", "artist=Matthias Claudius"] : ["-map_metadata", "-1"]
        let made = try ChildProcess(
            "ffmpeg", ["-v", "error", "-i", try TestMedia.url("audio.flac").path] + tags + [file])
        expectEqual(await Task.detached { made.wait() }.value, 0)
        let code = try await offPool {
            try ChildProcess(
                "dbus-run-session",
                [
                    "--", Repository.fixture("atspi-dump"),
                    tagged ? "Abendlied" : "evening song\t",
                    Programs.path("zoetrope"), "play", file, "--loop",
                ],
                environment: display.environment.merging([
                    "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
                ]) { $1 }, output: output
            ).wait()
        }
        let heard = try String(contentsOfFile: output, encoding: .utf8)
        #expect(code == 0, "\(heard)")
        let names = heard.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }.compactMap { $0.count > 2 ? $0[2] : nil }
        #expect(names.first == "zoetrope", "\(names)")
        #expect(names.contains("Matthias Claudius") == tagged, "\(names)")
        // The elapsed time and the duration.
        #expect(
            names.filter { $0.range(of: #"^\d+:\d\d$"#, options: .regularExpression) != nil }.count >= 2, "\(names)")
        #expect(heard.contains("progress bar"), "\(heard)")
    }
}
