import CGTK
import Foundation

/// The widgets that elements of a surface put somewhere, in the order of drawing. GTK's order of children is that of
/// focus and, backwards, of picking.
@MainActor
struct WidgetOrder {
    private var located: [UnsafeMutablePointer<GtkWidget>] = []
    private var sorted: [UnsafeMutablePointer<GtkWidget>] = []
    private var isOld = true

    /// Elements have come or gone.
    mutating func invalidate() { isOld = true }
    /// All widgets are located again.
    mutating func begin() { located.removeAll(keepingCapacity: true) }
    mutating func add(_ child: UnsafeMutablePointer<GtkWidget>) { located.append(child) }

    /// Gives the children of `widget` this order, and hides those that were not located.
    mutating func sort(_ widget: UnsafeMutablePointer<GtkWidget>) {
        guard isOld || located != sorted else { return }
        isOld = false
        var previous: UnsafeMutablePointer<GtkWidget>?
        for child in located where gtk_widget_get_parent(child) == widget {
            if gtk_widget_get_prev_sibling(child) != previous { gtk_widget_insert_after(child, widget, previous) }
            previous = child
        }
        // Those that are not located now are not there for anybody.
        let shown = Set(located)
        var child = gtk_widget_get_first_child(widget)
        while let current = child {
            let visible: gboolean = shown.contains(current) ? 1 : 0
            if gtk_widget_get_child_visible(current) != visible { gtk_widget_set_child_visible(current, visible) }
            child = gtk_widget_get_next_sibling(current)
        }
        sorted = located
    }
}
