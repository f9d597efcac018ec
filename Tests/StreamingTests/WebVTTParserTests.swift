import Foundation
import TestSupport
import Testing

@testable import Streaming

@Suite("WebVTT parser")
struct WebVTTParserTests {
    private func document(_ text: String) throws -> WebVTTDocument { try WebVTTDocument(parsing: Array(text.utf8)) }
    private func text(_ text: String) -> WebVTTText { WebVTTText(parsing: ArraySlice(text.utf8)) }

    /// Returns a cue as one line, for comparison.
    private func line(_ cue: WebVTTCue) -> String {
        "\(cue.identifier)|\(cue.start / 1_000_000)-\(cue.end / 1_000_000)|\(cue.text.plain)"
    }

    // MARK: file structure

    @Test("a cue keeps preceding style sheets; skipped cues report their lines")
    func sheetsAndLines() throws {
        let document = try document(
            "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> x\nbad\n\n00:01.000 --> 00:02.000\ngood\n")
        #expect(document.cues.map(\.styleSheets) == [["::cue { color: red }"]])
        #expect(document.skipped == 1 && document.skippedLines == [6])
    }

    @Test("text that is not WebVTT is refused with reason and remedy")
    func refusal() {
        let error = WebVTTDocument.ParseError.noSignature
        #expect(throws: error) { _ = try WebVTTDocument(parsing: Array("1\n00:00".utf8)) }
        let bridged = error as NSError
        #expect(error.localizedDescription.hasSuffix("the file is not WebVTT."))
        #expect(bridged.localizedFailureReason == error.failureReason && error.failureReason != nil)
        #expect(bridged.localizedRecoverySuggestion == error.recoverySuggestion && error.recoverySuggestion != nil)
    }

    @Test("absurdly large hours are invalid")
    func hours() throws {
        let document = try document(
            "WEBVTT\n\n999999999:00:00.000 --> 999999999:00:01.000\na\n\n1000000:00:00.000 --> 1000000:59:59.999\nb\n")
        #expect(document.skipped == 1 && document.cues.map(\.text.plain) == ["b"])
    }

