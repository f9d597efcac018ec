import CGTK
import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

extension Stage {
    /// Every element, including those in scrolled areas.
    var everything: [Element] {
        var all: [Element] = []
        func walk(_ element: Element) {
            all.append(element)
            if let scroll = element as? ScrollElement { walk(scroll.scrolledContent) }
            element.children.forEach(walk)
        }
        walk(host.surface.root)
        return all
    }
    var scroll: ScrollElement? { everything.first { $0 is ScrollElement } as? ScrollElement }
    var shownTexts: [String] {
        var all: [String] = []
        func walk(_ element: Element) {
            guard !element.isHidden else { return }
            if let text = element as? TextElement { all.append(text.string) }
            if let scroll = element as? ScrollElement { walk(scroll.scrolledContent) }
            element.children.forEach(walk)
        }
        walk(host.surface.root)
        return all
    }
    func scroll(to y: CGFloat) {
        scroll?.scroll(to: CGPoint(x: 0, y: y))
        layOut()
    }
}

/// A record of the views that a test made.
@MainActor private final class Log {
    var made: [Int] = []
    var frames: [CGRect] = []
    var states: [Int: Binding<Int>] = [:]
    var words: [String] = []
}

private struct Row: View {
    let number: Int
    let log: Log
    @State private var count = 0
    var body: some View {
        log.states[number] = $count
        return Text(verbatim: "row \(number): \(count)").frame(height: 50).onAppear { log.made.append(number) }
    }
}

@Suite("Scroll views, in process") @MainActor
struct ScrollLayoutTests {
    @Test("a scroll view fills its axis and fits its content across")
    func size() {
        let stage = Stage(400, 300) { ScrollView { Color.red.frame(width: 120, height: 1000) }.mark("s") }
        #expect(stage.frame(of: "s") == CGRect(x: 140, y: 0, width: 120, height: 300))
        let wide = Stage(400, 300) { ScrollView(.horizontal) { Color.red.frame(width: 1200, height: 90) }.mark("s") }
        #expect(wide.frame(of: "s") == CGRect(x: 0, y: 105, width: 400, height: 90))
    }

    @Test("several views stack vertically, flexible ones at their ideal size")
    func several() {
        let stage = Stage(400, 300) {
            ScrollView {
                Color.red.mark("a")
                Color.blue.frame(height: 40).mark("b")
            }
        }
        let marks = stage.everything.compactMap { $0 as? TraitElement<Mark> }
        #expect(marks.map(\.frameInHost.height) == [10, 40])
        #expect(marks.last?.frameInHost.minY == 18)
    }

    @Test("a scroll view stops at the ends of its content")
    func clamps() {
        let stage = Stage(400, 300) { ScrollView { Color.red.frame(width: 100, height: 1000) } }
        stage.scroll(to: 5000)
        #expect(stage.scroll?.offset.y == 700)
        stage.scroll(to: -20)
        #expect(stage.scroll?.offset.y == 0)
    }

    @Test("a lazy stack makes only rows near the viewport and keeps state")
    func lazy() {
        let log = Log()
        let stage = Stage(400, 300) {
            ScrollView { LazyVStack(spacing: 0) { ForEach(0..<1000) { Row(number: $0, log: log) } } }
        }
        #expect(log.made.count <= 12)
        let before = stage.host.graph.evaluations
        log.states[0]?.wrappedValue = 5
        stage.scroll(to: 20_000)
        #expect(Set(log.made).isSuperset(of: [400, 401, 405]))
        #expect(!log.made.contains(200))
        #expect(stage.host.graph.evaluations - before < 20)
        #expect(stage.shownTexts.contains("row 402: 0"))
        #expect(!stage.shownTexts.contains("row 0: 5"))
        stage.scroll(to: 0)
        #expect(stage.shownTexts.contains("row 0: 5"))
        #expect(stage.everything.first { ($0 as? TextElement)?.string == "row 0: 5" }?.frameInWindow.minY ?? -1 < 50)
    }

