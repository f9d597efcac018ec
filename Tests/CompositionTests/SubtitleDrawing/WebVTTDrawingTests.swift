import Foundation
import Testing

@testable import Overlays
@testable import Streaming

@Suite("Drawing of WebVTT")
struct WebVTTDrawingTests {
    private func stage(_ cues: [(settings: String, text: String)], style: String = "", region: String = "") throws
        -> SubtitleStage
    {
        var text = "WEBVTT\n\n"
        if !style.isEmpty { text += "STYLE\n\(style)\n\n" }
        if !region.isEmpty { text += "REGION\n\(region)\n\n" }
        for (settings, words) in cues { text += "00:00.000 --> 00:10.000 \(settings)\n\(words)\n\n" }
        return try SubtitleStage(text)
    }
    private func one(_ settings: String, _ text: String = "words", style: String = "") throws -> SubtitleStage {
        try stage([(settings, text)], style: style)
    }

    /// The height of a line in the 360 rows of the view: a twentieth for the letters, plus a fifth of that as spacing.
    private let line = 21.6

    @Test("a line number counts from the top or the bottom")
    func lines() throws {
        for number in [0, 1, 5, 12] {
            let box = try #require(try one("line:\(number)").all(1))
            #expect(abs(Double(box.top) - Double(number) * line) <= 3, "\(number)")
        }
        for number in [-1, -2, -6] {
            let box = try #require(try one("line:\(number)").all(1))
            #expect(abs(Double(box.bottom) - (360 + Double(number + 1) * line)) <= 3, "\(number)")
        }
        // Two lines that begin on the last line, and a line number beyond the last, are moved into the view.
        #expect(try #require(try one("line:-1", "two\nlines").all(1)).bottom <= 360)
        let two = try #require(try one("line:-1", "two\nlines").all(1))
        #expect(Double(two.height) > 1.8 * line)
        #expect(try #require(try one("line:40").all(1)).bottom >= 355)
    }

    @Test("a line percentage places the top, middle or bottom")
    func percentages() throws {
        #expect(abs(try #require(try one("line:50%").all(1)).top - 180) <= 3)
        #expect(abs(try #require(try one("line:50%,center").all(1)).center - 180) <= 3)
        #expect(abs(try #require(try one("line:50%,end").all(1)).bottom - 180) <= 4)
    }

