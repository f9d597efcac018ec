import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Appearing and disappearing, in process") @MainActor
struct AppearanceTests {
    @MainActor private final class Record {
        var words: [String] = []
        var counts: [String: Binding<Int>] = [:]
        var page: Binding<Int>?
        var path: Binding<[Int]>?
        var isShown: Binding<Bool>?
        /// Returns the words since the last call.
        func take() -> [String] {
            defer { words = [] }
            return words
        }
    }
    /// A view that records its appearances, and has a state.
    private struct Part: View {
        let name: String
        let record: Record
        @State private var count = 0
        var body: some View {
            record.counts[name] = $count
            return Text(verbatim: "\(name) \(count)").frame(height: 100)
                .onAppear { record.words.append("+\(name)") }
                .onDisappear { record.words.append("-\(name)") }
        }
    }
    private struct Tabs: View {
        let record: Record
        let isPaged: Bool
        @State private var page = 0
        var body: some View {
            record.page = $page
            let tabs = TabView(selection: $page) {
                ForEach(0..<3) { Part(name: "\($0)", record: record).tag($0) }
            }
            return Group { if isPaged { tabs.tabViewStyle(.page) } else { tabs } }
        }
    }

    @Test("views of a tab appear and disappear with it, keeping their state", arguments: [false, true])
    func tabs(isPaged: Bool) {
        let record = Record()
        let stage = Stage { Tabs(record: record, isPaged: isPaged) }
        #expect(record.take() == ["+0"])
        record.counts["0"]?.wrappedValue = 5
        record.page?.wrappedValue = 1
        stage.layOut()
        #expect(record.take().sorted() == ["+1", "-0"])
        record.page?.wrappedValue = 0
        stage.layOut()
        #expect(record.take().sorted() == ["+0", "-1"])
        #expect(stage.shownTexts.contains("0 5"))
        // Another layout fires nothing.
        stage.layOut(300, 200)
        #expect(record.take() == [])
    }

    @Test("a covered page disappears and appears again after the pop")
    func navigation() {
        struct Root: View {
            let record: Record
            @State private var path: [Int] = []
            var body: some View {
                record.path = $path
                return NavigationStack(path: $path) {
                    Part(name: "root", record: record)
                        .navigationDestination(for: Int.self) { Part(name: "\($0)", record: record) }
                }
            }
        }
        let record = Record()
        let stage = Stage { Root(record: record) }
        #expect(record.take() == ["+root"])
        record.counts["root"]?.wrappedValue = 3
        record.path?.wrappedValue = [7]
        stage.layOut()
        #expect(record.take().sorted() == ["+7", "-root"])
        // A page below another one does not appear.
        record.path?.wrappedValue = [7, 8, 9]
        stage.layOut()
        #expect(record.take().sorted() == ["+9", "-7"])
        record.path?.wrappedValue = []
        stage.layOut()
        #expect(record.take().sorted() == ["+root", "-9"])
        #expect(stage.shownTexts.contains("root 3"))
    }

    @Test("views of a stack in a tab disappear with the tab")
    func nested() {
        struct Root: View {
            let record: Record
            @State private var page = 0
            var body: some View {
                record.page = $page
                return TabView(selection: $page) {
                    NavigationStack {
                        ScrollView { LazyVStack { ForEach(0..<2) { Part(name: "\($0)", record: record) } } }
                    }
                    .tag(0)
                    Text(verbatim: "other").tag(1)
                }
            }
        }
        let record = Record()
        let stage = Stage { Root(record: record) }
        #expect(record.take() == ["+0", "+1"])
        record.page?.wrappedValue = 1
        stage.layOut()
        #expect(record.take() == ["-1", "-0"])
        record.page?.wrappedValue = 0
        stage.layOut()
        #expect(record.take() == ["+0", "+1"])
    }

    @Test("a page uncovered while its tab is left does not appear")
    func uncoveredAndLeft() {
        struct Root: View {
            let record: Record
            @State private var page = 0
            @State private var path: [Int] = []
            var body: some View {
                (record.page, record.path) = ($page, $path)
                return TabView(selection: $page) {
                    NavigationStack(path: $path) {
                        Part(name: "root", record: record)
                            .navigationDestination(for: Int.self) { Part(name: "\($0)", record: record) }
                    }
                    .tag(0)
                    Text(verbatim: "other").tag(1)
                }
            }
        }
        let record = Record()
        let stage = Stage { Root(record: record) }
        record.path?.wrappedValue = [7]
        stage.layOut()
        _ = record.take()
        record.page?.wrappedValue = 1
        record.path?.wrappedValue = []
        stage.layOut()
        #expect(record.take() == ["-7"])
        record.page?.wrappedValue = 0
        stage.layOut()
        #expect(record.take() == ["+root"])
    }