    @Test("a geometry reader reports its position again after scrolling")
    func geometry() {
        let log = Log()
        let stage = Stage(400, 300) {
            VStack(spacing: 0) {
                Color.blue.frame(height: 40)
                ScrollView {
                    VStack(spacing: 0) {
                        Color.red.frame(width: 100, height: 100)
                        GeometryReader { space in
                            Color.green.onAppear {}.onChange(of: space.frame(in: .global).minY, initial: true) { _, y in
                                log.words.append("\(Int(y))")
                            }
                            .onChange(of: space.frame(in: .named("area")).minY, initial: true) { _, y in
                                log.words.append("area \(Int(y))")
                            }
                        }.frame(height: 50)
                        Color.red.frame(width: 100, height: 1000)
                    }
                }
                .coordinateSpace(name: "area")
            }
        }
        #expect(log.words.contains("140") && log.words.contains("area 100"))
        stage.scroll(to: 30)
        #expect(log.words.suffix(2).sorted() == ["110", "area 70"])
    }

    @Test("geometry readers report frames in the scroll views around them")
    func scrollSpaces() {
        let log = Log()
        let stage = Stage(400, 300) {
            VStack(spacing: 0) {
                Color.blue.frame(height: 40)
                ScrollView {
                    VStack(spacing: 0) {
                        Color.red.frame(width: 100, height: 100)
                        ScrollView(.horizontal) {
                            GeometryReader { space in
                                let inner = space.frame(in: .scrollView).minY
                                let outer = space.frame(in: .scrollView(axis: .vertical)).minY
                                let visible = space.bounds(of: .scrollView(axis: .vertical)) ?? .null
                                let text = "\(Int(inner)) \(Int(outer)) \(Int(visible.minY)) \(Int(visible.height))"
                                Color.green.onChange(of: text, initial: true) { _, text in log.words.append(text) }
                            }.frame(width: 500, height: 50)
                        }.frame(height: 50)
                        Color.red.frame(width: 100, height: 1000)
                    }
                }
            }
        }
        #expect(log.words.last == "0 100 -100 260")
        stage.scroll(to: 130)
        #expect(log.words.last == "0 -30 30 260")
    }

    @Test("a reader outside of scroll views has no bounds of their space")
    func noScrollSpace() {
        var bounds: [CGRect?] = []
        let stage = Stage(400, 300) {
            ScrollView(.horizontal) {
                GeometryReader { space in
                    let _ =
                        bounds = [
                            space.bounds(of: .scrollView(axis: .vertical)), space.bounds(of: .named("area")),
                            space.frame(in: .scrollView(axis: .vertical)), space.frame(in: .local),
                        ]
                    Color.green
                }.frame(width: 500, height: 50)
            }
        }
        let own = CGRect(x: 0, y: 0, width: 500, height: 50)
        #expect(stage.scroll != nil && bounds == [nil, nil, own, own])
    }

    @Test("onGeometryChange follows a scroll view that moves")
    func movedArea() {
        struct Page: View {
            let log: Log
            @State private var height = 0
            var body: some View {
                log.states[0] = $height
                return VStack(spacing: 0) {
                    Color.blue.frame(height: CGFloat(height))
                    ScrollView {
                        Color.green.frame(height: 50)
                            .onGeometryChange(for: CGFloat.self) {
                                $0.frame(in: .global).minY
                            } action: {
                                log.words.append("\(Int($0))")
                            }
                    }
                    .frame(height: 200)
                    Spacer(minLength: 0)
                }
            }
        }
        let log = Log()
        let stage = Stage(400, 300) { Page(log: log) }
        #expect(log.words.last == "0")
        log.states[0]?.wrappedValue = 40
        stage.layOut()
        #expect(log.words.last == "40")
    }

    @Test("rows are created when content above shrinks or the area grows")
    func revealed() {
        struct Page: View {
            let log: Log
            @State private var height = 1000
            var body: some View {
                log.states[-1] = $height
                return ScrollView {
                    VStack(spacing: 0) {
                        Color.red.frame(height: CGFloat(height))
                        LazyVStack(spacing: 0) { ForEach(0..<1000) { Row(number: $0, log: log) } }
                    }
                }
            }
        }
        let log = Log()
        let stage = Stage(400, 300) { Page(log: log) }
        #expect(!log.made.contains(5))
        log.states[-1]?.wrappedValue = 0
        stage.layOut()
        #expect(log.made.contains(5) && !log.made.contains(17))
        stage.layOut(400, 900)
        #expect(log.made.contains(17))
    }

