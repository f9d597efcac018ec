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
}
