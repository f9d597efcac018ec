import Foundation
import MediaCore
import MediaEngine
import Testing

@testable import Overlays

@Suite("Subtitle scripts with huge drawings", .serialized)
struct HostileScriptTests {
    private static func script(
        _ events: [String], size: String = "20", rest: String = "100,100,0,0,1,2,2", x: String = "320",
        y: String = "240"
    ) -> String {
        """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: \(x)
        PlayResY: \(y)
        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,Sans,\(size),&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,\(rest),2,10,10,10,1
        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """ + events.map { "Dialogue: 0,0:00:00.00,0:00:10.00,Default,,0,0,0,,\($0)\n" }.joined()
    }

    private static let hostile: [String] = [
        script(["{\\fs99999}X"]), script(["{\\fs99999}XYZ"]), script(["{\\ fs(99999)}XYZ"]),
        script(["\\{{\\fs99999}XYZ"]),
        script(["{\\fs1e9}XYZ"]), script(["{\\fscx99999\\fscy99999}XYZ"]), script(["{\\fs400\\fscx4000\\fscy4000}XYZ"]),
        script(["{" + String(repeating: "\\fs+99", count: 20) + "}XYZ"]), script(["{\\bord99999}XYZ"]),
        script(["{\\xbord99999\\ybord5000}XYZ"]), script(["{\\blur99999\\be99999}XYZ"]),
        script(["{\\fsp99999}XYZ XYZ"]),
        script(["{\\fax9999}XYZ"]), script(["{\\fs400\\frx89\\fry60\\org(-5000,3000)}XYZ"]),
        script(["{\\t(0,5000,-20,\\fs200\\fscx500)}XYZ"]), script(["{\\t(-9,\\fs200)}XYZ"]),
        script(["{\\t(0,10000,\\fs99999)}XYZ"]),
        script(["{\\p1}m 0 0 l 999999 0 999999 999999 0 999999"]),
        script(["{\\p1\\fscx99999\\fscy99999}m 0 0 l 999 0 999 999 0 999"]),
        script(["{\\p1}m -99999 -99999 b 99999 -99999 99999 99999 -99999 99999"]),
        script(["{\\clip(m 0 0 l 999999 0 999999 999999 0 999999)}XYZ"]),
        script(["{\\iclip(1,m -99999 -99999 l 99999 0 99999 99999 0 99999)}XYZ"]),
        script(["XYZ"], size: "99999"), script(["XYZ"], rest: "99999,99999,0,0,1,2,2"),
        script(["XYZ"], rest: "100,100,0,0,1,99999,2"), script(["XYZ"], rest: "100,100,99999,0,1,2,2"),
        script(["{\\fs400}XYZ"], rest: "5000,5000,0,0,1,2,2"),
        script(["XYZ"], x: "1", y: "1"), script(["XYZ"], x: "320", y: "1"), script(["XYZ"], x: "1", y: "240"),
        script(["{\\blur100\\bord50}XYZ"], x: "1", y: "1"),
        script((0..<500).map { "{\\fs470\\bord\($0)}XYZ" }),
        script((0..<2000).map { "{\\fs200\\blur20\\t(\\fs\($0))}XYZ \($0)" }),
        script((0..<2000).map { "{\\p1\\blur\($0 % 90 + 1)}m 0 0 l \(320 + $0) 0 320 240 0 240" }),
        "1\n00:00:00,000 --> 00:00:10,000\n<font size=\"99999\">XYZ</font>\n",
    ]

