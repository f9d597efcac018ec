import CGTK
import Foundation
import GLibSupport

/// Entries as GIO's menu model, and the actions behind them.
@MainActor
final class MenuModel {
    /// A GMenu; owned.
    let menu: UnsafeMutablePointer<GMenuModel>
    /// A GSimpleActionGroup; owned. To be inserted as `MenuModel.prefix`.
    let group: OpaquePointer
    static let prefix = "zt"
    private var actions: [MenuAction] = []

    init?(_ entries: [MenuEntry]) {
        guard let group = g_simple_action_group_new(), let menu = g_menu_new() else { return nil }
        self.group = OpaquePointer(group)
        self.menu = UnsafeMutableRawPointer(menu).assumingMemoryBound(to: GMenuModel.self)
        fill(menu, entries)
    }

    isolated deinit {
        for action in actions { action.disconnect() }
        g_object_unref(UnsafeMutableRawPointer(menu))
        g_object_unref(UnsafeMutableRawPointer(group))
    }

    /// A section for what stands between two dividers.
    private func fill(_ menu: OpaquePointer, _ entries: [MenuEntry]) {
        var sections: [[MenuEntry]] = [[]]
        for entry in entries {
            if case .divider = entry.kind { sections.append([]) } else { sections[sections.count - 1].append(entry) }
        }
        for section in sections where !section.isEmpty {
            guard let part = g_menu_new() else { continue }
            for entry in section { add(entry, to: part) }
            g_menu_append_section(menu, nil, UnsafeMutableRawPointer(part).assumingMemoryBound(to: GMenuModel.self))
            g_object_unref(UnsafeMutableRawPointer(part))
        }
    }

    private func add(_ entry: MenuEntry, to menu: OpaquePointer) {
        // An underscore marks a key in GTK's labels.
        let title = entry.title.replacingOccurrences(of: "_", with: "__")
        guard let item = g_menu_item_new(title, nil) else { return }
        defer {
            g_menu_append_item(menu, item)
            g_object_unref(UnsafeMutableRawPointer(item))
        }
        if let shortcut = entry.shortcut, let words = gtk_accelerator_name(shortcut.key.symbol, shortcut.modifiers.gdk)
        {
            g_menu_item_set_attribute_value(item, "accel", g_variant_new_string(words))
            g_free(words)
        }
        let name = "e\(actions.count)"
        switch entry.kind {
        case .submenu(let entries):
            guard let below = g_menu_new() else { return }
            fill(below, entries)
            g_menu_item_set_submenu(item, UnsafeMutableRawPointer(below).assumingMemoryBound(to: GMenuModel.self))
            g_object_unref(UnsafeMutableRawPointer(below))
        case .action(let action):
            add(MenuAction(name, state: nil, isRadio: false, entry.isEnabled, action), name, item, target: nil)
        case .check(let isOn, let action):
            add(MenuAction(name, state: isOn, isRadio: false, entry.isEnabled, action), name, item, target: nil)
        case .radio(let isOn, let action):
            add(MenuAction(name, state: isOn, isRadio: true, entry.isEnabled, action), name, item, target: "1")
        case .words: add(MenuAction(name, state: nil, isRadio: false, false) {}, name, item, target: nil)
        case .divider: break
        }
    }

    private func add(_ action: MenuAction?, _ name: String, _ item: OpaquePointer, target: String?) {
        guard let action else { return }
        actions.append(action)
        g_action_map_add_action(group, action.action)
        g_menu_item_set_action_and_target_value(
            item, "\(MenuModel.prefix).\(name)", target.map { g_variant_new_string($0) })
    }
}

/// A GSimpleAction that calls a closure.
@MainActor
private final class MenuAction {
    let action: OpaquePointer
    private let signals = Signals()

    init?(_ name: String, state: Bool?, isRadio: Bool, _ isEnabled: Bool, _ perform: @escaping @MainActor () -> Void) {
        // A state that is true or false shows a check mark; one that is the target, a radio mark.
        let text = g_variant_type_new("s")
        defer { g_variant_type_free(text) }
        let made =
            switch (state, isRadio) {
            case (nil, _): g_simple_action_new(name, nil)
            case (let on?, false): g_simple_action_new_stateful(name, nil, g_variant_new_boolean(on ? 1 : 0))
            case (let on?, true):
                g_simple_action_new_stateful(name, text, g_variant_new_string(on ? "1" : "0"))
            }
        guard let made else { return nil }
        action = made
        g_simple_action_set_enabled(made, isEnabled ? 1 : 0)
        signals.on(made, "activate") { perform() }
    }

    /// The action may outlive its model in a menu that is closing.
    func disconnect() {
        signals.disconnect()
        g_object_unref(UnsafeMutableRawPointer(action))
    }
}
