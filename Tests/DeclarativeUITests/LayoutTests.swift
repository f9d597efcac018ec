import Foundation
import Testing

@testable import DeclarativeUI

/// Tests of the layout of views that measure or draw themselves. `ViewGraphTests` has the other layout tests.
@Suite("Layout of drawn views") @MainActor
struct LayoutTests {
    /// A flexible view takes the space that the text beside it leaves, whichever container it is in.
    @Test(
        "layers, grids and labeled values are as flexible as their content",
        arguments: ["plain", "layers", "corner", "layout", "grid", "labelled", "guide", "overlay", "both"])
    func flexibleContainers(_ kind: String) throws {
        let fill = Color.black
        let stage = Stage(400, 300) {
            VStack(spacing: 0) {
                Group {
                    switch kind {
                    case "layers":
                        ZStack {
                            fill
                            Text("x")
                            GeometryReader { _ in fill }
                        }
                    case "corner":
                        ZStack(alignment: .bottomTrailing) {
                            fill
                            Text("x")
                        }
                    case "layout":
                        AnyLayout(ZStackLayout()) {
                            fill
                            Text("x")
                        }
                    case "grid":
                        Grid {
                            GridRow {
                                fill
                                Text("x")
                            }
                        }
                    case "labelled":
                        LabeledContent {
                            fill
                        } label: {
                            Text("x")
                        }
                    case "guide":
                        ZStack {
                            fill.alignmentGuide(VerticalAlignment.center) { $0[.bottom] }
                            Text("x")
                        }
                    case "overlay":
                        fill.overlay {
                            ZStack {
                                fill
                                Text("x")
                            }
                        }
                    case "both":
                        ZStack {
                            HStack {
                                ZStack { fill }
                                Text("x")
                            }
                        }
                    default: fill
                    }
                }
                .mark("flexible")
                Color.clear.frame(height: 18)
            }
        }
        // A custom alignment guide may make the view extend beyond its space, but not make it smaller.
        let frame = try #require(stage.frame(of: "flexible"))
        #expect(kind == "guide" ? frame.height >= 282 : frame == CGRect(x: 0, y: 0, width: 400, height: 282))
    }

    @Test("position places the center; offset moves only the drawing")
    func position() {
        let stage = Stage(200, 100) { Color.red.frame(width: 20, height: 20).mark("c").position(x: 30, y: 40) }
        #expect(stage.frame(of: "c") == CGRect(x: 20, y: 30, width: 20, height: 20))
        let moved = Stage(200, 100) {
            VStack(spacing: 0) {
                Color.red.frame(width: 20, height: 20).mark("c").offset(x: 50, y: 0)
                Color.blue.frame(width: 20, height: 20).mark("below")
            }
        }
        #expect(moved.frame(of: "c")?.minX == 140)
        #expect(moved.frame(of: "below") == CGRect(x: 90, y: 50, width: 20, height: 20))
    }

    @Test("text fits its content, wraps, and obeys its line limit")
    func text() throws {
        let words = "A zoetrope is one of several pre-film animation devices"
        let one = Stage(2000, 300) { Text(verbatim: words) }
        let wide = try #require(one.frame(words))
        let wrapped = Stage(120, 300) { Text(verbatim: words) }
        let narrow = try #require(wrapped.frame(words))
        #expect(narrow.width <= 120)
        #expect(narrow.height >= 3 * wide.height - 1)
        let limited = Stage(120, 300) { Text(verbatim: words).lineLimit(2) }
        #expect(try #require(limited.frame(words)).height == 2 * wide.height)
    }

