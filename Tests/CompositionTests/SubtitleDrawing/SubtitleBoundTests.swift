import Foundation
import MediaCore
import MediaEngine
import Streaming
import Testing

@testable import Overlays

@Suite("Limits of subtitles", .serialized)
struct SubtitleBoundTests {
    private func text(_ kind: String, _ cues: [(String, String)]) -> String {
        switch kind {
        case "vtt": "WEBVTT\n\n" + cues.map { "00:00.000 --> \($0.0)\n\($0.1)\n\n" }.joined()
        case "srt":
            cues.enumerated().map {
                "\($0 + 1)\n00:00:00,000 --> 00:\($1.0.replacingOccurrences(of: ".", with: ","))\n\($1.1)\n\n"
            }.joined()
        default:
            "[Script Info]\nPlayResX: 384\nPlayResY: 288\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Sans,20\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                + cues.map { "Dialogue: 0,0:00:00.00,0:\($0.0.dropLast()),Default,,0,0,0,,\($0.1)\n" }.joined()
        }
    }

    @Test("a cue's text is cut at 16 KiB and reported", arguments: ["vtt", "srt", "ass"])
    func text(kind: String) throws {
        let document = try SubtitleStage.document(
            text(kind, [("10:00.000", String(repeating: "ä–", count: 400_000)), ("10:00.000", "short")]))
        let lines = document.text(at: CMTime(value: 1, timescale: 1))
        #expect(lines.count == 2 && lines[1] == "short")
        #expect((15_000...16 << 10).contains(lines[0].utf8.count) && !lines[0].contains("\u{FFFD}"))
        #expect(document.report.shortenedCues == 1 && document.report.summary?.contains("1 cue too long") == true)
    }

    @Test("a long drawing of a script is not shortened")
    func drawing() throws {
        let path = "{\\p1}m 0 0" + String(repeating: " l 10 10", count: 5000)
        let document = try SubtitleStage.document(text("ass", [("10:00.000", path)]))
        #expect(document.report.shortenedCues == 0)
    }

    @Test(
        "twenty thousand simultaneous cues draw as few as a hundred",
        arguments: ["vtt", "srt"])
    func atOnce(kind: String) throws {
        var given: [Int] = []
        for count in [100, 20_000] {
            let stage = SubtitleStage()
            stage.overlay.show(try SubtitleStage.document(text(kind, (1...count).map { ("10:00.000", "cue \($0)") })))
            #expect(stage.all(1) != nil)
            // The next frame requests no further events.
            let before = stage.overlay.eventsGiven
            #expect(stage.all(2) != nil && stage.overlay.eventsGiven == before)
            given.append(before)
        }
        #expect(given[1] <= given[0] + 8, "\(given)")
    }

    @Test("at most 2048 events of a script are displayed at once")
    func events() throws {
        let document = try SubtitleStage.document(text("ass", (1...20_000).map { ("10:00.000", "cue \($0)") }))
        let standing = document.cues(at: 1_000_000_000)
        #expect(standing.count == SubtitleCue.mostAtOnce && standing.last?.plain == "cue 20000")
    }

    @Test("cues added in reverse are stored in order")
    func order() throws {
        let store = SubtitleStore()
        let cues = (0..<5000).reversed().map {
            SubtitleCue(start: Int64($0) * 10, end: Int64($0) * 10 + 10, body: .events(["0,Default,,0,0,0,,\($0)"]))
        }
        #expect(store.add(cues) == 0)
        store.add(cues)
        #expect(store.cues.count == 5000 && store.cues.map(\.start) == (0..<5000).map { Int64($0) * 10 })
        #expect(store.cues(at: 12_345).map(\.plain) == ["1234"])
    }

    @Test("a WebVTT file may be empty, but not have only broken cues")
    func noCues() throws {
        for text in ["WEBVTT", "WEBVTT\n", "\u{FEFF}WEBVTT\n\n", "WEBVTT x\n\nNOTE a\n\nREGION\nid:a\n"] {
            let document = try SubtitleStage.document(text)
            #expect(
                document.format == .webVTT && document.duration == .zero && document.text(at: .zero) == []
                    && document.report.summary == nil)
        }
        #expect(throws: AVError.self) { try SubtitleStage.document("WEBVTT\n\nsoon --> later\nx\n") }
        #expect(try WebVTTDocument(parsing: Array("WEBVTT".utf8)).cues.isEmpty)
    }
}
