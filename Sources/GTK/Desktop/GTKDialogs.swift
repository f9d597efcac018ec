import CGTK

/// The icons that the desktop has by name.
@MainActor
package struct GTKIconTheme {
    private let theme: OpaquePointer

    /// That of a display.
    package init?(_ display: GDKDisplay) {
        guard let theme = gtk_icon_theme_get_for_display(display.pointer) else { return nil }
        self.theme = theme
    }

    package func has(_ icon: String) -> Bool { gtk_icon_theme_has_icon(theme, icon) != 0 }
    package func addFolder(_ path: String) { gtk_icon_theme_add_search_path(theme, path) }
}

/// Windows that GTK makes.
@MainActor
package enum GTKDialogs {
    /// The dialog with a program's version, authors and licence.
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

    /// A text as such a description has it.
    package static func escaped(_ text: String) -> String { String(owned: g_markup_escape_text(text, -1)) ?? "" }
    /// A window from a description that GtkBuilder reads.
    /// - Parameter id: Of the window in the description.
    package static func window(_ description: String, id: String) -> GTKWindow? {
        guard let builder = gtk_builder_new_from_string(description, -1) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(builder)) }
        return gtk_builder_get_object(builder, id).flatMap { GTKWidget($0).as(GTKWindow.self) }
    }
}