    @Test("a cue from a container keeps its settings, styles and inner times")
    func container() {
        func cue(_ text: String) -> WebVTTCue {
            WebVTTCue(
                identifier: "i", start: 10_000_000_000, end: 14_000_000_000, settings: Array("line:0 align:left".utf8),
                text: Array(text.utf8),
                header: Array("STYLE\n::cue { color: red }\n".utf8))
        }
        #expect(cue("a <00:01.000>b").text.runs.map(\.time) == [nil, 11_000_000_000])
        #expect(cue("a <00:11.000>b").text.runs.map(\.time) == [nil, 11_000_000_000])
        #expect(
            cue("a").settings.line == .number(0) && cue("a").styleSheets == ["::cue { color: red }"]
                && cue("a").identifier == "i")
    }

    @Test("a cue from a container keeps its lines with any line ending")
    func containerLines() {
        let cue = WebVTTCue(
            identifier: "", start: 0, end: 1, settings: [], text: Array("a\r\n<b>b</b>\rc\nd".utf8), header: [])
        #expect(cue.text.plain == "a\nb\nc\nd")
    }

    @Test("the specification's examples of cues, styles and regions are parsed")
    func file() throws {
        let document = try document(
            """
            WEBVTT - some title

            NOTE
            a comment
            of several lines

            STYLE
            ::cue(b) { color: red }

            REGION
            id:fred
            width:40%
            lines:5
            regionanchor:0%,100%
            viewportanchor:10%,90%
            scroll:up

            1
            00:11.000 --> 00:13.000
            We are in New York City

            NOTE between

            crédit de transcription
            00:01:13.500 --> 00:01:16.000 region:fred align:left
            Two
            lines

            100:00:16.000 --> 100:00:17.250

            """)
        #expect(
            document.cues.map(line) == [
                "1|11000-13000|We are in New York City", "crédit de transcription|73500-76000|Two\nlines",
                "|360016000-360017250|",
            ])
        #expect(document.styleSheets == ["::cue(b) { color: red }"])
        let region = try #require(document.regions.first)
        #expect(region.identifier == "fred" && region.width == 40 && region.lines == 5 && region.scrollsUp)
        #expect(region.regionAnchor == .init(x: 0, y: 100) && region.viewportAnchor == .init(x: 10, y: 90))
        #expect(document.cues[1].settings.region == region && document.cues[1].settings.textAlignment == .left)
        #expect(document.skipped == 0 && document.timestampMap == nil)
    }

    @Test("byte order marks, all line endings and missing blank lines are accepted", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(_ end: String) throws {
        let text =
            "\u{FEFF}WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:900000\n00:01.000 --> 00:02.000\none\n00:02.000 --> 00:03.000\ntwo\n\n\n\nthird\n00:03.000 --> 00:04.000\nthree\u{0}"
        let document = try document(text.replacingOccurrences(of: "\n", with: end))
        #expect(document.cues.map(line) == ["|1000-2000|one", "|2000-3000|two", "third|3000-4000|three\u{FFFD}"])
        #expect(document.timestampMap == WebVTTTimestampMap(mpegTS: 900_000, local: 1_000_000_000))
    }

    @Test(
        "text without the signature is refused",
        arguments: ["", "WEBVT", "WEBVTTX\n\n", " WEBVTT\n", "<html>", "1\n00:01.000 --> 00:02.000\n"])
    func signature(_ text: String) { #expect(throws: WebVTTDocument.ParseError.noSignature) { try document(text) } }

    @Test(
        "a file with only the signature has no cues",
        arguments: ["WEBVTT", "WEBVTT\n", "WEBVTT\n\n", "WEBVTT\ttitle", "\u{FEFF}WEBVTT\n\n\n\n"])
    func empty(_ text: String) throws { #expect(try document(text).cues.isEmpty) }

    @Test(
        "cues with invalid times are skipped and counted",
        arguments: [
            "00:61.000 --> 00:62.000", "0:01.000 --> 00:02.000", "00:01,000 --> 00:02,000", "00:01.00 --> 00:02.000",
            "00:01.000 -> 00:02.000 -->",
            "--> 00:02.000", "00:01.000 -->", "00:01.000 --> later", "1.000 --> 2.000",
            "99999999999999999999:00:01.000 --> 00:02.000", "00:60:01.000 --> 01:00:02.000",
        ])
    func brokenTimes(_ times: String) throws {
        let document = try document(
            "WEBVTT\n\na\n00:01.000 --> 00:02.000\nbefore\n\nb\n\(times)\nbroken\n\nc\n00:03.000-->00:04.000\nbehind\n")
        #expect(document.cues.map(line) == ["a|1000-2000|before", "c|3000-4000|behind"])
        #expect(document.skipped == 1)
    }

    @Test("styles and regions count only before the first cue")
    func lateBlocks() throws {
        let document = try document("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\nSTYLE\n::cue {}\n\nREGION\nid:late\n")
        #expect(document.styleSheets.isEmpty && document.regions.isEmpty && document.cues.count == 1)
    }

    // MARK: timestamp maps

    @Test(
        "a timestamp map accepts any order and wraps at 33 bits",
        arguments: [
            ("LOCAL:00:00:00.000,MPEGTS:900000", 900_000, 0), ("MPEGTS:0,LOCAL:01:00:00.500", 0, 3_600_500),
            ("MPEGTS:8589934593, LOCAL:00:00.000", 1, 0),
        ])
    func maps(_ text: String, _ ticks: Int64, _ local: Int64) throws {
        #expect(
            try document("WEBVTT\nX-TIMESTAMP-MAP=\(text)\n\n").timestampMap
                == WebVTTTimestampMap(mpegTS: ticks, local: local * 1_000_000))
    }

    @Test(
        "an invalid timestamp map is ignored",
        arguments: [
            "", "LOCAL:00:00:00.000", "MPEGTS:1", "LOCAL:x,MPEGTS:1", "LOCAL:00:00:00.000,MPEGTS:-5",
            "LOCAL:00:00:00.000,MPEGTS:99999999999999999999999",
        ])
    func brokenMaps(_ text: String) throws {
        #expect(try document("WEBVTT\nX-TIMESTAMP-MAP=\(text)\n\n").timestampMap == nil)
    }

    // MARK: settings

    private func settings(_ text: String) throws -> WebVTTSettings {
        try #require(try document("WEBVTT\n\nREGION\nid:r\n\n00:01.000 --> 00:02.000 \(text)\nx").cues.first).settings
    }

    @Test("cue settings are parsed")
    func settings() throws {
        let all = try settings("vertical:rl line:-2,center position:33.5%,line-right\tsize:80% align:end")
        #expect(all.writingDirection == .verticalGrowingLeft && all.line == .number(-2) && all.lineAlignment == .center)
        #expect(
            all.position == .percentage(33.5) && all.positionAlignment == .lineRight && all.size == 80
                && all.textAlignment == .end)
        #expect(try settings("line:0%").line == .percentage(0))
        #expect(try settings("line:1.5").line == .number(1.5))
        #expect(try settings("region:r").region?.identifier == "r")
        #expect(try settings("vertical:lr").writingDirection == .verticalGrowingRight)
    }

    @Test(
        "an invalid setting keeps its default",
        arguments: [
            "line:", ":5", "line:x", "line:5%%", "line:101%", "line:-5%", "line:5,middle", "line:--5", "line:1.",
            "line:.5", "position:50", "position:50%,left",
            "position:-1%", "size:101%", "size:5", "vertical:up", "align:justify", "region:nobody", "color:red", "line",
            "line:1-",
        ])
    func brokenSettings(_ text: String) throws { #expect(try settings(text) == WebVTTSettings()) }

    @Test("a cue with its own position belongs to no region", arguments: ["line:1", "vertical:rl", "size:50%"])
    func noRegion(_ text: String) throws { #expect(try settings("region:r \(text)").region == nil) }

    // MARK: cue text

    @Test("tags are parsed into a tree")
    func tree() {
        #expect(
            text("<v.loud Fred  Smith>Hi, <i>I am <b>Fred</b></i>").nodes == [
                .element(
                    .voice("Fred Smith"), classes: ["loud"],
                    children: [
                        .text("Hi, "),
                        .element(
                            .italic, classes: [],
                            children: [.text("I am "), .element(.bold, classes: [], children: [.text("Fred")])]),
                    ])
            ])
        #expect(
            text("<c.yellow.bg_blue>x</c><lang en-GB>y</lang>").nodes == [
                .element(.span, classes: ["yellow", "bg_blue"], children: [.text("x")]),
                .element(.language("en-GB"), classes: [], children: [.text("y")]),
            ])
        #expect(
            text("<ruby>日<rt>に</rt>本<rt>ほん</ruby>!").nodes == [
                .element(
                    .ruby, classes: [],
                    children: [
                        .text("日"), .element(.rubyText, classes: [], children: [.text("に")]), .text("本"),
                        .element(.rubyText, classes: [], children: [.text("ほん")]),
                    ]), .text("!"),
            ])
        #expect(
            text("one <00:00:05.000>two <01:00.000>three").nodes
                == [
                    .text("one "), .timestamp(5_000_000_000), .text("two "), .timestamp(60_000_000_000), .text("three"),
                ])
    }

    @Test("invalid tags are removed, and their text stays")
    func brokenTags() {
        #expect(text("<b>a</i>b").nodes == [.element(.bold, classes: [], children: [.text("a"), .text("b")])])
        #expect(text("<font color=red>a</font><rt>b</rt><>c</>").plain == "abc")
        #expect(text("a<b").plain == "a")
        #expect(text("<99:99.999>a <1>b").nodes == [.text("a "), .text("b")])
        #expect(text("").nodes.isEmpty)
    }

    @Test("character references are decoded; invalid ones stay as text")
    func references() {
        #expect(text("&lt;b&gt; &amp;amp; &nbsp;&eacute;&#233;&#xE9;&hellip;&sung;").plain == "<b> &amp; \u{A0}ééé…♪")
        #expect(
            text("AT&T &unknown; &#; &#x; &; & &#1114112; &#-5;").plain == "AT&T &unknown; &#; &#x; &; & \u{FFFD} &#-5;"
        )
    }

    @Test("text runs carry the styles of all surrounding tags")
    func runs() {
        let runs = text("<v Ann><i.a>x<b.b>y</b></i></v><u>z</u><ruby>k<rt>r</ruby>").runs
        #expect(runs.map(\.text) == ["x", "y", "z", "k", "r"])
        #expect(runs[1].voice == "Ann" && runs[1].isItalic && runs[1].isBold && runs[1].classes == ["a", "b"])
        #expect(!runs[0].isBold && runs[2].isUnderlined && runs[2].voice == nil)
        #expect(runs[3].ruby == 0 && !runs[3].isRubyText && runs[4].ruby == 0 && runs[4].isRubyText)
        #expect(text("<ruby>日<rt>に</ruby>本").plain == "日本")
    }

    @Test("deeply nested tags do not overflow the stack")
    func deep() {
        let deep = text(String(repeating: "<b>", count: 2000) + "x" + String(repeating: "</b>", count: 2000) + "y")
        #expect(deep.plain == "xy")
        #expect(deep.nodes.last == .text("y"))
    }

    // MARK: mutated input

    @Test("random bytes never crash the parser or give invalid values", arguments: 0..<20)
    func mutated(_ seed: Int) throws {
        let sample = Array(
            """
            WEBVTT
            X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

            STYLE
            ::cue { color: red }

            REGION
            id:fred lines:3 regionanchor:0%,100%

            one
            00:00:01.000 --> 00:00:02.500 region:fred line:-1,end position:50%,center size:80% align:start vertical:lr
            <v.loud Fred>Hello &amp; <b><i>wörld</i></b> <00:00:02.000><ruby>a<rt>b</rt></ruby>

            00:03.000 --> 00:04.000
            next&#x41;

            """.utf8)
        var random = SeededNumbers(seed: UInt64(seed) &* 0x9E37_79B9 &+ 1)
        let interesting = Array("<>&;:-.%,\n\r\0\u{FEFF}WEBVTT--> 0:9".utf8) + [0xFF, 0x80, 0xC3]
        for _ in 0..<400 {
            var bytes = sample
            for _ in 0...Int(random.next() % 12) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = interesting[Int(random.next() % UInt64(interesting.count))]
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                default:
                    bytes.insert(
                        contentsOf: bytes[place..<min(bytes.count, place + Int(random.next() % 40))], at: place)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            guard let document = try? WebVTTDocument(parsing: bytes) else { continue }
            for cue in document.cues {
                #expect(cue.start >= 0 && cue.end >= 0)
                #expect((0...100).contains(cue.settings.size))
                _ = cue.text.plain
                _ = cue.text.shifted(by: .max).runs
            }
        }
    }
}
