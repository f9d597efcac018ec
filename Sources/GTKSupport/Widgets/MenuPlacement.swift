import CGTK

/// Where a context menu opens. Main actor.
@MainActor
package enum MenuPlacement {
    /// Places a menu at a point of its parent, so that all of its entries can be reached.
    ///
    /// The menu opens to the right of the point and downwards. Near the edges of the screen it opens to the left and
    /// moves up, also on Wayland, where the compositor does that. A menu that is higher than the screen scrolls. (Below
    /// or above the point a popover does not move up: it is cut off where neither side has room.)
    package static func place(_ menu: UnsafeMutablePointer<GtkPopover>, at x: Double, _ y: Double) {
        func bounded(_ value: Double) -> Int32 { value.isFinite ? Int32(min(max(value, -100_000), 100_000)) : 0 }
        var point = GdkRectangle(x: bounded(x), y: bounded(y), width: 1, height: 1)
        gtk_popover_set_pointing_to(menu, &point)
        gtk_popover_set_has_arrow(menu, 0)
        gtk_popover_set_position(menu, GTK_POS_RIGHT)
        gtk_widget_set_valign(UnsafeMutablePointer<GtkWidget>(OpaquePointer(menu)), GTK_ALIGN_START)
    }
}