    @Test("scrollTo shows a view by id, even one never made")
    func scrollTo() {
        let log = Log()
        var proxy: ScrollViewProxy?
        let stage = Stage(400, 300) {
            ScrollViewReader { reader in
                let _ = proxy = reader
                ScrollView { LazyVStack(spacing: 0) { ForEach(0..<1000) { Row(number: $0, log: log) } } }
            }
        }
        proxy?.scrollTo(500, anchor: .top)
        stage.layOut()
        #expect(stage.scroll?.offset.y == 25_000)
        #expect(stage.shownTexts.contains("row 500: 0"))
        // Without an anchor, the list scrolls just far enough to show the row.
        proxy?.scrollTo(506)
        stage.layOut()
        #expect(stage.scroll?.offset.y == 25_050)
        proxy?.scrollTo(500, anchor: .center)
        stage.layOut()
        #expect(stage.scroll?.offset.y == 24_875)
    }

    @Test("content that grows can be scrolled to its new end")
    func grows() {
        let log = Log()
        struct Growing: View {
            let log: Log
            @State private var height = 100
            var body: some View {
                log.states[0] = $height
                return ScrollView { Color.red.frame(width: 50, height: CGFloat(height)) }
            }
        }
        let stage = Stage(400, 300) { Growing(log: log) }
        stage.scroll(to: 1000)
        #expect(stage.scroll?.offset.y == 0)
        log.states[0]?.wrappedValue = 900
        stage.layOut()
        stage.scroll(to: 1000)
        #expect(stage.scroll?.offset.y == 600)
    }

    @Test("a change inside a fixed frame is laid out")
    func fixedInside() {
        let log = Log()
        struct Framed: View {
            let log: Log
            @State private var width = 10
            var body: some View {
                log.states[0] = $width
                return Color.red.frame(width: CGFloat(width), height: 10).mark("inner").frame(width: 100, height: 100)
            }
        }
        let stage = Stage(400, 300) { ScrollView { Framed(log: log) } }
        log.states[0]?.wrappedValue = 60
        stage.layOut()
        #expect((stage.everything.first { ($0 as? TraitElement<Mark>)?.value.name == "inner" })?.frame.width == 60)
    }

    @Test("a scroll view clips its moved content to its area")
    func draws() {
        let stage = Stage(100, 100) {
            VStack(spacing: 0) {
                Color.clear.frame(height: 20)
                ScrollView {
                    VStack(spacing: 0) {
                        Color(red: 1, green: 0, blue: 0).frame(width: 100, height: 60)
                        Color(red: 0, green: 0, blue: 1).frame(width: 100, height: 400)
                    }
                }
            }
        }
        #expect(stage.pixel(50, 30) == [255, 0, 0, 255])
        stage.scroll(to: 60)
        #expect(stage.pixel(50, 30) == [0, 0, 255, 255])
        #expect(stage.pixel(50, 10) == [0, 0, 0, 0])
    }
}

@Suite("Lists, in process") @MainActor
struct ListLayoutTests {
    private struct Thousand: View {
        let log: Log
        @State var chosen: Int?
        var body: some View {
            log.words.append(chosen.map { "\($0)" } ?? "none")
            return List(0..<1000, selection: $chosen) { Row(number: $0, log: log) }
        }
    }

    @Test("a long list makes only nearby rows, whose state survives scrolling")
    func lazy() {
        let log = Log()
        let stage = Stage(400, 300) { List(0..<1000) { Row(number: $0, log: log) } }
        #expect(log.made.count <= 10)
        let before = stage.host.graph.evaluations
        log.states[1]?.wrappedValue = 3
        // Rows are 50 points high, with 6 points above and below.
        stage.scroll(to: 31_000)
        #expect(log.made.contains(500) && log.made.contains(503) && !log.made.contains(300))
        #expect(stage.host.graph.evaluations - before < 20)
        stage.scroll(to: 0)
        #expect(stage.shownTexts.contains("row 1: 3"))
        stage.scroll(to: 1_000_000)
        #expect(stage.shownTexts.contains("row 999: 0"))
    }

