import CGTK
import Foundation
import MediaCore
import Presentation
@_spi(Graph) import ViewGraph

/// A list's rows as assistive technology sees them: an item each, with the row's words, its place in the list, and
/// whether it is chosen. Those near what is seen only, as the rows themselves.
@MainActor
final class RowAccessibility {
    struct Row {
        let element: Element
        /// It is read out as a whole; else by what is in it.
        let isWhole: Bool
        let rect: CGRect
        /// Nil where nothing can be chosen.
        let isChosen: Bool?
        /// From 1, among `count`.
        let position: Int, count: Int
    }
    private struct Item {
        /// Nil of a row that is not read out as a whole.
        var widget: PassiveWidget?
        var rect: CGRect
    }
    private var items: [ObjectIdentifier: Item] = [:]

    func show(_ rows: [Row], _ host: (any ElementHost)?) {
        guard let host else { return }
        var gone = items
        for row in rows {
            let id = ObjectIdentifier(row.element)
            var item = items[id] ?? Item(widget: nil, rect: row.rect)
            let isOther = gone.removeValue(forKey: id).map { ($0.widget != nil) != row.isWhole } ?? true
            if !row.isWhole {
                item.widget?.remove()
                item.widget = nil
            } else if item.widget == nil {
                item.widget = PassiveWidget(host, role: GTK_ACCESSIBLE_ROLE_LIST_ITEM)
            }
            item.rect = row.rect
            item.widget?.words = AccessibilityWords(
                label: row.element.spokenWords,
                value: PlayerWords.localized("%@ of %@", "\(row.position)", "\(row.count)"))
            item.widget?.isSelected = row.isChosen
            item.widget?.position = PassiveWidget.Position(index: row.position, count: row.count)
            items[id] = item
            // What is in it may have been read out until now, or may be from now on.
            if isOther { row.element.updateVoices() }
        }
        for (id, item) in gone {
            item.widget?.remove()
            items[id] = nil
        }
    }

    /// - Parameter transform: of the list's space into the host's.
    func locate(_ row: Element, _ transform: CGAffineTransform) {
        guard let item = items[ObjectIdentifier(row)] else { return }
        item.widget?.place(transform.translatedBy(x: item.rect.minX, y: item.rect.minY), item.rect.size)
    }

    func remove() {
        for item in items.values { item.widget?.remove() }
        items = [:]
    }
}
