import Foundation
@_spi(Graph) import ViewGraph

/// A view with the rows of a list, inside the list's scroll view.
struct ListRows<Content: View>: _PrimitiveView {
    let content: Content
    let look: ListLook
    let table: TableLook
    let chosen: Set<AnyHashable>
    let selection: ListSelection?
    let isDark: Bool
    let isPhone: Bool
    let tint: Color?
    let ring: FocusRing.Look?
    let minRowHeight: CGFloat
    let minHeaderHeight: CGFloat?
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs, ListElement(axis: .vertical), content: { $0.content },
            environment: { environment, view in
                with(environment.withTint(orElse: view.table.rowTint ?? view.table.tint)) {
                    $0.isLazy = true
                    $0.isInList = true
                }
            }
        ) { element, view, _ in
            element.set(
                look: view.look, table: view.table, chosen: view.chosen, selection: view.selection,
                isDark: view.isDark, isPhone: view.isPhone, tint: view.tint, ring: view.ring)
            element.set(minRowHeight: view.minRowHeight, minHeaderHeight: view.minHeaderHeight)
        }
    }
}

/// The role of a list row that is a header or a footer of a section, or at an end of the whole list.
enum RowKind { case header, footer, end }