    /// Returns the growth of the process's peak memory while `body` runs, in bytes.
    private func growth(_ body: () throws -> Void) throws -> Int {
        func status(_ name: String) throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
            return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
        }
        // Reset the peak memory.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = try status("VmRSS:")
        try body()
        return try status("VmHWM:") - before
    }

    @Test("a hostile script uses less than 400 MiB", arguments: hostile)
    func memory(text: String) throws {
        let taken = try growth {
            let stage = SubtitleStage(width: 1280, height: 720)
            stage.overlay.show(try SubtitleStage.document(text))
            for time in [0, 0.1, 2, 5, 9.9] { _ = stage.draw(time) }
        }
        #expect(taken < 400 << 20, "\(taken >> 20) MiB for \(text.suffix(100))")
    }

    @Test("a hostile script is drawn at screen size with a warning")
    func drawn() throws {
        let document = try SubtitleStage.document(Self.hostile[1])
        let stage = SubtitleStage(width: 1280, height: 720)
        stage.overlay.show(document)
        let box = try #require(stage.all(1))
        #expect(box.height > 360)
        #expect(document.report.reducedCues == 1 && document.report.cues == 1)
        #expect(document.report.summary?.contains("too large for any screen") == true)
    }

    @Test("signs of real scripts stay unchanged")
    func signs() throws {
        let limits = AssLimits(Self.script([], x: "1920", y: "1080"))
        #expect(limits.reducedStyles == 0)
        for text in [
            "Hello {\\i1}there{\\i0}", "{\\fs200\\bord8\\blur3\\pos(960,540)}SIGN", "{\\fs1\\fscx180000\\fscy100000}.",
            "{\\p1\\fscx192000\\fscy108000}m 0 0 l 1 0 1 1 0 1",
            "{\\p1}m -2000 -2000 l 4000 -2000 4000 4000 -2000 4000",
            "{\\p4\\pos(0,0)}m 0 0 l 15360 0 15360 8640 0 8640", "{\\t(0,500,0.5,\\fscx130\\fscy130)}pop",
            "{\\clip(2,m 0 0 l 3840 0 3840 2160)\\fad(200,200)}fade", "{\\frx30\\fry-40\\frz20\\fax0.3}turned",
            "{\\move(-400,500,2300,500)}\\N{\\k20}ka{\\k30}ra{\\fs+2}o", "\\{not a tag\\} {\\fs60}x",
        ] {
            let event = "0,Default,,0,0,0,,\(text)"
            let limited = limits.limit(event)
            #expect(limited.bounded == nil && limited.screens < 32, "\(text): \(limited)")
        }
    }

    @Test("deeply nested animations are flattened, with their values limited", .timeLimit(.minutes(5)))
    func nesting() throws {
        let limits = AssLimits(Self.script([]))
        func limited(_ text: String) -> String? { limits.limit("0,Default,,0,0,0,,\(text)").bounded }
        func nested(_ count: Int, _ tag: String) -> String {
            "{\\p1" + String(repeating: "\\t(", count: count) + tag + String(repeating: ")", count: count) + "}m 0 0"
        }
        #expect(limited(nested(4, "\\frz20")) == nil)
        let flat = try #require(limited(nested(20_000, "\\frz20")))
        #expect(flat.components(separatedBy: "\\t(").count == 5 && flat.contains("\\frz20"))
        let reduced = try #require(limited(nested(20_000, "\\bord99999")))
        #expect(reduced.contains("\\bord60"))
        #expect(AssTags.names(nested(20_000, "\\frz20")).isSuperset(of: ["p", "t", "frz"]))
    }

    /// A search for the closing brace from each escaped brace would take minutes.
    @Test("many escaped braces before a closing brace are read quickly", .timeLimit(.minutes(5)))
    func escapedBraces() {
        let braces = String(repeating: "\\{", count: 130_000)
        #expect(AssTags.names(braces + "}").isEmpty)
        #expect(AssTags.without(braces + "{\\i1}x") { $0 == "i" } == braces + "x")
        #expect(AssTags.without(braces + "{\\i1") { $0 == "i" } == braces + "{\\i1")
    }

    @Test("scripts with animated sizes are redrawn as time passes")
    func animated() throws {
        let stage = try SubtitleStage(Self.script(["{\\t(0,10000,\\fscx300)}XYZ"]))
        let first = try #require(stage.all(0.5))
        let last = try #require(stage.all(9.5))
        #expect(last.width > first.width * 2)
    }
}
