import Foundation
import TestSupport
import Testing

@Suite("Subtitle files on the command line", .serialized)
struct ToolSubtitleTests {
    private static let files = """
        printf '1\\r\\r\\n00:00:00,000 --> 00:00:01,000\\r\\r\\nA\\r\\r\\n\\r\\r\\n2\\n-00:00:01,000 --> x\\nB\\n' > good.srt
        printf '1\\n00:00:0x,000 --> 00:00:02,000\\nA\\n' > bad.srt
        printf '[Script Info]\\nPlayResX: 320\\nPlayResY: 240\\n[Events]\\nDialogue: 0,0:00:00.00,0:00:10.00,Default,,0,0,0,,{\\\\fs99999}X\\n' > large.ass

        """

    @Test("a subtitle file without a readable cue is an error")
    func unreadable() async throws {
        let shell = try ToolShell()
        let film = try TestMedia.url("quad-h264.mp4").path
        for command in [
            "play '\(film)' --headless --frames 1 --subtitles bad.srt",
            "snapshot '\(film)' -o a.png --subtitles bad.srt",
            "render '\(film)' -o a.mp4 --to 0.1 --subtitles bad.srt", "probe bad.srt", "probe --json bad.srt",
        ] {
            let run = try await shell.run(Self.files + "exec $Z \(command)")
            #expect(run.code == 1, "\(command): \(run.error)")
            #expect(
                run.error.contains("bad.srt") && run.error.contains("no cue can be read"), "\(command): \(run.error)")
        }
    }

    @Test("subtitle files with invalid lines are used, and problems are reported")
    func told() async throws {
        let shell = try ToolShell()
        let film = try TestMedia.url("quad-h264.mp4").path
        for (name, words) in [("good.srt", "1 of 2 cues skipped"), ("large.ass", "too large for any screen")] {
            for command in [
                "play '\(film)' --headless --frames 1 --subtitles \(name)",
                "snapshot '\(film)' -o \(name).png --subtitles \(name)",
                "render '\(film)' -o \(name).mp4 --to 0.1 --subtitles \(name)",
            ] {
                let run = try await shell.run(Self.files + "exec $Z \(command)")
                #expect(run.code == 0 && run.error.contains(words), "\(command): \(run.error)")
            }
        }
    }

    @Test("probe describes subtitle files")
    func probe() async throws {
        let shell = try ToolShell()
        let run = try await shell.run(Self.files + "exec $Z probe good.srt")
        #expect(run.code == 0 && run.output.contains("subtitles (SubRip, UTF-8), 1 cue, 1.000 s"), "\(run.output)")
        let json = try await shell.run(Self.files + "exec $Z probe --json good.srt")
        let all = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let words = try #require(all["subtitles"] as? [String: Any])
        #expect(words["cues"] as? Int == 1 && words["skippedCues"] as? Int == 1 && all["isPlayable"] as? Bool == false)
    }
}
