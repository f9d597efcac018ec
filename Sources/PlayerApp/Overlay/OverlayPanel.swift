import CGTK
import GLibSupport
import GTKSupport

/// Words on a dark panel over the picture, as widgets of GTK. Main actor.
@MainActor
package final class OverlayPanel {
    /// For a `GtkOverlay`, as large as it wants to be.
    package let widget: UnsafeMutablePointer<GtkWidget>
    private let content: UnsafeMutablePointer<GtkWidget>
    /// All keys are as wide as the widest, also in columns that stand below each other.
    private let keys: UnsafeMutablePointer<GtkSizeGroup>
    private let signals = Signals()

    package enum Place { case topLeading, centre }

    /// Points: around the panel, and around what is in it.
    private static let margin: Int32 = 16, padding: Int32 = 16
    /// Points: between columns, and between keys and words.
    private static let columnSpacing: Int32 = 32, wordSpacing: Int32 = 12

    private static let style = Stylesheet(
        """
        .zoetrope-panel { background: rgba(0,0,0,0.8); color: white; padding: \(padding)px; border-radius: 12px; font-size: 90%; }
        .zoetrope-panel .key { font-weight: bold; }
        .zoetrope-panel .heading { font-weight: bold; opacity: 0.75; margin-top: 8px; }
        .zoetrope-panel label { font-feature-settings: "tnum"; }
        """)

    /// Nil without a display. - Parameter clicked: it was clicked; nil: clicks go through it.
    init?(at place: Place, name: String, clicked: (@MainActor () -> Void)? = nil) {
        guard let scroll = gtk_scrolled_window_new(),
            let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, OverlayPanel.columnSpacing),
            let keys = gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL)
        else { return nil }
        widget = scroll
        content = box
        self.keys = keys
        OverlayPanel.style.ensure()
        gtk_widget_add_css_class(box, "zoetrope-panel")
        // What scrolls may have been given more than it takes.
        gtk_widget_set_valign(box, place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        let scrolled = OpaquePointer(scroll)
        // Lines that are too long wrap; only columns that are too high scroll.
        gtk_scrolled_window_set_policy(scrolled, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_width(scrolled, 1)
        gtk_scrolled_window_set_propagate_natural_height(scrolled, 1)
        gtk_scrolled_window_set_child(scrolled, box)
        gtk_widget_set_halign(scroll, place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        gtk_widget_set_valign(scroll, place == .centre ? GTK_ALIGN_CENTER : GTK_ALIGN_START)
        zt_gtk_set_accessible_label(scroll, name)
        for set in [
            gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_top,
            gtk_widget_set_margin_bottom,
        ] { set(scroll, OverlayPanel.margin) }
        if let clicked, let click = gtk_gesture_click_new() {
            signals.on(click, "released") { clicked() }
            gtk_widget_add_controller(scroll, click)
        } else {
            gtk_widget_set_can_target(scroll, 0)
        }
    }
    isolated deinit { g_object_unref(UnsafeMutableRawPointer(keys)) }

    /// Columns of keys and words; rows without words are headings. Columns stand beside each other where there is room
    /// for them (`fit`).
    func fill(_ columns: [[(key: String, words: String)]]) {
        while let child = gtk_widget_get_first_child(content) { gtk_box_remove(content.box, child) }
        for rows in columns {
            guard let grid = gtk_grid_new() else { continue }
            gtk_grid_set_column_spacing(grid.grid, UInt32(OverlayPanel.wordSpacing))
            gtk_grid_set_row_spacing(grid.grid, 2)
            gtk_widget_set_valign(grid, GTK_ALIGN_START)
            for (row, line) in rows.enumerated() {
                if line.words.isEmpty {
                    attach(line.key, "heading", to: grid, 0, Int32(row), width: 2)
                } else {
                    attach(line.key, "key", to: grid, 0, Int32(row), width: 1)
                    attach(line.words, nil, to: grid, 1, Int32(row), width: 1)
                }
            }
            gtk_box_append(content.box, grid)
        }
    }

    /// - Parameter width: of what the panel lies over, points.
    func fit(width: Int32) {
        var wanted: Int32 = 2 * (OverlayPanel.margin + OverlayPanel.padding) - OverlayPanel.columnSpacing
        var child = gtk_widget_get_first_child(content)
        while let column = child {
            var natural: Int32 = 0
            gtk_widget_measure(column, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
            wanted += natural + OverlayPanel.columnSpacing
            child = gtk_widget_get_next_sibling(column)
        }
        let isWide = wanted <= width
        gtk_orientable_set_orientation(
            OpaquePointer(content), isWide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL)
        gtk_box_set_spacing(content.box, isWide ? OverlayPanel.columnSpacing : 0)
    }

    /// What there is no room for. - Parameter steps: down, or up where negative.
    func scroll(by steps: Double) {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(widget)) else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + steps * 40)
    }

    private func attach(
        _ text: String, _ style: String?, to grid: UnsafeMutablePointer<GtkWidget>, _ column: Int32, _ row: Int32,
        width: Int32
    ) {
        guard let widget = gtk_label_new(text) else { return }
        let label = OpaquePointer(widget)
        gtk_label_set_xalign(label, 0)
        gtk_label_set_wrap(label, 1)
        gtk_label_set_wrap_mode(label, style == nil ? PANGO_WRAP_WORD_CHAR : PANGO_WRAP_WORD)
        gtk_label_set_natural_wrap_mode(label, GTK_NATURAL_WRAP_NONE)
        gtk_widget_set_valign(widget, GTK_ALIGN_START)
        if let style { gtk_widget_add_css_class(widget, style) }
        if style == "key" { gtk_size_group_add_widget(keys, widget) }
        gtk_grid_attach(grid.grid, widget, column, row, width, 1)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    fileprivate var grid: UnsafeMutablePointer<GtkGrid> { UnsafeMutablePointer<GtkGrid>(OpaquePointer(self)) }
    fileprivate var box: UnsafeMutablePointer<GtkBox> { UnsafeMutablePointer<GtkBox>(OpaquePointer(self)) }
}
