import Foundation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

private let red = Color(red: 1, green: 0, blue: 0)
private let green = Color(red: 0, green: 1, blue: 0)

/// Tests of labels, alerts, menus and similar views, in process.
@Suite("SwiftUI API of views") @MainActor
struct SurfaceViewTests {
    @Test("font weight and design apply to views below; the text's own wins")
    func fonts() throws {
        func width<V: View>(_ view: V) throws -> CGFloat {
            try #require(Stage(800, 100) { view }.frame("Some wide words")).width
        }
        let words = Text("Some wide words")
        let plain = try width(VStack { words }.font(.title))
        #expect(try width(VStack { words }.font(.title).fontWeight(.black)) > plain)
        #expect(try width(VStack { words }.fontWeight(.black).font(.title)) > plain)
        #expect(try width(VStack { words.fontWeight(.regular) }.font(.title).fontWeight(.black)) == plain)
        #expect(try width(words.fixedSize().fontWeight(.heavy).font(.title)) > plain)
        #expect(
            try width(VStack { words }.font(.title).bold().fontWeight(nil)) > plain
                && width(VStack { words }.font(.title).bold(false)) == plain)
        #expect(try width(VStack { words }.font(.title).monospaced()) != plain)
        let symbol = { (weight: Font.Weight?) in
            Stage(40, 40) { Image(systemName: "circle").resizable().fontWeight(weight) }.pixel(5, 20)[3]
        }
        #expect(symbol(.black) > symbol(.ultraLight))
    }

    @Test("safe area modifiers are accepted and change nothing")
    func safeAreas() {
        let stage = Stage(100, 100) {
            ZStack {
                red.ignoresSafeArea().ignoresSafeArea(edges: .top).ignoresSafeArea(.all).ignoresSafeArea(
                    .keyboard, edges: [.bottom, .leading]
                ).ignoresSafeArea(.container)
                    .edgesIgnoringSafeArea(.all).mark("all")
            }
        }
        #expect(stage.frame(of: "all") == CGRect(x: 0, y: 0, width: 100, height: 100))
    }

    private struct Stacked: LabelStyle {
        func makeBody(configuration: Configuration) -> some View {
            VStack {
                configuration.icon.mark("icon")
                configuration.title.mark("title")
            }
        }
    }

    @Test("a label follows its label style")
    func labels() throws {
        let own = Stage { HStack { Label("Word", systemImage: "star") }.labelStyle(Stacked()) }
        #expect(try #require(own.frame(of: "icon")).maxY <= #require(own.frame(of: "title")).minY)
        let shown = { (stage: Stage) in (stage.elements.contains { $0 is ImageElement }, stage.texts == ["Word"]) }
        #expect(shown(Stage { Label("Word", systemImage: "star").labelStyle(.titleAndIcon) }) == (true, true))
        #expect(shown(Stage { Label("Word", systemImage: "star").labelStyle(.automatic) }) == (true, true))
        #expect(shown(Stage { Label("Word", systemImage: "star").labelStyle(.iconOnly) }) == (true, false))
        #expect(shown(Stage { Label("Word", systemImage: "star").labelStyle(.titleOnly) }) == (false, true))
        // The innermost label style wins.
        #expect(
            shown(Stage { Label("Word", systemImage: "star").labelStyle(.titleOnly).labelStyle(.iconOnly) }) == (
                false, true
            ))
        let button = Stage {
            Button {
            } label: {
                Label("Word", systemImage: "star")
            }.labelStyle(Stacked())
        }
        #expect(button.elements.first { $0 is ButtonElement }?.spokenText == "Word")
    }

    @Test("ContentUnavailableView centers its image, text and actions")
    func unavailable() throws {
        let stage = Stage(400, 400) {
            ContentUnavailableView {
                Label("No Films", systemImage: "film")
            } description: {
                Text("Drop one here.")
            } actions: {
                Button("Open") {}
            }
        }
        #expect(stage.texts == ["No Films", "Drop one here.", "Open"])
        let (title, words, action) = (
            try #require(stage.frame("No Films")), try #require(stage.frame("Drop one here.")),
            try #require(stage.frame("Open"))
        )
        let image = try #require(stage.elements.first { $0 is ImageElement }).frameInHost
        #expect(image.maxY <= title.minY && title.maxY <= words.minY && words.maxY <= action.minY)
        #expect(abs(title.midX - 200) < 1 && abs((image.minY + action.maxY) / 2 - 200) < 30)
        #expect(
            Stage(400, 400) { ContentUnavailableView("Nothing", systemImage: "tray", description: Text("yet")) }.texts
                == ["Nothing", "yet"])
        #expect(Stage(400, 400) { ContentUnavailableView("Nothing", systemImage: "tray") }.texts == ["Nothing"])
        #expect(Stage(400, 400) { ContentUnavailableView.search(text: "abc") }.texts.first == "No Results for “abc”")
        #expect(Stage(400, 400) { ContentUnavailableView.search }.texts.first == "No Results")
    }

    @Test("both material spellings are equal; thicker materials are more opaque")
    func materials() {
        let all: [Material] = [.ultraThin, .thin, .regular, .thick, .ultraThick]
        #expect(all == [.ultraThinMaterial, .thinMaterial, .regularMaterial, .thickMaterial, .ultraThickMaterial])
        let shown = all.map { material in Stage(20, 20) { Color.clear.background(material) }.pixel(10, 10)[3] }
        #expect(shown == shown.sorted() && Set(shown).count == 5)
        #expect(
            Stage(20, 20) { Color.clear.background(.bar) }.pixel(10, 10)[3] > 0
                && Stage(20, 20) { Color.clear.background(.ultraThinMaterial, in: Circle()) }.pixel(1, 1)[3] == 0)
    }

    @Test("a context menu on a group applies to each view")
    func contextMenus() throws {
        var chosen: [String] = []
        let stage = Stage {
            VStack {
                Group {
                    Text("a")
                    Text("b")
                }.contextMenu {
                    Button("Play") { chosen.append("play") }
                    Divider()
                    Menu("More") { Button("Deeper") {} }
                }
            }
        }
        let menus = stage.elements.compactMap { $0 as? ContextMenuElement }
        #expect(menus.count == 2)
        let entries = try #require(menus.first).entries
        #expect(entries.map(\.title) == ["Play", "", "More"])
        if case .action(let action) = entries[0].kind { action() }
        #expect(chosen == ["play"])
    }

    @Test("a row's context menu opens anywhere in the row")
    func rowMenus() throws {
        let stage = Stage(300, 400) {
            List {
                ForEach(["one", "two"], id: \.self) { name in
                    Text(name).contextMenu { Button(name) {} }
                }
                HStack {
                    Text("part").contextMenu { Button("part") {} }
                    Spacer()
                }
                Text("padded").padding(8).contextMenu { Button("padded") {} }.listRowInsets(EdgeInsets())
            }
            .listStyle(.inset)
        }
        func takers(_ x: CGFloat, _ y: CGFloat) -> [String] {
            let menus = stage.everything.compactMap { $0 as? ContextMenuElement }
            return menus.filter { $0.takes(CGPoint(x: x, y: y)) }.flatMap { $0.entries.map(\.title) }
        }
        let menus = stage.everything.compactMap { $0 as? ContextMenuElement }
        try #require(menus.count == 4)
        for (index, name) in ["one", "two"].enumerated() {
            let words = menus[index].frameInHost
            for x in [1, words.midX, 200, 299] { #expect(takers(x, words.midY) == [name], "\(name) at \(x)") }
            // The menu also opens above and below the text of its row.
            #expect(takers(200, words.minY - 3) == [name] && takers(200, words.maxY + 3) == [name])
        }
        // The menu of a view inside a row opens only on that view.
        let part = menus[2].frameInHost
        #expect(takers(part.midX, part.midY) == ["part"] && takers(200, part.midY).isEmpty)
        #expect(takers(290, menus[3].frameInHost.midY) == ["padded"])
    }

    @Test("a row's menu has all swipe actions beside its own entries")
    func swipeActions() throws {
        let stage = Stage(300, 400) {
            List {
                Text("both").swipeActions(edge: .leading) { Button("Pin") {} }.swipeActions { Button("Archive") {} }
                Text("inside").contextMenu { Button("Share") {} }.swipeActions { Button("Archive") {} }
                Text("outside").swipeActions { Button("Archive") {} }.contextMenu { Button("Share") {} }
                Text("nested").contextMenu { Button("Share") {} }.contextMenu { Button("Copy") {} }
                ForEach(["deleted"], id: \.self) { Text($0).contextMenu { Button("Share") {} } }.onDelete { _ in }
            }
        }
        // The innermost menu of each row opens.
        let menus = stage.everything.compactMap { $0 as? ContextMenuElement }
            .filter { $0.children.first is TextElement }
        #expect(
            menus.map { $0.entries.map(\.title) } == [
                ["Pin", "", "Archive"], ["Share", "", "Archive"], ["Archive", "", "Share"], ["Share"],
                ["Share", "", "Delete"],
            ])
    }

    @Test("a keyboard shortcut works only while its tab is shown")
    func hiddenShortcuts() {
        final class Handle {
            var tab: Binding<Int>?
        }
        struct Tabs: View {
            let handle: Handle
            @State private var tab = 0
            var body: some View {
                let _ = handle.tab = $tab
                TabView(selection: $tab) {
                    ForEach(0..<2) { _ in Button("Play") {}.keyboardShortcut("p") }
                }
            }
        }
        let handle = Handle()
        let stage = Stage { Tabs(handle: handle) }
        func areActive() -> [Bool] { stage.everything.compactMap { ($0 as? ShortcutElement)?.isActive } }
        #expect(areActive() == [true])
        handle.tab?.wrappedValue = 1
        stage.layOut()
        #expect(areActive() == [false, true])
    }

    @Test("a keyboard shortcut works only while its page is uncovered")
    func coveredShortcuts() {
        final class Handle {
            var path: Binding<[Int]>?
        }
        struct Pages: View {
            let handle: Handle
            @State private var path: [Int] = []
            var body: some View {
                let _ = handle.path = $path
                NavigationStack(path: $path) {
                    Button("Play") {}.keyboardShortcut("p").navigationDestination(for: Int.self) { Text("\($0)") }
                }
            }
        }
        let handle = Handle()
        let stage = Stage { Pages(handle: handle) }
        func areActive() -> [Bool] { stage.everything.compactMap { ($0 as? ShortcutElement)?.isActive } }
        #expect(areActive() == [true])
        handle.path?.wrappedValue = [1]
        stage.layOut()
        #expect(areActive() == [false])
        handle.path?.wrappedValue = []
        stage.layOut()
        #expect(areActive() == [true])
    }

    @Test("hover reports positions in any space, and its end once")
    func continuousHover() throws {
        var phases: [HoverPhase] = []
        let stage = Stage(200, 100) {
            HStack(spacing: 0) {
                green.frame(width: 100)
                red.frame(width: 100).onContinuousHover { phases.append($0) }
            }
        }
        let element = try #require(stage.elements.first { $0 is ContinuousHoverElement } as? ContinuousHoverElement)
        for point in [
            CGPoint(x: 50, y: 50), CGPoint(x: 110, y: 20), CGPoint(x: 110, y: 20), CGPoint(x: 120, y: 20),
            CGPoint(x: 90, y: 20),
        ] { element.moved(point) }
        element.moved(nil)
        #expect(phases == [.active(CGPoint(x: 10, y: 20)), .active(CGPoint(x: 20, y: 20)), .ended])
        element.space = .global
        element.moved(CGPoint(x: 130, y: 30))
        #expect(phases.last == .active(CGPoint(x: 130, y: 30)))
    }
}