    @Test("rows span the list's width, with insets and a minimum height")
    func rows() {
        let stage = Stage(400, 300) {
            List {
                Color.red.frame(width: 30, height: 10).mark("a")
                Color.red.frame(width: 30, height: 60).mark("b")
                Color.red.frame(height: 30).mark("c")
            }
        }
        let frames = stage.everything.compactMap { $0 as? TraitElement<Mark> }.map(\.frameInHost)
        #expect(
            frames == [
                CGRect(x: 16, y: 13, width: 30, height: 10), CGRect(x: 16, y: 42, width: 30, height: 60),
                CGRect(x: 16, y: 114, width: 368, height: 30),
            ])
    }

    @Test("section headers and footers surround the rows")
    func sections() {
        let stage = Stage(400, 300) {
            List(selection: Binding<Int?>.constant(nil)) {
                Section {
                    Text(verbatim: "a").tag(1)
                    Text(verbatim: "b").tag(2)
                } header: {
                    Text(verbatim: "head")
                } footer: {
                    Text(verbatim: "foot")
                }
                Section("Second") { Text(verbatim: "c").tag(3) }
            }
        }
        #expect(stage.shownTexts == ["head", "a", "b", "foot", "Second", "c"])
        let tops = ["head", "a", "b", "foot", "Second", "c"].compactMap { word in
            stage.everything.first { ($0 as? TextElement)?.string == word }?.frameInHost.minY
        }
        #expect(tops == tops.sorted() && Set(tops).count == 6)
    }

    @Test("a list of sections makes only rows near the viewport")
    func collections() {
        let log = Log()
        _ = Stage(400, 300) {
            List {
                ForEach(0..<3) { section in
                    Section("\(section)") { ForEach(0..<500) { Row(number: section * 1000 + $0, log: log) } }
                }
            }
        }
        #expect(log.made.count < 20)
    }

    @Test("choosing a row sets the binding and does not scroll")
    func choosing() {
        let log = Log()
        let stage = Stage(400, 300) { Thousand(log: log) }
        let list = stage.everything.first { $0 is ListElement } as? ListElement
        list?.choose(2)
        stage.layOut()
        #expect(log.words.last == "2")
        #expect(stage.scroll?.offset.y == 0)
        list?.choose(2, adding: true)
        #expect(log.words.last == "2")
    }

    private struct Chooser<Rows: View>: View {
        let log: Log
        @ViewBuilder let rows: Rows
        @State private var chosen: String?
        var body: some View {
            log.words.append(chosen ?? "none")
            return List(selection: $chosen) { rows }
        }
    }

    @Test("keys select rows with values, or else are left to GTK")
    func keys() throws {
        func uses(_ key: Int32, _ stage: Stage) throws -> Bool {
            let isUsed = try #require(stage.list).pressed(UInt32(key), GdkModifierType(rawValue: 0))
            stage.layOut()
            return isUsed
        }
        let log = Log()
        let links = Stage(400, 300) {
            NavigationStack { List(0..<3) { number in NavigationLink("\(number)") { Text(verbatim: "page") } } }
        }
        let untagged = Stage(400, 300) { Chooser(log: log) { Text(verbatim: "one") } }
        for key in [GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Home, GDK_KEY_End, GDK_KEY_KP_Up, GDK_KEY_Return] {
            #expect(try !uses(key, links) && !uses(key, untagged))
        }
        #expect(Set(log.words) == ["none"])
        let mixed = Stage(400, 300) {
            Chooser(log: log) {
                Text(verbatim: "one")
                Text(verbatim: "two").tag("two")
                Text(verbatim: "three")
                Text(verbatim: "four").tag("four")
                Text(verbatim: "five")
            }
        }
        for (key, chosen) in [
            (GDK_KEY_Home, "two"), (GDK_KEY_Down, "four"), (GDK_KEY_KP_Up, "two"), (GDK_KEY_KP_End, "four"),
        ] {
            #expect(try uses(key, mixed))
            #expect(log.words.last == chosen)
        }
    }

    @Test("a row's background fills the row")
    func background() {
        let stage = Stage(400, 300) {
            List {
                Color.clear.frame(width: 10, height: 10)
                Color.clear.frame(width: 10, height: 60).listRowBackground(Color(red: 1, green: 0, blue: 0))
            }
        }
        // The second row covers y = 36 to 108 and the full width.
        #expect(stage.pixel(1, 40) == [255, 0, 0, 255])
        #expect(stage.pixel(398, 104) == [255, 0, 0, 255])
        // The list's background has the window's color.
        #expect(stage.pixel(200, 120) == [246, 246, 244, 255] && stage.pixel(200, 30) == stage.pixel(200, 120))
    }
}

@Suite("Tabs and pages, in process") @MainActor
struct TabLayoutTests {
    private struct Tabs: View {
        let log: Log
        let isPaged: Bool
        @State private var page = 1
        var body: some View {
            log.states[-1] = $page
            return TabView(selection: $page) {
                Row(number: 0, log: log).tabItem { Text(verbatim: "zero") }.tag(0)
                Row(number: 1, log: log).tag(1).tabItem { Text(verbatim: "one") }
                ForEach(5..<7) { Row(number: $0, log: log) }
            }
            .tabViewStyle(.page(indexDisplayMode: .never))
        }
    }

