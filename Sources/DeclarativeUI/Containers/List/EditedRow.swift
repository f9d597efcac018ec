import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// The edit actions that the rows of one `ForEach` share.
@MainActor
final class RowEditGroup {
    private let edits: _RowEdits
    init(_ edits: _RowEdits) { self.edits = edits }
    var canDelete: Bool { edits.delete != nil }
    var canMove: Bool { edits.move != nil }

    func delete(_ offsets: IndexSet) {
        guard let delete = edits.delete, !offsets.isEmpty else { return }
        withAnimation { delete(offsets) }
    }
    /// Moves an element before the element at `target`, unless this changes nothing.
    func move(_ offset: Int, to target: Int) {
        guard let move = edits.move, target != offset, target != offset + 1 else { return }
        withAnimation { move(IndexSet(integer: offset), target) }
    }
}

/// The offsets of a collection's elements by their ids. They are computed when an edit needs the first of them.
@MainActor
final class RowOffsets<ID: Hashable> {
    private let ids: () -> [ID]
    private lazy var offsets: [ID: Int] = Dictionary(zip(ids(), 0...)) { first, _ in first }
    init(_ ids: @escaping () -> [ID]) { self.ids = ids }
    subscript(id: ID) -> Int? { offsets[id] }
}

/// A row of a list that the user can delete or move.
struct EditedRow<Content: View>: View {
    let content: Content
    let group: RowEditGroup
    /// Returns the row's present offset in the collection, or nil if it has been removed.
    let offset: () -> Int?
    @Environment(\.editMode) private var editMode
    @Environment(\.isInList) private var isInList
    @State private var place = RowPlace()

    var body: some View {
        let isEditing = isInList && editMode?.wrappedValue.isEditing == true
        let row = RowSides(
            content: content,
            controls: isEditing ? RowControls(group: group, offset: offset, place: place) : nil,
            edit: RowEdit(group: group, offset: offset, isEditing: isEditing), place: place)
        if isInList {
            // A row without a delete action has the same views, so that it keeps its state when the action changes.
            ContextMenuView(content: row, items: menu, areRowActions: true)
        } else {
            row
        }
    }

    @ViewBuilder private var menu: some View {
        if group.canDelete { Button(PlayerWords.localized("Delete"), role: .destructive) { delete() } }
    }

    private func delete() {
        if let offset = offset() { group.delete(IndexSet(integer: offset)) }
    }
}

/// The controls of a row in edit mode: a button before the content, and a handle after it.
struct RowControls: View {
    let group: RowEditGroup
    let offset: () -> Int?
    let place: RowPlace
    @State private var isAsking = false
    @GestureState private var isDragging = false

    var body: some View {
        HStack(spacing: Space.regular) {
            if group.canDelete {
                Button {
                    withAnimation(Motion.quick) { isAsking.toggle() }
                } label: {
                    Image(systemName: "minus.circle.fill").foregroundStyle(Color.red)
                }
                .buttonStyle(.plain)
                .accessibilityLabel(isAsking ? PlayerWords.localized("Cancel") : PlayerWords.localized("Delete…"))
            }
            Spacer(minLength: 0)
            if isAsking, group.canDelete {
                Button(PlayerWords.localized("Delete"), role: .destructive) {
                    isAsking = false
                    if let offset = offset() { group.delete(IndexSet(integer: offset)) }
                }
                .buttonStyle(.borderedProminent)
            }
            if group.canMove { handle }
        }
    }

    private var handle: some View {
        Image(systemName: "line.3.horizontal").foregroundStyle(.secondary)
            .frame(width: RowEdit.controlWidth, height: RowEdit.controlWidth)
            .contentShape(Rectangle())
            .gesture(
                DragGesture(minimumDistance: 2)
                    .onChanged { place.drag($0.translation.height) }
                    .onEnded { place.drop($0.translation.height) }
                    .updating($isDragging) { _, isDragging, _ in isDragging = true }
            )
            // A canceled drag has no end, and neither has one whose row or handle is removed.
            .onChange(of: isDragging) { _, isDragging in
                if !isDragging { place.endDrag() }
            }
            .onRemoval { place.endDrag() }
            .focusable()
            .onKeyPress(.upArrow) { step(-1) }
            .onKeyPress(.downArrow) { step(2) }
            .accessibilityLabel(PlayerWords.localized("Move"))
    }

    /// Moves the row before the element that is `distance` elements after it.
    private func step(_ distance: Int) -> KeyPress.Result {
        guard let offset = offset() else { return .ignored }
        place.move(offset, to: offset + distance)
        return .handled
    }
}
