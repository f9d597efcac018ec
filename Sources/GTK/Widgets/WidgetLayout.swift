import CGTK
import Foundation

// The size and position of widgets.
@MainActor
extension GTKWidgetObject {
    /// The width, in points.
    package var width: Int32 { gtk_widget_get_width(raw()) }
    package var height: Int32 { gtk_widget_get_height(raw()) }
    package var size: CGSize { CGSize(width: Double(width), height: Double(height)) }
    /// The number of device pixels per point.
    package var scaleFactor: Int { Int(gtk_widget_get_scale_factor(raw())) }

    /// Measures one dimension, in points.
    ///
    /// - Parameter size: The size of the other dimension, in points; −1 if unknown.
    package func measure(_ orientation: GtkOrientation, for size: Int32 = -1) -> (minimum: Int32, natural: Int32) {
        var minimum: Int32 = 0
        var natural: Int32 = 0
        gtk_widget_measure(raw(), orientation, size, &minimum, &natural, nil, nil)
        return (minimum, natural)
    }
    /// - Parameter transform: A `GskTransform *`, which this method takes over, or nil.
    package func allocate(_ width: Int32, _ height: Int32, _ transform: OpaquePointer?) {
        gtk_widget_allocate(raw(), width, height, -1, transform)
    }
    package func queueAllocate() { gtk_widget_queue_allocate(raw()) }
    package func queueResize() { gtk_widget_queue_resize(raw()) }

    /// Converts a point to the coordinates of another widget in the same window.
    package func convert<Other: GTKWidgetObject>(_ point: CGPoint, to other: Other) -> CGPoint? {
        var x = 0.0
        var y = 0.0
        guard zt_gtk_translate(raw(), other.raw(), point.x, point.y, &x, &y) != 0 else { return nil }
        return CGPoint(x: x, y: y)
    }
    /// Returns the bounds in the coordinates of another widget in the same window.
    package func bounds<Other: GTKWidgetObject>(in other: Other) -> CGRect? {
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(raw(), other.raw(), &bounds) != 0 else { return nil }
        return CGRect(
            x: Double(bounds.origin.x), y: Double(bounds.origin.y), width: Double(bounds.size.width),
            height: Double(bounds.size.height))
    }

    /// Returns whether the widget, or a widget inside it, expands to fill available space.
    package func expands(_ orientation: GtkOrientation) -> Bool { gtk_widget_compute_expand(raw(), orientation) != 0 }
    package func setExpands(horizontally: Bool) { gtk_widget_set_hexpand(raw(), horizontally.gboolean) }
    package func setExpands(vertically: Bool) { gtk_widget_set_vexpand(raw(), vertically.gboolean) }
    package func setAlignment(horizontal: GtkAlign) { gtk_widget_set_halign(raw(), horizontal) }
    package func setAlignment(vertical: GtkAlign) { gtk_widget_set_valign(raw(), vertical) }

    package var marginBottom: Int32 {
        get { gtk_widget_get_margin_bottom(raw()) }
        nonmutating set { gtk_widget_set_margin_bottom(raw(), newValue) }
    }
    package func setMargins(top: Int32, bottom: Int32, sides: Int32) {
        gtk_widget_set_margin_top(raw(), top)
        gtk_widget_set_margin_bottom(raw(), bottom)
        gtk_widget_set_margin_start(raw(), sides)
        gtk_widget_set_margin_end(raw(), sides)
    }
    /// The requested minimum width, in points; −1 if none was requested.
    package var requestedWidth: Int32 {
        var width: Int32 = 0
        gtk_widget_get_size_request(raw(), &width, nil)
        return width
    }
    /// Requests a minimum size, in points. −1 uses the size that the widget needs.
    package func request(width: Int32, height: Int32 = -1) { gtk_widget_set_size_request(raw(), width, height) }
    package func setDirection(_ direction: GtkTextDirection) { gtk_widget_set_direction(raw(), direction) }
}