    enum Kind: CaseIterable, CustomTestStringConvertible {
        case stack, grid, list
        var testDescription: String { "\(self)" }
    }
    private struct Rows: View {
        let kind: Kind
        let record: Record
        var body: some View {
            let rows = ForEach(0..<50) { Part(name: "\($0)", record: record).listRowInsets(EdgeInsets()) }
            switch kind {
            case .stack: ScrollView { LazyVStack(spacing: 0) { rows } }
            case .grid: ScrollView { LazyVGrid(columns: [GridItem(.flexible())], spacing: 0) { rows } }
            case .list: List { rows }.listStyle(.plain)
            }
        }
    }

    @Test("rows appear and disappear at the edges of the visible area", arguments: Kind.allCases)
    func rows(kind: Kind) {
        let record = Record()
        let stage = Stage(400, 300) { Rows(kind: kind, record: record) }
        // Rows within the margin are created without appearing.
        #expect(record.take() == ["+0", "+1", "+2"])
        stage.scroll(to: 100)
        #expect(record.take().sorted() == ["+3", "-0"])
        stage.scroll(to: 150)
        #expect(record.take() == ["+4"])
        stage.scroll(to: 0)
        #expect(record.take().sorted() == ["+0", "-3", "-4"])
        stage.layOut()
        #expect(record.take() == [])
    }

    @Test("a page of a paging feed pauses when the next one rests")
    func feed() {
        struct Feed: View {
            let record: Record
            var body: some View {
                ScrollView {
                    LazyVStack(spacing: 0) {
                        ForEach(0..<5) { number in
                            Color.black.frame(height: 300)
                                .onAppear { record.words.append("play \(number)") }
                                .onDisappear { record.words.append("pause \(number)") }
                        }
                    }
                }
                .scrollTargetBehavior(.paging)
            }
        }
        let record = Record()
        let stage = Stage(400, 300) { Feed(record: record) }
        #expect(record.take() == ["play 0"])
        stage.scroll(to: 120)
        #expect(record.take() == ["play 1"])
        // A rest of the previous page, smaller than half a point, is not visible.
        stage.scroll(to: 299.8)
        #expect(record.take() == ["pause 0"])
        stage.scroll(to: 300)
        #expect(record.take() == [])
    }

    @Test("a row after a collection appears when it becomes visible", arguments: Kind.allCases)
    func lastRow(kind: Kind) {
        struct Page: View {
            let kind: Kind
            let record: Record
            @ViewBuilder private var rows: some View {
                ForEach(0..<20) { Text(verbatim: "\($0)").frame(height: 100).listRowInsets(EdgeInsets()) }
                Part(name: "last", record: record).listRowInsets(EdgeInsets())
            }
            var body: some View {
                switch kind {
                case .stack: ScrollView { LazyVStack(spacing: 0) { rows } }
                case .grid: ScrollView { LazyVGrid(columns: [GridItem(.flexible())], spacing: 0) { rows } }
                case .list: List { rows }.listStyle(.plain)
                }
            }
        }
        let record = Record()
        let stage = Stage(400, 300) { Page(kind: kind, record: record) }
        #expect(record.take() == [])
        stage.scroll(to: 5000)
        stage.layOut()
        #expect(record.take() == ["+last"])
        stage.scroll(to: 0)
        #expect(record.take() == ["-last"])
    }

    @Test("a removed row disappears once, if it had appeared")
    func removal() {
        struct Page: View {
            let record: Record
            @State private var isShown = true
            var body: some View {
                record.isShown = $isShown
                return ScrollView {
                    LazyVStack(spacing: 0) {
                        if isShown { ForEach(0..<10) { Part(name: "\($0)", record: record) } }
                    }
                }
            }
        }
        let record = Record()
        let stage = Stage(400, 300) { Page(record: record) }
        stage.scroll(to: 100)
        _ = record.take()
        record.isShown?.wrappedValue = false
        stage.layOut()
        #expect(record.take().sorted() == ["-1", "-2", "-3"])
    }

