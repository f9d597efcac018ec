import Foundation
import GTK

/// All keys, in GTK's window for them. Main actor.
@MainActor
enum ShortcutsWindow {
    struct Part {
        let title: String
        /// `keys` as GTK writes them, several by spaces.
        var rows: [(keys: String, words: String)]
    }

    static func show(over window: GTKWindow) {
        guard let own = GTKDialogs.window(description(parts), id: "keys") else { return }
        own.setModal(over: window)
        own.addClass("zoetrope-keys")
        style.ensure()
        own.present()
    }

    /// GTK's own theme gives the numbers of pages margins that are more than they are wide, and complains of it.
    private static let style = Stylesheet(
        ".zoetrope-keys stackswitcher.circular > button.circular > label { margin: 0; }")

    /// The film's, from the one table of them, and the app's own.
    static var parts: [Part] {
        let own = AppMenu.items.filter { $0.group != nil && !$0.keys.isEmpty }
        return [
            Part(
                title: say("General"),
                rows: own.map { (keys: $0.keys.joined(separator: " "), words: say($0.words)) })
        ] + KeyTable.sections.map { Part(title: say($0.title), rows: rows($0)) }
    }

    private static func rows(_ section: KeyTable.Section) -> [(keys: String, words: String)] {
        var rows: [(keys: [String], words: String)] = []
        for binding in section.bindings {
            guard let key = binding.keys.first?.accelerator else { continue }
            if binding.title.isEmpty, !rows.isEmpty {
                rows[rows.count - 1].keys.append(key)
            } else {
                rows.append(([key], say(binding.title)))
            }
        }
        return rows.map { row in
            // Of a row of digits the first and the last tell.
            let keys =
                row.keys.count > 3
                ? "\(row.keys[0])...\(row.keys[row.keys.count - 1])" : row.keys.joined(separator: " ")
            return (keys, row.words)
        }
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
        GTKDialogs.escaped(text)
    }
}
