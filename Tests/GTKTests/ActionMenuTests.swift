import CGTK
import Testing

@testable import GTK

@MainActor
@Suite("Menus whose entries call closures") struct ActionMenuTests {
    private func activate(_ menu: ActionMenu, _ name: String) {
        g_action_group_activate_action(menu.actions.pointer, name, nil)
    }

    /// Returns an attribute of an item in the first section, or nil.
    private func attribute(_ menu: ActionMenu, _ item: Int32, _ name: String) -> String? {
        guard let section = g_menu_model_get_item_link(menu.menu.raw(), 0, "section") else { return nil }
        defer { g_object_unref(section) }
        guard let value = g_menu_model_get_item_attribute_value(section, item, name, nil) else { return nil }
        defer { g_variant_unref(value) }
        return String(cString: g_variant_get_string(value, nil))
    }

    @Test("an entry calls its closure, also in a submenu")
    func closures() {
        var calls: [String] = []
        let menu = ActionMenu(
            [
                [ActionMenu.Entry("A", accelerator: nil, isEnabled: true, .action { calls.append("A") })],
                [
                    ActionMenu.Entry(
                        "B", accelerator: nil, isEnabled: true,
                        .submenu([
                            [ActionMenu.Entry("C", accelerator: nil, isEnabled: true, .action { calls.append("C") })]
                        ]))
                ],
            ], prefix: "t")
        activate(menu, "e0")
        activate(menu, "e1")
        #expect(calls == ["A", "C"])
        #expect(g_menu_model_get_n_items(menu.menu.raw()) == 2)
    }

    @Test("a disabled entry calls nothing, nor does a disabled submenu")
    func disabled() {
        var calls = 0
        let entry = ActionMenu.Entry("A", accelerator: nil, isEnabled: false, .action { calls += 1 })
        let menu = ActionMenu(
            [[entry, ActionMenu.Entry("B", accelerator: nil, isEnabled: false, .submenu([[entry]]))]], prefix: "t")
        for name in ["e0", "e1"] {
            #expect(g_action_group_get_action_enabled(menu.actions.pointer, name) == 0)
            activate(menu, name)
        }
        #expect(calls == 0 && g_action_group_has_action(menu.actions.pointer, "e2") == 0)
    }

    @Test("check and radio entries have a state", arguments: [true, false])
    func marks(isOn: Bool) {
        let menu = ActionMenu(
            [
                [
                    ActionMenu.Entry("A", accelerator: nil, isEnabled: true, .check(isOn) {}),
                    ActionMenu.Entry("B", accelerator: nil, isEnabled: true, .radio(isOn) {}),
                ]
            ], prefix: "t")
        let states = ["e0", "e1"].map { (name: String) in g_action_group_get_action_state(menu.actions.pointer, name) }
        defer { for state in states { g_variant_unref(state) } }
        #expect((g_variant_get_boolean(states[0]) != 0) == isOn)
        // GTK shows the mark at the item whose target equals the state.
        #expect((String(cString: g_variant_get_string(states[1], nil)) == attribute(menu, 1, "target")) == isOn)
    }

    @Test("titles keep their underscores and show their keys")
    func titles() {
        let menu = ActionMenu(
            [[ActionMenu.Entry("a_b", accelerator: "<Control>q", isEnabled: true, .action {})]], prefix: "t")
        #expect(attribute(menu, 0, "label") == "a__b")
        #expect(attribute(menu, 0, "accel") == "<Control>q")
        #expect(attribute(menu, 0, "action") == "t.e0")
    }
}
