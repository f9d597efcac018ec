import Foundation
@_spi(Graph) import ViewGraph

extension ListElement {
    private func edit(_ row: Element) -> RowEdit? { row.trait(RowEditing.self)?.element?.edit }

    /// Deletes the selected rows for the user. Returns false if none of them can be deleted.
    func deleteChosen() -> Bool {
        guard children.contains(where: { edit($0)?.group.canDelete == true }) else { return false }
        var deletions: [(group: RowEditGroup, offsets: IndexSet)] = []
        for index in children.indices where selectionValue(at: index).map({ chosen.contains($0) }) == true {
            // A row far from the visible area has no edit actions until it is created.
            children[index].lazyRow?.create()
            guard let edit = edit(children[index]), edit.group.canDelete, let offset = edit.offset() else { continue }
            if let known = deletions.firstIndex(where: { $0.group === edit.group }) {
                deletions[known].offsets.insert(offset)
            } else {
                deletions.append((edit.group, IndexSet(integer: offset)))
            }
        }
        for deletion in deletions { deletion.group.delete(deletion.offsets) }
        return !deletions.isEmpty
    }

    /// Returns the offsets of the created rows of `group` in their collection.
    func offsets(of group: RowEditGroup) -> [Int] {
        children.compactMap { child in
            guard let edit = edit(child), edit.group === group else { return nil }
            return edit.offset()
        }
    }

    /// Returns where a row of `group` is dropped: the offset of the element before which it is moved, and the y
    /// coordinate of the line between the rows.
    ///
    /// - Parameter y: The position of the row's center, in the list's coordinates.
    func dropPlace(of group: RowEditGroup, at y: CGFloat) -> (offset: Int, line: CGFloat)? {
        var place: (offset: Int, line: CGFloat)?
        for (index, child) in children.enumerated() {
            guard let edit = edit(child), edit.group === group, let offset = edit.offset(), let frame = rowFrame(index)
            else { continue }
            if place == nil { place = (offset, frame.minY) }
            if y > frame.midY { place = (offset + 1, frame.maxY) }
        }
        return place
    }
}
