import Foundation
import Streaming
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Subtitle tracks written as text files", .serialized)
struct SubtitleTextTests {
    private func cue(_ start: Double, _ end: Double, _ events: String...) -> SubtitleCue {
        SubtitleCue(
            start: Int64(start * 1e9), end: Int64(end * 1e9), body: .events(events.map { "0,Default,,0,0,0,,\($0)" }))
    }

    @Test("text cues are written with their times; tags and blanks are dropped")
    func written() {
        let cues = [
            cue(-2, -1, "before the beginning"), cue(-1, 1.5, "{\\i1}Hello{\\i0} & <you>\\N\\N  \\Nthere"),
            cue(2, 3, "{\\p1}m 0 0 l 1 1{\\p0}"), cue(2, 2, "no time"),
            SubtitleCue(
                start: 0, end: 1_000_000_000,
                body: .bitmap(SubtitleBitmap(rectangles: [], canvasWidth: 1, canvasHeight: 1, hasSquarePixels: true))),
            cue(3600 * 100 + 62.0625, 3600 * 100 + 63, "late", "and more"),
        ]
        #expect(
            SubtitleText.subRip.file(cues)
                == "1\n00:00:00,000 --> 00:00:01,500\nHello & <you>\nthere\n\n2\n100:01:02,062 --> 100:01:03,000\nlate\nand more\n"
        )
        #expect(
            SubtitleText.webVTT.file(cues)
                == "WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.500\nHello &amp; &lt;you&gt;\nthere\n\n2\n100:01:02.062 --> 100:01:03.000\nlate\nand more\n"
        )
        #expect(SubtitleText.webVTT.file([]) == "WEBVTT\n")
    }

    @Test(
        "an event's text contains no drawings and no tags",
        arguments: [
            ("{\\pos(10,20)\\p1}m 0 0 l 100 0 100 100{\\p0}text", "text"), ("{\\p1\\p0}text", "text"),
            ("{\\p0\\p2}m 0 0{\\pos(10,20)} l 1 1", ""), ("{\\pos(10,20)}one\\Ntwo\\hthree", "one\ntwo\u{A0}three"),
            ("Use \\{x} now", "Use {x} now"), ("Use \\{x\\}{\\i1} now", "Use {x} now"),
            (SubtitleDecoder.escaped("Use {x} now"), "Use {x} now"),
        ])
    func plain(event: String, text: String) {
        #expect(SubtitleCue.plain(event: "0,Default,,0,0,0,,\(event)") == text)
    }

    @Test("only drawings may be longer than a text", arguments: [("{\\pos(1,2)}", true), ("{\\pos(1,2)\\p1}", false)])
    func limit(tags: String, isCut: Bool) {
        let points = String(repeating: " 10", count: SubtitleCue.longestText)
        var body = SubtitleCue.Body.events(["0,Default,,0,0,0,,\(tags)m\(points)"])
        #expect(body.shorten() == isCut)
    }
}
