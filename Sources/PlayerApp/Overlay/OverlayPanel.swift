import CGTK
import GLibSupport
import GTKSupport

/// Words on a dark panel over the picture, as widgets of GTK. Main actor.
@MainActor
package final class OverlayPanel {
    /// For a `GtkOverlay`, as large as it wants to be.
    package let widget: UnsafeMutablePointer<GtkWidget>
    private let content: UnsafeMutablePointer<GtkWidget>
    private let signals = Signals()

    package enum Place { case topLeading, centre }

    private static let style = Stylesheet(
        """
        .zoetrope-panel { background: rgba(0,0,0,0.8); color: white; padding: 16px; border-radius: 12px; font-size: 90%; }
        .zoetrope-panel .key { font-weight: bold; padding-right: 12px; }
        .zoetrope-panel .heading { font-weight: bold; opacity: 0.75; margin-top: 8px; }
        .zoetrope-panel label { font-feature-settings: "tnum"; }
        """)

    /// Nil without a display. - Parameter clicked: it was clicked; nil: clicks go through it.
    init?(at place: Place, name: String, clicked: (@MainActor () -> Void)? = nil) {
        guard let scroll = gtk_scrolled_window_new(), let grid = gtk_grid_new() else { return nil }
        widget = scroll
        content = grid
        OverlayPanel.style.ensure()
        gtk_widget_add_css_class(grid, "zoetrope-panel")
        gtk_grid_set_column_spacing(grid.grid, 12)
        gtk_grid_set_row_spacing(grid.grid, 2)
        gtk_widget_set_valign(grid, GTK_ALIGN_START)
        let scrolled = OpaquePointer(scroll)
        gtk_scrolled_window_set_policy(scrolled, GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_width(scrolled, 1)
        gtk_scrolled_window_set_propagate_natural_height(scrolled, 1)
        gtk_scrolled_window_set_child(scrolled, grid)
        gtk_widget_set_halign(scroll, place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        gtk_widget_set_valign(scroll, place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        zt_gtk_set_accessible_label(scroll, name)
        for set in [
            gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_top,
            gtk_widget_set_margin_bottom,
        ] { set(scroll, 16) }
        if let clicked, let click = gtk_gesture_click_new() {
            signals.on(click, "released") { clicked() }
            gtk_widget_add_controller(scroll, click)
        } else {
            gtk_widget_set_can_target(scroll, 0)
        }
    }

    /// One or two columns of words; rows without a key are headings.
    func fill(_ columns: [[(key: String, words: String)]]) {
        while let child = gtk_widget_get_first_child(content) { gtk_grid_remove(content.grid, child) }
        for (column, rows) in columns.enumerated() {
            for (row, line) in rows.enumerated() {
                let left = Int32(column * 2)
                if line.words.isEmpty {
                    attach(line.key, "heading", left, Int32(row), width: 2)
                } else {
                    attach(line.key, "key", left, Int32(row), width: 1)
                    attach(line.words, nil, left + 1, Int32(row), width: 1)
                }
            }
        }
    }

    private func attach(_ text: String, _ style: String?, _ column: Int32, _ row: Int32, width: Int32) {
        guard let label = gtk_label_new(text) else { return }
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_widget_set_halign(label, GTK_ALIGN_START)
        if let style { gtk_widget_add_css_class(label, style) }
        gtk_grid_attach(content.grid, label, column, row, width, 1)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    fileprivate var grid: UnsafeMutablePointer<GtkGrid> { UnsafeMutablePointer<GtkGrid>(OpaquePointer(self)) }
}