    @Test("position, size and alignment place a cue horizontally")
    func positions() throws {
        #expect(abs(try #require(try one("position:25%").letters(1)).middle - 160) <= 3)
        #expect(abs(try #require(try one("position:10% align:left").letters(1)).left - 64) <= 4)
        #expect(abs(try #require(try one("position:90% align:right").letters(1)).right - 576) <= 4)
        #expect(abs(try #require(try one("position:50%,line-left align:left").letters(1)).left - 320) <= 4)
        #expect(abs(try #require(try one("align:start size:100% position:0%").letters(1)).left) <= 4)
        #expect(abs(try #require(try one("align:start position:100%", "שלום").letters(1)).right - 640) <= 4)
        // At a quarter of the width, the text needs more lines and stays inside the cue's width.
        let narrow = try #require(
            try one("size:25% align:left position:50%", "some words that need room to stand").letters(1))
        #expect(narrow.left >= 318 && narrow.right <= 482 && Double(narrow.height) > 1.5 * line)
    }

    @Test("cues stack upwards and never overlap")
    func stacking() throws {
        let stage = try stage(
            [
                ("", "<c.red>first</c>"), ("", "<c.blue>second</c>"), ("line:-2", "<c.lime>third</c>"),
                ("line:0", "<c.yellow>top</c>"),
            ], style: "::cue(.lime) { color: #00ff00 }")
        stage.save(1, "stacking")
        let (red, blue, green) = (try #require(stage.red(1)), try #require(stage.blue(1)), try #require(stage.green(1)))
        #expect(
            blue.bottom <= red.top && (green.bottom <= blue.top || green.top >= red.bottom) && green.top != blue.top)
    }

    @Test("a cue keeps its place when the cue below ends")
    func keepsPlace() throws {
        let stage = try SubtitleStage(
            "WEBVTT\n\n00:00.000 --> 00:02.000\n<c.red>first</c>\n\n00:01.000 --> 00:05.000\n<c.blue>second</c>\n")
        let before = try #require(stage.blue(1.5))
        #expect(stage.blue(3) == before && stage.red(3) == nil)
    }

    @Test("vertical text is rotated and starts from the right or left")
    func vertical() throws {
        let text = "<c.red>first</c>\n<c.blue>next</c>"
        let left = try one("vertical:rl line:0", text)
        let right = try one("vertical:lr line:0", text)
        left.save(1, "vertical-rl")
        right.save(1, "vertical-lr")
        let (a, b) = (try #require(left.red(1)), try #require(left.blue(1)))
        #expect(a.height > a.width && a.right > 610 && b.right <= a.left + 3)
        let (c, d) = (try #require(right.red(1)), try #require(right.blue(1)))
        #expect(c.height > c.width && c.left < 30 && d.left >= c.right - 3)
        #expect(try #require(try one("vertical:rl line:0 position:0% align:start", text).red(1)).top < 10)
    }

    @Test("a region shows the newest line lowest and crops at its edges")
    func regions() throws {
        let region = "id:low\nwidth:50%\nlines:2\nregionanchor:0%,0%\nviewportanchor:25%,50%\nscroll:up"
        let stage = try stage(
            [("region:low", "<c.red>old</c>"), ("region:low align:left", "<c.blue>new</c>")], region: region)
        stage.save(1, "region")
        let (red, blue) = (try #require(stage.red(1)), try #require(stage.blue(1)))
        #expect(red.top >= 180 && blue.top >= red.bottom - 2 && Double(blue.bottom) <= 180 + 2 * line + 2)
        #expect(abs(red.middle - 320) <= 4 && abs(blue.left - 160) <= 4)
        let full = try self.stage([("region:low", "<c.red>old</c>"), ("region:low", "one\ntwo")], region: region)
        #expect(full.red(1) == nil)
    }

    @Test("classes and style sheets set colors; the more specific rule wins")
    func styles() throws {
        #expect(try one("", "<c.red>a</c>").red(1) != nil)
        let behind = try one("", "<c.bg_blue>word</c>")
        #expect(try #require(behind.blue(1)).width > (try #require(behind.letters(1)).width) - 6)
        let sheet = """
            /* all of them */
            ::cue { color: #00ff00; background-color: transparent }
            ::cue(.warm) { color: blue }
            ::cue(b.warm), ::cue(#named) { color: rgb(255, 0, 0) }
            """
        #expect(try one("", "plain", style: sheet).green(1) != nil)
        #expect(try one("", "<c.warm>a</c>", style: sheet).blue(1) != nil)
        let special = try one("", "<b.warm>a</b>", style: sheet)
        #expect(special.red(1) != nil && special.blue(1) == nil)
        // Without a background there are no dark pixels.
        let bare = try one("", "plain", style: sheet)
        #expect(bare.ink(bare.draw(1)) { alpha, _, green, _ in alpha > 60 && green < 20 } == nil)
        let named = try SubtitleStage("WEBVTT\n\nSTYLE\n\(sheet)\n\nnamed\n00:00.000 --> 00:10.000\nword\n")
        #expect(named.red(1) != nil && named.green(1) == nil)
        let voice = try one(
            "", "<v Mary>mary</v> <v John>john</v>",
            style: "::cue(v[voice=\"Mary\"]) { color: red }\n::cue(v[voice=\"John\"]) { color: blue }")
        #expect(try #require(voice.red(1)).right < (try #require(voice.blue(1)).left))
        let sizes = try (one("", "<c.x>XX</c>"), one("", "<c.x>XX</c>", style: "::cue(.x) { font-size: 200% }"))
        #expect(try #require(sizes.1.letters(1)).height > (try #require(sizes.0.letters(1)).height) * 3 / 2)
        let faint = try one("", "XX", style: "::cue { opacity: 0.5; color: white }")
        #expect(faint.letters(1) == nil && faint.all(1) != nil)
        let (upright, heavy, lined) = (
            try one("", "illi"), try one("", "illi", style: "::cue { font-weight: bold }"),
            try one("", "illi", style: "::cue { text-decoration: underline }")
        )
        #expect(try #require(heavy.letters(1)).width > (try #require(upright.letters(1)).width))
        #expect(try #require(lined.letters(1)).bottom > (try #require(upright.letters(1)).bottom))
    }

    @Test("text with inner timestamps changes its style part by part")
    func karaoke() throws {
        let sheet = "::cue(:past) { color: #ff0000 }\n::cue(:future) { color: #0000ff }"
        let stage = try one("", "now <00:02.000>soon <00:04.000>later", style: sheet)
        stage.save(3, "karaoke")
        let (first, second, third) = (
            try #require(stage.red(1)), try #require(stage.red(3)), try #require(stage.red(5))
        )
        #expect(
            second.right > first.right + 10 && third.right > second.right + 10 && stage.blue(5) == nil
                && stage.blue(3) != nil)
        #expect(try #require(stage.red(1.999)) == first && (try #require(stage.red(2)).right) == second.right)
    }

    @Test("ruby text is small and centered above its base")
    func ruby() throws {
        let stage = try one(
            "", "<c.blue>before <ruby><c.lime>base</c><rt><c.red>XX</c></rt></ruby> after</c>",
            style: "::cue(.lime) { color: #00ff00 }")
        stage.save(1, "ruby")
        let (rubyText, base, line) = (
            try #require(stage.red(1)), try #require(stage.green(1)), try #require(stage.blue(1))
        )
        let plain = try #require(try one("", "<c.red>XX</c>").red(1))
        #expect(abs(rubyText.height * 2 - plain.height) <= 3 && abs(rubyText.width * 2 - plain.width) <= 4)
        #expect(
            abs(rubyText.middle - base.middle) <= 2 && rubyText.bottom <= base.top + 1
                && rubyText.bottom > base.top - 12)
        // The base line is not broken and stays at the bottom. The ruby text is inside the cue's box.
        #expect(line.left < base.left && line.right > base.right && abs(line.bottom - base.bottom) <= 6)
        #expect(try #require(stage.all(1)).top <= rubyText.top)
    }

    @Test("ruby works for pairs, lines, regions and vertical text")
    func rubies() throws {
        let pairs = "<ruby>ab<rt><c.red>XXXXXX</c></rt>cd<rt><c.blue>YYYYYY</c></rt></ruby>"
        let stage = try one("", pairs)
        stage.save(1, "ruby-long")
        let (first, second) = (try #require(stage.red(1)), try #require(stage.blue(1)))
        #expect(first.right <= second.left + 1 && abs(first.top - second.top) <= 1)
        let two = try one("", "<ruby>up<rt><c.red>X</c></rt></ruby>\n<ruby>low<rt><c.blue>Y</c></rt></ruby>")
        two.save(1, "ruby-lines")
        let (upper, lower) = (try #require(two.red(1)), try #require(two.blue(1)))
        #expect(lower.top - upper.top > Int(line * 1.2))
        // A cue above another one leaves space for the lower one's ruby text.
        let stack = try self.stage(
            [("", "<c.red>low</c>"), ("", "<ruby>base<rt><c.blue>X</c></rt></ruby>"), ("", "<c.lime>high</c>")],
            style: "::cue(.lime) { color: #00ff00 }")
        #expect(
            try #require(stack.blue(1)).bottom < (try #require(stack.red(1)).top)
                && (try #require(stack.green(1)).bottom) <= (try #require(stack.blue(1)).top))
        let region = try self.stage(
            [("region:low", pairs)], region: "id:low\nwidth:50%\nlines:3\nregionanchor:0%,0%\nviewportanchor:25%,50%")
        #expect(
            try #require(region.red(1)).top >= 180
                && abs(try #require(region.red(1)).middle + (try #require(region.blue(1)).middle) - 640) <= 12)
        let vertical = try one("vertical:rl line:0", "<ruby><c.blue>base</c><rt><c.red>X</c></rt></ruby>")
        vertical.save(1, "ruby-vertical")
        let (side, turned) = (try #require(vertical.red(1)), try #require(vertical.blue(1)))
        #expect(side.left >= turned.right - 1 && abs(side.center - turned.center) <= 3)
    }

    @Test("ruby text without a base or with several lines is drawn")
    func oddRuby() throws {
        #expect(try one("", "<ruby><rt><c.red>X</c></rt></ruby>").red(1) != nil)
        #expect(try one("", "<ruby>a\nb<rt><c.red>X</c></rt></ruby>").red(1) != nil)
        #expect(try one("", "<ruby>base</ruby>").letters(1) != nil)
    }

    @Test("the user's style applies only where the author sets none, unless overriding")
    func wishes() throws {
        let stage = try one("line:0", "plain <c.red>red</c>")
        var style = SubtitleStyle()
        style.color = .init(red: 0, green: 1, blue: 0)
        style.verticalPosition = 1
        stage.overlay.style = style
        #expect(try stage.green(1) != nil && stage.red(1) != nil && (#require(stage.green(1)).top) < 30)
        style.overridesAuthor = true
        stage.overlay.style = style
        #expect(try stage.red(1) == nil && (#require(stage.green(1)).top) > 300)
    }

    @Test("text with libass control characters is drawn literally")
    func escapes() throws {
        let odd = try one("align:left position:0%", "a{b}c\\Nd \\h {\\c&H0000FF&}")
        let plain = try one("align:left position:0%", "a")
        #expect(try odd.red(1) == nil && (#require(odd.letters(1)).width) > (#require(plain.letters(1)).width) * 6)
        #expect(try #require(odd.all(1)).height <= (try #require(plain.all(1)).height) + 2)
    }

    @Test(
        "of several declarations for one property, the last valid one applies",
        arguments: [
            ("background: red; background-color: lime", "lime"), ("background-color: lime; background: red", "red"),
            ("background-color: red; background-color: lime", "lime"),
            ("background-color: lime; background: nonsense", "lime"),
        ])
    func cascade(declarations: String, color: String) throws {
        let sheet = WebVTTStyleSheet(["::cue { \(declarations); font-size: 200%; font-size: 150% }"])
        let black = try #require(WebVTTStyleSheet.color("black"))
        var style = WebVTTTextStyle(color: black, background: black)
        style.apply(try #require(sheet.rules.first).declarations, over: nil)
        #expect(style.background == WebVTTStyleSheet.color(color) && style.scale == 1.5)
    }

    @Test("style sheets are parsed as far as they are valid")
    func sheets() {
        let sheet = WebVTTStyleSheet([
            "@import url(x); ::cue(.a\\31 b) { color : RED ; background: URL(\"a;b\"); }",
            "p { color: red } ::cue(i u) { color: red } ::cue( b ) {", "::cue(:lang(en)) { color: #0f0 }",
        ])
        #expect(sheet.rules.map(\.selector.classes) == [[], [], ["a1b"]] || sheet.rules.count == 3)
        #expect(
            sheet.rules.contains { $0.selector.tag == "b" } && sheet.rules.contains { $0.selector.language == "en" })
        #expect(!sheet.rules.contains { $0.selector.tag == "i" })
        #expect(WebVTTStyleSheet.color("Green") == .init(red: 0, green: 128.0 / 255, blue: 0))
        #expect(
            WebVTTStyleSheet.color("rgba(255,0,0,0.5)")?.alpha == 0.5 && WebVTTStyleSheet.color("papayawhip") != nil
                && WebVTTStyleSheet.color("nonsense") == nil)
    }
}
