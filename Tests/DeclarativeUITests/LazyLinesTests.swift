import Foundation
import MediaCore
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor private final class Looks {
    /// The rows that were looked at in any way.
    var rows: Set<ObjectIdentifier> = []
    var measuredRows: Set<ObjectIdentifier> = []
}

private struct LookModifier: ElementModifier {
    let looks: Looks
    func makeElement() -> LookElement { LookElement() }
    func update(_ element: LookElement, _ fiber: _Fiber) { element.looks = looks }
}

private final class LookElement: WrapperElement {
    var looks: Looks?
    private func note() { looks?.rows.insert(ObjectIdentifier(self)) }
    override var content: Element? {
        note()
        return super.content
    }
    override var isHidden: Bool {
        note()
        return super.isHidden
    }
    override func located(_ transform: CGAffineTransform, _ size: CGSize) { note() }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        looks?.measuredRows.insert(ObjectIdentifier(self))
        return super.measure(proposal)
    }
    override func isAnimatingItself(_ now: Double) -> Bool { false }
}

private enum Kind: CaseIterable { case list, column, grid }

private struct ManyRows: View {
    let kind: Kind
    let looks: Looks
    /// Whether the rows have different heights.
    let isMixed: Bool
    let proxy: (ScrollViewProxy) -> Void
    private var rows: some View {
        ForEach(0..<10_000) { Text(verbatim: "row \($0)").frame(height: isMixed ? CGFloat(30 + $0 * 7 % 40) : 30) }
            .elementModifier(LookModifier(looks: looks))
    }
    var body: some View {
        ScrollViewReader { reader in
            let _ = proxy(reader)
            switch kind {
            case .list: List { rows }
            case .column: ScrollView { LazyVStack(spacing: 0) { rows } }
            case .grid: ScrollView { LazyVGrid(columns: [GridItem(), GridItem()]) { rows } }
            }
        }
    }
}

@Suite("Lines of lazy containers") @MainActor
struct LazyLinesTests {
    @Test("scrolling looks only at rows near the visible area", arguments: Kind.allCases, [false, true])
    private func scrolling(kind: Kind, isMixed: Bool) throws {
        let looks = Looks()
        var proxy: ScrollViewProxy?
        let stage = Stage(400, 300) { ManyRows(kind: kind, looks: looks, isMixed: isMixed) { proxy = $0 } }
        let scroll = try #require(stage.scroll)
        for row in stride(from: 1000, to: 9000, by: 1000) {
            looks.rows = []
            proxy?.scrollTo(row, anchor: .top)
            stage.layOut()
            scroll.scrolledContent.locate(.identity, 0)
            _ = stage.drawing()
            // The rows at the old and the new position, with a margin of 200 points above and below.
            let count = looks.rows.count
            #expect(count > 8 && count < 150)
            #expect(stage.shownTexts.contains("row \(row)"))
        }
    }

    @Test("rows of different heights keep their places when others are created", arguments: Kind.allCases)
    private func stable(kind: Kind) throws {
        var proxy: ScrollViewProxy?
        let stage = Stage(400, 300) { ManyRows(kind: kind, looks: Looks(), isMixed: true) { proxy = $0 } }
        proxy?.scrollTo(5000, anchor: .top)
        stage.layOut()
        let scroll = try #require(stage.scroll)
        func top(_ row: Int) -> CGFloat? {
            stage.everything.first { ($0 as? TextElement)?.string == "row \(row)" }?.frameInWindow.midY
        }
        let first = try #require(top(5000))
        #expect(first > 0 && first < 60)
        for _ in 0..<20 {
            let before = try #require(top(5004))
            scroll.scroll(to: CGPoint(x: 0, y: scroll.offset.y + 5))
            stage.layOut()
            #expect(abs(try #require(top(5004)) - (before - 5)) < 0.01)
        }
    }

