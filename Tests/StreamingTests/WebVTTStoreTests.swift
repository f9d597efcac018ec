import Foundation
import Testing

@testable import Streaming

@Suite("Cue store")
struct WebVTTStoreTests {
    private let second: Int64 = 1_000_000_000

    private func cue(_ start: Double, _ end: Double, _ text: String, identifier: String = "") -> WebVTTCue {
        WebVTTCue(
            identifier: identifier, start: Int64(start * 1e9), end: Int64(end * 1e9), text: WebVTTText(plain: text))
    }

    private func segment(_ number: Int, start: Double, discontinuity: Int = 0, bytes: Int = 100, _ cues: [WebVTTCue])
        -> CueStore.Held
    {
        CueStore.Held(
            number: number, start: Int64(start * 1e9), duration: 6 * second, discontinuity: discontinuity, cues: cues,
            bytes: bytes)
    }

    private func lines(_ store: CueStore) -> [String] {
        store.cues.map { "\($0.start / 1_000_000)-\($0.end / 1_000_000) \($0.text.plain)" }
    }

    @Test("a cue repeated by adjacent segments is merged")
    func repeated() {
        var store = CueStore()
        store.insert(segment(1, start: 6, [cue(15, 18, "over"), cue(17, 18, "own"), cue(17, 18, "own")]))
        // The timestamp map of this segment is rounded differently.
        store.insert(
            segment(
                0, start: 0,
                [cue(11, 12, "first"), cue(15.001, 18.001, "over"), cue(15, 18, "over", identifier: "another")]))
        store.arrange { _ in -10 * second }
        #expect(
            lines(store) == ["1000-2000 first", "5000-8000 over", "5000-8000 over", "7000-8000 own", "7000-8000 own"])
    }

    @Test("a segment without cues counts as loaded")
    func empty() throws {
        var store = CueStore()
        for (number, text) in [
            "WEBVTT", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n", "WEBVTT\n\nNOTE silence\n",
        ].enumerated() {
            let document = try WebVTTDocument(parsing: Array(text.utf8))
            store.insert(segment(number, start: Double(number) * 6, document.cues))
        }
        store.insert(segment(3, start: 18, [cue(19, 20, "word")]))
        store.arrange { _ in 0 }
        #expect(lines(store) == ["19000-20000 word"])
        #expect((0..<4).allSatisfy { store.has($0, start: Int64($0) * 6 * second, now: at(0)) && !store.isBroken($0) })
    }

    @Test("cue text is cut at 16 KiB, at a character boundary")
    func longText() throws {
        for piece in ["a", "ä", "–", "😀", "<b>x</b>"] {
            let document = try WebVTTDocument(
                parsing: Array(
                    "WEBVTT\n\n00:01.000 --> 00:02.000\n\(String(repeating: piece, count: 40_000))\n\n00:03.000 --> 00:04.000\nnext\n"
                        .utf8))
            #expect(document.cues.map(\.text.plain).last == "next" && document.shortened == 1)
            let plain = document.cues[0].text.plain
            #expect(!plain.contains("\u{FFFD}") && plain.utf8.count <= WebVTTText.longest && plain.utf8.count > 1000)
        }
    }

    @Test("cues wait for their discontinuity's clock, and follow its corrections")
    func offsets() {
        var store = CueStore()
        store.insert(segment(0, start: 0, [cue(10, 12, "a")]))
        store.insert(segment(1, start: 6, discontinuity: 1, [cue(100, 102, "b")]))
        store.arrange { $0.discontinuity == 0 ? -10 * second : nil }
        #expect(lines(store) == ["0-2000 a"])
        store.arrange { $0.discontinuity == 0 ? -10 * second : -94 * second }
        #expect(lines(store) == ["0-2000 a", "6000-8000 b"])
        store.arrange { $0.discontinuity == 0 ? -9 * second : nil }
        #expect(lines(store) == ["1000-3000 a", "6000-8000 b"])
    }

    @Test("33-bit clock wraps do not move a cue", arguments: [-2.0, -1, 0, 1, 3])
    func wraps(_ turns: Double) {
        let wrap = Double(1 << 33) / 90_000
        var store = CueStore()
        store.insert(segment(7, start: 90_000, [cue(100 + turns * wrap, 102 + turns * wrap, "a")]))
        store.arrange { _ in Int64((90_000.5 - 100) * 1e9) }
        #expect(store.cues.count == 1 && store.cues.allSatisfy { abs($0.start - Int64(90_000.5 * 1e9)) < 1000 })
    }

    @Test("inner timestamps move with their cue; reversed cues are dropped")
    func within() {
        var store = CueStore()
        let karaoke = WebVTTCue(
            start: 10 * second, end: 12 * second, text: WebVTTText(parsing: ArraySlice("a<00:11.000>b".utf8)))
        store.insert(segment(0, start: 0, [karaoke, cue(12, 11, "backwards")]))
        store.arrange { _ in -10 * second }
        #expect(store.cues.map { $0.text.runs.map(\.time) } == [[nil, 1 * second]])
    }

    @Test("memory is limited; the cues near the playhead are kept")
    func bounded() {
        var store = CueStore()
        for number in 0..<10 {
            store.insert(
                segment(
                    number, start: Double(number) * 6, bytes: 1000,
                    [cue(Double(number) * 6, Double(number) * 6 + 1, "\(number)")]))
        }
        store.trim(limit: 5000, keeping: (30 * second)..<(40 * second))
        #expect(store.bytes == 5000 && Set(store.held.keys) == [3, 4, 5, 6, 7])
        store.trim(limit: 0, keeping: (30 * second)..<(40 * second))
        #expect(store.held[5] != nil && store.held[6] != nil)
        store.arrange { _ in 0 }
        #expect(Set(store.cues.map(\.text.plain)).isSuperset(of: ["5", "6"]))
    }

    @Test("reused segment numbers load again; failed segments load after a pause")
    func asking() {
        var store = CueStore()
        store.insert(segment(3, start: 18, []))
        #expect(store.has(3, start: 18 * second, now: at(0)) && !store.has(3, start: 60 * second, now: at(0)))
        var broken = segment(4, start: 24, [])
        broken.brokenUntil = at(100)
        store.insert(broken)
        #expect(store.has(4, start: 24 * second, now: at(99)) && !store.has(4, start: 24 * second, now: at(100)))
        store.forgetFailures()
        #expect(!store.has(4, start: 24 * second, now: at(0)) && store.isBroken(4))
    }

    // MARK: choice of subtitles

    private func presentation() throws -> HLSPresentation {
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="forced",LANGUAGE="en",FORCED=YES,AUTOSELECT=YES,URI="f.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="e.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",URI="d.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="s"
            v.m3u8
            """
        let url = try #require(URL(string: "http://h/m.m3u8"))
        guard case .multivariant(let playlist) = try Playlist.parse(Array(text.utf8), url: url) else {
            throw CancellationError()
        }
        return try HLSPresentation(playlist) { _ in true }
    }

    @Test("subtitles are chosen by language, by option, or as forced")
    func choosing() throws {
        let stream = try presentation()
        #expect(stream.subtitlesOption(.languages(["fr", "de-AT"]), audioLanguage: nil) == 2)
        #expect(stream.subtitlesOption(.languages(["en"]), audioLanguage: nil) == 1)
        #expect(stream.subtitlesOption(.languages(["ja"]), audioLanguage: "en") == 0)
        #expect(stream.subtitlesOption(.automatic, audioLanguage: "en-US") == 0)
        #expect(stream.subtitlesOption(.automatic, audioLanguage: "fr") == nil)
        #expect(stream.subtitlesOption(.none, audioLanguage: "en") == nil)
        #expect(
            stream.subtitlesOption(.option(1), audioLanguage: nil) == 1
                && stream.subtitlesOption(.option(9), audioLanguage: nil) == nil)
    }
}
