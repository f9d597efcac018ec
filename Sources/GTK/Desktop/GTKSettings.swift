import CGTK

/// The settings of the desktop and the app for GTK's appearance and behavior.
package struct GTKSettings: GTKObject {
    package static var type: GType { gtk_settings_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// The settings of the default display, or nil without a display.
    @MainActor package static var standard: GTKSettings? { GTKSettings(gtk_settings_get_default()) }
    /// Whether texts are read from right to left in GTK's language.
    @MainActor package static var isRightToLeft: Bool { gtk_widget_get_default_direction() == GTK_TEXT_DIR_RTL }

    @MainActor package var prefersDark: Bool {
        get { bool("gtk-application-prefer-dark-theme") }
        nonmutating set {
            // Setting the property reloads all style sheets.
            guard newValue != prefersDark else { return }
            zt_gtk_settings_set_boolean(pointer, "gtk-application-prefer-dark-theme", newValue.gboolean)
        }
    }
    @MainActor package var animates: Bool { bool("gtk-enable-animations") }
    @MainActor package var themeName: String? { text("gtk-theme-name") }
    @MainActor package var fontName: String? { text("gtk-font-name") }
    /// The resolution of fonts, in dots per inch times 1024; −1 if unknown.
    @MainActor package var fontResolution: Int32 { number("gtk-xft-dpi") }
    @MainActor package var doubleClickMilliseconds: Int32 { number("gtk-double-click-time") }

    @MainActor private func bool(_ name: String) -> Bool {
        var value: gboolean = 0
        zt_gtk_settings_get_boolean(pointer, name, &value)
        return value != 0
    }
    @MainActor private func number(_ name: String) -> Int32 {
        var value: gint = 0
        zt_gtk_settings_get_int(pointer, name, &value)
        return value
    }
    @MainActor private func text(_ name: String) -> String? { String(owned: zt_gtk_settings_get_string(pointer, name)) }
}
