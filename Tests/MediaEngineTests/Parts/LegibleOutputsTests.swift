import Foundation
import MediaCore
import Streaming
import Synchronization
import Testing

@testable import MediaEngine

@Suite("Legible outputs")
@MainActor
struct LegibleOutputsTests {
    /// Subtitles that a remote file delivers with its audio and video.
    private let subtitles = ItemSubtitles(url: URL(string: "http://localhost/film.mkv") ?? URL(fileURLWithPath: "/"))
    private let output = AVPlayerItemLegibleOutput()
    private let shown = Shown()

    @MainActor
    private final class Shown {
        var all: [[String]] = []
        var changes = 0
    }

    private func outputs() -> LegibleOutputs {
        var description = ItemDescription()
        description.legible = [LegibleTrack(streamIndex: 2, isDefault: true)]
        subtitles.opened(description)
        output.onChange = { [shown] cues, _ in shown.all.append(cues.map(\.text.plain)) }
        let outputs = LegibleOutputs(subtitles)
        outputs.cuesDidChange = { [shown] in shown.changes += 1 }
        return outputs
    }

    private func add(_ text: String, _ range: Range<Int64>) throws {
        let cue = WebVTTCue(start: range.lowerBound, end: range.upperBound, text: WebVTTText(plain: text))
        try #require(subtitles.inline).store
            .add([SubtitleCue(start: cue.start, end: cue.end, body: .webVTT(cue))])
    }

    @Test("an output is added and removed once")
    func membership() {
        let outputs = outputs()
        #expect(outputs.add(output) && !outputs.add(output))
        #expect(outputs.remove(output) && !outputs.remove(output))
    }

    @Test("subtitles of a server's file are read before there is an output")
    func reading() {
        let outputs = outputs()
        // Without an output yet, the cues of the packets that are read must not be lost.
        let first = subtitles.inline
        #expect(first?.stream == 2)
        #expect(outputs.add(output) && subtitles.inline?.store === first?.store)
    }

    @Test("cues are shown from their start to their end")
    func cues() throws {
        let outputs = outputs()
        #expect(outputs.add(output))
        try add("one", 10..<20)
        try add("two", 15..<30)
        for time in [5, 12, 17, 17, 25, 40] as [Int64] { outputs.show(at: CMTime(nanoseconds: time)) }
        #expect(shown.all == [["one"], ["one", "two"], ["two"], []])
        outputs.show(at: CMTime(nanoseconds: 12))
        outputs.hide()
        #expect(shown.all.suffix(2) == [["one"], []])
    }

    @Test("cues that stay visible are reported again after a jump")
    func jumps() throws {
        let outputs = outputs()
        #expect(outputs.add(output))
        try add("one", 10..<20)
        for time in [12, 13, 14, 25, 30] as [Int64] {
            outputs.flush()
            outputs.show(at: CMTime(nanoseconds: time))
            outputs.show(at: CMTime(nanoseconds: time))
        }
        // The jump from 25 to 30 shows no cue, and none was visible before it.
        #expect(shown.all == [["one"], ["one"], ["one"], []])
    }

    @Test("the next change is the nearest beginning or end of a cue")
    func next() throws {
        let outputs = outputs()
        #expect(outputs.nextChange(after: 0) == nil)
        #expect(outputs.add(output))
        try add("one", 10..<20)
        try add("two", 15..<30)
        #expect([0, 10, 15, 20, 30].map { outputs.nextChange(after: $0) } == [10, 15, 20, 30, nil])
        #expect(outputs.remove(output) && outputs.nextChange(after: 0) == nil)
    }

    @Test("cues that arrive together are reported once")
    func changes() async throws {
        let outputs = outputs()
        #expect(outputs.add(output))
        for index in 0..<5 as Range<Int64> { try add("\(index)", index..<(index + 1)) }
        #expect(shown.changes == 0)
        await Task { @MainActor in }.value
        #expect(shown.changes == 1)
        try add("later", 50..<60)
        await Task { @MainActor in }.value
        #expect(shown.changes == 2)
    }
}
