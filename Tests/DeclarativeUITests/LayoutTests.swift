import Foundation
import Testing

@testable import DeclarativeUI

/// Sizes and places of what measures or draws itself; `ViewGraphTests` has the rest.
@Suite("Layout of drawn views") @MainActor
struct LayoutTests {
    /// What takes all that it is offered takes what words beside it leave, whatever it stands in.
    @Test(
        "layers, grids and labelled values are as flexible as their content",
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
        // A guide of one's own may reach out, not take less.
        let frame = try #require(stage.frame(of: "flexible"))
        #expect(kind == "guide" ? frame.height >= 282 : frame == CGRect(x: 0, y: 0, width: 400, height: 282))
    }

    @Test("position places the centre; offset moves only the drawing")
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
}