    @Test("a page is made when first shown and keeps its state")
    func pages() {
        let log = Log()
        let stage = Stage { Tabs(log: log, isPaged: true) }
        #expect(log.made == [1])
        log.states[1]?.wrappedValue = 9
        log.states[-1]?.wrappedValue = 0
        stage.layOut()
        #expect(log.made == [1, 0])
        #expect(stage.shownTexts == ["row 0: 0"])
        log.states[-1]?.wrappedValue = 1
        stage.layOut()
        #expect(stage.shownTexts == ["row 1: 9"])
        log.states[-1]?.wrappedValue = 6
        stage.layOut()
        #expect(stage.shownTexts == ["row 6: 0"])
        // The page appears again when the user returns to it.
        #expect(log.made == [1, 0, 1, 6])
        // A selection without a page shows the first page.
        log.states[-1]?.wrappedValue = 77
        stage.layOut()
        #expect(stage.shownTexts == ["row 0: 0"])
    }

    @Test("a swipe to a page that cannot be selected returns", arguments: [-1.0, 1])
    func rejectedSwipe(side: Double) throws {
        let stage = Stage(400, 300) {
            // The binding ignores the first page, and the last page has a tag of another type.
            TabView(selection: .constant(1)) {
                Text(verbatim: "zero").tag(0)
                Text(verbatim: "one").tag(1)
                Text(verbatim: "two").tag("two")
            }
            .tabViewStyle(.page(indexDisplayMode: .never))
        }
        let deck = try #require(stage.elements.first { $0 is DeckElement } as? DeckElement)
        let frame = try #require(stage.frame("one"))
        deck.dragMoved(side * 200)
        let dragged = try #require(stage.frame("one"))
        #expect(abs(dragged.minX - frame.minX - side * 200) < 0.01)
        deck.dragEnded(side * 200)
        stage.layOut()
        #expect(stage.frame("one") == frame)
    }

    @Test("an element's id selects its page behind a condition")
    func conditionalPages() {
        let names = ["a", "b"]
        let stage = Stage {
            TabView(selection: .constant("b")) {
                ForEach(names, id: \.self) { name in
                    if !name.isEmpty { Text(verbatim: "page \(name)") }
                }
            }
        }
        #expect(stage.texts.contains("page b") && !stage.texts.contains("page a"))
        let pages = PageList.pages(
            ForEach(names, id: \.self) { name in
                if !name.isEmpty { Color.red }
                Color.blue
                Color.green.tag(7)
            })
        #expect(pages.map(\.tag) == ["a", nil, 7, "b", nil, 7])
    }

    @Test("by default a tab view shows a button for each page")
    func bar() {
        let stage = Stage(400, 300) {
            TabView {
                Color.red.mark("page").tabItem { Label("First", systemImage: "star") }
                Text(verbatim: "other").tabItem { Text(verbatim: "Second") }
            }
        }
        #expect(stage.texts.contains("First") && stage.texts.contains("Second") && !stage.texts.contains("other"))
        let page = stage.frame(of: "page")
        #expect(page?.maxY == 300 && page?.width == 400 && (page?.minY ?? 0) > 30)
    }
}

@Suite("Navigation, in process") @MainActor
struct NavigationLayoutTests {
    private struct Stack: View {
        let log: Log
        let handle: Handle
        @State private var path: [Int] = []
        @State private var text = "a"
        var body: some View {
            handle.path = $path
            handle.text = $text
            return NavigationStack(path: $path) {
                Row(number: 0, log: log)
                    .navigationTitle("Root")
                    .navigationDestination(for: Int.self) { number in
                        Row(number: number, log: log).modifier(Dismisser(number: number, handle: handle))
                            .navigationTitle("Page \(number) \(text)")
                            .toolbar { ToolbarItem(placement: .navigation) { Text(verbatim: "tool \(number)") } }
                    }
            }
        }
    }
    @MainActor final class Handle {
        var path: Binding<[Int]>?
        var text: Binding<String>?
        var dismissals: [Int: DismissAction] = [:]
    }
    private struct Dismisser: ViewModifier {
        let number: Int
        let handle: Handle
        @Environment(\.dismiss) private var dismiss
        func body(content: Content) -> some View {
            handle.dismissals[number] = dismiss
            return content
        }
    }

