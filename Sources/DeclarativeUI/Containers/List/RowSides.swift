import Foundation
@_spi(Graph) import ViewGraph

/// The edit actions of one row.
struct RowEdit {
    let group: RowEditGroup
    let offset: () -> Int?
    let isEditing: Bool
    /// The width of an edit control, in points.
    static let controlWidth: CGFloat = 24

    /// The space that the controls take from the row's content, in points.
    @MainActor var space: EdgeInsets {
        let width = RowEdit.controlWidth + Space.regular
        return EdgeInsets(
            top: 0, leading: isEditing && group.canDelete ? width : 0, bottom: 0,
            trailing: isEditing && group.canMove ? width : 0)
    }
}

/// The edit controls of a list row, as a trait of the row's element.
struct RowEditing { weak var element: RowSidesElement? }

/// A reference from a row's controls to the row's element.
@MainActor
final class RowPlace {
    weak var element: RowSidesElement?
    /// The list that shows where the row would be dropped, during a drag.
    private weak var list: ListElement?
    nonisolated init() {}

    /// Shows where the row would be dropped after a movement of `distance` points down.
    func drag(_ distance: CGFloat) {
        guard let row = element?.row else { return }
        list = row.list
        row.list.dropLine = target(distance)?.line
    }
    /// Ends a drag without moving the row.
    func endDrag() {
        list?.dropLine = nil
        list = nil
    }
    /// Moves the row to where it is dropped.
    func drop(_ distance: CGFloat) {
        endDrag()
        guard let edit = element?.edit, let offset = edit.offset(), let target = target(distance) else { return }
        edit.group.move(offset, to: target.offset)
    }
    /// Moves the row from `offset` before the element at `target`, if the list has such a place.
    func move(_ offset: Int, to target: Int) {
        guard let element, let list = element.row?.list, let edit = element.edit else { return }
        let offsets = list.offsets(of: edit.group)
        guard target >= 0, target <= (offsets.max() ?? offset) + 1 else { return }
        edit.group.move(offset, to: target)
    }

    private func target(_ distance: CGFloat) -> (offset: Int, line: CGFloat)? {
        guard let element, let edit = element.edit, let row = element.row,
            let frame = row.list.estimatedFrame(of: row.element)
        else { return nil }
        return row.list.dropPlace(of: edit.group, at: frame.midY + distance)
    }
}

/// A view whose elements are rows with edit controls beside their content.
struct RowSides<Content: View>: _PrimitiveView {
    let content: Content
    let controls: RowControls?
    let edit: RowEdit
    let place: RowPlace
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { RowSidesFiber(view, inputs) }
}

/// A fiber that makes each element of its content a row with its own edit controls.
final class RowSidesFiber<Content: View>: _ViewFiber<RowSides<Content>> {
    private struct Row {
        let element: RowSidesElement
        let controls: _ViewFiber<RowControls?>
    }
    private var content: _ViewFiber<Content>?
    private var rows: [Row] = []

    override init(_ view: RowSides<Content>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        content = Content._makeFiber(view.content, self.inputs())
        _ = wrap()
    }
    override var children: [_Fiber] { (content.map { [$0] } ?? []) + rows.map(\.controls) }
    override var elements: [Element] { rows.map(\.element) }
    override func update(_ view: RowSides<Content>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        content?.update(view.content, environment)
        for row in rows {
            row.element.set(view.edit)
            row.controls.update(view.controls, environment)
        }
    }
    override func structureChanged() {
        if wrap() { super.structureChanged() }
    }

    /// Wraps the content's elements in rows, and returns whether the rows have changed.
    private func wrap() -> Bool {
        let elements = content?.elements ?? []
        let before = rows
        rows = elements.map { element -> Row in
            // A single row keeps its wrapper when its content is replaced.
            let kept =
                elements.count == 1 && before.count == 1
                ? before.first : before.first { $0.element.front.children.first === element }
            let row =
                kept
                ?? Row(
                    element: RowSidesElement(),
                    controls: Optional<RowControls>._makeFiber(view.controls, inputs()))
            row.element.set(view.edit)
            row.element.set([element], beside: row.controls.elements)
            return row
        }
        let kept = rows
        for row in before where !kept.contains(where: { $0.element === row.element }) { row.controls.remove() }
        view.place.element = kept.first?.element
        return kept.count != before.count || !zip(kept, before).allSatisfy { $0.element === $1.element }
    }
}

/// The content of a row with edit controls. Its traits are those of the row.
final class RowFrontElement: LayersElement {
    override func trait<T>(_ type: T.Type) -> T? { children.first?.trait(type) }
}

/// A row's content, with the controls of edit mode beside it. The controls extend beyond the content to the row's
/// edges.
final class RowSidesElement: WrapperElement {
    let front = RowFrontElement()
    private let sides = LayersElement()
    private(set) var edit: RowEdit?
    /// The area of the controls that the list has set, in this element's coordinates. Nil before the first layout.
    private var area: CGRect?
    /// Whether a list sets the area. The controls then have no place before the area is known.
    var isInRow = false
    override var content: Element? { front }

    override init() {
        super.init()
        setChildren([front, sides])
    }
    func set(_ edit: RowEdit) {
        let isOther = self.edit?.space != edit.space
        self.edit = edit
        if isOther { setNeedsLayout() }
    }
    func set(_ content: [Element], beside controls: [Element]) {
        front.setChildren(content)
        sides.setChildren(controls)
    }

    /// The row of the list that this element belongs to, or nil outside a list.
    var row: (list: ListElement, element: Element)? {
        var element: Element = self
        while let parent = element.parent {
            if let list = parent as? ListElement { return (list, element) }
            element = parent
        }
        return nil
    }

    /// Sets the area of the controls.
    ///
    /// - Parameter rect: The frame of the row without its insets, in this element's coordinates.
    func placeControls(in rect: CGRect) {
        guard rect != area else { return }
        area = rect
        placeSides(rect)
    }
    private func placeSides(_ area: CGRect) {
        let offered = ProposedViewSize(area.size)
        let size = sides.sizeThatFits(offered)
        sides.place(
            CGRect(x: area.minX, y: area.midY - size.height / 2, width: size.width, height: size.height), offered)
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        front.place(CGRect(origin: .zero, size: size), proposal)
        if let area = area ?? (isInRow ? nil : CGRect(origin: .zero, size: size)) { placeSides(area) }
    }
    override func trait<T>(_ type: T.Type) -> T? {
        RowEditing(element: self) as? T ?? front.trait(type)
    }
}
