import CGTK
import Foundation

/// A handle for one type of widget, with the properties and methods of all widgets.
package protocol GTKWidgetObject: GTKObject {}

extension GTKWidget: GTKWidgetObject {
    package static var type: GType { gtk_widget_get_type() }
}

@MainActor
extension GTKWidgetObject {
    /// - Parameter widget: A new widget of this type.
    init(new widget: UnsafeMutablePointer<GtkWidget>) { self.init(OpaquePointer(widget)) }

    /// Creates a widget with another role for assistive technology.
    package init(role: GtkAccessibleRole) { self.init(new: zt_gtk_new_with_role(Self.type, role)) }

    /// The same object as a widget of any type.
    package var widget: GTKWidget { GTKWidget(pointer) }

    // MARK: appearance

    package var isVisible: Bool {
        get { gtk_widget_get_visible(raw()) != 0 }
        nonmutating set { gtk_widget_set_visible(raw(), newValue.gboolean) }
    }
    /// Whether the widget's parent shows it.
    package var isChildVisible: Bool {
        get { gtk_widget_get_child_visible(raw()) != 0 }
        nonmutating set { gtk_widget_set_child_visible(raw(), newValue.gboolean) }
    }
    package var isMapped: Bool { gtk_widget_get_mapped(raw()) != 0 }
    package var isRealized: Bool { gtk_widget_get_realized(raw()) != 0 }
    package func realize() { gtk_widget_realize(raw()) }

    package func addClass(_ name: String) { gtk_widget_add_css_class(raw(), name) }
    package func removeClass(_ name: String) { gtk_widget_remove_css_class(raw(), name) }
    package func setClass(_ name: String, _ isSet: Bool) { if isSet { addClass(name) } else { removeClass(name) } }
    package func hasClass(_ name: String) -> Bool { gtk_widget_has_css_class(raw(), name) != 0 }
    /// - Parameter name: The name, or nil for the name of the widget's class.
    package func setName(_ name: String?) { gtk_widget_set_name(raw(), name) }

    package func setTooltip(_ text: String?) { gtk_widget_set_tooltip_text(raw(), text) }
    /// Sets whether the widget emits "query-tooltip".
    package func setAsksForTooltip(_ isEnabled: Bool) { gtk_widget_set_has_tooltip(raw(), isEnabled.gboolean) }
    /// - Parameter name: The name of a cursor in CSS, or nil for the parent's cursor.
    package func setCursor(_ name: String?) { gtk_widget_set_cursor_from_name(raw(), name) }
    package func setOverflow(_ overflow: GtkOverflow) { gtk_widget_set_overflow(raw(), overflow) }

