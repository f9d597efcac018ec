import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

private let red = Color(red: 1, green: 0, blue: 0)
private let green = Color(red: 0, green: 1, blue: 0)
private let blue = Color(red: 0, green: 0, blue: 1)

/// Tests of rows, separators, backgrounds and bars, in process.
@Suite("SwiftUI API of lists and bars") @MainActor
struct SurfaceListTests {
    private func row(_ name: String) -> some View { Color.clear.frame(width: 20, height: 24).mark(name) }

    @Test("a row keeps its state and its tag when a badge appears")
    func badgeIdentity() throws {
        final class Life {}
        final class Handle {
            var count: Binding<Int>?
            var rows: [Life] = []
        }
        struct Row: View {
            let handle: Handle
            @State private var life = Life()
            var body: some View {
                let _ = handle.rows.append(life)
                Text("Inbox")
            }
        }
        struct Mailboxes: View {
            let handle: Handle
            @State private var count = 0
            var body: some View {
                let _ = handle.count = $count
                let chosen: Binding<Set<Int>> = .constant([7])
                List(selection: chosen) { Row(handle: handle).tag(7).badge(count) }
            }
        }
        let handle = Handle()
        let stage = Stage(200, 200) { Mailboxes(handle: handle) }
        let list = try #require(stage.list)
        let text = try #require(stage.everything.first { $0 is TextElement })
        #expect(list.hasChosenRow)
        handle.count?.wrappedValue = 3
        stage.layOut()
        #expect(stage.everything.compactMap { ($0 as? TextElement)?.string } == ["Inbox", "3"])
        #expect(stage.everything.contains { $0 === text } && list.hasChosenRow)
        #expect(handle.rows.allSatisfy { $0 === handle.rows.first })
    }

    @Test("rows can hide or tint the separator between them")
    func separators() throws {
        func line(_ first: some View, _ second: some View) throws -> [UInt8] {
            let stage = Stage(200, 200) {
                List {
                    first
                    second
                }
            }
            return stage.pixel(100, 35, of: try #require(stage.list))
        }
        #expect(try line(row("a"), row("b"))[3] > 0)
        #expect(try line(row("a").listRowSeparator(.hidden), row("b"))[3] == 0)
        #expect(try line(row("a"), row("b").listRowSeparator(.hidden))[3] == 0)
        // The modifier applies only to the named edges, also together with other row modifiers.
        #expect(try line(row("a").listRowSeparator(.hidden, edges: .top), row("b"))[3] > 0)
        #expect(
            try line(row("a").listRowSeparator(.hidden, edges: .bottom).listRowSeparatorTint(red), row("b"))[3] == 0)
        #expect(try line(row("a").listRowSeparatorTint(red), row("b").listRowSeparatorTint(blue)) == [255, 0, 0, 255])
        #expect(try line(row("a"), row("b").listRowSeparatorTint(blue)) == [0, 0, 255, 255])
        #expect(try line(row("a").listRowSeparatorTint(red, edges: .top), row("b"))[0] < 200)
    }