    @Test("a row that becomes several rows does not disappear")
    func severalRows() {
        struct Page: View {
            let record: Record
            @State private var isShown = false
            var body: some View {
                record.isShown = $isShown
                return ScrollView {
                    LazyVStack(spacing: 0) {
                        Group {
                            if isShown {
                                ForEach(0..<10) { Text(verbatim: "\($0)").frame(height: 100) }
                            } else {
                                Text(verbatim: "loading")
                            }
                        }
                        .onAppear { record.words.append("+group") }
                        .onDisappear { record.words.append("-group") }
                    }
                }
            }
        }
        let record = Record()
        let stage = Stage(400, 300) { Page(record: record) }
        #expect(record.take() == ["+group"])
        record.isShown?.wrappedValue = true
        stage.layOut()
        #expect(record.take() == [])
    }

    @Test("the content of a cover does not disappear with the page below")
    func cover() {
        struct Page: View {
            let record: Record
            @State private var page = 0
            @State private var isShown = false
            var body: some View {
                record.page = $page
                record.isShown = $isShown
                return TabView(selection: $page) {
                    Part(name: "0", record: record)
                        .fullScreenCover(isPresented: $isShown) { Part(name: "cover", record: record) }
                        .tag(0)
                    Text(verbatim: "other").tag(1)
                }
            }
        }
        let record = Record()
        let stage = Stage { Page(record: record) }
        record.isShown?.wrappedValue = true
        stage.layOut()
        #expect(record.take() == ["+0", "+cover"])
        record.page?.wrappedValue = 1
        stage.layOut()
        #expect(!record.take().contains("-cover"))
    }

    @Test("disappearance cancels a view's task, and appearance starts it again")
    func tasks() async {
        struct Page: View {
            let record: Record
            @State private var page = 0
            var body: some View {
                record.page = $page
                let record = record
                return TabView(selection: $page) {
                    Text(verbatim: "0").task {
                        record.words.append("start")
                        try? await Task.sleep(for: .seconds(60))
                        record.words.append(Task.isCancelled ? "canceled" : "end")
                    }
                    .tag(0)
                    Text(verbatim: "1").tag(1)
                }
            }
        }
        let record = Record()
        let stage = Stage { Page(record: record) }
        func wait(_ count: Int) async {
            await eventually("\(count) words", seen: { "\(record.words)" }) { record.words.count >= count }
        }
        await wait(1)
        record.page?.wrappedValue = 1
        stage.layOut()
        await wait(2)
        record.page?.wrappedValue = 0
        stage.layOut()
        await wait(3)
        #expect(record.words == ["start", "canceled", "start"])
    }

    @Test("a changed id does not start the task of a hidden tab")
    func taskOfLeftTab() async {
        struct Page: View {
            let record: Record
            @State private var page = 0
            var body: some View {
                record.page = $page
                let (record, page) = (record, page)
                return TabView(selection: $page) {
                    Text(verbatim: "0").task(id: page) { record.words.append("\(page) in 0") }.tag(0)
                    Text(verbatim: "1").task(id: page) { record.words.append("\(page) in 1") }.tag(1)
                }
            }
        }
        let record = Record()
        let stage = Stage { Page(record: record) }
        func wait(_ count: Int) async {
            await eventually("\(count) words", seen: { "\(record.words)" }) { record.words.count >= count }
        }
        await wait(1)
        record.page?.wrappedValue = 1
        stage.layOut()
        // Tasks of the main actor start in order.
        await wait(2)
        #expect(record.words == ["0 in 0", "1 in 1"])
    }

    @Test("a collection inside a list's row is created with the row", arguments: Kind.allCases)
    func collectionInRow(kind: Kind) {
        struct Page: View {
            let kind: Kind
            private var row: some View { HStack { ForEach(0..<3) { Text(verbatim: "item \($0)") } } }
            var body: some View {
                switch kind {
                case .stack: ScrollView { LazyVStack { row } }
                case .grid: ScrollView { LazyVGrid(columns: [GridItem(.flexible())]) { row } }
                case .list: List { row }
                }
            }
        }
        let stage = Stage(400, 300) { Page(kind: kind) }
        #expect(stage.shownTexts == ["item 0", "item 1", "item 2"])
    }
}
