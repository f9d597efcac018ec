import CGTK
import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

private let red = Color(red: 1, green: 0, blue: 0)
private let redPixel: [UInt8] = [255, 0, 0, 255]

/// Tests of the looks that apps set for all lists, and of the separators of rows, in process.
@Suite("Looks of all lists and guides of separators") @MainActor
struct ListAppearanceTests {
    private var table: UITableView { .appearance() }
    private func row(_ name: String) -> some View { Color.clear.frame(width: 20, height: 24).mark(name) }
    private func isDrawn(_ stage: Stage, _ list: ListElement, _ points: Int...) -> [Bool] {
        points.map { stage.pixel($0, 35, of: list)[3] > 0 }
    }

    @Test("a separator spans the guides of the row above", arguments: LayoutDirection.allCases)
    func guides(direction: LayoutDirection) throws {
        let stage = Stage(200, 200) {
            List {
                HStack(spacing: 0) {
                    Color.clear.frame(width: 30, height: 20)
                    Color.clear.frame(width: 40, height: 20)
                        .alignmentGuide(.listRowSeparatorLeading) { d in d[.leading] }
                        .alignmentGuide(.listRowSeparatorTrailing) { d in d[.trailing] }
                }
                row("b")
            }.environment(\.layoutDirection, direction)
        }
        let list = try #require(stage.list)
        // The row's content starts 16 points from the leading edge.
        let expected = [false, true, true, false]
        if direction == .leftToRight {
            #expect(isDrawn(stage, list, 45, 46, 85, 86) == expected)
        } else {
            #expect(isDrawn(stage, list, 113, 114, 153, 154) == expected)
        }
    }

