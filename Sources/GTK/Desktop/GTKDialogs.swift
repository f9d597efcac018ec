import CGTK

/// The icons that the desktop provides by name.
@MainActor
package struct GTKIconTheme {
    private let theme: OpaquePointer

    /// Creates a handle for the icon theme of a display. Returns nil if there is none.
    package init?(_ display: GDKDisplay) {
        guard let theme = gtk_icon_theme_get_for_display(display.pointer) else { return nil }
        self.theme = theme
    }

    package func has(_ icon: String) -> Bool { gtk_icon_theme_has_icon(theme, icon) != 0 }
    package func addFolder(_ path: String) { gtk_icon_theme_add_search_path(theme, path) }
}

/// Dialogs and windows that GTK builds.
@MainActor
package enum GTKDialogs {
    /// Creates a dialog with a program's version, authors and license.
    package static func about(
        name: String, version: String, comments: String, copyright: String, icon: String, licence: String
    ) -> GTKWindow {
        let dialog = GTKWindow(new: gtk_about_dialog_new())
        gtk_about_dialog_set_program_name(dialog.pointer, name)
        gtk_about_dialog_set_version(dialog.pointer, version)
        gtk_about_dialog_set_comments(dialog.pointer, comments)
        gtk_about_dialog_set_copyright(dialog.pointer, copyright)
        gtk_about_dialog_set_logo_icon_name(dialog.pointer, icon)
        gtk_about_dialog_set_license(dialog.pointer, licence)
        gtk_about_dialog_set_wrap_license(dialog.pointer, 1)
        return dialog
    }

    /// Returns a text with the special characters of GtkBuilder's descriptions escaped.
    package static func escaped(_ text: String) -> String { String(owned: g_markup_escape_text(text, -1)) ?? "" }
    /// Creates a window from a description in GtkBuilder's format.
    ///
    /// - Parameter id: The window's identifier in the description.
    package static func window(_ description: String, id: String) -> GTKWindow? {
        guard let builder = gtk_builder_new_from_string(description, -1) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(builder)) }
        return gtk_builder_get_object(builder, id).flatMap { GTKWidget($0).as(GTKWindow.self) }
    }
}