    @Test("rows of different heights are where their list draws them")
    func changes() throws {
        struct Rows: View {
            let keep: (Binding<Int>) -> Void
            @State private var count = 1000
            var body: some View {
                let _ = keep($count)
                List { ForEach(0..<count, id: \.self) { Color.red.frame(height: CGFloat(30 + $0 * 7 % 40)) } }
            }
        }
        var count: Binding<Int>?
        let stage = Stage(400, 300) { Rows { count = $0 } }
        let list = try #require(stage.list)
        func check(_ location: SourceLocation = #_sourceLocation) {
            let shown = list.shownChildren.filter { $0.lazyRow?.isOffscreen == false }
            #expect(shown.count > 3, sourceLocation: location)
            for row in shown {
                let drawn = list.estimatedFrame(of: row)?.midY ?? 0
                #expect(abs(row.frame.midY - drawn) < 0.01, sourceLocation: location)
            }
        }
        // Between the rows that are known, some are estimated.
        for offset in [0.0, 1_000, 1_600, 10_000] {
            stage.scroll(to: offset)
            check()
            count?.wrappedValue += 1
            stage.layOut()
            check()
        }
    }

    @Test("rows that were shown are not measured again for an addition", arguments: Kind.allCases)
    private func measurements(kind: Kind) {
        struct Rows: View {
            let kind: Kind
            let looks: Looks
            let keep: (Binding<Int>) -> Void
            @State private var count = 1000
            var rows: some View {
                ForEach(0..<count, id: \.self) { row in
                    HStack { Text(verbatim: "row \(row)").elementModifier(LookModifier(looks: looks)) }
                        .frame(height: 30)
                }
            }
            var body: some View {
                let _ = keep($count)
                switch kind {
                case .list: List { rows }
                case .column: ScrollView { LazyVStack { rows } }
                case .grid: ScrollView { LazyVGrid(columns: [GridItem(), GridItem()]) { rows } }
                }
            }
        }
        let looks = Looks()
        var count: Binding<Int>?
        let stage = Stage(400, 300) { Rows(kind: kind, looks: looks) { count = $0 } }
        for offset in stride(from: 0.0, to: 5000, by: 200) { stage.scroll(to: offset) }
        #expect(looks.measuredRows.count > 100)
        looks.measuredRows = []
        count?.wrappedValue += 1
        stage.layOut()
        // The rows in the visible area, with a margin of 200 points above and below.
        #expect(looks.measuredRows.count < 60)
        stage.scroll(to: 0)
        #expect(stage.shownTexts.contains("row 0"))
    }