    @Test("a guide in a button counts, and is clamped to the row")
    func guideInButton() throws {
        func line(_ guide: @escaping (ViewDimensions) -> CGFloat) throws -> (Stage, ListElement) {
            let stage = Stage(200, 200) {
                List {
                    Button {
                    } label: {
                        Color.clear.frame(width: 20, height: 20).alignmentGuide(
                            .listRowSeparatorLeading, computeValue: guide)
                    }.buttonStyle(.plain)
                    row("b")
                }
            }
            return (stage, try #require(stage.list))
        }
        let (stage, list) = try line { $0[.leading] + 10 }
        #expect(isDrawn(stage, list, 25, 26, 199) == [false, true, true])
        let (far, farList) = try line { _ in -100 }
        #expect(isDrawn(far, farList, 0, 199) == [true, true])
    }

    @Test("the insets of all separators give way to a row's guide")
    func separatorInsets() throws {
        defer { table.separatorInset = nil }
        table.separatorInset = UIEdgeInsets(top: 0, left: 50, bottom: 0, right: 20)
        let stage = Stage(200, 200) {
            List {
                row("a")
                row("b")
            }
        }
        #expect(isDrawn(stage, try #require(stage.list), 49, 50, 179, 180) == [false, true, true, false])
        let own = Stage(200, 200) {
            List {
                row("a").alignmentGuide(.listRowSeparatorLeading) { $0[.leading] }
                row("b")
            }
        }
        #expect(isDrawn(own, try #require(own.list), 15, 16, 179, 180) == [false, true, true, false])
        table.separatorInset = UIEdgeInsets(top: 0, left: -90, bottom: 0, right: -90)
        let box = Stage(200, 200) {
            List {
                row("a")
                row("b")
            }.listStyle(.inset)
        }
        #expect(isDrawn(box, try #require(box.list), 7, 8, 191, 192) == [false, true, true, false])
    }

    @Test("views with a height are above and below the rows")
    func ends() throws {
        defer { (table.tableHeaderView, table.tableFooterView) = (nil, nil) }
        let stage = Stage(200, 300) {
            List {
                row("a")
                row("b")
            }
        }
        let list = try #require(stage.list)
        table.tableFooterView = UIView()
        stage.layOut()
        #expect(list.children.count == 2 && list.frame.height == 72)
        table.tableHeaderView = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 40))
        table.tableFooterView = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 5))
        stage.layOut()
        try #require(list.children.count == 4)
        #expect(list.frame.height == 117 && list.children[0].frame == CGRect(x: 0, y: 0, width: 200, height: 40))
        #expect(list.estimatedFrame(of: list.children[1])?.minY == 40 && list.children[3].frame.minY == 112)
        // The line is still only between the rows.
        #expect(stage.pixel(195, 39, of: list)[3] == 0 && stage.pixel(195, 75, of: list)[3] > 0)
        table.tableHeaderView = nil
        stage.layOut()
        #expect(list.children.count == 3)
    }

    @Test("the view at an end is in the list that appeared last")
    func oneSuperview() {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 40))
        let places = (0..<2).map { _ in TableEndView(frame: CGRect(x: 0, y: 0, width: 200, height: 40)) }
        places[0].shown = view
        places[0].layoutIfNeeded()
        #expect(view.superview === places[0] && view.frame.size == CGSize(width: 200, height: 40))
        places[1].shown = view
        places[0].shown = nil
        #expect(view.superview === places[1] && places[0].subviews.isEmpty)
        places[1].shown = nil
        #expect(view.superview == nil)
    }

    @Test("all lists have the space that the app sets")
    func space() throws {
        defer {
            table.contentInset = .zero
            table.sectionHeaderTopPadding = UITableView.automaticDimension
        }
        let stage = Stage(200, 300) { List { Section("H") { row("a") } } }
        let list = try #require(stage.list)
        let height = list.frame.height
        table.sectionHeaderTopPadding = 0
        stage.layOut()
        #expect(list.frame.height == height - Space.wide + Space.snug)
        table.sectionHeaderTopPadding = UITableView.automaticDimension
        table.contentInset = UIEdgeInsets(top: 30, left: 9, bottom: 10, right: 9)
        stage.layOut()
        #expect(list.frame.height == height + 40 && list.children[0].frame.height == 30)
        table.contentInset.top = -35
        stage.layOut()
        #expect(list.frame.height == height + 10)
    }

    @Test("selected rows have the background that the app sets")
    func selection() throws {
        let cell = UITableViewCell.appearance()
        defer {
            (cell.selectedBackgroundView, cell.selectionStyle) = (nil, .default)
            table.allowsSelection = true
        }
        final class Box { var value: Int? = 0 }
        let box = Box()
        let stage = Stage(200, 200) {
            List(0..<2, selection: Binding<Int?>(get: { box.value }, set: { box.value = $0 })) { _ in row("a") }
        }
        let list = try #require(stage.list)
        #expect(stage.pixel(190, 5, of: list)[3] > 0)
        let ground = UIView()
        ground.backgroundColor = UIColor(red)
        cell.selectedBackgroundView = ground
        stage.layOut()
        #expect(stage.pixel(190, 5, of: list) == redPixel)
        cell.selectionStyle = .none
        stage.layOut()
        #expect(stage.pixel(190, 5, of: list)[3] == 0)
        table.allowsSelection = false
        stage.layOut()
        list.choose(1)
        #expect(box.value == 0)
        table.allowsSelection = true
        stage.layOut()
        list.choose(1)
        #expect(box.value == 1)
    }

    @Test("headers have the app's background, and rows the app's tint")
    func colors() throws {
        let header = UITableViewHeaderFooterView.appearance()
        defer { (header.tintColor, header.backgroundView, table.tintColor) = (nil, nil, nil) }
        header.tintColor = UIColor(red)
        table.tintColor = UIColor(red)
        let stage = Stage(200, 300) {
            List { Section("H") { Rectangle().fill(.tint).frame(width: 20, height: 20) } }
        }
        let list = try #require(stage.list)
        let row = try #require(list.estimatedFrame(of: list.children[1]))
        #expect(stage.pixel(195, 2, of: list) == redPixel && stage.pixel(195, Int(row.midY), of: list)[3] == 0)
        #expect(stage.pixel(20, Int(row.midY), of: list) == redPixel)
        header.backgroundView = UIView()
        header.tintColor = nil
        stage.layOut()
        #expect(stage.pixel(195, 2, of: list)[3] == 0)
        let own = Stage(200, 300) { List { Rectangle().fill(.tint).frame(width: 20, height: 20) }.tint(Color.white) }
        #expect(own.pixel(20, 18, of: try #require(own.list)) == [255, 255, 255, 255])
    }

    @Test("scroll bars are hidden in all scroll views of the app")
    func bars() {
        let shown = ScrollBars(axes: [.horizontal, .vertical])
        let hidden = ScrollBars(axes: [.horizontal, .vertical], hidden: .vertical)
        #expect(shown.policy(.vertical) == GTK_POLICY_AUTOMATIC && hidden.policy(.vertical) == GTK_POLICY_EXTERNAL)
        #expect(hidden.policy(.horizontal) == GTK_POLICY_AUTOMATIC)
        let scrolls = UIScrollView.appearance()
        defer { scrolls.showsVerticalScrollIndicator = true }
        scrolls.showsVerticalScrollIndicator = false
        let stage = Stage(100, 100) { ScrollView { Text("a") } }
        let bars = stage.elements.lazy.compactMap { ($0 as? ScrollElement)?.bars }.first
        #expect(bars?.hidden == .vertical)
    }
}
