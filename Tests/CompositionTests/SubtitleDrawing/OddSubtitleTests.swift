import Foundation
import MediaCore
import MediaEngine
import Testing

@testable import Overlays

@Suite("Unusual subtitle files")
struct OddSubtitleTests {
    private func document(_ bytes: [UInt8]) throws -> SubtitleDocument {
        try SubtitleDocument(bytes, url: URL(fileURLWithPath: "/odd.srt"))
    }
    private func at(_ document: SubtitleDocument, _ seconds: Double) -> [String] {
        document.text(at: CMTime(nanoseconds: Int64((seconds * 1e9).rounded())))
    }

    private static let plain = "1\n00:00:00,000 --> 00:00:01,000\nA\nB\n\n2\n00:00:01,000 --> 00:00:02,000\nC\n"

    @Test(
        "SubRip accepts any line ending",
        arguments: ["\n", "\r\n", "\r", "\r\r\n", "\r\r\r\n", "\n\n", "\r\n\r\n", "\u{2028}"])
    func lineEnds(end: String) throws {
        let document = try SubtitleStage.document(Self.plain.replacingOccurrences(of: "\n", with: end))
        #expect(at(document, 0.5) == ["A\nB"] && at(document, 1.5) == ["C"])
        #expect(document.report.cues == 2 && document.report.summary == nil)
    }

    @Test(
        "SubRip accepts any separation of its blocks",
        arguments: [
            "1\n\n00:00:00,000 --> 00:00:01,000\n\nA\n\nB\n\n\n\n2\n\n00:00:01,000 --> 00:00:02,000\n\n\nC\n",
            "00:00:00,000 --> 00:00:01,000\nA\nB\n00:00:01,000 --> 00:00:02,000\nC",
            "1\n00:00:00,000 --> 00:00:01,000\nA\nB\n2\n00:00:01,000 --> 00:00:02,000\nC",
            "\n\n \n1 \n 00:00:00,000 --> 00:00:01,000 \nA\n \t \nB\n  \n 2\n00:00:01,000 --> 00:00:02,000\nC\n\u{1A}",
            "7\n00:00:00,000 --> 00:00:01,000\nA\nB\n\n7\n00:00:01,000 --> 00:00:02,000\nC\n\n8\n",
        ])
    func blocks(text: String) throws {
        let document = try SubtitleStage.document(text)
        #expect(at(document, 0.5) == ["A\nB"])
        #expect(at(document, 1.5).first?.hasPrefix("C") == true && document.report.cues == 2)
    }

    @Test(
        "SubRip accepts any spelling of its times",
        arguments: [
            "00:00:01,500 --> 00:00:02,250", "00:00:01.500 --> 00:00:02.250", "00:01,5-->00:02,25",
            "0:0:1,500 --> 0:0:2,250", "00:00:01:500 --> 00:00:02:250", "00: 00: 01, 500 --> 00: 00: 02, 250",
            "00:00:01,500 -> 00:00:02,250", "00:00:01,500 –> 00:00:02,250", "00:00:01,500 -- > 00:00:02,250",
            "00:00:01,500 --> 00:00:02,250 X1:100 X2:200 Y1:10 Y2:20", "00:00:01;500\t-->\t00:00:02;250",
        ])
    func times(line: String) throws {
        let document = try SubtitleStage.document("1\n\(line)\nA\n")
        #expect(at(document, 1.5) == ["A"] && at(document, 2.249) == ["A"])
        #expect(at(document, 1.499) == [] && at(document, 2.25) == [])
    }

    /// A cue that ends before it begins is shown until the next cue.
    @Test("cues with times before zero or reversed times are corrected")
    func oddTimes() throws {
        let document = try SubtitleStage.document(
            "1\n-00:00:01,000 --> 00:00:01,000\nA\n\n2\n00:00:03,000 --> 00:00:02,000\nB\n\n3\n00:00:04,000 --> 00:00:05,000\nC\n\n4\n00:00:09,000 --> 00:00:08,000\nD\n\n5\n-00:00:03,000 --> -00:00:02,000\nE\n"
        )
        #expect(at(document, 0) == ["A"] && at(document, 1) == [])
        #expect(at(document, 3) == ["B"] && at(document, 4) == ["C"] && at(document, 13.9) == ["D"])
        #expect(at(document, 14.1) == [])
        #expect(document.report.correctedCues == 2 && document.report.skippedCues == 1)
        #expect(document.report.summary?.contains("2 cues end before they begin") == true)
    }

    @Test("text with arrows and numbers stays text")
    func arrows() throws {
        let document = try SubtitleStage.document(
            "1\n00:00:00,000 --> 00:00:01,000\ngo --> there\n1984\n12:30 at noon\n\n2\n00:00:01,000 --> 00:00:02,000\nC\n"
        )
        #expect(at(document, 0.5) == ["go --> there\n1984\n12:30 at noon"] && at(document, 1.5) == ["C"])
    }

