import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Overlays

@Suite("Subtitle documents")
struct SubtitleDocumentTests {
    private static let script = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,30,&H000000FF,&H00FF0000,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,2,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    private func at(_ document: SubtitleDocument, _ seconds: Double) -> [String] {
        document.text(at: CMTime(nanoseconds: Int64((seconds * 1e9).rounded())))
    }

    @Test("a cue is displayed from its start until before its end")
    func borders() throws {
        for text in [
            "WEBVTT\n\n00:01.500 --> 00:02.250\nword", "1\n00:00:01,500 --> 00:00:02,250\nword",
            Self.script + "Dialogue: 0,0:00:01.50,0:00:02.25,Default,,0,0,0,,word", "{1}{1}25\n{37}{56}word\n",
        ] {
            let document = try SubtitleStage.document(text)
            let isFrames = document.format == .other("microdvd")
            let (start, end) = isFrames ? (37.0 / 25, 56.0 / 25) : (1.5, 2.25)
            #expect(at(document, start) == ["word"] && at(document, end - 1e-6) == ["word"], "\(document.format)")
            #expect(at(document, start - 1e-6) == [] && at(document, end) == [], "\(document.format)")
            let stage = SubtitleStage()
            stage.overlay.show(document)
            #expect(
                stage.all(start) != nil && stage.all(end - 1e-6) != nil && stage.all(start - 1e-6) == nil
                    && stage.all(end) == nil)
        }
    }

    @Test("the format is detected by content, not by file name")
    func formats() throws {
        #expect(try SubtitleStage.document("WEBVTT\n\n00:01.000 --> 00:02.000\na", name: "a.srt").format == .webVTT)
        #expect(try SubtitleStage.document("00:01,000 --> 00:02,000\na", name: "a.vtt").format == .subRip)
        #expect(
            try SubtitleStage.document(Self.script + "Dialogue: 0,0:00:01.50,0:00:02.25,Default,,0,0,0,,w", name: "a")
                .format == .subStationAlpha)
        #expect(try SubtitleStage.document("{25}{50}Hi|you\n{75}{99}Ho\n").format == .other("microdvd"))
        let sami =
            "<SAMI><HEAD></HEAD><BODY>\n<SYNC Start=1000><P Class=ENCC>one\n<SYNC Start=2000><P Class=ENCC>two\n<SYNC Start=3000><P>&nbsp;\n</BODY></SAMI>"
        let document = try SubtitleStage.document(sami)
        #expect(
            document.format == .other("sami")
                && at(document, 1.5).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } == ["one"])
    }

    @Test("SubRip keeps good cues and reports skipped ones with their lines")
    func brokenSubRip() throws {
        let document = try SubtitleStage.document(
            """
            1
            00:00:01,000 --> 00:00:02,000
            <b>good</b> {\\an8}one

            2
            00:00:03,000 --> 00:0x:04,000
            no times

            3
            00:00:06,000 --> 00:00:05,000
            backwards

            4
            00:00:07.5 --> 00:00:08
            other spelling
            5
            00:00:08,000 --> 00:00:09,000
            without an empty line before

            6
            00:00:10,000 --> 00:00:11,000

            7
            00:00:12,000 --> 00:00:13,000
            1984

            """)
        #expect(document.report.cues == 5 && document.report.skippedCues == 2 && document.report.correctedCues == 1)
        #expect(document.report.problems.map(\.line) == [6, 21])
        #expect(
            document.report.summary
                == "2 of 7 cues skipped (first in line 6: “00:00:03,000 --> 00:0x:04,000” is not a time range (hh:mm:ss,mmm --> hh:mm:ss,mmm)); 1 cue ends before it begins and is shown until the next one"
        )
        #expect(
            at(document, 1.5) == ["good one"] && at(document, 7.6) == ["other spelling"]
                && at(document, 8.5) == ["without an empty line before"])
        #expect(at(document, 12.5) == ["1984"])
    }

    @Test("a report lists at most 16 problems and counts all")
    func manyProblems() throws {
        let bad = String(repeating: "x --> y\nbad\n\n", count: 40)
        let document = try SubtitleStage.document("WEBVTT\n\n00:01.000 --> 00:02.000\ngood\n\n" + bad)
        #expect(document.report.problems.count == 16 && document.report.problems.first?.line == 6)
        #expect(document.report.skippedCues == 40 && document.report.cues == 1)
    }

    @Test("WebVTT and SubStation report skipped cues with their lines")
    func brokenOthers() throws {
        let vtt = try SubtitleStage.document(
            "WEBVTT\n\n00:01.000 --> 00:02.000\ngood\n\n00:61.000 -> 2\nx --> y\nbad\n")
        #expect(vtt.report.cues == 1 && vtt.report.skippedCues == 1 && vtt.report.problems.map(\.line) == [7])
        let ass = try SubtitleStage.document(
            Self.script
                + "Dialogue: 0,0:00:01.50,0:00:02.25,Default,,0,0,0,,good\nDialogue: 0,x,0:00:02.25,Default,,0,0,0,,bad\nDialogue: 0,0:00:01.50\n"
        )
        #expect(ass.report.cues == 1 && ass.report.skippedCues == 2 && ass.report.problems.map(\.line) == [13, 14])
    }

    @Test("an unreadable file is an error with its cause, path and line")
    func none() throws {
        func error(_ bytes: [UInt8]) throws -> AVError {
            try #require(
                #expect(throws: AVError.self) { try SubtitleDocument(bytes, url: URL(fileURLWithPath: "/a/b.srt")) })
        }
        #expect(try error([]).code == .fileEmpty)
        #expect(try error(Array(" \n\n".utf8)).code == .fileEmpty)
        let prose = try error(Array("Lorem ipsum dolor\nsit amet".utf8))
        #expect(
            prose.code == .fileFormatNotRecognized && prose.location == "/a/b.srt"
                && prose.reason.contains("Lorem ipsum dolor"))
        let broken = try error(Array("1\n00:00:0x,000 --> 00:00:02,000\na".utf8))
        #expect(broken.code == .fileFailedToParse && broken.reason.contains("line 2"))
        #expect(
            try error((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 5) }).code == .fileFormatNotRecognized
        )
        #expect(
            try error(Array("<?xml version=\"1.0\"?><tt xmlns=\"http://www.w3.org/ns/ttml\"></tt>".utf8)).reason
                .contains("TTML"))
        #expect(try error(Array("WEBVTT\n\nsoon --> later\nx\n".utf8)).code == .fileFailedToParse)
    }

    @Test("a document loads from a file; a missing file is an error")
    func loading() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("zt-subtitles-\(UUID().uuidString).srt")
        try Data("1\n00:00:01,000 --> 00:00:02,000\nfrom a file".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let document = try await SubtitleDocument.load(from: url)
        #expect(at(document, 1) == ["from a file"] && document.duration == CMTime(seconds: 2, preferredTimescale: 1))
        await #expect { try await SubtitleDocument.load(from: URL(fileURLWithPath: "/nowhere/x.srt")) } throws: {
            ($0 as? AVError)?.code == .fileNotFound && ($0 as? AVError)?.location == "/nowhere/x.srt"
        }
        await #expect { try await SubtitleDocument.load(from: FileManager.default.temporaryDirectory) } throws: {
            ($0 as? AVError)?.code == .notAFile
        }
    }

    @Test("a document loads over HTTP; a failed request reports its status")
    func remote() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-subtitles-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("WEBVTT\n\n00:01.000 --> 00:02.000\nfrom afar".utf8).write(to: folder.appendingPathComponent("a.vtt"))
        let server = try StreamServer(root: folder)
        defer { server.close() }
        let document = try await SubtitleDocument.load(from: server.url(for: "a.vtt"))
        #expect(document.format == .webVTT && at(document, 1) == ["from afar"])
        await #expect { try await SubtitleDocument.load(from: server.url(for: "b.vtt")) } throws: {
            ($0 as? AVError)?.httpStatus == 404
        }
    }

    // MARK: encodings

    private static let russian =
        "Скажи мне, кудесник, любимец богов, что сбудется в жизни со мною? И скоро ль, на радость соседей-врагов, могильной засыплюсь землёю?"
    private static let japanese = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。"
    private static let french =
        "Où êtes-vous allé hier soir, après le dîner ? Ça m'a étonné de ne pas vous voir près de l'église, à côté du château."

    private func bytes(_ text: String, _ encoding: String.Encoding, mark: [UInt8] = []) throws -> [UInt8] {
        mark + Array(try #require("1\r\n00:00:01,000 --> 00:00:02,000\r\n\(text)\r\n".data(using: encoding)))
    }

    @Test("other encodings than UTF-8 are detected and reported")
    func encodings() throws {
        let url = URL(fileURLWithPath: "/a.srt")
        let cases: [(String, [UInt8], String)] = [
            (Self.russian, try bytes(Self.russian, .windowsCP1251), "WINDOWS-1251"),
            (Self.japanese, try bytes(Self.japanese, .shiftJIS), "CP932"),
            (Self.french, try bytes(Self.french, .isoLatin1), "WINDOWS-1252"),
            (Self.russian, try bytes(Self.russian, .utf16LittleEndian, mark: [0xFF, 0xFE]), "UTF-16LE"),
            (Self.french, try bytes(Self.french, .utf16BigEndian), "UTF-16BE"),
        ]
        for (text, bytes, name) in cases {
            let document = try SubtitleDocument(bytes, url: url)
            #expect(
                document.encoding == name || name == "WINDOWS-1252" && document.encoding.hasPrefix("ISO-8859"),
                "\(name)")
            #expect(at(document, 1) == [text])
            #expect(
                document.report.encodingNote?.contains(document.encoding) == true
                    && document.report.summary?.contains("converted to UTF-8") == true)
        }
        let plain = try SubtitleDocument(try bytes(Self.japanese, .utf8, mark: [0xEF, 0xBB, 0xBF]), url: url)
        #expect(plain.encoding == "UTF-8" && plain.report.summary == nil && at(plain, 1) == [Self.japanese])
    }

    @Test("a damaged character does not change the encoding of UTF-8 text")
    func damagedUTF8() throws {
        for text in [Self.russian, Self.japanese] {
            var damaged = try bytes(text, .utf8)
            let first = try #require(damaged.firstIndex { $0 >= 0x80 })
            damaged.remove(at: first + 1)
            let document = try SubtitleDocument(damaged, url: URL(fileURLWithPath: "/a.srt"))
            #expect(document.encoding == "UTF-8" && at(document, 1) == ["\u{FFFD}" + text.dropFirst()])
        }
    }

    /// The converter keeps a Vietnamese letter back, because a combining accent may follow.
    @Test("the last character is kept at the end of the text")
    func lastCharacter() {
        func text(_ bytes: [UInt8], _ name: String) -> String? {
            TextEncoding(name: name, isGuessed: true).text(bytes)
        }
        #expect(text(Array("xin ch".utf8) + [0xE0, 0x6F], "WINDOWS-1258") == "xin chào")
        #expect(text([0x41, 0x82], "CP932") == "A\u{FFFD}")
    }

    @Test(
        "an invalid code unit becomes one replacement character",
        arguments: [
            ("UTF-16LE", [0x41, 0, 0x3D, 0xD8, 0x48, 0, 0x69, 0]),
            ("UTF-16LE", [0x41, 0, 0x3D, 0xDC, 0x48, 0, 0x69, 0]),
            ("UTF-16BE", [0, 0x41, 0xD8, 0x3D, 0, 0x48, 0, 0x69]),
            ("UTF-32LE", [0x41, 0, 0, 0, 0, 0xD8, 0, 0, 0x48, 0, 0, 0, 0x69, 0, 0, 0]),
            ("UTF-32BE", [0, 0, 0, 0x41, 0, 0x11, 0, 0, 0, 0, 0, 0x48, 0, 0, 0, 0x69]),
        ] as [(String, [UInt8])])
    func brokenCodeUnits(name: String, bytes: [UInt8]) {
        #expect(TextEncoding(name: name, isGuessed: false).text(bytes) == "A\u{FFFD}Hi")
    }

    @Test("invalid characters do not remove the rest of the text")
    func brokenCharacters() throws {
        var bytes = try bytes(Self.russian, .utf16LittleEndian, mark: [0xFF, 0xFE])
        bytes.removeLast()
        #expect(
            at(try SubtitleDocument(bytes, url: URL(fileURLWithPath: "/a.srt")), 1).first?.hasPrefix("Скажи мне")
                == true)
    }
}
