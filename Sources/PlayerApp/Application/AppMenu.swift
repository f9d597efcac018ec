import CGTK
import Foundation
import Presentation

/// Returns a text of the app in the user's language.
@MainActor
func say(_ text: String) -> String { PlayerWords.localized(text) }

/// The app's actions, their keyboard shortcuts and its main menu. Main actor.
@MainActor
enum AppMenu {
    struct Item {
        let action: String
        let words: String
        /// GTK accelerators; menus show the first.
        var keys: [String] = []
        /// The group in the shortcuts window; nil to leave the action out.
        var group: String? = "General"
    }
    static let items = [
        Item(action: "app.open", words: "Open…", keys: ["<Control>o"]),
        Item(action: "app.open-address", words: "Open URL…", keys: ["<Control>l"]),
        Item(action: "app.new-window", words: "New Window", keys: ["<Control>n"]),
        Item(action: "win.list", words: "Show Playlist", keys: ["F9"]),
        Item(action: "win.previous", words: "Previous Video", keys: ["<Alt>Left"]),
        Item(action: "win.next", words: "Next Video", keys: ["<Alt>Right"]),
        Item(action: "app.shortcuts", words: "Keyboard Shortcuts", keys: ["<Control>question", "<Control>slash"]),
        Item(action: "app.about", words: "About Zoetrope", group: nil),
        Item(action: "win.close", words: "Close Window", keys: ["<Control>w"]),
        Item(action: "app.quit", words: "Quit", keys: ["<Control>q"]),
    ]
    private static func item(_ action: String) -> Item? { items.first { $0.action == action } }

    static func setKeys(of application: UnsafeMutablePointer<GtkApplication>) {
        for item in items where !item.keys.isEmpty {
            var keys: [UnsafePointer<CChar>?] = item.keys.map { UnsafePointer(strdup($0)) } + [nil]
            gtk_application_set_accels_for_action(application, item.action, &keys)
            for key in keys { free(UnsafeMutablePointer(mutating: key)) }
        }
    }

    /// A GMenuModel, the caller's.
    static func primary() -> OpaquePointer? {
        guard let menu = g_menu_new() else { return nil }
        section(menu, nil, ["app.open", "app.open-address", "app.new-window"].compactMap { named($0) })
        section(menu, nil, ["win.list", "win.previous", "win.next"].compactMap { named($0) })
        section(
            menu, say("Appearance"),
            [
                (say("Follow System"), "app.scheme::desktop"), (say("Light"), "app.scheme::light"),
                (say("Dark"), "app.scheme::dark"),
            ])
        section(menu, nil, [(say("Resume from Last Position"), "app.resume")])
        section(menu, nil, ["app.shortcuts", "app.about"].compactMap { named($0) })
        section(menu, nil, ["win.close", "app.quit"].compactMap { named($0) })
        return menu
    }
    private static func named(_ action: String) -> (String, String)? { item(action).map { (say($0.words), action) } }

    private static func section(_ menu: OpaquePointer, _ label: String?, _ entries: [(words: String, action: String)]) {
        guard let part = g_menu_new() else { return }
        for entry in entries { g_menu_append(part, entry.words, entry.action) }
        g_menu_append_section(menu, label, UnsafeMutablePointer<GMenuModel>(part))
        g_object_unref(UnsafeMutableRawPointer(part))
    }
}