    @Test("pushed pages cover the root page, which keeps its state")
    func path() {
        let log = Log()
        let handle = Handle()
        let stage = Stage { Stack(log: log, handle: handle) }
        #expect(stage.shownTexts == ["row 0: 0", "Root"])
        log.states[0]?.wrappedValue = 4
        handle.path?.wrappedValue = [7, 8]
        stage.layOut()
        #expect(stage.shownTexts == ["row 8: 0", "Page 8 a", "Page 7 a", "tool 8"])
        log.states[7]?.wrappedValue = 2
        handle.path?.wrappedValue = [7]
        stage.layOut()
        #expect(stage.shownTexts == ["row 7: 2", "Page 7 a", "Root", "tool 7"])
        handle.dismissals[7]?()
        stage.layOut()
        #expect(handle.path?.wrappedValue == [])
        #expect(stage.shownTexts == ["row 0: 4", "Root"])
        #expect(stage.frame("row 0: 4") != nil)
    }

    @Test("a pushed page follows its destination's current content")
    func follows() {
        let log = Log()
        let handle = Handle()
        let stage = Stage { Stack(log: log, handle: handle) }
        handle.path?.wrappedValue = [3]
        stage.layOut()
        handle.text?.wrappedValue = "b"
        stage.layOut()
        #expect(stage.shownTexts.contains("Page 3 b"))
    }

    @Test("a binding pushes a page and becomes false when it closes")
    func presented() {
        @MainActor final class Flags { var shown: Binding<Bool>? }
        struct Pusher: View {
            let flags: Flags
            let handle: Handle
            @State private var isShown = false
            var body: some View {
                flags.shown = $isShown
                return NavigationStack {
                    Text(verbatim: "below").navigationDestination(isPresented: $isShown) {
                        Text(verbatim: "above").modifier(Dismisser(number: 0, handle: handle))
                    }
                }
            }
        }
        let flags = Flags()
        let handle = Handle()
        let stage = Stage { Pusher(flags: flags, handle: handle) }
        flags.shown?.wrappedValue = true
        stage.layOut()
        #expect(stage.shownTexts.contains("above") && !stage.shownTexts.contains("below"))
        handle.dismissals[0]?()
        stage.layOut()
        #expect(flags.shown?.wrappedValue == false)
        #expect(stage.shownTexts == ["below"])
        flags.shown?.wrappedValue = true
        stage.layOut()
        flags.shown?.wrappedValue = false
        stage.layOut()
        #expect(stage.shownTexts == ["below"])
    }

    @Test("a link with a binding pushes its page; going back resets it")
    func activeLink() {
        @MainActor final class Flags { var shown: Binding<Bool>? }
        struct Pusher: View {
            let flags: Flags
            let handle: Handle
            @State private var isShown = false
            var body: some View {
                flags.shown = $isShown
                return NavigationStack {
                    NavigationLink(
                        destination: Text(verbatim: "above").modifier(Dismisser(number: 0, handle: handle)),
                        isActive: $isShown
                    ) { Text(verbatim: "below") }
                }
            }
        }
        let flags = Flags()
        let handle = Handle()
        let stage = Stage { Pusher(flags: flags, handle: handle) }
        #expect(stage.shownTexts == ["below"])
        flags.shown?.wrappedValue = true
        stage.layOut()
        #expect(stage.shownTexts.contains("above") && !stage.shownTexts.contains("below"))
        handle.dismissals[0]?()
        stage.layOut()
        #expect(flags.shown?.wrappedValue == false && stage.shownTexts == ["below"])
        flags.shown?.wrappedValue = true
        stage.layOut()
        flags.shown?.wrappedValue = false
        stage.layOut()
        #expect(stage.shownTexts == ["below"])
    }

    @Test("a link with a binding and an empty label shows no button")
    func emptyLink() {
        let stage = Stage {
            NavigationStack {
                Text(verbatim: "below").background(
                    NavigationLink(destination: Text(verbatim: "above"), isActive: .constant(false)) { EmptyView() })
            }
        }
        #expect(!stage.elements.contains { $0 is ButtonElement })
    }

    @Test("a value without a destination shows which destination is missing")
    func missing() {
        let stage = Stage { NavigationStack(path: .constant(NavigationPath(["x"]))) { Text(verbatim: "below") } }
        #expect(stage.shownTexts.contains { $0.contains("navigationDestination(for: String.self)") })
    }
}

