import GTK
import Foundation
@_spi(Graph) import ViewGraph

/// A picker as a `GtkDropDown` that shows the texts of the options.
final class DropDownElement: PickerElement {
    /// Whether the picker becomes a submenu when it is in a menu.
    let isSubmenu: Bool
    private var titles: [String] = []

    init(isSubmenu: Bool) {
        self.isSubmenu = isSubmenu
        super.init()
    }

    override func makeWidget() -> GTKWidget? {
        let list = GTKDropDown()
        titles = []
        if let button = list.firstChild { reportExpanded(button) }
        connect(list, "notify::selected") { [weak self] in self?.selectionChanged() }
        return list.widget
    }

    // The button inside has the focus. Without a name, GTK 4.8 would read the name of its class.
    override func named(_ widget: GTKWidget) -> [GTKWidget] {
        [widget] + [widget.firstChild].compactMap { $0 }
    }

    private var list: GTKDropDown? { widget?.as(GTKDropDown.self) }

    private func selectionChanged() {
        if let index = list?.selected { choose(index) }
    }

    override func configure(_ widget: GTKWidget) {
        super.configure(widget)
        silently {
            let titles = options.map(\.title)
            if titles != self.titles {
                self.titles = titles
                list?.setTexts(titles)
            }
            if list?.selected != selected { list?.selected = selected }
        }
        // In GTK 4.18, the button inside has the description of the drop-down. In GTK 4.8, each has its own.
        for part in named(widget) { part.setAccessibleDescription(selectedTitle) }
    }

    /// Returns GTK's natural size. Without a widget, returns the default theme's size: 10 points at both ends of the
    /// text, 6 before the arrow and 16 for the arrow.
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        if let own = natural(width: nil) { return own }
        let textWidth = selected.map { options[$0].element.sizeThatFits(.unspecified).width } ?? 0
        return CGSize(width: textWidth + 42, height: ControlExtent.regular)
    }
}
