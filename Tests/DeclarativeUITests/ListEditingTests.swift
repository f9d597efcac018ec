import CGTK
import Foundation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of rows that the user deletes and moves, in process.
@Suite("Editing of lists") @MainActor
struct ListEditingTests {
    @MainActor private final class Handle {
        var names: Binding<[String]>?
        var value: [String] { names?.wrappedValue ?? [] }
    }
    private struct Names: View {
        let handle: Handle
        var chosen: Set<String> = []
        @State private var names = ["a", "b", "c", "d"]
        var body: some View {
            let _ = handle.names = $names
            let selection: Binding<Set<String>> = .constant(chosen)
            List(selection: selection) {
                ForEach(names, id: \.self) { name in
                    Color.clear.frame(width: 20, height: 24).mark(name)
                }
                .onDelete { names.remove(atOffsets: $0) }
                .onMove { names.move(fromOffsets: $0, toOffset: $1) }
            }
        }
    }
    private func place(_ name: String, _ stage: Stage) throws -> CGRect {
        try #require(stage.everything.first { ($0 as? TraitElement<Mark>)?.value.name == name }).frameInHost
    }

    @Test(
        "edit mode shows a delete button and a handle beside each row",
        arguments: [PlatformStyle.desktop, .phone], LayoutDirection.allCases)
    func controls(style: PlatformStyle, direction: LayoutDirection) throws {
        func stage(_ mode: EditMode) -> Stage {
            Stage(200, 200) {
                Names(handle: Handle()).environment(\.editMode, .constant(mode)).platformStyle(style)
                    .environment(\.layoutDirection, direction)
            }
        }
        let (plain, editing) = (stage(.inactive), stage(.active))
        #expect(!plain.everything.contains { $0 is ButtonElement })
        let buttons = editing.everything.filter { $0 is ButtonElement }
        let handles = editing.everything.filter { $0 is FocusableElement && $0.frame.width == RowEdit.controlWidth }
        try #require(buttons.count == 4 && handles.count == 4)
        let row = try place("a", editing)
        let distance = RowEdit.controlWidth + Space.regular
        let plainRow = try place("a", plain)
        #expect(abs(row.minX - plainRow.minX) == distance)
        let (button, handle) = (buttons[0].frameInHost, handles[0].frameInHost)
        let isMirrored = direction == .rightToLeft
        #expect(isMirrored ? button.minX > row.maxX : button.maxX < row.minX)
        // In the phone style, the rows are on a card.
        let inset = Space.edge + (style == .phone ? ListElement.cardMargin : 0)
        #expect(isMirrored ? handle.minX == inset : handle.maxX == 200 - inset)
        #expect(abs(button.midY - row.midY) <= 1 && abs(handle.midY - row.midY) <= 1)
    }

    @Test("the entry of a row's menu deletes the row")
    func menu() throws {
        let handle = Handle()
        let stage = Stage(200, 200) { Names(handle: handle) }
        func delete(_ index: Int) throws {
            let menus = stage.everything.compactMap { $0 as? ContextMenuElement }
            try #require(menus.indices.contains(index))
            #expect(menus[index].entries.map(\.title) == ["Delete"])
            menus[index].entries.first?.action?()
            stage.layOut()
        }
        try delete(1)
        #expect(handle.value == ["a", "c", "d"])
        // The offsets are those of the remaining rows.
        try delete(1)
        #expect(handle.value == ["a", "d"])
    }

    @Test("the Delete key deletes all selected rows together", arguments: [GDK_KEY_Delete, GDK_KEY_BackSpace])
    func key(symbol: Int32) throws {
        let handle = Handle()
        let stage = Stage(200, 200) { Names(handle: handle, chosen: ["b", "d"]) }
        let list = try #require(stage.list)
        #expect(list.pressed(UInt32(symbol), GdkModifierType(rawValue: 0)))
        #expect(handle.value == ["a", "c"])
    }

    @Test(
        "a dragged row is dropped between the rows under it",
        arguments: [
            (0, CGFloat(80), CGFloat(108), ["b", "c", "a", "d"]), (0, 10, 36, ["a", "b", "c", "d"]),
            (3, -500, 0, ["d", "a", "b", "c"]), (1, 500, 144, ["a", "c", "d", "b"]),
        ])
    func drop(index: Int, distance: CGFloat, line: CGFloat, names: [String]) throws {
        let handle = Handle()
        let stage = Stage(200, 200) {
            Names(handle: handle).environment(\.editMode, .constant(.active))
        }
        let list = try #require(stage.list)
        let rows = stage.everything.compactMap { $0 as? RowSidesElement }
        try #require(rows.count == 4)
        let place = RowPlace()
        place.element = rows[index]
        place.drag(distance)
        #expect(list.dropLine == line)
        place.endDrag()
        #expect(list.dropLine == nil && handle.value == ["a", "b", "c", "d"])
        place.drag(distance)
        place.drop(distance)
        #expect(list.dropLine == nil && handle.value == names)
        place.move(0, to: 9)
        #expect(handle.value == names)
    }

