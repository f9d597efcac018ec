import Foundation
import Testing

@testable import DeclarativeUI

@Suite("Grids") @MainActor
struct GridTests {
    @Test("a lazy grid makes only nearby lines and arranges its columns")
    func lazy() {
        let columns = [
            GridItem(.fixed(50), spacing: 0), GridItem(.fixed(50), spacing: 0), GridItem(.fixed(50), spacing: 0),
        ]
        let stage = Stage(300, 200) {
            ScrollView {
                LazyVGrid(columns: columns, alignment: .leading, spacing: 10) {
                    ForEach(0..<3000) { index in Text("\(index)").frame(height: 40).mark("cell \(index)") }
                }
            }
        }
        // Rows exist for the visible 200 points and the 200 points after them: nine rows.
        #expect(
            stage.shownTexts.first == "0" && (15..<60).contains(stage.shownTexts.count), "\(stage.shownTexts.count)")
        stage.scroll(to: 5000)
        #expect(
            stage.shownTexts.contains("300") && !stage.shownTexts.contains("0") && stage.shownTexts.count < 60,
            "\(stage.shownTexts)")
        let small = Stage(300, 200) {
            LazyVGrid(columns: columns, alignment: .leading, spacing: 10) {
                ForEach(0..<5) { index in Color.red.frame(width: 50, height: index == 1 ? 60 : 40).mark("\(index)") }
            }
            .mark("grid")
        }
        #expect(small.frame(of: "grid")?.size == CGSize(width: 300, height: 110))
        #expect(small.frame(of: "4")?.minX == 50 && small.frame(of: "4")?.minY == (small.frame(of: "3")?.minY ?? 0))
        #expect(small.frame(of: "3")?.minY == (small.frame(of: "grid")?.minY ?? 0) + 70)
        let rows = Stage(300, 200) {
            LazyHGrid(rows: [GridItem(.fixed(30), spacing: 0), GridItem(.fixed(30))], alignment: .top, spacing: 5) {
                ForEach(0..<4) { index in Color.red.frame(width: 20).mark("\(index)") }
            }
        }
        #expect(rows.frame(of: "1")?.minY == 30 && rows.frame(of: "2")?.minX == (rows.frame(of: "0")?.minX ?? 0) + 25)
    }

    @Test("modifiers around a collection keep a lazy grid lazy")
    func modifiedCollection() {
        let stage = Stage(300, 200) {
            ScrollView {
                LazyVGrid(columns: [GridItem(.flexible()), GridItem(.flexible())], spacing: 10) {
                    ForEach(0..<1000) { Text("\($0)").frame(height: 32) }.padding(4).opacity(0.5)
                }
            }
        }
        #expect(
            stage.shownTexts.first == "0" && (10..<40).contains(stage.shownTexts.count), "\(stage.shownTexts.count)")
        stage.scroll(to: 5000)
        #expect(
            stage.shownTexts.contains("200") && !stage.shownTexts.contains("0") && stage.shownTexts.count < 40,
            "\(stage.shownTexts)")
    }

    @Test("a baseline-aligned row follows text that changes inside a fixed frame")
    func rowBaselines() {
        struct Rows: View {
            let size: State<CGFloat>
            var body: some View {
                Grid(horizontalSpacing: 0) {
                    GridRow(alignment: .firstTextBaseline) {
                        Big(size: size).frame(width: 60, height: 60).mark("big")
                        Text(verbatim: "b").mark("small")
                    }
                }
            }
        }
        struct Big: View {
            let size: State<CGFloat>
            var body: some View { Text(verbatim: "a").font(.system(size: size.wrappedValue)) }
        }
        let size = State<CGFloat>(wrappedValue: 10)
        let stage = Stage(300, 200) { Rows(size: size) }
        let before = (stage.frame(of: "small")?.minY ?? 0) - (stage.frame(of: "big")?.minY ?? 0)
        size.wrappedValue = 40
        stage.layOut()
        let after = (stage.frame(of: "small")?.minY ?? 0) - (stage.frame(of: "big")?.minY ?? 0)
        #expect(after > before + 4, "\(before), \(after)")
    }
}
