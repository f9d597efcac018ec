import CGTK
import Foundation

/// All keys, in GTK's window for them. Main actor.
@MainActor
enum ShortcutsWindow {
    struct Part {
        let title: String
        /// `keys` as GTK writes them, several by spaces.
        var rows: [(keys: String, words: String)]
    }

    static func show(over window: UnsafeMutablePointer<GtkWindow>) {
        let builder = gtk_builder_new_from_string(description(parts), -1)
        defer { g_object_unref(builder) }
        guard let builder, let object = gtk_builder_get_object(builder, "keys") else { return }
        let own = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_transient_for(own, window)
        gtk_window_set_modal(own, 1)
        gtk_window_present(own)
    }

    static var parts: [Part] {
        let own = AppMenu.items.filter { $0.group != nil && !$0.keys.isEmpty }
        return [
            Part(
                title: say("Application"),
                rows: own.map { (keys: $0.keys.joined(separator: " "), words: say($0.words)) })
        ]
    }

    /// As GtkBuilder reads it.
    static func description(_ parts: [Part]) -> String {
        var xml = """
            <interface><object class="GtkShortcutsWindow" id="keys"><child>\
            <object class="GtkShortcutsSection"><property name="section-name">all</property>\
            <property name="max-height">14</property>
            """
        for part in parts {
            xml +=
                "<child><object class=\"GtkShortcutsGroup\"><property name=\"title\">\(escaped(part.title))</property>"
            for row in part.rows {
                xml += """
                    <child><object class="GtkShortcutsShortcut">\
                    <property name="accelerator">\(escaped(row.keys))</property>\
                    <property name="title">\(escaped(row.words))</property></object></child>
                    """
            }
            xml += "</object></child>"
        }
        return xml + "</object></child></object></interface>"
    }

    private static func escaped(_ text: String) -> String {
        guard let raw = g_markup_escape_text(text, -1) else { return "" }
        defer { g_free(raw) }
        return String(cString: raw)
    }
}
