import Foundation
import Testing

@_spi(Graph) @testable import ViewGraph

@Suite("Grids") @MainActor
struct GridTests {
    @Test("columns and rows fit their largest cells, with spacing between")
    func columns() {
        let stage = Stage(300, 200) {
            Grid(alignment: .topLeading, horizontalSpacing: 10, verticalSpacing: 5) {
                GridRow {
                    Color.red.frame(width: 20, height: 10).mark("a")
                    Color.red.frame(width: 60, height: 30).mark("b")
                }
                GridRow {
                    Color.red.frame(width: 40, height: 20).mark("c")
                    Color.red.frame(width: 10, height: 10).mark("d")
                }
            }
            .mark("grid")
        }
        let grid = stage.frame(of: "grid") ?? .zero
        #expect(grid.size == CGSize(width: 110, height: 55))
        #expect(stage.frame(of: "b")?.minX == grid.minX + 50 && stage.frame(of: "d")?.minX == grid.minX + 50)
        #expect(stage.frame(of: "c")?.minY == grid.minY + 35)
    }

    @Test("flexible columns share the rest; a view outside rows spans all")
    func flexible() {
        let stage = Stage(208, 100) {
            Grid(horizontalSpacing: 8, verticalSpacing: 0) {
                GridRow {
                    Color.red.frame(height: 10).mark("a")
                    Color.blue.frame(height: 10).mark("b")
                }
                Color.green.frame(height: 20).mark("wide")
                GridRow { Color.red.frame(width: 20, height: 10).mark("c").gridCellAnchor(.trailing) }
            }
        }
        #expect(stage.frame(of: "a")?.width == 100 && stage.frame(of: "b")?.minX == 108)
        #expect(stage.frame(of: "wide")?.width == 208)
        #expect(stage.frame(of: "c")?.maxX == 100)
    }

    @Test("cells span columns, may be unsized, and follow their alignments")
    func cells() {
        let stage = Stage(400, 200) {
            Grid(alignment: .center, horizontalSpacing: 10, verticalSpacing: 0) {
                GridRow(alignment: .bottom) {
                    Color.red.frame(width: 20, height: 10).mark("a").gridColumnAlignment(.trailing)
                    Color.red.frame(width: 40, height: 30).mark("b")
                    Color.red.frame(width: 20, height: 10)
                }
                GridRow {
                    Color.red.frame(height: 10).gridCellColumns(2).mark("two")
                    Color.blue.gridCellUnsizedAxes([.horizontal, .vertical]).mark("unsized")
                }
                GridRow { Color.red.frame(width: 50, height: 10).mark("wide") }
            }
        }
        // The cell has the whole width that the third column leaves.
        #expect(stage.frame(of: "two")?.width == 370)
        #expect(stage.frame(of: "a")?.maxX == stage.frame(of: "wide")?.maxX)
        #expect(stage.frame(of: "a")?.maxY == stage.frame(of: "b")?.maxY)
        #expect(stage.frame(of: "unsized")?.height == 10)
    }

    @Test("grid tracks are fixed, flexible within limits, or as many as fit")
    func tracks() {
        func places(_ items: [GridItem], _ space: CGFloat) -> [[CGFloat]] {
            GridTracks(items, available: space, ideal: 0).tracks.map { [$0.start, $0.length] }
        }
        #expect(
            places(
                [
                    GridItem(.fixed(50), spacing: 10), GridItem(.flexible(), spacing: 10),
                    GridItem(.flexible(maximum: 30)),
                ], 200) == [[0, 50], [60, 65], [135, 30]])
        #expect(places([GridItem(.adaptive(minimum: 60), spacing: 10)], 200) == [[0, 60], [70, 60], [140, 60]])
        #expect(places([GridItem(.adaptive(minimum: 60), spacing: 10)], 230) == [[0, 70], [80, 70], [160, 70]])
        #expect(places([GridItem(.flexible(minimum: 150)), GridItem(.flexible())], 100) == [[0, 150], [158, 10]])
        #expect(places([], 100) == [[0, 100]])
        #expect(places([GridItem(.adaptive(minimum: 0)), GridItem(.fixed(.nan))], .infinity).count < 20_000)
    }
}
