import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the text that describes a tree of views.
@Suite("Element inspector") @MainActor
struct ElementInspectorTests {
    private func lines<V: View>(scale: CGFloat = 1, @ViewBuilder _ content: () -> V) -> [String] {
        let stage = Stage(200, 100, content)
        return ElementInspector(stage.host.surface, scale: scale).lines
    }

    @Test("a line has kind, frame, shape and color")
    func line() {
        let lines = lines {
            RoundedRectangle(cornerRadius: 8).fill(Color(red: 1, green: 0.5, blue: 0)).frame(width: 40, height: 20)
                .padding(EdgeInsets(top: 0, leading: 10, bottom: 0, trailing: 0))
        }
        #expect(lines == ["Shape 85,40 40×20 RoundedRectangle #FF8000 radius 8"])
    }

    @Test("frames are rounded to device pixels", arguments: [(1.0, "40×20"), (2.0, "40.5×20")])
    func scale(scale: Double, size: String) {
        let lines = lines(scale: scale) { Color(white: 0).frame(width: 40.5, height: 20) }
        #expect(lines == ["Shape 80,40 \(size) Rectangle #000000"])
    }

    @Test("an effect contains the lines of its content")
    func nested() {
        let lines = lines { Color(white: 0).frame(width: 40, height: 20).opacity(0.5).offset(x: 3) }
        #expect(lines == ["Effect 83,40 40×20 opacity 0.5", "  Shape 83,40 40×20 Rectangle #000000"])
    }

    enum Change: String, CaseIterable, Sendable {
        case words, font, textColour, order, symbol, symbolColour, radius, place, size, fill, line, opacity, clip,
            shadow
        case appearance, disabled, hidden
    }

    private func page(_ change: Change?) -> [String] {
        lines {
            VStack(alignment: .leading, spacing: 8) {
                HStack {
                    if change == .order { Image(systemName: "play.fill") }
                    Text(verbatim: change == .words ? "Pause" : "Play").font(change == .font ? .title : .body)
                        .foregroundColor(change == .textColour ? .red : .primary)
                    if change != .order {
                        Image(systemName: change == .symbol ? "pause.fill" : "play.fill")
                            .foregroundColor(change == .symbolColour ? .red : .primary)
                    }
                }
                .disabled(change == .disabled)
                ZStack {
                    RoundedRectangle(cornerRadius: change == .radius ? 4 : 8)
                        .fill(change == .fill ? Color(white: 0.5) : Color(white: 0.25))
                    Circle().stroke(Color(white: 1), lineWidth: change == .line ? 2 : 1)
                }
                .frame(width: change == .size ? 41 : 40, height: 20)
                .offset(x: change == .place ? 1 : 0)
                .opacity(change == .opacity ? 0.5 : 1)
                .shadow(radius: change == .shadow ? 4 : 2)
                .cornerRadius(change == .clip ? 2 : 3)
                .opacity(change == .hidden ? 0 : 1)
                Divider()
            }
            .environment(\.colorScheme, change == .appearance ? .dark : .light)
        }
    }

    @Test("every visible change of a view changes its text", arguments: Change.allCases)
    func change(_ change: Change) {
        let before = page(nil)
        #expect(before.count >= 6 && before == page(nil))
        #expect(page(change) != before)
    }

    @Test("colors are those of the window's appearance")
    func appearance() {
        let text = { (scheme: ColorScheme) in
            self.lines { Text(verbatim: "Play").environment(\.colorScheme, scheme) }.joined()
        }
        #expect(text(.light).hasSuffix("#000000") && text(.dark).hasSuffix("#FFFFFF"))
    }

    @Test("only elements in the visible area have lines")
    func scrolled() throws {
        let stage = Stage(100, 60) {
            ScrollView {
                VStack(spacing: 0) { ForEach(0..<10) { _ in Color(white: 0).frame(height: 30) } }
            }
        }
        let frames = {
            ElementInspector(stage.host.surface).lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        }
        #expect(frames() == ["Scroll 0,0 100×60", "Shape 0,0 100×30", "Shape 0,30 100×30"])
        let scroll = try #require(stage.scroll)
        scroll.scroll(to: CGPoint(x: 0, y: 40))
        #expect(frames() == ["Scroll 0,0 100×60", "Shape 0,-10 100×30", "Shape 0,20 100×30", "Shape 0,50 100×30"])
    }

    @Test("a text is one line, however long")
    func longText() {
        let text = String(repeating: "word\n", count: 100)
        let lines = lines { Text(verbatim: text).fixedSize() }
        #expect(lines.count == 1 && lines.joined().contains("of 500"))
    }
}
