import CGTK
import Foundation

/// A menu whose entries call closures.
@MainActor
package final class ActionMenu {
    package struct Entry {
        package enum Kind {
            case action(@MainActor () -> Void)
            /// An entry with a check mark if it is on.
            case check(Bool, @MainActor () -> Void)
            /// A radio entry: of several such entries, one is selected.
            case radio(Bool, @MainActor () -> Void)
            case submenu([[Entry]])
        }
        let title: String
        let accelerator: String?
        let isEnabled: Bool
        let kind: Kind

        /// - Parameter accelerator: The shortcut to show, in GTK's format, or nil for none.
        package init(_ title: String, accelerator: String?, isEnabled: Bool, _ kind: Kind) {
            self.title = title
            self.accelerator = accelerator
            self.isEnabled = isEnabled
            self.kind = kind
        }
    }

    package var menu: GIOMenu { model.object }
    package var actions: GIOActionGroup { group.object }
    private let model = GIOMenu.make()
    private let group = GIOActionGroup.make()
    private let prefix: String
    private let signals = Signals()
    private var count = 0

    /// Creates a menu.
    ///
    /// - Parameters:
    ///   - sections: The entries, in sections that are separated by lines.
    ///   - prefix: The prefix under which the widget inserts `actions`.
    package init(_ sections: [[Entry]], prefix: String) {
        self.prefix = prefix
        fill(model.object, sections)
    }

    // A menu that is closing may keep the actions alive after this object.
    isolated deinit { signals.disconnect() }

    private func fill(_ menu: GIOMenu, _ sections: [[Entry]]) {
        for section in sections where !section.isEmpty {
            let part = GIOMenu.make()
            for entry in section { add(entry, to: part.object) }
            menu.append(section: part.object)
        }
    }

    private func add(_ entry: Entry, to menu: GIOMenu) {
        // In GTK's labels, an underscore marks a mnemonic key.
        guard let item = g_menu_item_new(entry.title.replacingOccurrences(of: "_", with: "__"), nil) else { return }
        defer {
            g_menu_append_item(menu.pointer, item)
            g_object_unref(UnsafeMutableRawPointer(item))
        }
        if let key = entry.accelerator { g_menu_item_set_attribute_value(item, "accel", g_variant_new_string(key)) }
        switch entry.kind {
        case .submenu(let sections):
            // A disabled submenu is added as a disabled entry without action.
            guard entry.isEnabled else { return add(item, nil, false) {} }
            let submenu = GIOMenu.make()
            fill(submenu.object, sections)
            g_menu_item_set_submenu(item, submenu.object.raw())
        case .action(let run): add(item, nil, entry.isEnabled, run)
        case .check(let isOn, let run): add(item, .check(isOn), entry.isEnabled, run)
        case .radio(let isOn, let run): add(item, .radio(isOn), entry.isEnabled, run)
        }
    }

    /// The mark of an entry. GTK shows a check mark for a Boolean state, and a radio mark for a state that equals the
    /// entry's target.
    private enum Mark { case check(Bool), radio(Bool) }

    private func add(_ item: OpaquePointer, _ mark: Mark?, _ isEnabled: Bool, _ run: @escaping @MainActor () -> Void) {
        let name = "e\(count)"
        count += 1
        let stringType = g_variant_type_new("s")
        defer { g_variant_type_free(stringType) }
        let action =
            switch mark {
            case nil: g_simple_action_new(name, nil)
            case .check(let isOn): g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn.gboolean))
            case .radio(let isOn):
                g_simple_action_new_stateful(name, stringType, g_variant_new_string(isOn ? "1" : "0"))
            }
        guard let action else { return }
        g_simple_action_set_enabled(action, isEnabled.gboolean)
        signals.on(action, "activate") { run() }
        g_action_map_add_action(actions.pointer, action)
        g_object_unref(UnsafeMutableRawPointer(action))
        let target: OpaquePointer? = if case .radio = mark { g_variant_new_string("1") } else { nil }
        g_menu_item_set_action_and_target_value(item, "\(prefix).\(name)", target)
    }
}
