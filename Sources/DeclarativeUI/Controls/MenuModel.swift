import Foundation
import GTK

/// A GTK menu with the entries of a view, and the actions of the entries.
@MainActor
final class MenuModel {
    static let prefix = "zt"
    private let actions: ActionMenu
    var menu: GIOMenu { actions.menu }
    /// The group of actions, which must be inserted with the prefix `MenuModel.prefix`.
    var group: GIOActionGroup { actions.actions }

    init(_ entries: [MenuEntry]) {
        actions = ActionMenu(MenuModel.sections(entries), prefix: MenuModel.prefix)
    }

    /// Returns the entries in sections, which the dividers separate.
    private static func sections(_ entries: [MenuEntry]) -> [[ActionMenu.Entry]] {
        var sections: [[ActionMenu.Entry]] = [[]]
        for entry in entries {
            if let item = item(entry) { sections[sections.count - 1].append(item) } else { sections.append([]) }
        }
        return sections
    }

    /// Returns the item for an entry, or nil for a divider.
    private static func item(_ entry: MenuEntry) -> ActionMenu.Entry? {
        let kind: ActionMenu.Entry.Kind
        var isEnabled = entry.isEnabled
        switch entry.kind {
        case .divider: return nil
        case .submenu(let entries):
            kind = .submenu(sections(entries))
            isEnabled = true
        case .action(let action): kind = .action(action)
        case .check(let isOn, let action): kind = .check(isOn, action)
        case .radio(let isOn, let action): kind = .radio(isOn, action)
        case .text:
            kind = .action {}
            isEnabled = false
        }
        let key = entry.shortcut.flatMap { GDKKey.accelerator($0.key.symbol, $0.modifiers.gdk) }
        return ActionMenu.Entry(entry.title, accelerator: key, isEnabled: isEnabled, kind)
    }
}
