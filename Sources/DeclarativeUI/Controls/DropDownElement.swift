import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// A picker as a GtkDropDown: the options' words.
final class DropDownElement: PickerElement {
    /// In a menu: a menu of its own.
    let isSubmenu: Bool
    private var titles: [String] = []

    init(isSubmenu: Bool) {
        self.isSubmenu = isSubmenu
        super.init()
    }

    override func makeWidget() -> UnsafeMutablePointer<GtkWidget>? {
        guard let widget = gtk_drop_down_new_from_strings(nil) else { return nil }
        titles = []
        if let button = gtk_widget_get_first_child(widget) { tellExpanded(button) }
        connect(widget, "notify::selected") { [weak self] in self?.picked() }
        return widget
    }

    // The button inside is what has the focus; without a name GTK 4.8 says the name of its class.
    override func named(_ widget: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<GtkWidget>] {
        [widget] + [gtk_widget_get_first_child(widget)].compactMap { $0 }
    }

    private func picked() {
        guard let widget else { return }
        let index = gtk_drop_down_get_selected(widget.opaque)
        if index != guint.max { choose(Int(index)) }
    }

    override func configure(_ widget: UnsafeMutablePointer<GtkWidget>) {
        super.configure(widget)
        silently {
            let titles = options.map(\.title)
            if titles != self.titles, let list = gtk_string_list_new(nil) {
                self.titles = titles
                for title in titles { gtk_string_list_append(list, title) }
                gtk_drop_down_set_model(widget.opaque, list)
                g_object_unref(UnsafeMutableRawPointer(list))
            }
            let index = selected.map { guint(clamping: $0) } ?? guint.max
            if gtk_drop_down_get_selected(widget.opaque) != index { gtk_drop_down_set_selected(widget.opaque, index) }
        }
        if let button = gtk_widget_get_first_child(widget) {
            zt_gtk_set_accessible_description(
                button, selected.flatMap { options.indices.contains($0) ? options[$0].title : nil } ?? "")
        }
    }

    /// GTK's natural size; without it the default theme's: 10 points beside the words and 16 for the arrow, 6 between.
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        if let own = natural(width: nil) { return own }
        let words = selected.map { options[$0].element.sizeThatFits(.unspecified).width } ?? 0
        return CGSize(width: words + 42, height: ControlExtent.regular)
    }
}