    @Test("rows with edit actions stay lazy and keep their ids")
    func lazy() throws {
        final class Made { var rows: [Int] = [] }
        let made = Made()
        let selection: Binding<Set<Int>> = .constant([1])
        let stage = Stage(200, 200) {
            List(selection: selection) {
                ForEach(0..<1000) { number in Text("row \(number)").onAppear { made.rows.append(number) } }
                    .onDelete { _ in }
            }
        }
        let list = try #require(stage.list)
        #expect(list.children.count == 1000 && made.rows.contains(2) && made.rows.count < 100)
        #expect(list.isChosen(list.children[1]) && !list.isChosen(list.children[2]))
    }

    @Test("the Delete key also deletes selected rows far from the visible area", arguments: [true, false])
    func farRows(canDelete: Bool) throws {
        @MainActor final class Deleted { var offsets: [IndexSet] = [] }
        let deleted = Deleted()
        var delete: (@MainActor (IndexSet) -> Void)?
        if canDelete { delete = { deleted.offsets.append($0) } }
        let selection: Binding<Set<Int>> = .constant([1, 900])
        let stage = Stage(200, 200) {
            List(selection: selection) {
                ForEach(0..<1000) { Text("row \($0)") }.onDelete(perform: delete)
            }
        }
        let list = try #require(stage.list)
        #expect(list.pressed(UInt32(GDK_KEY_Delete), GdkModifierType(rawValue: 0)) == canDelete)
        #expect(deleted.offsets == (canDelete ? [[1, 900]] : []))
        // Rows without the action are not created for it.
        #expect(list.children[900].lazyRow?.isCreated == canDelete)
    }

    @Test("without actions or a list, rows have no edit controls or menu")
    func none() {
        let stage = Stage(200, 200) {
            VStack {
                List { ForEach(0..<2) { Text("\($0)") }.onDelete(perform: nil).onMove(perform: nil) }
                ForEach(2..<4) { Text("\($0)") }.onDelete { _ in }
            }
            .environment(\.editMode, .constant(.active))
        }
        #expect(!stage.everything.contains { $0 is ButtonElement })
        #expect(stage.everything.allSatisfy { ($0 as? ContextMenuElement)?.entries.isEmpty ?? true })
    }

    @Test("rows keep their state when the delete action is added or removed")
    func toggledDelete() {
        @MainActor final class Log {
            var canDelete: Binding<Bool>?
            var count: Binding<Int>?
        }
        struct Row: View {
            let log: Log
            @State private var count = 0
            var body: some View {
                let _ = log.count = $count
                Text(verbatim: "count \(count)")
            }
        }
        struct Rows: View {
            let log: Log
            @State private var canDelete = false
            var body: some View {
                let _ = log.canDelete = $canDelete
                let delete: (@MainActor (IndexSet) -> Void)? = canDelete ? { @MainActor _ in } : nil
                List { ForEach(0..<1) { _ in Row(log: log) }.onDelete(perform: delete) }
            }
        }
        let log = Log()
        let stage = Stage(200, 200) { Rows(log: log) }
        log.count?.wrappedValue = 5
        for canDelete in [true, false] {
            log.canDelete?.wrappedValue = canDelete
            stage.layOut()
            #expect(stage.shownTexts == ["count 5"])
            let menus = stage.everything.compactMap { ($0 as? ContextMenuElement)?.entries.count }
            #expect(menus == [canDelete ? 1 : 0])
        }
    }

    @Test("without a delete action, a row's menu opens anywhere in it")
    func ownMenu() throws {
        let stage = Stage(200, 200) {
            List {
                ForEach(0..<1) { _ in Text("row").contextMenu { Button("Play") {} } }.onDelete(perform: nil)
            }
        }
        let list = try #require(stage.list)
        let row = try #require(list.rectInHost(of: list.children[0]))
        let menus = stage.everything.compactMap { $0 as? ContextMenuElement }.filter { !$0.entries.isEmpty }
        #expect(menus.map { $0.takes(CGPoint(x: row.maxX - 1, y: row.midY)) } == [true])
    }

