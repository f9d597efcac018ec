import CGTK

/// A button.
package protocol GTKButtonObject: GTKWidgetObject {}

@MainActor
extension GTKButtonObject {
    package func setIcon(_ name: String) { gtk_button_set_icon_name(raw(), name) }
    /// - Parameter name: The action that the button activates, in GIO's format: “app.open”.
    package func setAction(_ name: String) { gtk_actionable_set_action_name(pointer, name) }
}

/// A button of any class.
package struct GTKButton: GTKButtonObject {
    package static var type: GType { gtk_button_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_button_new()) }
    @MainActor package init(icon: String) { self.init(new: gtk_button_new_from_icon_name(icon)) }
}

/// A widget that is on or off.
package protocol GTKSwitchable: GTKWidgetObject {
    @MainActor var isActive: Bool { get nonmutating set }
}

/// A button that stays pressed until it is clicked again.
package struct GTKToggleButton: GTKButtonObject, GTKSwitchable {
    package static var type: GType { gtk_toggle_button_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_toggle_button_new()) }

    @MainActor package var isActive: Bool {
        get { gtk_toggle_button_get_active(raw()) != 0 }
        nonmutating set { gtk_toggle_button_set_active(raw(), newValue.gboolean) }
    }
    /// Joins the group of another button. In a group, only one button is pressed.
    @MainActor package func join(_ first: GTKToggleButton) { gtk_toggle_button_set_group(raw(), first.raw()) }
}

/// A check box or a radio button.
package struct GTKCheckButton: GTKSwitchable {
    package static var type: GType { gtk_check_button_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_check_button_new()) }

    @MainActor package var isActive: Bool {
        get { gtk_check_button_get_active(raw()) != 0 }
        nonmutating set { gtk_check_button_set_active(raw(), newValue.gboolean) }
    }
    /// Joins the group of another button. The buttons of a group are radio buttons.
    @MainActor package func join(_ first: GTKCheckButton) { gtk_check_button_set_group(raw(), first.raw()) }
}

/// A switch.
package struct GTKSwitch: GTKSwitchable {
    package static var type: GType { gtk_switch_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_switch_new()) }

    @MainActor package var isActive: Bool {
        get { gtk_switch_get_active(pointer) != 0 }
        nonmutating set { gtk_switch_set_active(pointer, newValue.gboolean) }
    }
}

/// A button that shows a color, and opens a dialog for choosing another one. It emits "notify::rgba" for a new color.
package struct GTKColorButton: GTKWidgetObject {
    package static var type: GType { zt_gtk_color_button_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: zt_gtk_color_button_new()) }

    @MainActor package var color: GdkRGBA {
        get { zt_gtk_color_button_get(raw()) }
        nonmutating set { withUnsafePointer(to: newValue) { zt_gtk_color_button_set(raw(), $0) } }
    }
    /// Sets whether the dialog can choose transparent colors.
    @MainActor package func setHasAlpha(_ hasAlpha: Bool) { zt_gtk_color_button_set_alpha(raw(), hasAlpha.gboolean) }
    /// Sets the title of the dialog.
    @MainActor package func setTitle(_ title: String) { zt_gtk_color_button_set_title(raw(), title) }
}

/// A button that opens a menu.
package struct GTKMenuButton: GTKWidgetObject {
    package static var type: GType { gtk_menu_button_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package init() { self.init(new: gtk_menu_button_new()) }

    @MainActor package func setChild<Child: GTKWidgetObject>(_ child: Child) {
        gtk_menu_button_set_child(pointer, child.raw())
    }
    @MainActor package func setIcon(_ name: String) { gtk_menu_button_set_icon_name(pointer, name) }
    @MainActor package func setHasFrame(_ hasFrame: Bool) { gtk_menu_button_set_has_frame(pointer, hasFrame.gboolean) }
    /// Sets whether F10 opens the menu.
    @MainActor package func setPrimary(_ isPrimary: Bool) { gtk_menu_button_set_primary(pointer, isPrimary.gboolean) }
    @MainActor package func setMenu(_ menu: GIOMenu) { gtk_menu_button_set_menu_model(pointer, menu.raw()) }
    @MainActor package func setPopover(_ popover: GTKPopover?) { gtk_menu_button_set_popover(pointer, popover?.raw()) }

    /// Sets a closure that sets the popover. The button keeps the closure, and calls it each time before the menu
    /// opens. Nil removes the closure.
    @MainActor package func onOpen(_ open: (@MainActor () -> Void)?) {
        guard let open else { return gtk_menu_button_set_create_popup_func(pointer, nil, nil, nil) }
        let closure = GTKClosure {
            open()
            return true
        }
        gtk_menu_button_set_create_popup_func(
            pointer, { _, closure in MainThread.run(closure, as: GTKClosure.self) { $0.call() } }, closure.retained(),
            { GTKClosure.release($0) })
    }
}