    @Test("lists have the colors and separators of UIKit's appearance")
    func tableAppearance() {
        let (table, cell) = (UITableView.appearance(), UITableViewCell.appearance())
        defer {
            (table.backgroundColor, table.separatorColor, cell.backgroundColor) = (nil, nil, nil)
            table.separatorStyle = .singleLine
        }
        let (ground, cells): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 255])
        let line: [UInt8] = [0, 0, 255, 255]
        let stage = Stage(200, 200) {
            List {
                row("a")
                row("b")
                row("c").listRowBackground(blue).listRowSeparator(.visible)
            }
        }
        table.backgroundColor = UIColor(red)
        cell.backgroundColor = UIColor(green)
        table.separatorColor = UIColor(blue)
        stage.layOut()
        // The rows are 36 points high.
        #expect(stage.pixel(195, 10) == cells && stage.pixel(195, 35) == line && stage.pixel(195, 46) == cells)
        #expect(stage.pixel(195, 82) == line && stage.pixel(195, 150) == ground)
        table.separatorStyle = .none
        stage.layOut()
        // The row that shows its separators keeps them.
        #expect(stage.pixel(195, 35) == cells && stage.pixel(195, 71) == line)
        #expect(Stage(200, 200) { List { row("a") }.scrollContentBackground(.hidden) }.pixel(195, 150) != ground)
        let cards = Stage(200, 200) { List { row("a") }.listStyle(.grouped) }
        #expect(cards.pixel(100, 20) == cells && cards.pixel(2, 20) == ground)
    }

    @Test("separators are inset at the leading edge", arguments: LayoutDirection.allCases)
    func separatorInset(direction: LayoutDirection) throws {
        let stage = Stage(200, 200) {
            List {
                row("a")
                row("b")
            }.environment(\.layoutDirection, direction)
        }
        let list = try #require(stage.list)
        let (left, right) = (stage.pixel(4, 35, of: list)[3] > 0, stage.pixel(196, 35, of: list)[3] > 0)
        #expect(left == (direction == .rightToLeft) && right == (direction == .leftToRight))
    }

    @Test("a labeled value is trailing, and alone where labels are hidden")
    func labeledContent() throws {
        func stage(_ content: some View) -> Stage { Stage(200, 40) { content } }
        let both = stage(LabeledContent("Length", value: "1:02"))
        let label = try #require(both.frame("Length"))
        let value = try #require(both.frame("1:02"))
        #expect(label.minX == 0 && value.maxX == 200 && label.maxX < value.minX)
        let bare = stage(LabeledContent("Length", value: "1:02").labelsHidden())
        #expect(bare.frame("Length") == nil && bare.frame("1:02") != nil)
        let own = stage(
            LabeledContent {
                row("value")
                row("more")
            } label: {
                row("label")
            })
        let (first, second) = (try #require(own.frame(of: "value")), try #require(own.frame(of: "more")))
        #expect(own.frame(of: "label")?.minX == 0 && second.maxX == 200 && first.maxX < second.minX)
    }

    @Test("the environment sets minimum heights of rows and headers")
    func leastHeights() throws {
        func total(_ height: CGFloat) throws -> CGFloat {
            let stage = Stage(200, 400) {
                List {
                    Color.clear.frame(height: 8)
                    Color.clear.frame(height: 8)
                }.environment(\.defaultMinListRowHeight, height)
            }
            return try #require(stage.list).frame.height
        }
        #expect(try total(36) == 72 && total(10) == 40 && total(50) == 100)
        #expect(try total(.nan) == 40 && total(-5) == 40)
        let stage = Stage(200, 400) {
            List { Section("H") { Text("row") } }.environment(\.defaultMinListHeaderHeight, 80)
        }
        #expect(try #require(stage.list).frame.height == 116)
    }

    @Test("a row background applies to each row and keeps lists lazy")
    func rowBackgrounds() throws {
        let stage = Stage(200, 200) {
            List {
                Group {
                    Text("one")
                    Text("two")
                }.listRowBackground(red)
                Text("three")
            }
        }
        let list = try #require(stage.list)
        #expect(list.children.count == 3)
        #expect(stage.pixel(2, 4, of: list) == [255, 0, 0, 255] && stage.pixel(198, 40, of: list) == [255, 0, 0, 255])
        #expect(stage.pixel(2, 80, of: list)[0] == 0)

        final class Made { var rows: [Int] = [] }
        let made = Made()
        let long = Stage(200, 200) {
            List {
                ForEach(0..<1000) { number in Text("row \(number)").onAppear { made.rows.append(number) } }
                    .listRowBackground(green)
            }
        }
        let rows = try #require(long.list)
        #expect(rows.children.count == 1000 && made.rows.contains(2) && made.rows.count < 100)
        #expect(long.pixel(190, 40, of: rows) == [0, 255, 0, 255])
        long.scroll(to: 36 * 500)
        #expect(made.rows.contains(501) && made.rows.count < 200)
    }

    @Test("a row background fills the row behind padding around it", arguments: LayoutDirection.allCases)
    func paddedBackgrounds(direction: LayoutDirection) throws {
        let stage = Stage(200, 200) {
            List {
                row("a").listRowBackground(red).padding(10)
                row("b")
            }.environment(\.layoutDirection, direction)
        }
        let list = try #require(stage.list)
        let first = try #require(list.rowFrame(0))
        for x in [1, 198] {
            #expect(stage.pixel(x, 1, of: list) == [255, 0, 0, 255])
            #expect(stage.pixel(x, Int(first.maxY) - 3, of: list) == [255, 0, 0, 255])
            #expect(stage.pixel(x, Int(first.maxY) + 3, of: list)[3] == 0)
        }
        let cards = Stage(200, 200) {
            List { row("a").listRowBackground(red).padding(10) }.listStyle(.insetGrouped)
                .environment(\.layoutDirection, direction)
        }
        let cardList = try #require(cards.list)
        let card = try #require(cardList.rowFrame(0))
        let left = Int(ListElement.cardMargin)
        for (x, outside) in [(left, left - 2), (199 - left, 201 - left)] {
            #expect(cards.pixel(x, Int(card.minY), of: cardList)[3] == 0)
            #expect(cards.pixel(x, Int(card.midY), of: cardList) == [255, 0, 0, 255])
            #expect(cards.pixel(outside, Int(card.midY), of: cardList)[3] == 0)
        }
    }

    @Test("a row background outside a list follows the content's size")
    func backgroundWithoutList() {
        let stage = Stage(100, 100) { Color.clear.listRowBackground(red) }
        #expect(stage.pixel(90, 50) == [255, 0, 0, 255])
        stage.layOut(200, 60)
        #expect(stage.pixel(2, 50) == [255, 0, 0, 255] && stage.pixel(190, 50) == [255, 0, 0, 255])
    }

    @Test("a section's row background excludes its header and footer")
    func sectionBackground() throws {
        let stage = Stage(200, 300) {
            List {
                Section {
                    Text("row")
                } header: {
                    Text("H")
                } footer: {
                    Text("F")
                }.listRowBackground(red)
            }
        }
        let list = try #require(stage.list)
        try #require(list.children.count == 3)
        let shades = list.children.map { stage.pixel(2, Int($0.frame.midY), of: list) }
        #expect(shades[1] == [255, 0, 0, 255] && shades[0][3] == 0 && shades[2][3] == 0, "\(shades)")
    }

    @Test("a card list draws safely with rows added after layout")
    func cardsBeforeLayout() throws {
        let stage = Stage(200, 300) {
            List {
                Text("one")
                Text("two")
            }.listStyle(.insetGrouped)
        }
        let list = try #require(stage.list)
        list.setChildren(list.children + [LayersElement(), LayersElement()])
        #expect(stage.pixel(100, Int(list.children[0].frame.midY), of: list)[3] > 0)
    }

    @Test("row backgrounds and the selection have the rounded corners of cards")
    func cardCorners() throws {
        func frames(_ list: ListElement) -> [CGRect] {
            list.children.filter { $0.trait(RowKind.self) == nil }.compactMap { list.estimatedFrame(of: $0) }
        }
        let left = Int(ListElement.cardMargin)
        let right = 199 - left
        let stage = Stage(200, 300) {
            List(0..<2) { Text(verbatim: "\($0)").listRowBackground(red) }.listStyle(.insetGrouped)
        }
        let list = try #require(stage.list)
        let rows = frames(list)
        try #require(rows.count == 2 && list.frame.width == 200)
        for x in [left, right] {
            #expect(stage.pixel(x, Int(rows[0].minY), of: list)[3] == 0)
            #expect(stage.pixel(x, Int(rows[1].maxY) - 1, of: list)[3] == 0)
            // Between the rows, the card has no corners.
            #expect(stage.pixel(x, Int(rows[0].maxY) - 3, of: list) == [255, 0, 0, 255])
            #expect(stage.pixel(x, Int(rows[1].minY) + 2, of: list) == [255, 0, 0, 255])
        }
        #expect(stage.pixel(100, Int(rows[0].minY) + 1, of: list) == [255, 0, 0, 255])

        let selection = Binding<Set<Int>>.constant([0, 1])
        let chosen = Stage(200, 300) {
            List(selection: selection) { ForEach(0..<2) { Text(verbatim: "\($0)") } }.listStyle(.insetGrouped)
        }
        let chosenList = try #require(chosen.list)
        let row = try #require(frames(chosenList).first)
        #expect(chosen.pixel(left, Int(row.minY), of: chosenList)[3] == 0)
        #expect(chosen.pixel(left, Int(row.midY), of: chosenList)[3] > 0)
    }

    @Test("rows keep their state and background when others are inserted before")
    func backgroundsStay() throws {
        final class Model {
            var binding: Binding<Bool>?
            var made = 0
        }
        struct Rows: View {
            let model: Model
            @State private var more = false
            var body: some View {
                model.binding = $more
                return List {
                    Group {
                        if more { Text("new") }
                        Text("old").onAppear { model.made += 1 }
                    }
                    .listRowBackground(red)
                }
            }
        }
        let model = Model()
        let stage = Stage(200, 200) { Rows(model: model) }
        model.binding?.wrappedValue = true
        stage.layOut()
        let list = try #require(stage.list)
        #expect(list.children.count == 2 && model.made == 1)
        #expect(stage.pixel(2, 4, of: list) == [255, 0, 0, 255] && stage.pixel(2, 40, of: list) == [255, 0, 0, 255])
    }

    @Test("lists and forms show their background, sidebars and columns none")
    func grounds() {
        func corner<V: View>(_ view: V) -> [UInt8] { Stage(100, 100) { view }.pixel(2, 98) }
        // A list has the window's color as its background, so that its rows are legible over any content.
        let window = corner(Rectangle().fill(.background))
        #expect(window[3] == 255)
        #expect(corner(List { Text("x") }) == window)
        #expect(corner(List { Text("x") }.listStyle(.inset)) == window)
        #expect(corner(Color.blue.overlay { List { Text("x") } }) == window)
        #expect(corner(List { Text("x") }.listStyle(.sidebar))[3] == 0)
        #expect(corner(List { Text("x") }.scrollContentBackground(.hidden))[3] == 0)
        // A visible background is that of the style.
        #expect(corner(List { Text("x") }.scrollContentBackground(.visible)) == window)
        #expect(
            corner(List { Text("x") }.listStyle(.sidebar).scrollContentBackground(.visible)) == [0xF2, 0xF2, 0xF7, 255])
        #expect(corner(Form { Text("x") }) == [0xF2, 0xF2, 0xF7, 255])
        #expect(corner(Form { Text("x") }.scrollContentBackground(.hidden))[3] == 0)
        #expect(corner(Form { Text("x") }.formStyle(.columns))[3] == 0)
    }

    @Test("in the phone style, only lists with cards are on gray")
    func phoneGrounds() throws {
        func stage<V: View>(_ view: V, _ scheme: ColorScheme = .light) -> Stage {
            Stage(100, 100) { view.platformStyle(.phone).colorScheme(scheme) }
        }
        func corner<V: View>(_ view: V, _ scheme: ColorScheme = .light) -> [UInt8] {
            stage(view, scheme).pixel(2, 98)
        }
        let window = corner(Rectangle().fill(.background))
        let gray: [UInt8] = [0xF2, 0xF2, 0xF7, 255]
        #expect(corner(List { Text("x") }.listStyle(.plain)) == window)
        #expect(corner(List { Text("x") }.listStyle(.inset)) == window)
        #expect(corner(Color.blue.overlay { List { Text("x") }.listStyle(.plain) }) == window)
        #expect(corner(List { Text("x") }) == gray)
        #expect(corner(List { Text("x") }.listStyle(.grouped)) == gray)
        #expect(corner(List { Text("x") }.listStyle(.sidebar)) == gray)
        #expect(corner(Form { Text("x") }) == gray)
        #expect(corner(List { Text("x") }.scrollContentBackground(.hidden))[3] == 0)
        let dark = stage(List { row("a") }, .dark)
        #expect(dark.pixel(2, 98) == [0, 0, 0, 255])
        let list = try #require(dark.list)
        #expect(dark.pixel(50, 3, of: list) == [0x1C, 0x1C, 0x1E, 255])
    }

    @Test("a phone's default list style has cards, except in a sidebar")
    func phoneStyle() {
        func kinds<V: View>(_ view: V, _ style: PlatformStyle = .phone) -> [String] {
            Stage(900, 300) { view.platformStyle(style) }.everything.compactMap { element in
                (element as? ListElement)?.inspection?.split(separator: " ").first.map(String.init)
            }
        }
        let list = List { Text("x") }
        #expect(kinds(list) == ["grouped"] && kinds(list, .desktop) == ["plain"])
        #expect(kinds(NavigationStack { list }) == ["grouped"])
        #expect(kinds(list.listStyle(.plain)) == ["plain"] && kinds(list.listStyle(.automatic)) == ["grouped"])
        #expect(kinds(list.listStyle(.sidebar)) == ["sidebar"])
        let split = NavigationSplitView {
            NavigationStack { list }
        } detail: {
            list
        }
        #expect(kinds(split) == ["sidebar", "grouped"] && kinds(split, .desktop) == ["plain", "plain"])
    }

    @Test("a phone's row is the target of its only default button")
    func rowButtons() throws {
        func text(_ element: Element) -> String? {
            (element as? TextElement)?.string ?? element.children.lazy.compactMap(text).first
        }
        func target<V: View>(_ row: V, _ style: PlatformStyle = .phone) throws -> String? {
            let stage = Stage(200, 200) { List { row }.platformStyle(style) }
            let list = try #require(stage.list)
            let button = list.rowButton(try #require(list.children.first))
            return button.flatMap(text)
        }
        func beside<V: View>(_ other: V) -> some View {
            HStack {
                Button("one") {}
                Spacer()
                other
            }
        }
        let button = Button("one") {}
        #expect(try target(button) == "one")
        #expect(try target(button, .desktop) == nil)
        #expect(try target(beside(Text("x"))) == "one")
        #expect(try target(beside(Button("two") {}.buttonStyle(.borderless))) == "one")
        #expect(try target(beside(Button("two") {})) == nil)
        #expect(try target(button.buttonStyle(.borderless)) == nil)
        #expect(try target(button.buttonStyle(.plain)) == nil)
        #expect(try target(button.disabled(true)) == nil)
        #expect(try target(NavigationLink("link", value: 1)) == nil)
    }

    @Test("a row is marked while its button is pressed")
    func pressedRow() throws {
        let stage = Stage(200, 200) {
            List {
                Button("one") {}
                Text("two")
            }
            .platformStyle(.phone)
        }
        let list = try #require(stage.list)
        let button = try #require(list.rowButton(list.children[0]))
        let (x, y) = (200 - Int(ListElement.cardMargin) - 4, Int(list.children[0].frame.midY))
        #expect(stage.pixel(x, y, of: list) == [255, 255, 255, 255])
        list.buttonChanged(button, isPressed: true)
        #expect(stage.pixel(x, y, of: list) == [0xD1, 0xD1, 0xD6, 255])
        list.buttonChanged(button, isPressed: false)
        #expect(stage.pixel(x, y, of: list) == [255, 255, 255, 255])
    }

    @Test("each section of a form is one card")
    func cards() throws {
        let stage = Stage(300, 400) {
            Form {
                Section {
                    row("a")
                    row("b")
                }
                Section("Two") { row("c") }
            }
        }
        let list = try #require(stage.list)
        func middle(_ name: String) throws -> Int {
            let mark = try #require(stage.everything.first { ($0 as? TraitElement<Mark>)?.value.name == name })
            return Int(mark.frameInHost.midY)
        }
        let (a, b, c) = (try middle("a"), try middle("b"), try middle("c"))
        for y in [a, b, c] { #expect(stage.pixel(150, y, of: list) == [255, 255, 255, 255], "\(y)") }
        // The points beside a card and between two cards are transparent.
        #expect(stage.pixel(8, a, of: list)[3] == 0)
        #expect(stage.pixel(200, b + 30, of: list)[3] == 0)
        #expect(b - a == 36 && c - b > 50)
    }

    @Test("a large title is below the bar, an inline title inside")
    func titles() throws {
        func title(_ mode: NavigationBarItem.TitleDisplayMode) throws -> CGRect {
            try #require(
                Stage(300, 300) {
                    NavigationStack { Color.clear.navigationTitle("Films").navigationBarTitleDisplayMode(mode) }
                }.frame("Films"))
        }
        #expect(try title(.inline).maxY < 46 && title(.automatic).maxY < 46)
        #expect(try title(.large).minY >= 46 && title(.large).minX < 30 && title(.large).height > title(.inline).height)
        let older = Stage(300, 300) { NavigationView { Color.clear.navigationBarTitle("Older", displayMode: .inline) } }
        #expect(older.texts == ["Older"])
        for stage in [
            Stage(300, 300, { NavigationView { Color.clear.navigationBarTitle(Text("Same")) } }),
            Stage(300, 300, { NavigationView { Color.clear.navigationBarTitle("Same") } }),
        ] {
            #expect(stage.texts == ["Same"])
        }
    }

    @Test("a navigation view's style and views choose a stack or columns")
    func navigationViews() {
        func texts<V: View>(_ view: V) -> [String] { Stage(900, 300) { view }.texts }
        func columns<V: View>(_ view: V) -> Int {
            Stage(900, 300) { view }.elements.count { $0 is NavigationElement }
        }
        let one = NavigationView { Text(verbatim: "a") }
        let two = NavigationView {
            Text(verbatim: "a")
            Text(verbatim: "b")
        }
        let three = NavigationView {
            Text(verbatim: "a")
            Text(verbatim: "b")
            Text(verbatim: "c")
        }
        #expect(columns(one) == 1 && columns(two) == 2 && columns(three) == 3)
        #expect(texts(three) == ["a", "b", "c"])
        #expect(columns(one.navigationViewStyle(.columns)) == 2)
        #expect(columns(one.navigationViewStyle(DoubleColumnNavigationViewStyle())) == 2)
        #expect(columns(two.navigationViewStyle(.automatic)) == 2)
        #expect(columns(two.navigationViewStyle(StackNavigationViewStyle())) == 1)
        #expect(texts(two.navigationViewStyle(.stack)) == ["a"])
        #expect(columns(one.navigationViewStyle(DefaultNavigationViewStyle())) == 1)
    }

    @Test("a page can fill bars, hide their background, or hide them")
    func barGrounds() {
        func stage(_ change: (AnyView) -> some View) -> Stage {
            Stage(300, 300) {
                NavigationStack {
                    change(
                        AnyView(
                            Color.clear.navigationTitle("T").toolbar {
                                ToolbarItem(placement: .bottomOrnament) { Text("below") }
                            }))
                }
            }
        }
        let plain = stage { $0 }
        #expect(plain.pixel(20, 20)[3] == 0 && plain.pixel(20, 45)[3] > 0)
        #expect((plain.frame("below")?.minY ?? 0) > 250)
        let filled = stage { $0.toolbarBackground(red, for: .navigationBar).toolbarBackground(blue, for: .bottomBar) }
        #expect(filled.pixel(20, 20) == [255, 0, 0, 255] && filled.pixel(20, 290) == [0, 0, 255, 255])
        let both = stage {
            $0.toolbarBackground(green, for: .navigationBar, .bottomBar).toolbarBackground(
                .visible, for: .navigationBar)
        }
        #expect(both.pixel(20, 20) == [0, 255, 0, 255] && both.pixel(20, 290) == [0, 255, 0, 255])
        let hidden = stage { $0.toolbarBackground(red).toolbarBackground(.hidden, for: .navigationBar) }
        #expect(hidden.pixel(20, 20)[3] == 0 && hidden.pixel(20, 45)[3] == 0 && hidden.texts.contains("T"))
        let none = stage { $0.toolbar(.hidden, for: .navigationBar, .bottomBar) }
        #expect(!none.texts.contains("T") && !none.texts.contains("below"))
    }
}
