import CGTK
import GTK

/// The named actions of an app or a window, which menus, keys and the session bus call. Main actor.
@MainActor
final class Actions<Map: GTKObject> {
    private let reference: GTKReference<Map>
    private let signals = Signals()

    /// The `GActionMap` that contains the actions.
    var map: Map { reference.object }

    init(_ map: GTKReference<Map>) { reference = map }

    private func add(_ action: OpaquePointer?) -> OpaquePointer? {
        guard let action else { return nil }
        g_action_map_add_action(map.pointer, action)
        // The map holds the action now.
        g_object_unref(UnsafeMutableRawPointer(action))
        return action
    }

    func add(_ name: String, _ run: @escaping @MainActor () -> Void) {
        guard let action = add(g_simple_action_new(name, nil)) else { return }
        signals.on(action, "activate") { run() }
    }

    /// Adds an action that is on or off.
    func addSwitch(_ name: String, isOn: Bool, _ changed: @escaping @MainActor (Bool) -> Void) {
        guard let action = add(g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0))) else {
            return
        }
        signals.on(action, "change-state") { (value: OpaquePointer?) in
            guard let value else { return }
            g_simple_action_set_state(action, value)
            changed(g_variant_get_boolean(value) != 0)
        }
    }

    /// Adds an action whose state is one of several texts. Any other text changes nothing.
    func addChoice(
        _ name: String, of values: [String], _ initial: String, _ changed: @escaping @MainActor (String) -> Void
    ) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        guard let action = add(g_simple_action_new_stateful(name, type, g_variant_new_string(initial))) else { return }
        signals.on(action, "change-state") { (value: OpaquePointer?) in
            guard let value, let text = g_variant_get_string(value, nil) else { return }
            let choice = String(cString: text)
            guard values.contains(choice) else { return }
            g_simple_action_set_state(action, value)
            changed(choice)
        }
    }

    func set(_ name: String, isEnabled: Bool) {
        guard let action = g_action_map_lookup_action(map.pointer, name) else { return }
        g_simple_action_set_enabled(action, isEnabled ? 1 : 0)
    }
    /// Sets the state of a switch without calling its handler.
    func set(_ name: String, isOn: Bool) {
        guard let action = g_action_map_lookup_action(map.pointer, name) else { return }
        g_simple_action_set_state(action, g_variant_new_boolean(isOn ? 1 : 0))
    }

    func close() { signals.disconnect() }
}
