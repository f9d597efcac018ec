import GTK

/// The window with all keyboard shortcuts, which is GTK's own. Main actor.
@MainActor
enum ShortcutsWindow {
    struct Part {
        let title: String
        /// The rows. `keys` are in GTK's notation, separated by spaces.
        var rows: [(keys: String, text: String)]
    }

    static func show(over window: GTKWindow) {
        guard let own = GTKDialogs.window(description(parts), id: "keys") else { return }
        own.setModal(over: window)
        own.addClass("zoetrope-keys")
        style.ensure()
        own.present()
    }

    /// The style that removes margins in GTK's theme. They are larger than the page numbers and cause warnings.
    private static let style = Stylesheet(
        ".zoetrope-keys stackswitcher.circular > button.circular > label { margin: 0; }")

    /// The shortcuts of the app, and those of the player from its key table.
    static var parts: [Part] {
        let own = AppMenu.items.filter { $0.group != nil && !$0.keys.isEmpty }
        return [
            Part(
                title: localized("General"),
                rows: own.map { (keys: $0.keys.joined(separator: " "), text: localized($0.text)) })
        ] + KeyTable.sections.map { Part(title: localized($0.title), rows: rows($0)) }
    }

    private static func rows(_ section: KeyTable.Section) -> [(keys: String, text: String)] {
        var rows: [(keys: [String], text: String)] = []
        for binding in section.bindings {
            guard let key = binding.keys.first?.accelerator else { continue }
            if binding.title.isEmpty, !rows.isEmpty {
                rows[rows.count - 1].keys.append(key)
            } else {
                rows.append(([key], localized(binding.title)))
            }
        }
        return rows.map { row in
            // For a row of digits, the first and the last are enough.
            let keys =
                row.keys.count > 3
                ? "\(row.keys[0])...\(row.keys[row.keys.count - 1])" : row.keys.joined(separator: " ")
            return (keys, row.text)
        }
    }

    /// Returns the description of the window for GtkBuilder.
    static func description(_ parts: [Part]) -> String {
        var xml = """
            <interface><object class="GtkShortcutsWindow" id="keys"><child>\
            <object class="GtkShortcutsSection"><property name="section-name">all</property>\
            <property name="max-height">14</property>
            """
        for part in parts {
            xml +=
                "<child><object class=\"GtkShortcutsGroup\"><property name=\"title\">\(GTKDialogs.escaped(part.title))</property>"
            for row in part.rows {
                xml += """
                    <child><object class="GtkShortcutsShortcut">\
                    <property name="accelerator">\(GTKDialogs.escaped(row.keys))</property>\
                    <property name="title">\(GTKDialogs.escaped(row.text))</property></object></child>
                    """
            }
            xml += "</object></child>"
        }
        return xml + "</object></child></object></interface>"
    }
}