    @Test("a line limit counts the lines of all paragraphs", arguments: ["\n", "\r\n", "\u{2029}", "\u{2028}"])
    func paragraphs(_ end: String) throws {
        let words = ["a", "b", "c", "d"].joined(separator: end)
        func size(_ limit: Int?, _ text: String, _ width: CGFloat = 400) throws -> CGSize {
            let stage = Stage(width, 300) { Text(verbatim: text).lineLimit(limit) }
            return try #require(stage.frame(text)).size
        }
        let line = try size(1, "a").height
        #expect(try size(nil, words).height == 4 * line)
        for limit in 1...6 { #expect(try size(limit, words).height == CGFloat(min(limit, 4)) * line) }
        // The limit also counts an empty last line, and lines that wrap.
        #expect(try size(3, "a" + end).height == 2 * line && size(1, "a" + end).height == line)
        #expect(try size(3, "several words that wrap" + end + "b", 80).height == 3 * line)
        // The last line shows its own paragraph and an ellipsis.
        #expect(try size(2, words).width == size(2, "a" + end + "b…").width)
        #expect(try size(1, words).width == size(1, "a…").width)
    }

    @Test("a limited text without a proposed width limits its lines too")
    func unboundedParagraphs() throws {
        let words = "a\nb\nc\nd"
        let stage = Stage { Text(verbatim: words).lineLimit(2).fixedSize() }
        let two = try #require(Stage { Text(verbatim: "a\nb…").fixedSize() }.frame("a\nb…"))
        #expect(try #require(stage.frame(words)).size == two.size)
    }

    @Test(
        "what is left out is where the truncation mode says",
        arguments: [(Text.TruncationMode.tail, "a\nb…"), (.middle, "a\nb…dd"), (.head, "a\n…dd")])
    func truncatedParagraphs(_ mode: Text.TruncationMode, _ shown: String) throws {
        let words = "a\nb\nc\ndd"
        let cut = Stage { Text(verbatim: words).lineLimit(2).truncationMode(mode) }
        let plain = Stage { Text(verbatim: shown) }
        #expect(try #require(cut.frame(words)).size == #require(plain.frame(shown)).size)
        #expect(cut.drawing() == plain.drawing())
        // The drawing is the same after a layout at another width.
        let drawn = cut.drawing()
        cut.layOut(9, 300)
        cut.layOut(400, 300)
        #expect(cut.drawing() == drawn)
    }

    @Test("runs keep their colors and links in limited paragraphs")
    func runsOfParagraphs() throws {
        let url = try #require(URL(string: "https://a.org"))
        var link = Text(verbatim: "linked\n")
        link.runs[0].link = url
        func text(_ end: String) -> Text {
            Text(verbatim: "é\n").foregroundColor(.red) + link + Text(verbatim: "green" + end).foregroundColor(.green)
        }
        let cut = Stage { text("\nmore\nmore").lineLimit(3) }
        let plain = Stage { text("…") }
        #expect(cut.drawing() == plain.drawing())
        // Assistive technologies get the whole text, not the shortened one.
        let words = "é\nlinked\ngreen\nmore\nmore"
        let element = try #require(cut.elements.first { $0 is TextElement } as? TextElement)
        let frame = try #require(cut.frame(words))
        #expect(element.link(at: CGPoint(x: 8, y: frame.height / 2)) == url)
        #expect(element.link(at: CGPoint(x: 8, y: frame.height * 5 / 6)) == nil)
        #expect(element.link(at: CGPoint(x: 2, y: frame.height / 6)) == nil)
    }

    @Test("texts of two sizes align at the baseline")
    func baseline() throws {
        let stage = Stage(400, 100) {
            HStack(alignment: .firstTextBaseline) {
                Text(verbatim: "large").font(.largeTitle)
                Text(verbatim: "small").font(.caption)
            }
        }
        let large = try #require(stage.frame("large"))
        let small = try #require(stage.frame("small"))
        #expect(small.minY > large.minY + 5)
        #expect(small.maxY < large.maxY)
    }

    @Test("a container's last baseline is that of its last text", arguments: [0, 1, 2, 3])
    func lastBaseline(container: Int) throws {
        let stage = Stage(400, 200) {
            HStack(alignment: .lastTextBaseline, spacing: 0) {
                Text(verbatim: "beside")
                switch container {
                case 0: VStack(spacing: 0) { LayoutTests.lines }
                // An alignment guide moves the second line down.
                case 1: ZStack(alignment: .top) { LayoutTests.lines }
                case 2: Grid(verticalSpacing: 0) { LayoutTests.lines }
                default: VStackLayout(spacing: 0) { LayoutTests.lines }
                }
            }
        }
        let (beside, last) = (try #require(stage.frame("beside")), try #require(stage.frame("last")))
        #expect(abs(beside.minY - last.minY) < 0.5)
        #expect(try #require(stage.frame("first")).minY < last.minY - 5)
    }
    @ViewBuilder private static var lines: some View {
        Text(verbatim: "first")
        Text(verbatim: "last").alignmentGuide(.top) { _ in -30 }
    }
}