    package func queueDraw() { gtk_widget_queue_draw(raw()) }
    /// An immutable `GdkPaintable` of the widget's last drawing, which the caller frees, or nil.
    package var lastDrawing: OpaquePointer? {
        guard let live = gtk_widget_paintable_new(raw()) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(live)) }
        return gdk_paintable_get_current_image(live)
    }
    /// Returns a `PangoLayout *` in the widget's font, which the caller frees.
    package func makeLayout(_ text: String) -> OpaquePointer? { gtk_widget_create_pango_layout(raw(), text) }
    /// The `GdkFrameClock *` of a realized widget.
    package var frameClock: OpaquePointer? { gtk_widget_get_frame_clock(raw()) }
    /// The time between two refreshes of the display, in nanoseconds. Nil if the widget is not realized.
    package var refreshInterval: Int64? {
        guard let frameClock else { return nil }
        var interval: gint64 = 0
        gdk_frame_clock_get_refresh_info(frameClock, gdk_frame_clock_get_frame_time(frameClock), &interval, nil)
        return interval > 0 ? Int64(interval) * 1000 : nil
    }
    package var display: GDKDisplay? { gtk_widget_get_display(raw()).map { GDKDisplay($0) } }

    // MARK: input

    package func setSensitive(_ isSensitive: Bool) { gtk_widget_set_sensitive(raw(), isSensitive.gboolean) }
    /// Whether the widget and all its ancestors are sensitive.
    package var isSensitive: Bool { gtk_widget_is_sensitive(raw()) != 0 }
    package func setCanTarget(_ canTarget: Bool) { gtk_widget_set_can_target(raw(), canTarget.gboolean) }
    package func setCanFocus(_ canFocus: Bool) { gtk_widget_set_can_focus(raw(), canFocus.gboolean) }
    package var isFocusable: Bool {
        get { gtk_widget_get_focusable(raw()) != 0 }
        nonmutating set { gtk_widget_set_focusable(raw(), newValue.gboolean) }
    }
    package func setFocusesOnClick(_ focuses: Bool) { gtk_widget_set_focus_on_click(raw(), focuses.gboolean) }
    /// Whether the widget handles clicks itself.
    package var isControl: Bool { zt_gtk_is_control(raw()) != 0 }
    package var stateFlags: GtkStateFlags { gtk_widget_get_state_flags(raw()) }
    /// Whether the widget or a widget inside it has the keyboard focus.
    package var hasFocusInside: Bool { stateFlags.rawValue & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0 }
    /// Activates the widget. Returns whether it did something. A button is clicked at once. GTK itself would click it
    /// only after 250 ms, and could handle a later event first.
    @discardableResult package func activate() -> Bool { zt_gtk_activate(raw()) != 0 }

    /// Adds a controller. The widget takes over the controller's reference.
    package func add<Controller: GTKControllerObject>(_ controller: Controller) {
        gtk_widget_add_controller(raw(), controller.pointer)
    }
    package func remove<Controller: GTKControllerObject>(_ controller: Controller) {
        gtk_widget_remove_controller(raw(), controller.pointer)
    }
    /// Makes the actions of `group` available as “prefix.name” in the widget and its descendants. Nil removes them.
    package func insertActions(_ group: GIOActionGroup?, as prefix: String) {
        gtk_widget_insert_action_group(raw(), prefix, group?.pointer)
    }

    // MARK: keyboard focus

    package var hasFocus: Bool { gtk_widget_has_focus(raw()) != 0 }
    /// Whether the widget is its window's focus widget, even while the window is not active.
    package var isFocus: Bool { gtk_widget_is_focus(raw()) != 0 }
    package var hasVisibleFocus: Bool { gtk_widget_has_visible_focus(raw()) != 0 }
    package var focusChild: GTKWidget? { GTKWidget(gtk_widget_get_focus_child(raw())) }
    package func grabFocus() { gtk_widget_grab_focus(raw()) }
    /// Moves the focus into the widget or within it. Returns whether the focus is in the widget afterward.
    @discardableResult package func moveFocus(_ direction: GtkDirectionType) -> Bool {
        gtk_widget_child_focus(raw(), direction) != 0
    }

    // MARK: accessibility

    /// - Parameter text: The label, or nil for GTK's own.
    package func setAccessibleLabel(_ text: String?) {
        guard let text else { return resetAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL) }
        zt_gtk_set_accessible_label(raw(), text)
    }
    /// - Parameter text: The description, or nil for GTK's own.
    package func setAccessibleDescription(_ text: String?) {
        guard let text else { return resetAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION) }
        zt_gtk_set_accessible_description(raw(), text)
    }
    /// - Parameter text: The value, or nil for GTK's own.
    package func setAccessibleValue(_ text: String?) {
        guard let text else { return resetAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT) }
        zt_gtk_set_accessible_value_text(raw(), text)
    }
    private func resetAccessible(_ property: GtkAccessibleProperty) {
        gtk_accessible_reset_property(pointer, property)
    }
    /// - Parameter fraction: The value, 0…1.
    package func setAccessibleFraction(_ fraction: Double) { zt_gtk_set_accessible_fraction(raw(), fraction) }
    package func setAccessibleExpanded(_ isExpanded: Bool) {
        zt_gtk_set_accessible_expanded(raw(), isExpanded.gboolean)
    }
    package func setAccessibleSelected(_ isSelected: Bool) {
        zt_gtk_set_accessible_selected(raw(), isSelected.gboolean)
    }
    package func setAccessiblePosition(_ index: Int, of count: Int) {
        zt_gtk_set_accessible_position(raw(), Int32(clamping: index), Int32(clamping: count))
    }
}
