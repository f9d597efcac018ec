import GTK
import Presentation

/// Returns a text of the app in the user's language.
@MainActor
func localized(_ text: String) -> String { PlayerWords.localized(text) }

/// The app's actions, their keyboard shortcuts and its main menu. Main actor.
@MainActor
enum AppMenu {
    struct Item {
        let action: String
        let text: String
        /// GTK accelerators; menus show the first.
        var keys: [String] = []
        /// The group in the shortcuts window; nil if the action is not shown there.
        var group: String? = "General"
    }
    static let items = [
        Item(action: "app.open", text: "Open…", keys: ["<Control>o"]),
        Item(action: "app.open-address", text: "Open URL…", keys: ["<Control>l"]),
        Item(action: "app.new-window", text: "New Window", keys: ["<Control>n"]),
        Item(action: "win.list", text: "Show Playlist", keys: ["F9"]),
        Item(action: "win.previous", text: "Previous Video", keys: ["<Alt>Left"]),
        Item(action: "win.next", text: "Next Video", keys: ["<Alt>Right"]),
        Item(action: "app.shortcuts", text: "Keyboard Shortcuts", keys: ["<Control>question", "<Control>slash"]),
        Item(action: "app.about", text: "About Zoetrope", group: nil),
        Item(action: "win.close", text: "Close Window", keys: ["<Control>w"]),
        Item(action: "app.quit", text: "Quit", keys: ["<Control>q"]),
    ]
    private static func item(_ action: String) -> Item? { items.first { $0.action == action } }

    static func setKeys(of application: GTKApplication) {
        for item in items where !item.keys.isEmpty { application.setKeys(item.keys, of: item.action) }
    }

    static func primary() -> GTKReference<GIOMenu> {
        let menu = GIOMenu.make()
        section(menu.object, nil, ["app.open", "app.open-address", "app.new-window"].compactMap { named($0) })
        section(menu.object, nil, ["win.list", "win.previous", "win.next"].compactMap { named($0) })
        section(
            menu.object, localized("Appearance"),
            [
                (localized("Follow System"), "app.scheme::desktop"), (localized("Light"), "app.scheme::light"),
                (localized("Dark"), "app.scheme::dark"),
            ])
        section(menu.object, nil, [(localized("Resume from Last Position"), "app.resume")])
        section(menu.object, nil, ["app.shortcuts", "app.about"].compactMap { named($0) })
        section(menu.object, nil, ["win.close", "app.quit"].compactMap { named($0) })
        return menu
    }
    private static func named(_ action: String) -> (String, String)? {
        item(action).map { (localized($0.text), action) }
    }

    private static func section(_ menu: GIOMenu, _ label: String?, _ entries: [(text: String, action: String)]) {
        let part = GIOMenu.make()
        for entry in entries { part.object.append(entry.text, action: entry.action) }
        menu.append(section: part.object, title: label)
    }
}
