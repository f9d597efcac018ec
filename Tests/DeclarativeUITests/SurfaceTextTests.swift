import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of texts made from values, formats, dates and Markdown.
@Suite("SwiftUI API of text", .serialized) @MainActor
struct SurfaceTextTests {
    private func run(_ text: Text, _ words: String) -> Text.Run? { text.runs.first { $0.text == words } }

    @Test("values are formatted by their formatter or format style")
    func formats() {
        let formatter = NumberFormatter()
        formatter.minimumFractionDigits = 2
        formatter.decimalSeparator = "."
        #expect(Text("x \(3.5, formatter: formatter)!").string == "x 3.50!")
        #expect(Text("x \(3, formatter: formatter)").string == "x 3.00")
        #expect(Text("\("words", formatter: formatter)").string == "words")
        let two = FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en_US")).precision(.fractionLength(2))
        #expect(Text(3.14159, format: two).string == "3.14" && Text("π \(3.14159, format: two)").string == "π 3.14")
        #expect(
            Text(0.5, format: FloatingPointFormatStyle<Double>.Percent(locale: Locale(identifier: "en_US"))).string
                == "50%")
        #expect(Text("\(0.25, specifier: "%.1f") of 100%").string == "0.2 of 100%")
        #expect(Text("100%").string == "100%" && Text(LocalizedStringKey("5 %")).string == "5 %")
    }

    @Test("Markdown applies to literals, not to strings or values")
    func markdown() {
        let text = Text("a **bold** *slanted* `code` ~~gone~~ [link](https://a.org/b) end")
        #expect(text.string == "a bold slanted code gone link end")
        #expect(
            run(text, "bold")?.weight == .bold && run(text, "slanted")?.isItalic == true
                && run(text, "code")?.isMonospaced == true)
        #expect(run(text, "gone")?.isStruck == true && run(text, "link")?.link == URL(string: "https://a.org/b"))
        #expect(run(text, "a ") == Text.Run(text: "a ") && run(text, " end") == Text.Run(text: " end"))
        let words = "**bold**"
        #expect(Text(words).runs == [Text.Run(text: "**bold**")] && Text(verbatim: "*x*").string == "*x*")
        #expect(Text("**\(words)**").runs == [Text.Run(text: "**bold**", weight: .bold)])
        #expect(Text(LocalizedStringKey(words)).runs == [Text.Run(text: "bold", weight: .bold)])
        #expect(
            Text("see [\(words)](https://a.org/\(7)?q=\("x"))").runs.last?.link?.absoluteString == "https://a.org/7?q=x"
        )
        #expect(
            Text("see \(Text("red").foregroundColor(.red).italic()) **now \(Text("here"))**").runs.map(\.text) == [
                "see ", "red", " ", "now ", "here",
            ])
        #expect(
            Text("**now \(Text("here").italic())**").runs.last == Text.Run(text: "here", weight: .bold, isItalic: true))
    }

    @Test("private-use characters of a literal are no values")
    func privateUse() {
        // Icon fonts have such characters.
        let text = Text("\u{F0000}\u{F0002} **\("a")** \u{F0001} \("\u{F0003}") [\("c")](https://a.org/\(7))\u{F0003}")
        #expect(text.string == "\u{F0000}\u{F0002} a \u{F0001} \u{F0003} c\u{F0003}")
        #expect(run(text, "a")?.weight == .bold && run(text, "c")?.link == URL(string: "https://a.org/7"))
    }

    @Test(
        "emphasis follows CommonMark's rules",
        arguments: [
            ("**bold *both* bold**", "b:bold |bi:both|b: bold"), ("***both***", "bi:both"),
            ("snake_case_name", ":snake_case_name"), ("_word_", "i:word"),
            ("2 * 3 * 4", ":2 * 3 * 4"), ("a * b*", ":a * b*"), ("**open", ":**open"), ("*a **b*", ":*a *|i:b"),
            ("\\*plain\\*", ":*plain*"), ("`*code*`", "c:*code*"), ("`a\r\nb`", "c:a b"), ("``a`b``", "c:a`b"),
            ("`open", ":`open"), ("~one~", ":~one~"), ("[no link]", ":[no link]"), ("[a](b c", ":[a](b c"),
            ("[*i*](u)", "iu:i"), ("**[l](u)**", "bu:l"), ("a__b__c", ":a__b__c"),
            ("line\nline", ":line\nline"), ("# no heading", ":# no heading"), ("- no list", ":- no list"),
            ("<https://a.b>", "u:https://a.b"), ("see https://a.b/c.", ":see |u:https://a.b/c|:."),
            ("(https://a.b/(c))", ":(|u:https://a.b/(c)|:)"), ("*", ":*"), ("", ""), ("**", ":**"), ("](", ":]("),
            ("a\\", ":a\\"), ("<b>", ":<b>"), ("ü*ö*ä", ":ü|i:ö|:ä"),
        ])
    func emphasis(source: String, expected: String) {
        let shown = Markdown.pieces(source).map { piece in
            (piece.isBold ? "b" : "") + (piece.isItalic ? "i" : "") + (piece.isStruck ? "s" : "")
                + (piece.isCode ? "c" : "") + (piece.link != nil ? "u" : "") + ":" + piece.text
        }
        #expect(shown.joined(separator: "|") == expected)
    }

    @Test("an attributed string keeps its attributes")
    func attributed() throws {
        var words = AttributedString("red ")
        words.foregroundColor = Color.red
        words.font = Font.title
        var link = AttributedString("link")
        link.link = URL(string: "https://a.org")
        link.underlineStyle = .single
        let text = Text(words + link)
        #expect(text.string == "red link")
        #expect(text.runs.first?.color == .red && text.runs.first?.font == .title)
        #expect(text.runs.last?.link?.host == "a.org" && text.runs.last?.isUnderlined == true)
        #expect(
            try Text(AttributedString(markdown: "**b** [l](https://a.org)")).runs
                == Text("**b** [l](https://a.org)").runs)
        #expect(Text(AttributedString("")).string == "")
    }

    @Test("links have the accent color and are found at their position")
    func links() throws {
        let stage = Stage(400, 100) {
            Text("████ [████](https://a.org)").font(.system(size: 40)).foregroundColor(.black).tint(
                Color(red: 1, green: 0, blue: 0))
        }
        let element = try #require(stage.elements.first { $0 is TextElement } as? TextElement)
        let frame = element.frameInHost
        #expect(stage.pixel(Int(frame.maxX) - 20, Int(frame.midY)) == [255, 0, 0, 255])
        #expect(stage.pixel(Int(frame.minX) + 20, Int(frame.midY)) == [0, 0, 0, 255])
        #expect(element.link(at: CGPoint(x: frame.width - 20, y: frame.height / 2)) == URL(string: "https://a.org"))
        #expect(
            element.link(at: CGPoint(x: 20, y: frame.height / 2)) == nil
                && element.link(at: CGPoint(x: -5, y: 5)) == nil)
    }

    @Test("colored text follows the appearance and the tint")
    func ownColors() throws {
        final class Model { var scheme: Binding<ColorScheme>?, tint: Binding<Color>? }
        struct Page: View {
            let model: Model
            @State private var scheme = ColorScheme.light
            @State private var tint = Color(red: 1, green: 0, blue: 0)
            var body: some View {
                model.scheme = $scheme
                model.tint = $tint
                return Text("\(Text("████").foregroundColor(.primary))[████](https://a.org)").font(.system(size: 40))
                    .colorScheme(scheme).tint(tint)
            }
        }
        let model = Model()
        let stage = Stage(400, 100) { Page(model: model) }
        let frame = try #require(stage.elements.first { $0 is TextElement }).frameInHost
        func shown() -> [[UInt8]] {
            [20, Int(frame.width) - 20].map { stage.pixel(Int(frame.minX) + $0, Int(frame.midY)) }
        }
        #expect(shown() == [[0, 0, 0, 255], [255, 0, 0, 255]])
        model.scheme?.wrappedValue = .dark
        stage.layOut()
        #expect(shown() == [[255, 255, 255, 255], [255, 0, 0, 255]])
        model.tint?.wrappedValue = Color(red: 0, green: 1, blue: 0)
        stage.layOut()
        #expect(shown() == [[255, 255, 255, 255], [0, 255, 0, 255]])
    }

    @Test("a link is opened by the app's openURL handler")
    func openURL() throws {
        var opened: [URL] = []
        var accepted: [Bool] = []
        let url = try #require(URL(string: "https://a.org"))
        OpenURLAction {
            opened.append($0)
            return .handled
        }(url) { accepted.append($0) }
        OpenURLAction { _ in .discarded }(url) { accepted.append($0) }
        #expect(opened == [url] && accepted == [true, false])
        let stage = Stage {
            Link("Site", destination: url).environment(
                \.openURL,
                OpenURLAction {
                    opened.append($0)
                    return .handled
                })
        }
        #expect(stage.texts == ["Site"] && stage.elements.contains { $0 is ButtonElement })
    }

    @Test(
        "times are shown as text or as a clock",
        arguments: [
            (Text.DateStyle.Kind.timer, 5.0, "0:05"), (.timer, 0.4, "0:01"), (.timer, -5.9, "0:05"),
            (.timer, 133_141, "36:59:01"), (.relative, 5, "5 seconds"), (.relative, -3600, "1 hour"),
            (.relative, 8580, "2 hours, 23 minutes"), (.relative, -90, "1 minute, 30 seconds"),
            (.relative, 3605, "1 hour"), (.offset, 7200, "+2 hours"), (.offset, -200_000, "-2 days"),
            (.relative, 0, "0 seconds"), (.relative, 400 * 86_400, "1 year, 1 month"),
            (.timer, .infinity, "277777777:46:40"),
        ])
    func times(kind: Text.DateStyle.Kind, seconds: Double, words: String) {
        let now = Date(timeIntervalSinceReferenceDate: 1000)
        #expect(DateText.date(now.addingTimeInterval(seconds), kind).text(at: now) == words)
    }

    @Test("a timer text runs until its pause time, then stops", arguments: [false, true])
    func laterPause(down: Bool) {
        let start = Date(timeIntervalSinceReferenceDate: 1000)
        func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }
        let timer = DateText.interval(start...at(100), pauseTime: at(60.5), countsDown: down, showsHours: true)
        let shown = [10, 59, 60.5, 70].map { timer.text(at: at($0)) }
        #expect(shown == (down ? ["1:30", "0:41", "0:40", "0:40"] : ["0:10", "0:59", "1:00", "1:00"]))
        #expect(timer.nextChange(after: at(10.5)) == at(11) && timer.nextChange(after: at(60.2)) == at(60.5))
        #expect(timer.nextChange(after: at(60.5)) == nil)
    }

    @Test("a timer text counts up or down and stops when paused")
    func intervals() throws {
        let start = Date(timeIntervalSinceReferenceDate: 1000)
        let range = start...start.addingTimeInterval(4000)
        func shown(_ seconds: Double, _ pause: Double? = nil, down: Bool = true, hours: Bool = true) -> String {
            DateText.interval(
                range, pauseTime: pause.map { start.addingTimeInterval($0) }, countsDown: down, showsHours: hours
            ).text(at: start.addingTimeInterval(seconds))
        }
        #expect(
            shown(0) == "1:06:40" && shown(10.5) == "1:06:30" && shown(10.5, down: false) == "0:10"
                && shown(10, hours: false) == "66:30")
        #expect(
            shown(-50) == "1:06:40" && shown(5000) == "0:00" && shown(5000, down: false) == "1:06:40"
                && shown(100, 60, down: false) == "1:00")
        let clock = DateText.interval(range, pauseTime: nil, countsDown: true, showsHours: true)
        #expect(clock.nextChange(after: start.addingTimeInterval(10.5)) == start.addingTimeInterval(11))
        #expect(
            clock.nextChange(after: range.upperBound) == nil
                && clock.nextChange(after: start.addingTimeInterval(-5)) == start)
        // A countdown changes when its remaining time reaches a whole second, not when the elapsed time does.
        let odd = DateText.interval(
            start...start.addingTimeInterval(10.5), pauseTime: nil, countsDown: true, showsHours: true)
        #expect(
            odd.text(at: start) == "0:11" && odd.nextChange(after: start) == start.addingTimeInterval(0.5)
                && odd.text(at: start.addingTimeInterval(0.5)) == "0:10")
        #expect(
            DateText.date(start, .time).nextChange(after: start) == nil
                && DateText.date(start, .date).nextChange(after: start) == nil)
        // A text that shows no seconds changes once per minute.
        #expect(
            DateText.date(start, .relative).nextChange(after: start.addingTimeInterval(8000))
                == start.addingTimeInterval(8040))
    }

    @Test("a text with a time follows the clock")
    func updates() throws {
        defer { TextClock.now = { Date() } }
        let start = Date(timeIntervalSinceReferenceDate: 5000)
        TextClock.now = { start }
        let stage = Stage { Text("left: \(start.addingTimeInterval(65), style: .timer)") }
        #expect(stage.texts == ["left: 1:05"])
        TextClock.now = { start.addingTimeInterval(6) }
        let element = try #require(stage.elements.first { $0 is TextElement } as? TextElement)
        element.refresh()
        #expect(stage.texts == ["left: 0:59"])
        #expect(
            Text(start, style: .time).string == DateText.timeOfDay(start) && Text(start...start).string.contains(" – "))
    }
}