@Suite("Sheets and covers, in process") @MainActor
struct PresentationStateTests {
    @MainActor final class Handle {
        var shown: Binding<Bool>?
        var dismiss: DismissAction?
        var words: [String] = []
    }
    private struct Content: View {
        let handle: Handle
        @State private var count = 0
        @Environment(\.dismiss) private var dismiss
        @Environment(\.isPresented) private var isPresented
        @Environment(\.colorScheme) private var scheme
        var body: some View {
            handle.dismiss = dismiss
            handle.words.append("count \(count) \(isPresented) \(scheme)")
            return Text(verbatim: "content").onAppear { count += 1 }.onDisappear { handle.words.append("gone") }
        }
    }

    @Test("a sheet inherits its presenter's environment, dismisses and restarts with new state")
    func sheet() {
        struct Presenter: View {
            let handle: Handle
            @State private var isShown = false
            var body: some View {
                handle.shown = $isShown
                return Text(verbatim: "below").sheet(
                    isPresented: $isShown, onDismiss: { handle.words.append("dismissed") }
                ) { Content(handle: handle) }.colorScheme(.dark)
            }
        }
        let handle = Handle()
        let stage = Stage { Presenter(handle: handle) }
        #expect(handle.words == [])
        for _ in 0..<2 {
            handle.words = []
            handle.shown?.wrappedValue = true
            stage.layOut()
            #expect(handle.words == ["count 0 true dark", "count 1 true dark"])
            handle.dismiss?()
            stage.layOut()
            #expect(handle.shown?.wrappedValue == false)
            #expect(handle.words.suffix(2) == ["gone", "dismissed"])
        }
    }

    @Test("a cover replaces the window's content until it is dismissed")
    func cover() {
        struct Presenter: View {
            let handle: Handle
            @State private var isShown = false
            var body: some View {
                handle.shown = $isShown
                return ScrollView {
                    Text(verbatim: "below").fullScreenCover(isPresented: $isShown) { Content(handle: handle) }
                }
            }
        }
        let handle = Handle()
        let stage = Stage { Presenter(handle: handle) }
        handle.shown?.wrappedValue = true
        stage.layOut()
        #expect(stage.shownTexts == ["content"])
        #expect(stage.pixel(5, 5)[3] == 255)
        handle.dismiss?()
        stage.layOut()
        #expect(stage.shownTexts == ["below"])
    }

