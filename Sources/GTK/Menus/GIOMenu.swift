import CGTK

/// A menu as a model: GMenu.
package struct GIOMenu: GTKObject {
    package static var type: GType { g_menu_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// A new, empty menu.
    @MainActor package static func make() -> GTKReference<GIOMenu> { GTKReference(adopting: GIOMenu(g_menu_new())) }

    /// - Parameter action: As GIO writes it: “app.quit”, “app.scheme::dark”.
    @MainActor package func append(_ title: String, action: String) { g_menu_append(pointer, title, action) }
    @MainActor package func append(section: GIOMenu, title: String? = nil) {
        g_menu_append_section(pointer, title, section.raw())
    }
}

/// Actions by name, which a widget makes reachable for what is in it.
package struct GIOActionGroup: GTKObject {
    package static var type: GType { g_simple_action_group_get_type() }
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }

    @MainActor package static func make() -> GTKReference<GIOActionGroup> {
        GTKReference(adopting: GIOActionGroup(g_simple_action_group_new()))
    }
}
