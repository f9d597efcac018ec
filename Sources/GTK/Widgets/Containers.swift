import CGTK

/// A container that arranges widgets in a row or a column.
package struct GTKBox: GTKWidgetObject {
    package static var type: GType { gtk_box_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init(_ orientation: GtkOrientation, spacing: Int32 = 0) {
        self.init(new: gtk_box_new(orientation, spacing))
    }

    @MainActor package func append<Child: GTKWidgetObject>(_ child: Child) { gtk_box_append(raw(), child.raw()) }
    @MainActor package func remove<Child: GTKWidgetObject>(_ child: Child) { gtk_box_remove(raw(), child.raw()) }
    @MainActor package func setOrientation(_ orientation: GtkOrientation) {
        gtk_orientable_set_orientation(pointer, orientation)
    }
    /// Sets whether all children have the same size.
    @MainActor package func setHomogeneous(_ isHomogeneous: Bool) {
        gtk_box_set_homogeneous(raw(), isHomogeneous.gboolean)
    }
}

/// A line between widgets.
package struct GTKSeparator: GTKWidgetObject {
    package static var type: GType { gtk_separator_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init(_ orientation: GtkOrientation) { self.init(new: gtk_separator_new(orientation)) }
}

/// A container that shows widgets over its child.
package struct GTKOverlay: GTKWidgetObject {
    package static var type: GType { gtk_overlay_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_overlay_new()) }

    @MainActor package func setChild<Child: GTKWidgetObject>(_ child: Child) {
        gtk_overlay_set_child(pointer, child.raw())
    }
    @MainActor package func addOverlay<Child: GTKWidgetObject>(_ child: Child) {
        gtk_overlay_add_overlay(pointer, child.raw())
    }
}

/// A container that arranges widgets in rows and columns.
package struct GTKGrid: GTKWidgetObject {
    package static var type: GType { gtk_grid_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_grid_new()) }

    @MainActor package func attach<Child: GTKWidgetObject>(
        _ child: Child, column: Int32, row: Int32, width: Int32 = 1, height: Int32 = 1
    ) {
        gtk_grid_attach(raw(), child.raw(), column, row, width, height)
    }
    @MainActor package func remove<Child: GTKWidgetObject>(_ child: Child) { gtk_grid_remove(raw(), child.raw()) }
    @MainActor package func setSpacing(column: UInt32, row: UInt32) {
        gtk_grid_set_column_spacing(raw(), column)
        gtk_grid_set_row_spacing(raw(), row)
    }
    /// Gives all rows the same height, and all columns the same width.
    @MainActor package func makeHomogeneous() {
        gtk_grid_set_row_homogeneous(raw(), 1)
        gtk_grid_set_column_homogeneous(raw(), 1)
    }
}

/// A container that shows one of its widgets.
package struct GTKStack: GTKWidgetObject {
    package static var type: GType { gtk_stack_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_stack_new()) }

    @MainActor package func add<Child: GTKWidgetObject>(_ child: Child, named name: String) {
        gtk_stack_add_named(pointer, child.raw(), name)
    }
    @MainActor package func show(_ name: String) { gtk_stack_set_visible_child_name(pointer, name) }
    @MainActor package func child(named name: String) -> GTKWidget? {
        GTKWidget(gtk_stack_get_child_by_name(pointer, name))
    }
}

/// The bar at the top of a window.
package struct GTKHeaderBar: GTKWidgetObject {
    package static var type: GType { gtk_header_bar_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_header_bar_new()) }

    @MainActor package func addAtStart<Child: GTKWidgetObject>(_ child: Child) {
        gtk_header_bar_pack_start(pointer, child.raw())
    }
    @MainActor package func addAtEnd<Child: GTKWidgetObject>(_ child: Child) {
        gtk_header_bar_pack_end(pointer, child.raw())
    }
}

/// A container that scrolls its child.
package struct GTKScrolledWindow: GTKWidgetObject {
    package static var type: GType { gtk_scrolled_window_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_scrolled_window_new()) }

    @MainActor package func setChild(_ child: GTKWidget?) { gtk_scrolled_window_set_child(pointer, child?.raw()) }
    @MainActor package func setHasFrame(_ hasFrame: Bool) {
        gtk_scrolled_window_set_has_frame(pointer, hasFrame.gboolean)
    }
    @MainActor package func setBars(horizontal: GtkPolicyType, vertical: GtkPolicyType) {
        gtk_scrolled_window_set_policy(pointer, horizontal, vertical)
    }
    /// Uses the natural size of the child, if there is enough space.
    @MainActor package func followChildSize() {
        gtk_scrolled_window_set_propagate_natural_width(pointer, 1)
        gtk_scrolled_window_set_propagate_natural_height(pointer, 1)
    }
    @MainActor package var horizontal: GTKAdjustment { GTKAdjustment(gtk_scrolled_window_get_hadjustment(pointer)) }
    @MainActor package var vertical: GTKAdjustment { GTKAdjustment(gtk_scrolled_window_get_vadjustment(pointer)) }
}

/// A widget that shows a `GdkPaintable`, stretched to its size.
package struct GTKPicture: GTKWidgetObject {
    package static var type: GType { gtk_picture_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() {
        self.init(new: gtk_picture_new())
        gtk_picture_set_can_shrink(pointer, 1)
        gtk_picture_set_content_fit(pointer, GTK_CONTENT_FIT_FILL)
    }

    @MainActor package func setPaintable(_ paintable: GDKPaintable?) {
        gtk_picture_set_paintable(pointer, paintable?.pointer)
    }
}

/// A container whose child's texture the compositor may show directly, without GTK drawing it.
package struct GTKGraphicsOffload: GTKWidgetObject {
    package static var type: GType { zt_gtk_graphics_offload_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Creates a container around `child`. Returns nil before GTK 4.14.
    @MainActor package init?<Child: GTKWidgetObject>(around child: Child) {
        guard let raw = zt_gtk_graphics_offload(child.raw()) else { return nil }
        self.init(new: raw)
    }

    /// Lets GTK draw the child's texture, as in any other container.
    @MainActor package func disable() {
        // Older headers lack the type of this property. GTK registers it together with the class.
        let type = g_type_from_name("GtkGraphicsOffloadEnabled")
        guard type != 0 else { return }
        var value = GValue()
        g_value_init(&value, type)
        g_value_set_enum(&value, 1)  // GTK_GRAPHICS_OFFLOAD_DISABLED
        g_object_set_property(raw(), "enabled", &value)
        g_value_unset(&value)
    }
}

/// A group of widgets with the same width.
package struct GTKSizeGroup: GTKObject {
    package static var type: GType { gtk_size_group_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package static func widths() -> GTKReference<GTKSizeGroup> {
        GTKReference(adopting: GTKSizeGroup(gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL)))
    }

    @MainActor package func add<Child: GTKWidgetObject>(_ child: Child) {
        gtk_size_group_add_widget(raw(), child.raw())
    }
}