/// Tests of the same views in real windows, by pointer and keys.
@Suite("SwiftUI API on a screen", .serialized)
struct SurfaceScreenTests {
    @Test("Escape cancels and Return confirms an alert; both clear its item")
    func alerts() async throws {
        try await ContainerProcess.with("alert-value") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("asks true")
            try await probe.answer("Escape", until: "kept")
            try await probe.says("asks false")
            try await probe.closes()
            try await probe.press(ContainerProcess.green)
            try await probe.says("film Alpha")
            try await probe.answer("Return", until: "fine Alpha")
            try await probe.says("film none")
        }
    }

    @Test("alerts show an error or a value while there is one")
    func alertsOfValues() async throws {
        try await ContainerProcess.with("alert-value") { probe in
            try await probe.press(ContainerProcess.blue)
            try await probe.says("fails true")
            try await probe.answer("Return", until: "again after No disk")
            try await probe.says("fails false")
            try await probe.closes()
            try await probe.press(ContainerProcess.magenta)
            try await probe.answer("Return", until: "removed 7")
        }
    }

    @Test("a right click opens the innermost menu that is not empty")
    func contextMenus() async throws {
        try await ContainerProcess.with("context") { probe in
            let inner = try await probe.find(ContainerProcess.red)
            let outer = try await probe.find(ContainerProcess.green)
            let empty = try await probe.find(ContainerProcess.blue)
            try probe.click(inner.x, inner.y, button: 3)
            try await probe.opens()
            try await probe.choose("Return", until: "chose first")
            try probe.click(outer.x, outer.y, button: 3)
            try await probe.opens()
            try await probe.choose("Return", until: "loop true")
            try probe.click(empty.x, empty.y, button: 3)
            try await probe.opens()
            try await probe.choose("Return", until: "loop false")
            #expect(!probe.said.contains("pressed inner"))
            try probe.click(inner.x, inner.y)
            try await probe.says("pressed inner")
        }
    }

    @Test("hover is reported over a view and its controls")
    func hover() async throws {
        try await ContainerProcess.with("hover") { probe in
            let middle = try await probe.find(ContainerProcess.green)
            try probe.xdotool("mousemove \(middle.x - 40) \(middle.y - 40)")
            let corner = try await probe.numbers(after: "over ")
            #expect(corner.count == 2 && corner.allSatisfy { (8...12).contains($0) }, "\(corner)")
            // The pointer is over the button, and hover continues.
            try probe.xdotool("mousemove \(middle.x) \(middle.y)")
            try await probe.says("over \(corner[0] + 40) \(corner[1] + 40)")
            try probe.xdotool("mousemove \(middle.x - 150) \(middle.y)")
            try await probe.says("gone")
        }
    }

    @Test("form controls are on cards; a row's background fills its card")
    func cards() async throws {
        try await ContainerProcess.with("cards") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("pressed row")
            let blue = try await probe.find(ContainerProcess.blue)
            #expect(try await probe.shows(ContainerProcess.yellow, blue.x + 100, blue.y))
            #expect(try await probe.shows([0xF2, 0xF2, 0xF7], 6, blue.y))
        }
    }

    @Test("files and text drop onto the innermost view that accepts them")
    func drops() async throws {
        try await ContainerProcess.with("drop") { probe in
            let file = try await probe.find(ContainerProcess.red)
            let text = try await probe.find(ContainerProcess.blue)
            let inner = try await probe.find(ContainerProcess.magenta)
            try await probe.drag(file, to: (inner.x - 60, inner.y), until: "targeted true")
            try probe.xdotool("mouseup 1")
            let dropped = try await probe.numbers(after: "dropped ")
            #expect(
                dropped.count == 3 && dropped[0] == 1 && abs(dropped[1] - 40) < 4 && abs(dropped[2] - 50) < 4,
                "\(dropped)")
            try await probe.says("url /tmp/a film.mp4")
            // The outer view does not accept text, and the inner view does not accept files.
            try await probe.drag(text, to: (inner.x, inner.y), until: "text targeted true")
            try probe.xdotool("mouseup 1")
            try await probe.says("text some words")
            #expect(probe.said.filter { $0.hasPrefix("dropped") }.count == 1 && probe.said.contains("targeted false"))
        }
    }

    @Test("a click on a link in text opens only that link")
    func links() async throws {
        try await ContainerProcess.with("links") { probe in
            let link = try await probe.find(ContainerProcess.red)
            let all = try await probe.find(ContainerProcess.green)
            try probe.click(all.x - 65, all.y)
            try probe.click(link.x, link.y)
            try await probe.says("open https://example.org/3")
            #expect(probe.said.filter { $0.hasPrefix("open") }.count == 1)
        }
    }

    @Test("unknown symbols and colors are logged; colors only once")
    func unknownNames() async throws {
        try await ContainerProcess.with("unknown") { probe in
            try await probe.says("ready")
            try await probe.logs(#"Image(systemName: "play.fil")"#)
            try await probe.logs("The closest known symbol is play")
            try await probe.logs(#"Color("No such ink")"#)
            _ = try await probe.find(ContainerProcess.magenta)
            #expect(probe.errors.components(separatedBy: #"Color("No such ink")"#).count == 2, "\(probe.errors)")
        }
    }

    @Test("the file importer returns the chosen file; Escape returns none")
    func importer() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ContainerProcess("import", display)
        let file = try probe.makeFile("film.mp4")
        try await probe.press(ContainerProcess.red)
        try await probe.says("asks true")
        try await probe.answer("Escape", until: "asks false")
        try await probe.closes()
        try await probe.press(ContainerProcess.red)
        try await probe.says("asks true")
        try await probe.choose(file: file.path, until: "file \(file.path)")
        #expect(probe.said.filter { $0.hasPrefix("file") }.count == 1)
    }

    @Test("device orientation follows the window's shape and sends notifications")
    func orientation() async throws {
        try await ContainerProcess.with("device") { probe in
            try await probe.says("unknown true")
            try await probe.says("landscape true")
            try await probe.resize(300, 500)
            try await probe.says("landscape false")
            try await probe.resize(500, 300)
            try await probe.says("landscape true")
        }
    }
}
