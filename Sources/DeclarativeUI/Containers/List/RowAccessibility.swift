import CGTK
import Foundation
import MediaCore
import Presentation
@_spi(Graph) import ViewGraph

/// The rows of a list as assistive technology sees them.
///
/// Each row is one item with the row's text, its position in the list, and whether it is selected. Like the rows
/// themselves, items exist only near the visible area.
@MainActor
final class RowAccessibility {
    struct Row {
        let element: Element
        /// Whether the row is read aloud as a whole. Otherwise its contents are read.
        let isWhole: Bool
        let rect: CGRect
        /// Whether the row is selected, or nil if the list has no selection.
        let isChosen: Bool?
        /// The position of the row, from 1, and the number of rows.
        let position: Int, count: Int
    }
    private struct Item {
        /// The widget of the item, or nil for a row that is not read as a whole.
        var widget: PassiveWidget?
        var rect: CGRect
    }
    private var items: [ObjectIdentifier: Item] = [:]

    func show(_ rows: [Row], _ host: (any ElementHost)?) {
        guard let host else { return }
        var unused = items
        for row in rows {
            let id = ObjectIdentifier(row.element)
            var item = items[id] ?? Item(widget: nil, rect: row.rect)
            let needsUpdate = unused.removeValue(forKey: id).map { ($0.widget != nil) != row.isWhole } ?? true
            if !row.isWhole {
                item.widget?.remove()
                item.widget = nil
            } else if item.widget == nil {
                item.widget = PassiveWidget(host, role: GTK_ACCESSIBLE_ROLE_LIST_ITEM)
            }
            item.rect = row.rect
            item.widget?.texts = AccessibilityTexts(
                label: row.element.spokenText,
                value: PlayerWords.localized("%@ of %@", "\(row.position)", "\(row.count)"))
            item.widget?.isSelected = row.isChosen
            item.widget?.position = PassiveWidget.Position(index: row.position, count: row.count)
            items[id] = item
            // Assistive technology must read the row's contents separately, or must stop doing so.
            if needsUpdate { row.element.updateAccessibleTexts() }
        }
        for (id, item) in unused {
            item.widget?.remove()
            items[id] = nil
        }
    }

    /// Places the item of `row`.
    ///
    /// - Parameter transform: The transform from the list's coordinates into the host's.
    func locate(_ row: Element, _ transform: CGAffineTransform) {
        guard let item = items[ObjectIdentifier(row)] else { return }
        item.widget?.place(transform.translatedBy(x: item.rect.minX, y: item.rect.minY), item.rect.size)
    }

    func remove() {
        for item in items.values { item.widget?.remove() }
        items = [:]
    }
}
