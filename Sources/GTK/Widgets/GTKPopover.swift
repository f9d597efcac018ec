import CGTK
import Foundation

/// A surface over a window, such as a menu.
package struct GTKPopover: GTKWidgetObject {
    package static var type: GType { gtk_popover_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_popover_new()) }
    /// Creates a menu whose submenus open beside it.
    @MainActor package init(menu: GIOMenu) {
        self.init(new: gtk_popover_menu_new_from_model_full(menu.raw(), GTK_POPOVER_MENU_NESTED))
    }

    @MainActor package func setChild(_ child: GTKWidget?) { gtk_popover_set_child(raw(), child?.raw()) }
    @MainActor package func setPosition(_ position: GtkPositionType) { gtk_popover_set_position(raw(), position) }
    /// - Parameter point: A point in the parent's coordinates.
    @MainActor package func setPointing(to point: CGPoint) {
        func bounded(_ value: Double) -> Int32 {
            value.isFinite ? Int32(min(max(value, -1_000_000), 1_000_000).rounded()) : 0
        }
        var rect = GdkRectangle(x: bounded(point.x), y: bounded(point.y), width: 1, height: 1)
        gtk_popover_set_pointing_to(raw(), &rect)
    }
    @MainActor package func open() { gtk_popover_popup(raw()) }
    /// Updates the position after the parent was allocated.
    @MainActor package func place() { gtk_popover_present(raw()) }

    /// Makes a menu open at a point of its parent, so that all entries can be reached.
    ///
    /// The menu opens to the right of the point and downward. Near the edges of the screen, it opens to the left and
    /// moves up; on Wayland, the compositor does this. A menu taller than the screen scrolls. (A popover that opens
    /// below or above the point does not move up, and would be cut off if neither side has enough space.)
    @MainActor package func placeMenu(at point: CGPoint) {
        setPointing(to: point)
        gtk_popover_set_has_arrow(raw(), 0)
        setPosition(GTK_POS_RIGHT)
        setAlignment(vertical: GTK_ALIGN_START)
    }
}

/// The menu bar of a window.
package struct GTKMenuBar: GTKWidgetObject {
    package static var type: GType { gtk_popover_menu_bar_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init(_ menu: GIOMenu) { self.init(new: gtk_popover_menu_bar_new_from_model(menu.raw())) }

    @MainActor package func setMenu(_ menu: GIOMenu) { gtk_popover_menu_bar_set_menu_model(pointer, menu.raw()) }
}

/// A tooltip, which GTK requests by the signal "query-tooltip".
package struct GTKTooltip: GTKObject {
    package static var type: GType { gtk_tooltip_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package func setText(_ text: String) { gtk_tooltip_set_text(pointer, text) }
    /// - Parameter area: The area of the widget to which the tooltip applies. Outside of it, GTK requests another
    ///   tooltip.
    @MainActor package func setArea(_ area: CGRect) {
        var rect = GdkRectangle(
            x: Int32(clamping: Int(area.minX.rounded(.down))), y: Int32(clamping: Int(area.minY.rounded(.down))),
            width: Int32(clamping: Int(area.width.rounded(.up))),
            height: Int32(clamping: Int(area.height.rounded(.up))))
        gtk_tooltip_set_tip_area(pointer, &rect)
    }
}