    private func button(_ fiber: _Fiber) -> NativeButton? {
        if let button = (fiber as? _ViewFiber<NativeButton>)?.view { return button }
        return fiber.children.compactMap(button).first
    }

    @Test("refreshing is canceled when its view disappears")
    func canceledRefresh() async throws {
        @MainActor final class Handle {
            var isShown: Binding<Bool>?
            var events: [String] = []
        }
        struct Page: View {
            let handle: Handle
            @State private var isShown = true
            var body: some View {
                let _ = handle.isShown = $isShown
                if isShown {
                    Text("content").refreshable { [handle] in
                        handle.events.append("began")
                        // This stream ends only when its task is canceled.
                        for await _ in AsyncStream<Void>.makeStream().stream {}
                        handle.events.append(Task.isCancelled ? "canceled" : "ended")
                    }
                }
            }
        }
        let handle = Handle()
        let stage = Stage(200, 200) { Page(handle: handle) }
        let root = try #require(stage.host.graph.root)
        try #require(button(root)).action()
        await eventually("the refresh") { handle.events == ["began"] }
        handle.isShown?.wrappedValue = false
        stage.layOut()
        await eventually("the end of the refresh") { handle.events == ["began", "canceled"] }
    }

    @Test("collections remove and move the elements at offsets")
    func collections() {
        var letters = ["a", "b", "c", "d"]
        letters.move(fromOffsets: [0, 2], toOffset: 4)
        #expect(letters == ["b", "d", "a", "c"])
        letters.move(fromOffsets: [3, 7], toOffset: 0)
        #expect(letters == ["c", "b", "d", "a"])
        letters.move(fromOffsets: [1], toOffset: 2)
        #expect(letters == ["c", "b", "d", "a"])
        letters.remove(atOffsets: [0, 3, 9])
        #expect(letters == ["b", "d"])
    }
}

/// Tests of the places of edit controls, in process.
@Suite("Edit controls of padded rows") @MainActor
struct PaddedRowTests {
    @Test("padding around rows does not move their edit controls", arguments: LayoutDirection.allCases)
    func padded(direction: LayoutDirection) throws {
        func button(_ padding: CGFloat) throws -> CGRect {
            let stage = Stage(200, 200) {
                List { ForEach(["a"], id: \.self) { Text(verbatim: $0) }.onDelete { _ in }.padding(padding) }
                    .environment(\.editMode, .constant(.active)).environment(\.layoutDirection, direction)
            }
            return try #require(stage.everything.first { $0 is ButtonElement }).frameInHost
        }
        let (plain, padded) = (try button(0), try button(10))
        #expect(plain.minX == padded.minX)
    }
}

/// Tests of edit mode and action sheets in a window.
@Suite("Editing of lists in a window", .serialized)
struct ListEditingWindowTests {
    @Test("keys and menus delete rows; the edit button starts and ends editing", arguments: ["edit", "edit-phone"])
    func edit(page: String) async throws {
        try await ContainerProcess.with(page) { probe in
            let red = try await probe.find(ContainerProcess.red)
            try probe.click(red.x, red.y)
            try await probe.says("chosen red")
            try probe.key("Delete")
            try await probe.says("deleted red")
            // The next row moves to the place of the deleted one.
            let green = try await probe.find(ContainerProcess.green) { abs($0.y - red.y) <= 2 }
            try probe.click(green.x, green.y, button: 3)
            try await probe.opens()
            try await probe.choose("Return", until: "deleted green")
            try await probe.press(ContainerProcess.yellow)
            try await probe.says("editing true")
            try await probe.press(ContainerProcess.yellow)
            try await probe.says("editing false")
        }
    }

    @Test("an action sheet has its buttons and clears its binding")
    func actionSheet() async throws {
        try await ContainerProcess.with("action-sheet") { probe in
            try await probe.press(ContainerProcess.red)
            try await probe.says("asks true")
            try await probe.answer("Return", until: "kept")
            try await probe.says("asks false")
            try await probe.closes()
            try await probe.press(ContainerProcess.red)
            try await probe.answer("Escape", until: "cancelled")
            try await probe.closes()
            try await probe.press(ContainerProcess.green)
            try await probe.says("film Alpha")
            try await probe.answer("Return", until: "fine Alpha")
            try await probe.says("film none")
            #expect(!probe.said.contains("removed"))
        }
    }
}