    @Test("rows may be added while their container is laid out", arguments: Kind.allCases)
    private func additions(kind: Kind) {
        struct Shelves: View {
            let kind: Kind
            @State private var rows = Array(0..<5)
            var content: some View {
                Group {
                    ForEach(rows, id: \.self) { row in
                        ScrollView(.horizontal) { Text(verbatim: "row \(row)") }.frame(height: 60)
                            .onAppear { if row == rows.last, row < 40 { rows += row + 1..<row + 6 } }
                    }
                    Text(verbatim: "end")
                }
            }
            var body: some View {
                switch kind {
                case .list: List { content }
                case .column: ScrollView { LazyVStack { content } }
                case .grid: ScrollView { LazyVGrid(columns: [GridItem(), GridItem()]) { content } }
                }
            }
        }
        let stage = Stage(400, 300) { Shelves(kind: kind) }
        for offset in stride(from: 0.0, to: 4000, by: 100) { stage.scroll(to: offset) }
        #expect(
            stage.shownTexts.contains("end") && stage.everything.contains { ($0 as? TextElement)?.string == "row 44" })
    }

    @Test("a row is measured again when its insets change")
    func insets() throws {
        struct Rows: View {
            let keep: (Binding<Bool>) -> Void
            @State private var isRoomy = false
            var body: some View {
                let _ = keep($isRoomy)
                List {
                    ForEach(0..<5) { row in
                        Color.red.frame(width: 20, height: 20)
                            .listRowInsets(
                                isRoomy ? EdgeInsets(top: 40, leading: 16, bottom: 40, trailing: 16) : EdgeInsets())
                    }
                }
            }
        }
        var isRoomy: Binding<Bool>?
        let stage = Stage(400, 900) { Rows { isRoomy = $0 } }
        let list = try #require(stage.list)
        let before = try #require(list.rowFrame(1))
        isRoomy?.wrappedValue = true
        stage.layOut()
        #expect(list.rowFrame(1)?.height == 100 && before.height < 100)
    }

    @Test("lengths and positions are those of a plain list of lengths")
    func lengths() {
        var random = SeededNumbers(seed: 7)
        for count in [0, 1, 2, 7, 8, 9, 100] {
            let spacing = CGFloat(Int.random(in: 0...5, using: &random))
            let lines = LineLengths(count: count, spacing: spacing, usual: 40)
            var plain: [(length: CGFloat, isSample: Bool)?] = Array(repeating: nil, count: count)
            for _ in 0..<60 where count > 0 {
                let line = Int.random(in: 0..<count, using: &random)
                let length = CGFloat(Int.random(in: 0...3, using: &random) * 16)
                let isSample = Bool.random(using: &random)
                plain[line] = (length, isSample)
                lines.set(length, of: line, isSample: isSample)
                check(lines, plain, spacing)
            }
            check(lines, plain, spacing)
            // From now on, the estimate is fixed.
            guard count > 1, let estimate = lines.settle(nil) else { continue }
            lines.set(1_000, of: 0, isSample: true)
            #expect(lines.settle(nil)?.length == estimate.length)
            let rest = (1..<count).reduce(0) { $0 + (plain[$1]?.length ?? estimate.length) }
            #expect(abs(lines.total - 1_000 - rest - spacing * CGFloat(count - 1)) < 1e-6)
        }
    }

    private func check(_ lines: LineLengths, _ plain: [(length: CGFloat, isSample: Bool)?], _ spacing: CGFloat) {
        let samples = plain.compactMap { $0 }.filter(\.isSample).map(\.length)
        let estimate = samples.isEmpty ? 40 : samples.reduce(0, +) / CGFloat(samples.count)
        var starts: [CGFloat] = [0]
        for line in plain { starts.append(starts[starts.count - 1] + (line?.length ?? estimate) + spacing) }
        let ends = plain.indices.map { starts[$0] + (plain[$0]?.length ?? estimate) }
        func near(_ a: CGFloat, _ b: CGFloat) -> Bool { abs(a - b) < 1e-6 }
        #expect(near(lines.total, ends.last ?? 0))
        for line in plain.indices {
            #expect(
                near(lines.start(of: line), starts[line]) && near(lines.length(of: line), ends[line] - starts[line]))
            // Positions between the ends, so that rounding does not matter.
            let position = ends[line] + 1e-3
            let first = ends.firstIndex { $0 > position } ?? ends.count
            #expect(lines.line(endingFrom: position) == first && lines.line(endingAfter: position) == first)
        }
        #expect(lines.line(endingFrom: 0) == 0 || ends.isEmpty)
        let measured = plain.indices.filter { plain[$0] != nil }
        #expect((0...plain.count).map(lines.measuredLine) == (0...plain.count).map { measured.dropFirst($0).first })
    }

    @Test("a row without a length at the visible start is created")
    func emptyRow() {
        var made: [Int] = []
        _ = Stage(400, 300) {
            LazyVStack(spacing: 0) {
                ForEach(0..<3) { row in Color.clear.frame(height: 0).onAppear { made.append(row) } }
            }
        }
        #expect(made.sorted() == [0, 1, 2])
    }

    @Test("a removed row stays visible while its removal is animated")
    func removal() throws {
        struct Rows: View {
            let keep: (Binding<[Int]>) -> Void
            @State private var rows = Array(0..<5)
            var body: some View {
                let _ = keep($rows)
                ScrollView { LazyVStack(spacing: 0) { ForEach(rows, id: \.self) { _ in Color.red.frame(height: 50) } } }
            }
        }
        var rows: Binding<[Int]>?
        let stage = Stage(100, 300) { Rows { rows = $0 } }
        withAnimation(.linear(duration: 1)) { rows?.wrappedValue = [0, 1, 2, 3] }
        stage.layOut()
        stage.time = 0.5
        let pixel = stage.pixel(50, 225)
        #expect(pixel[3] > 60 && pixel[3] < 200, "half visible: \(pixel)")
        stage.time = 2
        #expect(stage.pixel(50, 225)[3] == 0)
    }

    @Test("a row that was far away reports its new position")
    func returns() {
        var positions: [Int] = []
        let stage = Stage(400, 300) {
            ScrollView {
                LazyVStack(spacing: 0) {
                    ForEach(0..<1000) { row in
                        GeometryReader { space in
                            Color.red.onChange(of: space.frame(in: .global).minY, initial: true) { _, y in
                                if row == 3 { positions.append(Int(y)) }
                            }
                        }
                        .frame(height: 50)
                    }
                }
            }
        }
        for offset in [0.0, 5000, 20] {
            stage.scroll(to: offset)
            stage.layOut()
        }
        #expect(positions.first == 150 && positions.last == 130)
    }
}