    @Test(
        "in the phone style, a sheet slides in at the bottom edge",
        arguments: [(nil, 40), (.medium, 150)] as [(PresentationDetent?, Int)])
    func phoneSheet(detent: PresentationDetent?, top: Int) throws {
        struct Presenter: View {
            let handle: Handle
            let detent: PresentationDetent?
            @State private var isShown = false
            var body: some View {
                handle.shown = $isShown
                return Color(red: 1, green: 0, blue: 0).sheet(
                    isPresented: $isShown, onDismiss: { handle.words.append("dismissed") }
                ) {
                    Color(red: 0, green: 1, blue: 0).presentationDetents(detent.map { [$0] } ?? [])
                }
                .platformStyle(.phone)
            }
        }
        let handle = Handle()
        let stage = Stage(400, 300) { Presenter(handle: handle, detent: detent) }
        func finish(at time: Double) {
            stage.time = time
            _ = stage.host.surface.root.isAnimating(time)
            stage.layOut()
        }
        let (red, green): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 255])
        handle.shown?.wrappedValue = true
        stage.layOut()
        #expect(stage.pixel(200, 295) == red)
        stage.time = Motion.pushSeconds / 3
        #expect(stage.pixel(200, 298) == green && stage.pixel(200, top + 1) != green)
        finish(at: 1)
        #expect(stage.pixel(2, top + 20) == green && stage.pixel(397, 298) == green)
        // The window is dimmed above the sheet, and in the sheet's round corners.
        for (x, y) in [(200, top - 2), (0, top)] {
            let dimmed = stage.pixel(x, y)
            #expect(dimmed[0] > 190 && dimmed[0] < 220 && dimmed[1] < 30, "\(dimmed)")
        }
        let content = try #require(stage.host.surface.root.children.first)
        #expect(content.isInert && !content.isHidden)
        let shade = try #require(stage.elements.first { $0 is SheetShadeElement } as? SheetShadeElement)
        shade.clicked(CGPoint(x: 200, y: top + 5))
        #expect(handle.shown?.wrappedValue == true)
        shade.clicked(CGPoint(x: 200, y: top - 5))
        #expect(handle.shown?.wrappedValue == false)
        stage.layOut()
        #expect(handle.words == ["dismissed"] && !content.isInert)
        finish(at: 2)
        #expect(stage.pixel(200, 295) == red && stage.pixel(200, 20) == red)
    }

    @Test("a phone's sheet stays open if interactive dismissal is disabled")
    func phoneSheetStays() throws {
        struct Presenter: View {
            let handle: Handle
            @State private var isShown = true
            var body: some View {
                handle.shown = $isShown
                return Color.red.sheet(isPresented: $isShown) { Color.green.interactiveDismissDisabled() }
                    .platformStyle(.phone)
            }
        }
        let handle = Handle()
        let stage = Stage(400, 300) { Presenter(handle: handle) }
        stage.layOut()
        let shade = try #require(stage.elements.first { $0 is SheetShadeElement } as? SheetShadeElement)
        shade.clicked(CGPoint(x: 200, y: 5))
        #expect(handle.shown?.wrappedValue == true)
    }

    @Test("a phone's popover is a sheet, which can open another sheet")
    func phonePopover() {
        struct Presenter: View {
            let handle: Handle
            @State private var isShown = false
            var body: some View {
                handle.shown = $isShown
                return Text(verbatim: "below").popover(isPresented: .constant(true)) {
                    Text(verbatim: "popover").sheet(isPresented: $isShown) { Text(verbatim: "sheet") }
                }
                .platformStyle(.phone)
            }
        }
        let handle = Handle()
        let stage = Stage(400, 300) { Presenter(handle: handle) }
        func panels() -> [Element] { stage.host.surface.root.children.filter { $0 is SheetPanelElement } }
        stage.layOut()
        #expect(stage.shownTexts.contains("popover") && panels().map(\.isInert) == [false])
        handle.shown?.wrappedValue = true
        stage.layOut()
        #expect(stage.shownTexts.contains("sheet") && panels().map(\.isInert) == [true, false])
        handle.shown?.wrappedValue = false
        stage.layOut()
        #expect(panels().map(\.isInert) == [false])
    }

    @Test("a cover in a popover covers the popover's window")
    func popoverCover() {
        let stage = Stage(400, 300) {
            Text(verbatim: "below").popover(isPresented: .constant(true)) {
                Text(verbatim: "popover").fullScreenCover(isPresented: .constant(true)) { Text(verbatim: "cover") }
            }
        }
        stage.layOut()
        #expect(stage.shownTexts == ["cover"])
    }

    @Test("views added below a phone's sheet take no input until it closes")
    func addedBelow() throws {
        struct Presenter: View {
            let handle: Handle
            let more: Handle
            @State private var isShown = true
            @State private var hasMore = false
            var body: some View {
                handle.shown = $isShown
                more.shown = $hasMore
                return ScrollView {
                    Text(verbatim: "below")
                    if hasMore { Button("more") {} }
                }
                .sheet(isPresented: $isShown) { Color.green }.platformStyle(.phone)
            }
        }
        let (handle, more) = (Handle(), Handle())
        let stage = Stage(400, 300) { Presenter(handle: handle, more: more) }
        stage.layOut()
        more.shown?.wrappedValue = true
        stage.layOut()
        let button = try #require(stage.everything.first { $0 is ButtonElement })
        #expect(button.isInert)
        handle.shown?.wrappedValue = false
        stage.layOut()
        #expect(!button.isInert)
    }

    @Test("another item presents another sheet")
    func item() {
        struct Item: Identifiable { let id: Int }
        @MainActor final class Items { var item: Binding<Item?>? }
        struct Presenter: View {
            let items: Items
            let handle: Handle
            @State private var item: Item?
            var body: some View {
                items.item = $item
                return Text(verbatim: "below").sheet(item: $item) { item in
                    Text(verbatim: "\(item.id)").onAppear { handle.words.append("in \(item.id)") }.onDisappear {
                        handle.words.append("out \(item.id)")
                    }
                }
            }
        }
        let items = Items()
        let handle = Handle()
        let stage = Stage { Presenter(items: items, handle: handle) }
        items.item?.wrappedValue = Item(id: 1)
        stage.layOut()
        items.item?.wrappedValue = Item(id: 2)
        stage.layOut()
        items.item?.wrappedValue = nil
        stage.layOut()
        #expect(handle.words == ["in 1", "out 1", "in 2", "out 2"])
    }
}
