import Foundation
@_spi(Graph) import ViewGraph

/// Views that are made from a collection, whose rows the user can delete and move. Matches SwiftUI's
/// `DynamicViewContent`; only `ForEach` and the results of its modifiers conform.
@MainActor @preconcurrency
public protocol DynamicViewContent: View {
    /// The type of the collection.
    associatedtype Data: Collection
    /// The type of the views with edit actions. Not for apps.
    associatedtype _Edited: DynamicViewContent
    /// The elements that the views are made from.
    var data: Data { get }
    /// Returns the views with other edit actions. Not for apps.
    func _edited(_ change: (inout _RowEdits) -> Void) -> _Edited
}

/// The edit actions of rows, in this implementation.
@MainActor
public struct _RowEdits {
    var delete: (@MainActor (IndexSet) -> Void)?
    var move: (@MainActor (IndexSet, Int) -> Void)?
}

extension ForEach: DynamicViewContent where Content: View {
    public func _edited(_ change: (inout _RowEdits) -> Void) -> _EditedRows<Data, ID, Content> {
        var edits = _RowEdits()
        change(&edits)
        return _EditedRows(rows: self, edits: edits)
    }
}

/// The rows of a `ForEach` with edit actions. Not for apps.
public struct _EditedRows<Data: RandomAccessCollection, ID: Hashable, Content: View>: DynamicViewContent {
    let rows: ForEach<Data, ID, Content>
    let edits: _RowEdits
    public var data: Data { rows.data }

    public func _edited(_ change: (inout _RowEdits) -> Void) -> _EditedRows<Data, ID, Content> {
        var edits = edits
        change(&edits)
        return _EditedRows(rows: rows, edits: edits)
    }

    public var body: some View {
        let rows = rows
        let group = RowEditGroup(edits)
        let offsets = RowOffsets { rows.data.map { rows.id($0) } }
        return rows.mapping { element, id in
            EditedRow(content: rows.content(element), group: group) { offsets[id] }
        }
    }
}

extension DynamicViewContent {
    /// Adds an action with which the user deletes rows of a list.
    ///
    /// ```swift
    /// List {
    ///     ForEach(titles, id: \.self) { Text($0) }
    ///         .onDelete { titles.remove(atOffsets: $0) }
    /// }
    /// ```
    /// The row's context menu has an entry that deletes the row, as with `swipeActions`. The Delete key deletes the
    /// selected rows of a list with a selection. In edit mode, a button before the row shows another one that deletes
    /// the row. If the row's content has its own context menu or swipe actions, its menu opens on the content, and this
    /// one elsewhere in the row. Nil adds nothing. Outside a list, there are no edit controls.
    ///
    /// - Parameter action: Called on the main actor, inside an animation, with the offsets of the deleted elements in
    ///   `data`. The action removes them from the app's data.
    public func onDelete(perform action: (@MainActor (IndexSet) -> Void)?) -> some DynamicViewContent {
        _edited { $0.delete = action }
    }
    /// Adds an action with which the user moves rows of a list in edit mode.
    ///
    /// In edit mode, a row has a handle at its end. A line shows where the row is dropped while the handle is dragged;
    /// the row itself stays in its place until then, and the list does not scroll. The Up and Down arrow keys move the
    /// row while the handle has the keyboard focus. Nil adds nothing.
    ///
    /// - Parameter action: Called on the main actor, inside an animation, with the offset of the moved element in
    ///   `data`, and the offset of the element before which it is moved. The action moves it in the app's data, for
    ///   example with `move(fromOffsets:toOffset:)`.
    public func onMove(perform action: (@MainActor (IndexSet, Int) -> Void)?) -> some DynamicViewContent {
        _edited { $0.move = action }
    }
}