    @Test("NUL bytes in a text are skipped, binary data is an error")
    func zeros() throws {
        let text = Array(Self.plain.utf8)
        let within = text.flatMap { $0 == UInt8(ascii: "A") ? [$0, 0, UInt8(ascii: "a")] : [$0] }
        for bytes in [
            text + [0], text + [UInt8](repeating: 0, count: 40_000), within,
            [0] + text, Array(text[..<40]) + [UInt8](repeating: 0, count: 3000) + Array(text[40...]),
        ] {
            let document = try document(bytes)
            #expect(at(document, 0.5) == [bytes == within ? "Aa\nB" : "A\nB"] && at(document, 1.5) == ["C"])
        }
        for binary in [
            [UInt8](repeating: 0, count: 5000), Array("\u{7F}ELF".utf8) + (0..<5000).map { UInt8($0 % 23) },
            (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3) },
        ] {
            #expect(throws: AVError.self) { try document(binary) }
        }
    }

    @Test("UTF-16 is read with or without byte order mark, even cut off")
    func wide() throws {
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let bytes = Array(try #require(Self.plain.data(using: encoding)))
            let mark: [UInt8] = encoding == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
            for all in [bytes, mark + bytes, bytes + [0x20], mark + bytes + [0], mark + mark + bytes] {
                let document = try document(all)
                #expect(at(document, 0.5) == ["A\nB"] && at(document, 1.5).first?.hasPrefix("C") == true)
            }
        }
        let twice = try document([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array(Self.plain.utf8))
        #expect(at(twice, 0.5) == ["A\nB"] && twice.encoding == "UTF-8")
    }

    @Test("SAMI on one line and MPL2 with italic marks are read")
    func others() throws {
        let sami = try SubtitleStage.document(
            "<SAMI><HEAD><STYLE><!-- P{} .ENCC{Name:English;lang:en-US;} --></STYLE></HEAD><BODY><SYNC Start=0><P Class=ENCC>A<br>B<SYNC Start=1000><P Class=ENCC>&nbsp;<SYNC Start=1500><P Class=ENCC>C</BODY></SAMI>"
        )
        #expect(sami.format == .other("sami") && sami.report.summary == nil)
        #expect(at(sami, 0.5) == ["A\nB"])
        #expect(at(sami, 1.2).allSatisfy { $0.allSatisfy(\.isWhitespace) } && at(sami, 1.6) == ["C"])
        let mpl2 = try SubtitleStage.document("[0][10]A|/B\n[10][20]C\n[25][]D\nno times\n")
        #expect(mpl2.format == .other("mpl2") && at(mpl2, 0.5) == ["A\nB"] && at(mpl2, 1) == ["C"])
        #expect(at(mpl2, 3) == ["D"] && mpl2.report.cues == 3 && mpl2.report.skippedCues == 1)
        #expect(mpl2.report.problems.map(\.line) == [4])
    }

    @Test("MPL2 cues with reversed times are corrected and counted")
    func reversedMPL2() throws {
        let reversed = try SubtitleStage.document("[20][10]A\n[40][50]B\n[90][90]C\n")
        #expect(at(reversed, 3.9) == ["A"] && at(reversed, 4) == ["B"] && at(reversed, 13.9) == ["C"])
        #expect(reversed.report.correctedCues == 2 && reversed.report.summary?.contains("2 cues end before") == true)
    }

    @Test(
        "SubStation Alpha with a broken header shows its events",
        arguments: [
            "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,A",
            "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,A",
            "[V4+ Styles]\nStyle: Default\nDialogue: 0,0:00:01.00,0:00:02.00,Nobody,,0,0,0,,A",
            "[Script Info]\nPlayResX: -3\nPlayResY: zero\n\n[Event]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,A\n",
            "\u{FEFF}[script info]\r\r\n[EVENTS]\r\r\nformat: layer, start, end, style, name, marginl, marginr, marginv, effect, text\r\r\ndialogue: 0,0:00:01:00,0:00:02,00,Default,,0,0,0,,A\r\r\n",
        ])
    func brokenScript(text: String) throws {
        // A comma in a time would end the field.
        let document = try SubtitleStage.document(text.replacingOccurrences(of: "02,00", with: "02.00"))
        #expect(document.format == .subStationAlpha && at(document, 1.5) == ["A"] && at(document, 2) == [])
        let stage = SubtitleStage()
        stage.overlay.show(document)
        #expect(stage.all(1.5) != nil)
    }

    @Test(
        "WebVTT with an unusual header is read",
        arguments: ["WEBVTT", "WEBVTT - by hand", "WEBVTT\nKind: captions", "webvtt"])
    func webVTT(head: String) throws {
        let document = try SubtitleStage.document(
            "\(head)\n\n00:01.000 --> 00:02.000\nA\n\n00:02.000 --> 00:03.000\nB\n")
        #expect(at(document, 1.5) == ["A"] && at(document, 2.5) == ["B"])
    }

    @Test("a file without readable cues is an error with its name")
    func nothing() throws {
        for text in ["1\n00:00:0x,000 --> 00:00:02,000\nA\n", "1\n00:00:01,000 --> 00:00:02,000\n\n\n", Self.empty] {
            let error = try #require(
                #expect(throws: AVError.self) {
                    try SubtitleDocument(Array(text.utf8), url: URL(fileURLWithPath: "/films/odd.srt"))
                })
            #expect(error.location == "/films/odd.srt" && !error.reason.isEmpty && "\(error)".contains("odd.srt"))
        }
    }
    private static let empty =
        "[Script Info]\nPlayResX: 320\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
}
